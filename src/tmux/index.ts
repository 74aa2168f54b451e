/**
 * What a tmux server shows about agents: pane colours, window badges, the line in status-right; and jumping to a pane.
 * `apply` adds it beside the user's settings, `unapply` removes exactly that.
 *
 *   const { notes } = await apply(places(), await serverAt(socket), DEFAULT_KEYS)
 */
export { type Applied, apply, leave, unapply } from './apply.ts'
export { badgeLine } from './badge.ts'
export { confLine, DEFAULT_KEYS, type Keys } from './bindings.ts'
export type { TmuxSettings } from './config.ts'
export { jump, nextOf, show } from './jump.ts'
export { clearPane, moreUrgent, paintPane, paintSummary, STATUS_OPTION } from './paint.ts'
export { oneLine, plainText } from './plain-text.ts'
export { dropReceipt, readReceipts } from './receipt.ts'
export { defaultSocket, isThere, serverAt } from './server.ts'
export { type Summarized, summaryOf } from './summary.ts'
export { serverKey, Tally } from './tally.ts'
