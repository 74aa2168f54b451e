/**
 * Metadata of a stream's messages, whichever table holds them: sizes, types and sessions, without the payloads. HOOK_EVENTS
 * is the journal; the other streams share a table. Journal rows that are not on the stream count for positions, but not as
 * messages.
 */
import type { Database } from 'bun:sqlite'
import { OWN_AGENT, RAISED } from '../events/index.ts'

export interface MessageKind {
  readonly seq: number
  readonly type: string
  readonly session: string
}

const OWN = Object.keys(RAISED)
  .map((name) => `'${name}'`)
  .join(', ')
const ON_STREAM = `NOT (agent = '${OWN_AGENT}' AND type IN (${OWN})) AND transport <> 'import'`

export class StreamRows {
  readonly #db: Database
  /** This stream's rows, as the part of a statement after FROM. */
  readonly #rows: string
  readonly #messages: string
  readonly #payload: string

  constructor(db: Database, stream: string) {
    this.#db = db
    const isJournal = stream === 'HOOK_EVENTS'
    if (!/^[A-Z_]+$/.test(stream)) throw new Error(`Unknown stream: ${stream}`)
    this.#rows = isJournal ? 'events WHERE' : `bus_messages WHERE stream = '${stream}' AND`
    this.#messages = isJournal ? `events WHERE ${ON_STREAM} AND` : this.#rows
    this.#payload = isJournal ? 'raw' : 'data'
  }

  /** Payload sizes, oldest first; `octet_length` reads no payload. */
  sizes(after: number, limit: number): { seq: number; bytes: number }[] {
    return this.#db
      .query<{ seq: number; bytes: number }, [number, number]>(
        `SELECT seq, octet_length(${this.#payload}) AS bytes FROM ${this.#rows} seq > ? ORDER BY seq LIMIT ?`,
      )
      .all(after, limit)
  }

  /** A session's last sequences, newest first. */
  tail(session: string, limit: number): number[] {
    return this.#db
      .query<{ seq: number }, [string, number]>(
        `SELECT seq FROM ${this.#messages} session_id = ? ORDER BY seq DESC LIMIT ?`,
      )
      .all(session, limit)
      .map(({ seq }) => seq)
  }

  /** Sequences between `after` and `before`, oldest first. */
  below(before: number, after: number, limit: number): number[] {
    return this.#db
      .query<{ seq: number }, [number, number, number]>(
        `SELECT seq FROM ${this.#rows} seq > ? AND seq < ? ORDER BY seq LIMIT ?`,
      )
      .all(after, before, limit)
      .map(({ seq }) => seq)
  }

  kinds(after: number, upTo: number): MessageKind[] {
    return this.#db
      .query<MessageKind, [number, number]>(
        `SELECT seq, type, session_id AS session FROM ${this.#messages} seq > ? AND seq <= ? ORDER BY seq`,
      )
      .all(after, upTo)
  }

  /** Counts per type with `after` < seq <= `upTo`. */
  types(after: number, upTo: number): { type: string; count: number }[] {
    return this.#db
      .query<{ type: string; count: number }, [number, number]>(
        `SELECT type, count(*) AS count FROM ${this.#messages} seq > ? AND seq <= ? GROUP BY type`,
      )
      .all(after, upTo)
  }

  typesOf(seqs: readonly number[]): { type: string; count: number }[] {
    return this.#db
      .query<{ type: string; count: number }, [string]>(
        `SELECT type, count(*) AS count FROM ${this.#messages} seq IN (SELECT value FROM json_each(?)) GROUP BY type`,
      )
      .all(JSON.stringify(seqs))
  }
}
