/**
 * Decisions that take time: the event is durable, its agent waits, and somebody is being asked. Every wait has an end,
 * and there are only so many; what is known without the answer is said then.
 *
 *   held.add({ pending, bytes, hold, finish })   // finish(verdict, problem?) is called once
 */
import { DECIDER_DEADLINE_MS, HOLD_LIMIT_MS } from '../client/wire.ts'
import { messageOf } from '../core/errors.ts'
import type { Verdict } from '../events/index.ts'

/** A decision that is not made yet. */
export interface Pending {
  /** What is known now; the answer when the rest does not come, or comes too late. */
  readonly now: Verdict
  /** How long the agent may be held for the rest. */
  readonly holdMs: number
  /** Called once, when the event is durable and the answers of its turn have left; its agent waits for so long. */
  settle(patienceMs: number): Promise<Verdict>
  /** Nobody waits for it any more; `settle` need not come to an end. */
  abandon?(why: string): void
}

export interface Wait {
  readonly pending: Pending
  /** Of the payload, which stays in memory meanwhile. */
  readonly bytes: number
  /**
   * Tells the client to wait for so long from now; without it the client goes at its usual deadline. `left` is called when
   * the client hangs up meanwhile.
   */
  readonly hold?: ((ms: number, left?: () => void) => void) | undefined
  /** With a problem, the verdict is what was known before. */
  readonly finish: (verdict: Verdict, problem?: string) => void
}

const MAX_HELD = 256 // agents that wait at once
const MAX_HELD_BYTES = 64 * 1024 * 1024
/** A daemon that gets stuck meanwhile is given up as fast as any other time: holds are short, and said again. */
const HOLD_STEP_MS = DECIDER_DEADLINE_MS
const HOLD_AGAIN_MS = 2_000
const PATIENCE_MS = DECIDER_DEADLINE_MS - 1_000 // for clients that cannot be held: the answer has to reach them

const TOO_LATE = 'it did not come in time'
const TOO_MANY = 'too many agents wait already'
const STOPPING = 'gantry stops'
const LEFT = 'its hook was ended'

interface Item extends Wait {
  readonly timer: ReturnType<typeof setTimeout>
}

export class PendingDecisions {
  readonly #items = new Set<Item>()
  readonly #patienceMs: number
  #bytes = 0
  #again: ReturnType<typeof setInterval> | undefined
  #closed = false

  constructor(patienceMs: number = PATIENCE_MS) {
    this.#patienceMs = patienceMs
  }

  get size(): number {
    return this.#items.size
  }

  add(wait: Wait): void {
    const { pending, bytes, hold } = wait
    if (this.#closed || this.#items.size >= MAX_HELD || this.#bytes + bytes > MAX_HELD_BYTES) {
      wait.finish(pending.now, this.#closed ? STOPPING : TOO_MANY)
      return
    }
    const patience = Math.min(pending.holdMs, hold ? HOLD_LIMIT_MS : this.#patienceMs)
    const item = { ...wait, timer: setTimeout(() => this.#end(item, pending.now, TOO_LATE), patience) }
    this.#items.add(item)
    this.#bytes += bytes
    hold?.(HOLD_STEP_MS, pending.abandon && (() => pending.abandon?.(LEFT)))
    this.#again ??= setInterval(() => this.#holdAgain(), HOLD_AGAIN_MS)
    Promise.resolve()
      .then(() => pending.settle(patience))
      .then(
        (verdict) => this.#end(item, verdict),
        (error) => this.#end(item, pending.now, messageOf(error)),
      )
  }

  /** Says what is known to all who wait; from now on nobody is held. */
  close(): void {
    this.#closed = true
    for (const item of [...this.#items]) this.#end(item, item.pending.now, STOPPING)
  }

  #holdAgain(): void {
    for (const { hold } of this.#items) hold?.(HOLD_STEP_MS)
  }

  #end(item: Item, verdict: Verdict, problem?: string): void {
    if (!this.#items.delete(item)) return // it came too late
    clearTimeout(item.timer)
    this.#bytes -= item.bytes
    if (this.#items.size === 0) {
      clearInterval(this.#again)
      this.#again = undefined
    }
    if (problem !== undefined) item.pending.abandon?.(problem)
    item.finish(verdict, problem)
  }
}

export function isPending(decided: Verdict | Pending): decided is Pending {
  return 'settle' in decided
}
