/**
 * How everyone but the daemon reaches the daemon, and what travels between them. The hook client has doors of its
 * own, `hook.ts` and `wire.ts`: it is started under every tool call and must load nothing else.
 */
export { AGENT_NAMES, asksPermission, DEFAULT_AGENT, factsOf } from '../agents/facts.ts'
export { isAlive } from '../core/proc.ts'
export { EVENT_TYPES, isKnownType, OWN_AGENT } from '../events/names.ts'
export { ENGINE_ORDER } from '../sessions/state/dialects.ts'
export {
  aged,
  askWords,
  childLook,
  ENGINE_LOOKS,
  inOrder,
  LOOKS,
  type Look,
  type LookTone,
  lookOf,
  rankOf,
} from '../sessions/state/look.ts'
export { isResting } from '../sessions/state/phase.ts'
export {
  type ApprovalAnswer,
  type ApprovalDecision,
  type ApprovalList,
  type ApprovalView,
  type AskedElsewhere,
  answerApproval,
  listApprovals,
  proofOf,
  provedAnswer,
} from './approvals.ts'
export {
  type BusConsumer,
  type BusDeliver,
  type BusNats,
  type BusReading,
  type BusRequest,
  type BusStatus,
  type BusStreamName,
  type BusStreamStatus,
  subscribeBus,
  type WireMessage,
} from './bus.ts'
export { call, subscribe, subscribeSessions } from './connection.ts'
export type { FleetHost, FleetSession, FleetSessions } from './fleet.ts'
export { type HookLine, openHookLine } from './hook-line.ts'
export {
  type EventContextView,
  markdownOf,
  type SessionFileView,
  type SessionUsageView,
  sdkLine,
  type TranscriptMessage,
  type TranscriptView,
  type UsageView,
} from './insight.ts'
export { doubtsAbout, typeIn } from './known-names.ts'
export { countLosses, type Losses, lossesOf, reservedSlots } from './losses.ts'
export type {
  ChildView,
  DeadLetter,
  EventQuery,
  Finding,
  SearchAnswer,
  SearchHit,
  SessionChange,
  SessionView,
  Status,
  WireEvent,
} from './protocol.ts'
export { SessionFeed, type SessionNews } from './session-feed.ts'
export { ANSWER_MS, daemonOf, endByForce, isSilent, silenceOf } from './silence.ts'
export { sinceOf, spanOf, timeOf } from './since.ts'
export { findRoom, type Loss, NO_ROOM, TOO_MANY } from './spool.ts'
export type {
  AgentView,
  AwaitedView,
  EffortBegun,
  EffortDetail,
  EffortView,
  FleetView,
  MessageView,
  SignalView,
  TaskView,
  WindowView,
} from './work.ts'
