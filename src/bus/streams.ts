/** The streams: what they are called, what they hold, how much of it. The same on the spot and on NATS. */
export const STREAMS = ['HOOK_EVENTS', 'SESSION_EVENTS', 'DECISION_EVENTS'] as const

export type StreamName = (typeof STREAMS)[number]

/** First part of every subject of a stream. */
export const PREFIX: Readonly<Record<StreamName, string>> = {
  HOOK_EVENTS: 'hooks',
  SESSION_EVENTS: 'sessions',
  DECISION_EVENTS: 'decisions',
}

export const STREAM_MAX_MESSAGES = 10_000
export const STREAM_MAX_BYTES = 100 * 1024 * 1024
/** Events of each session that stay, however loud the others are. */
export const SESSION_FLOOR = 20

export function isStream(name: string): name is StreamName {
  return (STREAMS as readonly string[]).includes(name)
}
