/**
 * Decisions that take time: the event is durable, its agent waits, and somebody is being asked. Every wait has a limit, and
 * so has their number; then the preliminary verdict is the answer.
 *
 *   held.add({ pending, bytes, hold, finish })   // calls finish(verdict, problem?) once
 */
import { DECIDER_DEADLINE_MS, HOLD_LIMIT_MS } from '../client/wire.ts'
import { messageOf } from '../core/errors.ts'
import type { Verdict } from '../events/index.ts'

/** A decision that is not made yet. */
export interface Pending {
  /** The preliminary verdict: the answer if the final one fails or comes too late. */
  readonly now: Verdict
  /** How long the agent may be held for the final verdict. */
  readonly holdMs: number
  /** It is nearly always made while the event is stored: the client is told to wait only if it is not. */
  readonly isQuick?: boolean
  /**
   * Called once, after the event is durable and, unless it is quick, the replies of its turn have left. The agent waits for
   * `patienceMs`.
   */
  settle(patienceMs: number): Promise<Verdict>
  /** Nobody waits for it any more; `settle` need not finish. */
  abandon?(why: string): void
}

export interface Wait {
  readonly pending: Pending
  /** Size of the payload, which stays in memory meanwhile. */
  readonly bytes: number
  /**
   * Tells the client to wait this long from now; without it the client leaves at its usual deadline. `left` is called if
   * the client hangs up meanwhile.
   */
  readonly hold?: ((ms: number, left?: () => void) => void) | undefined
  /** The client hung up while nobody but a handler was asked; the decision goes on, for the record. */
  readonly left?: (problem: string) => void
  /** With a problem, the verdict is the preliminary one. */
  readonly finish: (verdict: Verdict, problem?: string) => void
}

const MAX_HELD = 256 // agents that wait at once
const MAX_HELD_BYTES = 64 * 1024 * 1024
/** Holds are short and repeated, so that a client gives up a stuck daemon as quickly as usual. */
const HOLD_STEP_MS = DECIDER_DEADLINE_MS
const HOLD_AGAIN_MS = 2_000
const QUICK_MS = 100 // the client waits that long anyway
const PATIENCE_MS = DECIDER_DEADLINE_MS - 1_000 // for clients that cannot be held: the answer must reach them in time

const TOO_LATE = 'it did not come in time'
const TOO_MANY = 'too many agents wait already'
const STOPPING = 'gantry stops'
const LEFT = 'its hook was ended'

const REASONS: ReadonlyMap<string, string> = new Map([
  [TOO_LATE, 'late'],
  [TOO_MANY, 'full'],
  [STOPPING, 'stopping'],
  [LEFT, 'left'],
])

/** The reason under which a missed decision is counted. */
export function reasonOf(problem: string): string {
  return REASONS.get(problem) ?? 'failed'
}

type Timer = ReturnType<typeof setTimeout>

interface Item extends Wait {
  readonly timer: Timer
  readonly quick?: Timer | undefined
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
    // A permission that its agent ends was answered in its own dialog, and whoever asks a person knows that.
    const left = () => (pending.abandon ?? wait.left)?.(LEFT)
    const item: Item = {
      ...wait,
      timer: setTimeout(() => this.#end(item, pending.now, TOO_LATE), patience),
      quick: pending.isQuick ? setTimeout(() => hold?.(HOLD_STEP_MS, left), QUICK_MS) : undefined,
    }
    this.#items.add(item)
    this.#bytes += bytes
    if (!pending.isQuick) hold?.(HOLD_STEP_MS, left)
    this.#again ??= setInterval(() => this.#holdAgain(), HOLD_AGAIN_MS)
    Promise.resolve()
      .then(() => pending.settle(patience))
      .then(
        (verdict) => this.#end(item, verdict),
        (error) => this.#end(item, pending.now, messageOf(error)),
      )
  }

  /** Answers everyone with the preliminary verdict; from now on nobody is held. */
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
    clearTimeout(item.quick)
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
