/** Rules and guards on events of the past, beside the daemon: why an event was answered so, what a draft would do, what to propose. */

export { Draft, type DraftParts } from './draft.ts'
export { bothOf, type Counts, type Deeds, type Effect, type Report, replay, type Sample } from './replay.ts'
export { type Suggestion, suggest } from './suggest.ts'
export {
  type AnsweredThen,
  answeredThen,
  type Reasons,
  type Said,
  type Span,
  storedEvent,
  why,
} from './why.ts'
