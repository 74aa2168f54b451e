/** Who answers a hook: rules, handlers, approvals by a person, and the limit on stop blocks. */

export { Handlers } from './handlers/handlers.ts'
export { handlerEnv } from './handlers/run.ts'
export { filesIn, loadPolicy, ruleProblems, rulesIn } from './rules/rule-files.ts'
export { tryRules } from './rules/trial.ts'
