/**
 * Every call that the daemon answers: arguments, result, example. Clients get their types from here and the docs their
 * text, and without a handler for each the daemon does not compile. This loads schemas, so a client imports types only.
 */
import type { z } from 'zod'
import { activityCalls } from './activity.ts'
import { busCalls } from './bus.ts'
import { changesCalls } from './changes.ts'
import { daemonCalls } from './daemon.ts'
import { decisionCalls } from './decisions.ts'
import { eventCalls } from './events.ts'
import { hookCalls } from './hooks.ts'
import { insightsCalls } from './insights.ts'
import { notifyCalls } from './notify.ts'
import { rehearsalCalls } from './rehearsal.ts'
import { schemaCalls } from './schema.ts'
import { searchCalls } from './search.ts'
import { sessionCalls } from './sessions.ts'
import { tmuxCalls } from './tmux.ts'
import { webCalls } from './web.ts'
import { workCalls } from './work.ts'

export type * from './activity.ts'
export type * from './bus.ts'
export type * from './changes.ts'
export type * from './daemon.ts'
export type * from './decisions.ts'
export {
  type EventContextView,
  type EventQuery,
  type EventsPage,
  type EventTools,
  type ImportedEvent,
  type PagedEvent,
  type PagedVerdict,
  type PageQuery,
  querySchema,
  type WireEvent,
} from './events.ts'
export { hookCalls } from './hooks.ts'
export type * from './insights.ts'
export type * from './notify.ts'
export type * from './rehearsal.ts'
export type * from './schema.ts'
export { type SearchAnswer, type SearchHit, type SearchQuery, searchSchema } from './search.ts'
export type * from './sessions.ts'
export type * from './tmux.ts'
export type * from './web.ts'
export * from './work.ts'

export const CALLS = {
  ...daemonCalls,
  ...eventCalls,
  ...sessionCalls,
  ...activityCalls,
  ...changesCalls,
  ...insightsCalls,
  ...decisionCalls,
  ...rehearsalCalls,
  ...tmuxCalls,
  ...searchCalls,
  ...busCalls,
  ...notifyCalls,
  ...schemaCalls,
  ...hookCalls,
  ...workCalls,
  ...webCalls,
}

export type Calls = typeof CALLS
export type CallName = keyof Calls
/** The caller's arguments: those with a default are optional. */
export type CallArgs<Name extends CallName> = DeepReadonly<z.input<Calls[Name]['args']>>
export type CallResult<Name extends CallName> = z.output<Calls[Name]['result']>

type DeepReadonly<T> = T extends readonly (infer Item)[]
  ? readonly DeepReadonly<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]: DeepReadonly<T[Key]> }
    : T
