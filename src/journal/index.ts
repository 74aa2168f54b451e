/** The journal as events: parsing rows and payloads, filters, live feeds, and the events that gantry itself raises. */

export { BackgroundFollower } from './background-follower.ts'
export { toWire } from './event-filter.ts'
export type { Feed, Sink } from './feed.ts'
export { Follower } from './follower.ts'
export { takePayload } from './fresh-payloads.ts'
export { inboundId, isInbound } from './inbound-event.ts'
export {
  costArrival,
  deniedCallArrival,
  deniedPromptArrival,
  graceEndedArrival,
  graceSetArrival,
  healedArrival,
  heldArrival,
  type Missed,
  missedArrival,
  openedArrival,
  originArrival,
  parentArrival,
  raisedArrival,
  refusedArrival,
  renamedArrival,
  resolvedArrival,
  seenArrival,
  stopLoopArrival,
  summarizedArrival,
  titleArrival,
  transcriptArrival,
  usageArrival,
  versionArrival,
} from './internal-events.ts'
export { rawOf, readArrival, readEvent, reviveRow, withoutSecrets } from './parse-event.ts'
export { ReadTurns } from './read-turns.ts'
