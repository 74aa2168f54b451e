/** The journal as events: parsing rows and payloads, filters, live feeds, and the events that gantry itself raises. */

export { BackgroundFollower } from './background-follower.ts'
export { Batch } from './batch.ts'
export { toWire } from './event-filter.ts'
export type { Feed } from './feed.ts'
export { Follower, type FollowerOptions } from './follower.ts'
export { inboundId, isInbound } from './inbound-event.ts'
export {
  collisionEvent,
  costEvent,
  deniedCallEvent,
  deniedPromptEvent,
  graceEndedEvent,
  graceSetEvent,
  heldEvent,
  hooklessEvent,
  inferredEvent,
  type Missed,
  missedEvent,
  openedEvent,
  originEvent,
  parentEvent,
  raisedEvent,
  refusedEvent,
  renamedEvent,
  resolvedEvent,
  seenEvent,
  sessionEvent,
  stopBlockedEvent,
  stopLoopEvent,
  summarizedEvent,
  titleEvent,
  transcriptEvent,
  uncoveredEvent,
  usageEvent,
  versionObserved,
} from './internal-events.ts'
export { LiveReader, type Sink } from './live-reader.ts'
export { parseRow, rawOf, readEvent, withoutSecrets } from './parse-event.ts'
export { ReadTurns } from './read-turns.ts'
