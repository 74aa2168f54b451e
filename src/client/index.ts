/**
 * How every program except the daemon reaches the daemon, and the wire types. The hook client imports `hook.ts` and
 * `wire.ts` directly: it starts under every tool call and must load nothing else.
 */
export { AGENT_NAMES, asksPermission, DEFAULT_AGENT, factsOf } from '../agents/facts.ts'
export { isAlive } from '../core/processes/proc.ts'
export { markdownOf, type TranscriptMessage } from '../events/message.ts'
export { OWN_AGENT, STORED_TYPES, STREAMS } from '../events/names.ts'
export { sdkLine } from '../events/sdk-line.ts'
export type * from '../rpc/index.ts'
export type { ChildView, SessionView } from '../sessions/state/index.ts'
export {
  aged,
  askWords,
  childLook,
  denialWords,
  dropOldEnded,
  ENGINE_LOOKS,
  inOrder,
  LEGEND,
  LOOKS,
  type Look,
  type LookTone,
  lookOf,
  uncoveredWords,
} from '../sessions/state/look.ts'
export { refusesAct } from '../sessions/state/phase.ts'
export { answerApproval, approvalKey, listApprovals, proofOf, proofOver, provedAnswer } from './approvals.ts'
export { raiseBudget } from './budgets.ts'
export { type BusDeliver, type BusRequest, followBus, type WireMessage } from './bus.ts'
export { call, callByName, subscribe, subscribeSessions } from './connection.ts'
export { type HookLine, openHookLine } from './hook-line.ts'
export { doubtsAbout, typeIn } from './known-names.ts'
export { countLosses, lossesOf, reservedSlots } from './losses.ts'
export { throughRestarts } from './restarts.ts'
export { SessionFeed } from './session-feed.ts'
export { ANSWER_MS, daemonOf, endByForce, isSilent, silenceOf } from './silence.ts'
export { sinceOf, timeOf } from './since.ts'
export { findRoom, NO_ROOM, TOO_MANY } from './spool.ts'
