/**
 * Work that survives the context window: task › effort › session. An effort is a piece of work that spans several
 * windows. Agents log their progress, are warned before the context is full and dehydrate; a fresh window continues from
 * there.
 */
export { type AgentStatus, byUrgency, mostUrgent } from './agents.ts'
export type { Ending, WorkContext } from './context.ts'
export { Directives } from './directives.ts'
export {
  appendLog,
  dehydrate,
  effortFor,
  finishEffort,
  logEffort,
  makeTaskDir,
  movePhase,
  type NewEffort,
  startEffort,
  taskTitle,
} from './efforts.ts'
export { type AskedHook, type EngineParts, WorkEngine } from './engine.ts'
export { guardsSchema } from './guards.ts'
export { toSnakeCase } from './hook-input.ts'
export { RESTART_PROMPT, WORK_HOOKS } from './hooks/index.ts'
export { metadataSchema } from './metadata.ts'
export { artifactsOf, type Dehydration } from './recovery.ts'
export { runIdOf } from './run-id.ts'
export { settingsOf, type WorkConfig, type WorkSettings } from './settings.ts'
export { type Awaited, type Signal, Signals } from './signals.ts'
export { checkSkill } from './skills.ts'
