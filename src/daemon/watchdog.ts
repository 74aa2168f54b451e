/**
 * Ends a daemon whose event loop is stuck, so that the next hook starts a new one. A loop cannot watch itself, so a
 * separate thread counts its heartbeats. It measures in its own ticks, not by the clock: while the machine sleeps or the
 * process is stopped, neither ticks.
 *
 * Nothing is lost: every answered event is on disk, and a client without an answer has spooled its event.
 *
 *   const stop = startWatchdog({ log: places.log })
 */

export interface WatchdogOptions {
  /** The log file that the thread writes to. */
  readonly log: string
  readonly limitS?: number
}

const STUCK_S = 30 // six times as long as the most patient hook waits; nothing on this thread may take a tenth of it
const BEAT_MS = 500

/** Returns a function that stops it. */
export function startWatchdog({ log, limitS = STUCK_S }: WatchdogOptions): () => void {
  const shared = new Int32Array(new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT))
  const url = URL.createObjectURL(new Blob([THREAD], { type: 'application/javascript' }))
  const thread = new Worker(url, { smol: true, ref: false })
  thread.postMessage({ shared, log, limitS, pid: process.pid })
  const timer = setInterval(() => Atomics.add(shared, BEAT, 1), BEAT_MS)
  timer.unref()
  return () => {
    clearInterval(timer)
    Atomics.store(shared, OVER, 1)
    Atomics.notify(shared, OVER)
    URL.revokeObjectURL(url)
  }
}

const BEAT = 0
const OVER = 1

/** Source text, because it needs no file: it works in the compiled program, and an upgrade cannot remove it. */
const THREAD = `
import { appendFileSync } from 'node:fs'
addEventListener('message', ({ data: { shared, log, limitS, pid } }) => {
  let last = -1
  let still = 0
  while (Atomics.wait(shared, ${OVER}, 0, 1000) === 'timed-out') {
    const beat = Atomics.load(shared, ${BEAT})
    still = beat === last ? still + 1 : 0
    last = beat
    if (still < limitS) continue
    const words = 'the event loop has been stuck for ' + limitS + ' s; ending; the next hook starts a new daemon'
    try {
      appendFileSync(log, new Date().toISOString() + ' error watchdog ' + words + '\\n')
    } catch {}
    process.kill(pid, 'SIGKILL')
  }
  close()
})
`
