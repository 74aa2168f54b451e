/** Decides who is notified of what, and when. Pure: the clock and all facts are arguments. */
import type { Channel } from './channels/channel.ts'
import { isWaiting, type Occasion, type Reason } from './occasion.ts'
import { type Quiet, quietUntil } from './quiet.ts'

interface Circumstances {
  readonly now: number
  /** When this channel last sent something about this session. */
  readonly toldAt: number | undefined
  /** When this channel sent anything within the last minute, oldest first. */
  readonly recent: readonly number[]
  readonly quiet: readonly Quiet[]
  readonly timeZone: string
}

type Decision =
  | { readonly do: 'send' }
  | { readonly do: 'wait'; readonly until: number; readonly why: string }
  | { readonly do: 'skip'; readonly why: string }

export const MINUTE_MS = 60_000
const NEWS_MS = 10 * 60_000 // the end of a turn is news for this long; it may come out of a spool hours later

export function channelsFor(reason: Reason, channels: readonly Channel[]): Channel[] {
  return channels.filter(({ enabled, reasons }) => enabled && reasons.includes(reason))
}

/** Decides without looking at the pane, which costs a process: `isWatched` is asked only if this says send. */
export function decide(channel: Channel, occasion: Occasion, at: Circumstances): Decision {
  const { now, toldAt, recent } = at
  const isNews = isWaiting(occasion.reason) || occasion.reason === 'stale'
  if (!isNews && now - occasion.since > NEWS_MS + channel.afterMs) return { do: 'skip', why: 'too old' }
  const end = channel.inQuietHours ? undefined : quietUntil(at.quiet, now, at.timeZone)
  if (end !== undefined)
    return isNews ? { do: 'wait', until: end, why: 'quiet hours' } : { do: 'skip', why: 'quiet hours' }
  if (toldAt !== undefined && now < toldAt + channel.cooldownMs)
    return { do: 'wait', until: toldAt + channel.cooldownMs, why: 'cool-down' }
  const first = recent.at(-channel.maxPerMinute)
  if (first !== undefined && now < first + MINUTE_MS)
    return { do: 'wait', until: first + MINUTE_MS, why: 'too many at once' }
  return { do: 'send' }
}

/** One tmux client that shows the pane. */
export interface Viewer {
  readonly focused: boolean
  /** When a key was last pressed in it. */
  readonly activeAt: number
}

/** True if somebody looks at it. A client without recent input is a screen without a person. */
export function isWatched(viewers: readonly Viewer[], now: number, awayMs: number): boolean {
  return viewers.some(({ focused, activeAt }) => focused && (awayMs === 0 || now - activeAt < awayMs))
}
