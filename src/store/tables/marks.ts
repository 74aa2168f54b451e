/** Positions of journal followers, by name. */
import type { Database, Statement } from 'bun:sqlite'

export class Marks {
  readonly #db: Database
  readonly #put: Statement<unknown, [string, number]>

  constructor(db: Database) {
    this.#db = db
    this.#put = db.prepare('INSERT OR REPLACE INTO marks (name, seq) VALUES (?, ?)')
  }

  get(name: string): number {
    return (
      this.#db.query<{ seq: number }, [string]>('SELECT seq FROM marks WHERE name = ?').get(name)?.seq ?? 0
    )
  }

  /** Call it in the same transaction as the data it covers. */
  set(name: string, seq: number): void {
    this.#put.run(name, seq)
  }
}
