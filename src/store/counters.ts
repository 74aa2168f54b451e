/**
 * Counts of what was odd: unknown events and fields, unreadable payloads, degraded answers, missed decisions.
 * Counted in memory on the hook path, written a moment later, bounded whatever comes in.
 */
import type { Database, Statement } from 'bun:sqlite'

export interface Counter {
  readonly kind: string
  readonly key: string
  readonly count: number
  readonly firstAt: number
  readonly lastAt: number
}

const MAX_KEYS = 5_000 // a hostile payload may invent a field name per event
const MAX_KEY_CHARS = 200

export class Counters {
  readonly #db: Database
  readonly #upsert: Statement<unknown, [string, string, number, number, number]>
  readonly #pending = new Map<string, Counter>()
  #rows: number

  constructor(db: Database) {
    this.#db = db
    this.#upsert = db.prepare(
      `INSERT INTO counters (kind, key, count, first_at, last_at) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT (kind, key) DO UPDATE SET count = count + excluded.count, last_at = excluded.last_at`,
    )
    this.#rows = db.query<{ n: number }, []>('SELECT count(*) AS n FROM counters').get()?.n ?? 0
  }

  get dirty(): boolean {
    return this.#pending.size > 0
  }

  count(kind: string, key: string, now: number): void {
    let name = key.length > MAX_KEY_CHARS ? `${key.slice(0, MAX_KEY_CHARS)}…` : key
    let id = `${kind}\n${name}`
    if (!this.#pending.has(id) && this.#rows + this.#pending.size >= MAX_KEYS) {
      name = '(others)'
      id = `${kind}\n${name}`
    }
    const known = this.#pending.get(id)
    if (known) this.#pending.set(id, { ...known, count: known.count + 1, lastAt: now })
    else this.#pending.set(id, { kind, key: name, count: 1, firstAt: now, lastAt: now })
  }

  /** Writes what was counted since the last time. Inside a transaction of the caller's. */
  write(): void {
    for (const c of this.#pending.values()) this.#upsert.run(c.kind, c.key, c.count, c.firstAt, c.lastAt)
    this.#rows = this.#db.query<{ n: number }, []>('SELECT count(*) AS n FROM counters').get()?.n ?? 0
    this.#pending.clear()
  }

  all(): Counter[] {
    return this.#db
      .query<{ kind: string; key: string; count: number; first_at: number; last_at: number }, []>(
        'SELECT kind, key, count, first_at, last_at FROM counters ORDER BY kind, key',
      )
      .all()
      .map((r) => ({ kind: r.kind, key: r.key, count: r.count, firstAt: r.first_at, lastAt: r.last_at }))
  }
}
