/**
 * Messages of one target that are on their way or wait for it, oldest first. Those of one session form a lane: only the
 * first of a lane may be sent, so their order holds, and a session that is stuck does not hold up the others.
 */
export interface Item {
  readonly seq: number
  readonly id: string
  readonly session: string
  readonly lane: string
  /** Attempts that reached the other side. */
  attempts: number
  /** Not before this time, UTC milliseconds. */
  dueAt: number
  inFlight: boolean
  /** There is a row for it, so the mark may pass it. */
  kept: boolean
}

/** A time further off than any wait comes from a clock that was set since. */
const MAX_WAIT_MS = 2 * 3_600_000

export class SessionLanes {
  readonly #items: Item[] = []

  get size(): number {
    return this.#items.length
  }

  get keptCount(): number {
    return this.#items.reduce((count, { kept }) => count + (kept ? 1 : 0), 0)
  }

  has(seq: number): boolean {
    return this.#items.some((item) => item.seq === seq)
  }

  add(item: Item): void {
    const last = this.#items.at(-1)
    this.#items.push(item)
    if (last && last.seq > item.seq) this.#items.sort((a, b) => a.seq - b.seq)
  }

  remove(item: Item): void {
    const at = this.#items.indexOf(item)
    if (at >= 0) this.#items.splice(at, 1)
  }

  /** The oldest that may be sent now; with `onlyKept`, none that has no row yet. */
  next(now: number, onlyKept: boolean): Item | undefined {
    for (const item of this.#heads()) {
      if (!item.inFlight && isDue(item.dueAt, now) && (item.kept || !onlyKept)) return item
    }
    return undefined
  }

  /** When the next one may be sent, if time is all it waits for. */
  nextDueAt(now: number): number | undefined {
    let soonest: number | undefined
    for (const { inFlight, dueAt } of this.#heads()) {
      if (inFlight || isDue(dueAt, now)) continue
      soonest = Math.min(soonest ?? dueAt, dueAt)
    }
    return soonest
  }

  /** Everything up to here is settled, or has a row. */
  mark(readTo: number): number {
    const open = this.#items.find((item) => !item.kept)
    return open ? open.seq - 1 : readTo
  }

  *#heads(): Generator<Item> {
    const seen = new Set<string>()
    for (const item of this.#items) {
      if (seen.has(item.lane)) continue
      seen.add(item.lane)
      yield item
    }
  }
}

export function isDue(dueAt: number, now: number): boolean {
  return dueAt <= now || dueAt - now > MAX_WAIT_MS
}
