/**
 * Every call that the daemon answers: arguments, result, example. Clients get their types from here and the docs their
 * text, and without a handler for each the daemon does not compile. This loads schemas, so a client imports types only.
 */
import type { z } from 'zod'
import { approvalCalls } from './approvals.ts'
import { budgetCalls } from './budgets.ts'
import { busCalls } from './bus.ts'
import { configCalls } from './config.ts'
import { daemonCalls } from './daemon.ts'
import { demoCalls } from './demo.ts'
import { effortCalls } from './effort.ts'
import { eventCalls } from './events.ts'
import { fileCalls } from './files.ts'
import { fleetCalls } from './fleet.ts'
import { guardCalls } from './guards.ts'
import { hookCalls } from './hooks.ts'
import { insightsCalls } from './insights.ts'
import { notifyCalls } from './notify.ts'
import { ruleCalls } from './rules.ts'
import { schemaCalls } from './schema.ts'
import { searchCalls } from './search.ts'
import { sessionCalls } from './sessions.ts'
import { taskCalls } from './task.ts'
import { tmuxCalls } from './tmux.ts'
import { webCalls } from './web.ts'

export type * from './approvals.ts'
export type * from './budgets.ts'
export type * from './bus.ts'
export type * from './config.ts'
export type * from './daemon.ts'
export * from './effort.ts'
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
export type * from './files.ts'
export type * from './fleet.ts'
export type * from './guards.ts'
export { hookCalls } from './hooks.ts'
export type * from './insights.ts'
export type * from './notify.ts'
export type * from './rules.ts'
export type * from './schema.ts'
export { type SearchAnswer, type SearchHit, type SearchQuery, searchSchema } from './search.ts'
export type * from './sessions.ts'
export type * from './task.ts'
export type * from './tmux.ts'
export type * from './web.ts'

export const CALLS = {
  ...daemonCalls,
  ...configCalls,
  ...eventCalls,
  ...sessionCalls,
  ...fileCalls,
  ...insightsCalls,
  ...ruleCalls,
  ...guardCalls,
  ...budgetCalls,
  ...approvalCalls,
  ...tmuxCalls,
  ...searchCalls,
  ...busCalls,
  ...fleetCalls,
  ...notifyCalls,
  ...schemaCalls,
  ...hookCalls,
  ...effortCalls,
  ...taskCalls,
  ...webCalls,
  ...demoCalls,
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
