/** The hook path: frames in, events parsed, deduplicated, committed, decided, answered; and the spool. */

export { asSent } from './as-sent.ts'
export { type ClientMessage, FrameReader } from './frames.ts'
export type { Pending } from './pending-decisions.ts'
export type { Pipeline } from './pipeline.ts'
export { rawEventOf } from './raw-event.ts'
export { isAsked, WAITING_TRANSPORTS, withNamedType } from './replies.ts'
export { type HookPeer, ReplyQueue } from './reply-queue.ts'
