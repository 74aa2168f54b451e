/** The stream of decisions, by the time at which they were made: which events were answered, and how. */
import type { Database } from 'bun:sqlite'

export interface DecisionRow {
  readonly seq: number
  /** Of the event. */
  readonly id: string
  readonly at: number
  /** A verdict's decision, or what became of a question to a person. */
  readonly type: string
}

export interface DecisionRows {
  /** The first that was made at `time` or later has a sequence after this one. */
  before(time: number): number
  after(seq: number, limit: number): DecisionRow[]
  /** The whole verdict, as JSON. */
  data(seq: number): string
}

const STREAM = "stream = 'DECISION_EVENTS'"

export function decisionRows(db: Database): DecisionRows {
  const edge = (which: 'min' | 'max') =>
    db
      .query<{ seq: number | null }, []>(`SELECT ${which}(seq) AS seq FROM bus_messages WHERE ${STREAM}`)
      .get()?.seq ?? 0
  return {
    before(time) {
      const at = db.query<{ at: number }, [number]>(
        `SELECT at FROM bus_messages WHERE ${STREAM} AND seq >= ? ORDER BY seq LIMIT 1`,
      )
      let [low, high] = [edge('min') - 1, edge('max')]
      while (low < high) {
        const middle = Math.ceil((low + high) / 2)
        if ((at.get(middle)?.at ?? Number.POSITIVE_INFINITY) < time) low = middle
        else high = middle - 1
      }
      return low
    },
    after: (seq, limit) =>
      db
        .query<DecisionRow, [number, number]>(
          `SELECT seq, id, at, type FROM bus_messages WHERE ${STREAM} AND seq > ? ORDER BY seq LIMIT ?`,
        )
        .all(seq, limit),
    data: (seq) =>
      db
        .query<{ data: string }, [number]>(`SELECT data FROM bus_messages WHERE ${STREAM} AND seq = ?`)
        .get(seq)?.data ?? '{}',
  }
}
