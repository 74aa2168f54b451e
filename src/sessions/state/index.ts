/**
 * The state of every session as a pure function of its events: its phase, what it waits for and why, its sub-agents, its
 * context usage. No I/O; the clock is an argument.
 */

export { higherLevel } from './change-level.ts'
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
  engineOfTurn,
  teleclaude,
} from './dialects.ts'
export { CLOCK_SET_BACK, HOOKLESS, setBackBy } from './gantry-agent.ts'
export { type ActivityStatus, activityOf, ENGINE_LOOKS, inOrder, lookOf, refusalWords } from './look.ts'
export { questionIn } from './permissions.ts'
export { childPhase, graceOf, isHard, isResting, isStale, PHASES, phaseOf, STALE_MS } from './phase.ts'
export { pidOf, reduce } from './reduce.ts'
export {
  awaitsNotice,
  type Evidence,
  healByStatus,
  type Inferred,
  infer,
  type ReportedStatus,
} from './reported-status.ts'
export type { Attention, Child, OpenTool, Session } from './session.ts'
export { blankSession, type Change, SessionMap } from './session-map.ts'
export { printOf } from './tools.ts'
export { GRACE_MS } from './turns.ts'
export { type ApprovalGlance, type ChildView, glanceOf, type SessionView, viewOf } from './view.ts'
export { isReplaced } from './windows.ts'
