/** TODO door */

export { Handlers } from './handlers/handlers.ts'
export type { HandlerStatus } from './handlers/record.ts'
export { handlerEnv } from './handlers/run.ts'
export { ruleProblems } from './rules/rule-files.ts'
