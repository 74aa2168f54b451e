/**
 * Telling people what sessions need: on the desktop, in the terminal, by sound, over the web. Who gets what is decided
 * by pure rules; the daemon hands in the changes of sessions after the answers to agents have left.
 *
 *   const notifier = new Notifier({ store, session, sessions, place, warn })
 *   notifier.apply({ channels, quiet: [], timeZone: '', awayMs: 300_000 })
 */
export { type Channel, KINDS, type Kind, type Message, type Sent, type Target } from './channel.ts'
export { CHANNELS, type Needed } from './channels.ts'
export { viewOfPane } from './focus.ts'
export { Notifier, type NotifierParts, type NotifySettings } from './notifier.ts'
export { REASONS, type Reason } from './occasion.ts'
export { isTimeZone, parseQuiet, type Quiet, quietUntil } from './quiet.ts'
export { isAllowed } from './request.ts'
