/**
 * The state of every session as a pure function of its events: its phase, what it waits for and why, its sub-agents, its
 * context usage. No I/O; the clock is an argument.
 */

export { greaterNews, type News } from './change-level.ts'
export { isWaitedFor } from './children.ts'
export {
  type AtmStatus,
  atm,
  coop,
  DIALECTS,
  type Dialect,
  ENGINE_ORDER,
  type EngineStatus,
  engine,
  teleclaude,
} from './dialects.ts'
export { blankSession, type Change, Fleet, keyOf } from './fleet.ts'
export { CLOCK_SET_BACK, HOOKLESS, setBackBy } from './gantry-agent.ts'
export {
  aged,
  askWords,
  childLook,
  ENGINE_LOOKS,
  inOrder,
  LOOKS,
  type Look,
  type Looked,
  type LookTone,
  lookOf,
  rankOf,
  refusalWords,
  uncoveredWords,
} from './look.ts'
export { nameFor } from './names.ts'
export { questionIn } from './permissions.ts'
export {
  childPhase,
  graceOf,
  isHard,
  isResting,
  isStale,
  needsYou,
  PHASES,
  type Phase,
  phaseOf,
  STALE_MS,
} from './phase.ts'
export { pidOf, reduce } from './reduce.ts'
export {
  awaitsNotice,
  type Evidence,
  type Healed,
  heal,
  healByStatus,
  type ReportedStatus,
} from './reported-status.ts'
export type { Attention, Background, Child, Denial, OpenTool, Session, Todo, Usage } from './session.ts'
export { printOf } from './tools.ts'
export { GRACE_MS } from './turns.ts'
export { type ApprovalGlance, type ChildView, glanceOf, type SessionView, viewOf } from './view.ts'
export { isReplaced } from './windows.ts'
