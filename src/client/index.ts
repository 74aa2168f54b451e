/**
 * How everyone but the daemon reaches the daemon, and what travels between them. The hook client has doors of its
 * own, `hook.ts` and `wire.ts`: it is started under every tool call and must load nothing else.
 */
export { AGENT_NAMES, asksPermission, DEFAULT_AGENT, factsOf } from '../agents/facts.ts'
export { isAlive } from '../core/processes/proc.ts'
export { markdownOf, type TranscriptMessage } from '../events/message.ts'
export { EVENT_TYPES, isKnownType, OWN_AGENT, STORED_TYPES, STREAMS } from '../events/names.ts'
export { sdkLine } from '../events/sdk-line.ts'
export type * from '../rpc/index.ts'
export { ENGINE_ORDER } from '../sessions/state/dialects.ts'
export type { ChildView, SessionView } from '../sessions/state/index.ts'
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
export { type ApprovalAnswer, answerApproval, listApprovals, proofOf, provedAnswer } from './approvals.ts'
export { type BusDeliver, type BusReading, type BusRequest, subscribeBus, type WireMessage } from './bus.ts'
export { call, callByName, subscribe, subscribeSessions } from './connection.ts'
export { type HookLine, openHookLine } from './hook-line.ts'
export { doubtsAbout, typeIn } from './known-names.ts'
export { countLosses, type Losses, lossesOf, reservedSlots } from './losses.ts'
export { SessionFeed, type SessionNews } from './session-feed.ts'
export { ANSWER_MS, daemonOf, endByForce, isSilent, silenceOf } from './silence.ts'
export { sinceOf, spanOf, timeOf } from './since.ts'
export { findRoom, type Loss, NO_ROOM, TOO_MANY } from './spool.ts'
