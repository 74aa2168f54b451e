/**
 * Reading on through restarts of the daemon. `open` starts at its own checkpoint and calls `here` once it is connected.
 *
 *   for await (const event of throughRestarts({ signal }, (signal, here) => subscribe(places(), { after }, signal, here))) …
 */
import { GantryError } from '../core/errors.ts'
import { pause } from '../core/time/waits.ts'

export interface Through {
  /** Waits for a daemon that was never up, instead of throwing DAEMON_AWAY. */
  readonly wait?: boolean
  /** Aborting it ends the loop. */
  readonly signal?: AbortSignal
  /** Told of each connection, and of each attempt that failed. */
  readonly told?: (state: 'here' | 'away') => void
}

export const FIRST_PAUSE_MS = 50 // a restart takes a moment
const LONGEST_PAUSE_MS = 2_000 // a daemon that comes back is noticed soon, and one that does not costs little

export async function* throughRestarts<T>(
  { wait = false, signal = new AbortController().signal, told = () => {} }: Through,
  open: (signal: AbortSignal, here: () => void) => AsyncIterable<T>,
): AsyncGenerator<T, void, undefined> {
  let hasBeen = false
  let pauseMs = FIRST_PAUSE_MS
  const here = () => {
    hasBeen = true
    pauseMs = FIRST_PAUSE_MS
    told('here')
  }
  while (!signal.aborted) {
    try {
      yield* open(signal, here)
    } catch (error) {
      if (signal.aborted) return
      if (!isDown(error) || !(wait || hasBeen)) throw error
    }
    if (signal.aborted) return
    told('away')
    await pause(pauseMs, signal)
    pauseMs = longer(pauseMs)
  }
}

export function longer(pauseMs: number): number {
  return Math.min(2 * pauseMs, LONGEST_PAUSE_MS)
}

/** Down or stuck: a stuck daemon is ended by its watchdog sooner or later. */
export function isDown(error: unknown): boolean {
  return error instanceof GantryError && (error.code === 'DAEMON_AWAY' || error.code === 'DEADLINE')
}
