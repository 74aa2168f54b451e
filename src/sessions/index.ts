/** Sessions in step with the journal: the tracker, the feeds, and observers that see what hooks do not tell. */

export { dialectOf, type OtherDialect } from './dialect-view.ts'
export { present, type SessionFeed, type SessionSubscription } from './feed.ts'
export { lastEnv } from './observers/last-env.ts'
export type { SessionTracker } from './tracker.ts'
