/** Who answers a hook: rules, handlers, approvals by a person, and the limit on stop blocks. */

export {
  type FromWorker,
  Handlers,
  handlerEnv,
  isAbout,
  type Loaded,
  specWarnings,
  type ToWorker,
  type WarmSpec,
} from './handlers/index.ts'
export { checkRules, filesAt, loadPolicy, rulesIn } from './rules/rule-files.ts'
export { partsOfFiles, tryRules } from './rules/trial.ts'
