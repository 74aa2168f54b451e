/** The hook path: frames in, events parsed, deduplicated, committed, decided, answered; and the spool. */

export { asSent } from './as-sent.ts'
export { FrameReader, type Message } from './frames.ts'
export type { Pending } from './pending-decisions.ts'
export type { Pipeline } from './pipeline.ts'
export { rawEventOf } from './raw-event.ts'
export { asNamed, isAsked, WAITS } from './replies.ts'
export { type Line, ReplyQueue } from './reply-queue.ts'
