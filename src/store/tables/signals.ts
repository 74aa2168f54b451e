/** Signals that coordinators wait for, kept until one has received them. Written in the transaction of their cause. */
import type { Database, Statement } from 'bun:sqlite'
import { KEPT } from '../kept.ts'

export interface SignalRow {
  /** Increases with every signal, also across restarts. */
  readonly n: number
  readonly kind: 'CHILD' | 'WORK'
  readonly about: string
  readonly detail: string | null
  readonly effortId: number | null
  readonly at: number
}

/** The signals that a coordinator waits for; all by default. */
export interface SignalScope {
  readonly effort?: number | undefined
  readonly project?: number | undefined
}

type Bounds = [effort: number | null, project: number | null]

const IN_SCOPE = `(?1 IS NULL OR effort_id = ?1) AND (?2 IS NULL OR effort_id IN
  (SELECT e.id FROM efforts e JOIN tasks t ON t.dir_path = e.task_id WHERE t.project_id = ?2))`

export class SignalRows {
  readonly #add: Statement<unknown, [number, string, string, string | null, number | null, number]>
  readonly #forgetSame: Statement<unknown, [string, string, string | null, number | null]>
  readonly #trim: Statement<unknown, [number]>
  readonly #all: Statement<SignalRow, Bounds>
  readonly #forget: Statement<unknown, [...Bounds, number]>
  #last: number

  constructor(db: Database) {
    this.#add = db.prepare(
      'INSERT INTO signals (n, kind, about, detail, effort_id, at) VALUES (?, ?, ?, ?, ?, ?)',
    )
    this.#forgetSame = db.prepare(
      'DELETE FROM signals WHERE kind = ? AND about = ? AND detail IS ? AND effort_id IS ?',
    )
    this.#trim = db.prepare(
      'DELETE FROM signals WHERE n <= (SELECT n FROM signals ORDER BY n DESC LIMIT 1 OFFSET ?)',
    )
    this.#all = db.prepare(
      `SELECT n, kind, about, detail, effort_id AS effortId, at FROM signals WHERE ${IN_SCOPE} ORDER BY n`,
    )
    this.#forget = db.prepare(`DELETE FROM signals WHERE ${IN_SCOPE} AND n <= ?3`)
    const last = db.query<{ n: number | null }, []>('SELECT max(n) AS n FROM signals').get()?.n ?? 0
    this.#last = Math.max(last, Date.now())
  }

  /** A repeated signal replaces the earlier one. */
  add({ kind, about, detail, effortId, at }: Omit<SignalRow, 'n'>): void {
    this.#last += 1
    this.#forgetSame.run(kind, about, detail, effortId)
    this.#add.run(this.#last, kind, about, detail, effortId, at)
    this.#trim.run(KEPT.signals)
  }

  /** Oldest first. */
  all(scope: SignalScope = {}): SignalRow[] {
    return this.#all.all(...boundsOf(scope))
  }

  forget(upTo: number, scope: SignalScope = {}): void {
    this.#forget.run(...boundsOf(scope), upTo)
  }
}

function boundsOf({ effort, project }: SignalScope): Bounds {
  return [effort ?? null, project ?? null]
}
