/** Rules and guards on events of the past, beside the daemon: why an event was answered so, what a draft would do, what to propose. */

export { Draft } from './draft.ts'
export { type EffectCounts, type RehearsalReport, type RuleEffects, replay } from './replay.ts'
export { suggest } from './suggest.ts'
export {
  type AnsweredThen,
  answeredThen,
  type Reasons,
  type Said,
  type Span,
  storedEvent,
  why,
} from './why.ts'
