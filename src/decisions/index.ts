/** Who answers a hook: rules, handlers, approvals by a person, and the limit on stop blocks. */

export { Handlers } from './handlers/handlers.ts'
export { handlerEnv } from './handlers/run.ts'
export { isAbout, specWarnings } from './handlers/warm-folder.ts'
export type { FromWorker, Loaded, ToWorker, WarmSpec } from './handlers/warm-worker.ts'
export { checkRules, filesAt, loadPolicy, rulesIn } from './rules/rule-files.ts'
export { partsOfFiles, tryRules } from './rules/trial.ts'
