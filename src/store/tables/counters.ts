/**
 * Counters of anomalies: unknown events and fields, unreadable payloads, degraded answers, missed decisions. Counted in
 * memory on the hook path, written a moment later, and bounded.
 */
import type { Database, Statement } from 'bun:sqlite'
import { KEPT } from '../kept.ts'

export interface Counter {
  readonly kind: string
  readonly key: string
  readonly count: number
  readonly firstAt: number
  readonly lastAt: number
}

const MAX_KEY_CHARS = 200

export class Counters {
  readonly #db: Database
  readonly #upsert: Statement<unknown, [string, string, number, number, number]>
  readonly #pending = new Map<string, Counter>()
  /** Keys with a row, which keep counting during a flood of new keys. */
  readonly #known = new Set<string>()

  constructor(db: Database) {
    this.#db = db
    this.#upsert = db.prepare(
      `INSERT INTO counters (kind, key, count, first_at, last_at) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT (kind, key) DO UPDATE SET count = count + excluded.count, last_at = excluded.last_at`,
    )
    for (const { kind, key } of this.#stored()) this.#known.add(idOf(kind, key))
  }

  get dirty(): boolean {
    return this.#pending.size > 0
  }

  count(kind: string, key: string, now: number): void {
    let name = key.length > MAX_KEY_CHARS ? `${key.slice(0, MAX_KEY_CHARS)}…` : key
    let id = idOf(kind, name)
    const isNew = !this.#known.has(id) && !this.#pending.has(id)
    if (isNew && this.#known.size + this.#pending.size >= KEPT.counters) {
      name = '(others)'
      id = idOf(kind, name)
    }
    this.#pending.set(
      id,
      added(this.#pending.get(id), { kind, key: name, count: 1, firstAt: now, lastAt: now }),
    )
  }

  /** Writes the pending counts in the caller's transaction; keeps them if that fails. */
  write(transaction: (work: () => void) => void): void {
    transaction(() => {
      for (const c of this.#pending.values()) this.#upsert.run(c.kind, c.key, c.count, c.firstAt, c.lastAt)
    })
    for (const id of this.#pending.keys()) this.#known.add(id)
    this.#pending.clear()
  }

  /** The sum of one kind, written or pending. */
  total(kind: string): number {
    const stored = this.#db
      .query<{ sum: number | null }, [string]>('SELECT sum(count) AS sum FROM counters WHERE kind = ?')
      .get(kind)?.sum
    let sum = stored ?? 0
    for (const counter of this.#pending.values()) if (counter.kind === kind) sum += counter.count
    return sum
  }

  /** All counts, written or pending. */
  all(): Counter[] {
    const counters = new Map(this.#stored().map((counter) => [idOf(counter.kind, counter.key), counter]))
    for (const [id, counter] of this.#pending) counters.set(id, added(counters.get(id), counter))
    return [...counters.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, counter]) => counter)
  }

  #stored(): Counter[] {
    return this.#db
      .query<Counter, []>(
        'SELECT kind, key, count, first_at AS firstAt, last_at AS lastAt FROM counters ORDER BY kind, key',
      )
      .all()
  }
}

function idOf(kind: string, key: string): string {
  return `${kind}\n${key}`
}

function added(known: Counter | undefined, more: Counter): Counter {
  return known ? { ...known, count: known.count + more.count, lastAt: more.lastAt } : more
}
