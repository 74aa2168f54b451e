/**
 * Notifies people of sessions' needs: desktop, terminal, sound, web. Pure rules decide who gets what; the daemon
 * passes in session changes after the replies to agents were sent.
 *
 *   const notifier = new Notifier({ store, session, sessions, place, warn })
 *   notifier.apply({ channels, quiet: [], timeZone: '', awayMs: 300_000 })
 */
export { type Channel, KINDS, type Kind } from './channels/channel.ts'
export { CHANNELS, type Needed } from './channels/index.ts'
export { viewOfPane } from './focus.ts'
export { Notifier, type NotifySettings } from './notifier.ts'
export { REASONS } from './occasion.ts'
export { isTimeZone, parseQuiet, quietUntil } from './quiet.ts'
