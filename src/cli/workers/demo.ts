/** The process behind the page's demo: plays recorded sessions into the daemon that started it, and ends with it. */
import { pause } from '../../core/time/waits.ts'
import { demoRecordings, play } from '../../replay/index.ts'
import type { Input } from '../framework/define.ts'
import { endWithDaemon } from '../framework/worker.ts'
import type * as commands from './index.ts'

const STAGGER_MS = 700 // sessions do not begin all at once
const AGAIN_MS = 1_500
const MAX_GAP_MS = 5_000

export async function run({ args: { ms }, places }: Input<typeof commands.demo>): Promise<number> {
  const end = new AbortController()
  const { signal } = end
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => end.abort())
  setTimeout(() => end.abort(), ms)
  endWithDaemon()
  await Promise.all(
    demoRecordings().map(async ({ lines }, i) => {
      await pause(i * STAGGER_MS, signal)
      while (!signal.aborted) {
        // Ended by the signal, it ends the sessions that are open.
        await play(lines, { places, speed: 1, maxGapMs: MAX_GAP_MS, asNow: true, signal })
        await pause(AGAIN_MS, signal)
      }
    }),
  ).catch(() => {}) // without a daemon there is nobody to play to
  process.exit(0)
}
