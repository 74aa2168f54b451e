/**
 * Work that survives the context window: task › effort › session. An effort is a piece of work that spans several
 * windows. Agents log their progress, are warned before the context is full and dehydrate; a fresh window continues from
 * there.
 */

export { settingsOf, type WorkConfig } from './config.ts'
export type { Ending, WorkContext } from './context.ts'
export { runIdOf } from './context.ts'
export { type AgentStatus, byUrgency, mostUrgent } from './coordination/agents.ts'
export { type Signal, Signals } from './coordination/signals.ts'
export { Directives } from './directives/directives.ts'
export {
  appendLog,
  dehydrate,
  effortFor,
  effortWith,
  finishEffort,
  logEffort,
  makeTaskDir,
  movePhase,
  startEffort,
  taskTitle,
} from './efforts/efforts.ts'
export { artifactsOf } from './efforts/recovery.ts'
export { checkSkill } from './efforts/skills.ts'
export { type AskedHook, WorkEngine } from './engine.ts'
export { guardsSchema } from './guidance/guards.ts'
export { toSnakeCase } from './hook-input.ts'
export { RESTART_PROMPT, WORK_HOOKS } from './hooks/index.ts'
