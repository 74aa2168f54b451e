/**
 * Ends a daemon whose event loop does not turn any more, so that the next hook starts a new one. A loop cannot watch
 * itself, and nobody else can tell that it is stuck for good; so a thread of its own counts the loop's heartbeats. It counts
 * in turns of its own, not by the clock: a machine that sleeps and a process that was stopped keep both from turning.
 *
 * Nothing is lost by it: what was answered is on the disk, and whoever got no answer has kept the event.
 *
 *   const stop = startWatchdog({ log: places.log })
 */

export interface WatchdogOptions {
  /** Where the thread writes down what it did. */
  readonly log: string
  readonly limitS?: number
}

const STUCK_S = 30 // six times as long as the most patient hook waits; no work on this thread may take a tenth of it
const BEAT_MS = 500

/** Returns what ends it. */
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

/** As text: it needs no file, so it is the same in the compiled program, and an upgrade cannot take it away. */
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
    const words = 'the event loop has been stuck for ' + limitS + ' s; ending, so that a hook starts anew'
    try {
      appendFileSync(log, new Date().toISOString() + ' error watchdog ' + words + '\\n')
    } catch {}
    process.kill(pid, 'SIGKILL')
  }
  close()
})
`
