/**
 * Notifies people of sessions' needs: desktop, terminal, sound, web. Pure rules decide who gets what; the daemon
 * passes in session changes after the replies to agents were sent.
 *
 *   const notifier = new Notifier({ store, session, sessions, place, warn })
 *   notifier.apply({ channels, quiet: [], timeZone: '', awayMs: 300_000 })
 */
export {
  type Channel,
  KINDS,
  type Kind,
  type Notification,
  type Sent,
  type Target,
} from './channels/channel.ts'
export { CHANNELS, type Needed } from './channels/index.ts'
export { isAllowed } from './channels/request.ts'
export { viewOfPane } from './focus.ts'
export { Notifier, type NotifierParts, type NotifySettings } from './notifier.ts'
export { REASONS, type Reason } from './occasion.ts'
export { isTimeZone, parseQuiet, type Quiet, quietUntil } from './quiet.ts'
