/**
 * A rule that keeps a turn going can keep it going forever. At most three blocks in a row and five in half an hour
 * for one session; then the agent may stop, and the loop is reported.
 */
import { BoundedMap } from '../core/bounded-map.ts'
import type { HookEvent } from '../events/index.ts'

const IN_A_ROW = 3
const IN_WINDOW = 5
const WINDOW_MS = 30 * 60_000
const MAX_SESSIONS = 2_000 // sessions that were blocked lately; the oldest are forgotten first

interface Blocks {
  inARow: number
  isTold: boolean
  times: number[]
}

export class StopGuard {
  readonly #sessions = new BoundedMap<string, Blocks>(MAX_SESSIONS)

  /** Whether this block may stand, which counts it; a loop is reported once. */
  judge(event: HookEvent, now: number): 'stands' | 'loop' | 'still a loop' {
    const key = `${event.agent}\n${event.sessionId}\n${event.agentId ?? ''}`
    const blocks = this.#sessions.get(key) ?? { inARow: 0, isTold: false, times: [] }
    // The agent says whether a stop hook already kept this turn going; if not, this is a new turn.
    if (event.stopHookActive === false) blocks.inARow = 0
    blocks.times = blocks.times.filter((at) => now - at < WINDOW_MS)
    if (blocks.inARow >= IN_A_ROW || blocks.times.length >= IN_WINDOW) {
      const isNew = !blocks.isTold
      blocks.isTold = true
      return isNew ? 'loop' : 'still a loop'
    }
    blocks.inARow += 1
    blocks.isTold = false
    blocks.times.push(now)
    this.#sessions.set(key, blocks)
    return 'stands'
  }
}
