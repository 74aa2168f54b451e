/**
 * Reading on through restarts of the daemon. `open` starts at its own checkpoint and calls `here` once it is connected.
 *
 *   for await (const event of throughRestarts({ signal }, (signal, here) => subscribe(places(), { after }, signal, here))) …
 */
import { GantryError } from '../core/errors.ts'
import { backoff, pause } from '../core/time/waits.ts'

export interface Through {
  /** Waits for a daemon that was never up, instead of throwing DAEMON_AWAY. */
  readonly wait?: boolean
  /** Goes on after any error, as an older daemon may give, and waits for a daemon, too. */
  readonly always?: boolean
  /** Aborting it ends the loop. */
  readonly signal?: AbortSignal
  /** Told of each connection, and of each attempt that failed, with the error if there was one. */
  readonly told?: (state: 'here' | 'away', error?: unknown) => void
}

const FIRST_PAUSE_MS = 50 // a restart takes a moment
const LONGEST_PAUSE_MS = 2_000 // a daemon that comes back is noticed soon, and one that does not costs little

export async function* throughRestarts<T>(
  { wait = false, always = false, signal = new AbortController().signal, told = () => {} }: Through,
  open: (signal: AbortSignal, here: () => void) => AsyncIterable<T>,
): AsyncGenerator<T, void, undefined> {
  let hasBeen = false
  let failures = 0
  let hereAt = Number.NaN
  const here = () => {
    hasBeen = true
    hereAt = performance.now()
    told('here')
  }
  while (!signal.aborted) {
    let failure: unknown
    hereAt = Number.NaN
    try {
      yield* open(signal, here)
    } catch (error) {
      if (signal.aborted) return
      if (!always && (!isDown(error) || !(wait || hasBeen))) throw error
      failure = error
    }
    if (signal.aborted) return
    told('away', failure)
    // One that takes a request and drops it at once, again and again, is as good as away.
    const hasLasted = performance.now() - hereAt >= LONGEST_PAUSE_MS
    failures = hasLasted ? 1 : failures + 1
    await restartPause(failures, signal)
  }
}

/** Before the daemon is tried again. */
export function restartPause(failures: number, signal: AbortSignal): Promise<void> {
  return pause(backoff(failures, LONGEST_PAUSE_MS, FIRST_PAUSE_MS), signal)
}

/** Down or stuck: a stuck daemon is ended by its watchdog sooner or later. */
export function isDown(error: unknown): boolean {
  return error instanceof GantryError && (error.code === 'DAEMON_AWAY' || error.code === 'DEADLINE')
}
