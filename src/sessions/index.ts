/** Keeps sessions in step with the journal: the tracker, the feeds, and observers for what hooks do not report. */

export { dialectOf, type OtherDialect } from './dialect-view.ts'
export { type SessionFeed, type SessionSubscription, viewWithLocation } from './feed.ts'
export { lastEnv } from './observers/last-env.ts'
export type { SessionTracker } from './tracker.ts'
