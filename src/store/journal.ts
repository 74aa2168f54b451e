/**
 * The journal: every event once, in the order it was made durable.
 *
 *   journal.commit(() => { for (const event of batch) journal.append(event) })
 *
 * All appends of one `commit` share one fsync. `append` answers the event's sequence, or 0 for an id that is
 * already there.
 */
import type { Database, Statement } from 'bun:sqlite'
import { GantryError, isCorrupt, messageOf } from '../core/errors.ts'
import type { HookEvent } from '../events/index.ts'
import type { DatabaseFiles } from './files.ts'

const COMMIT_BYTES = 24 * 1024 // the smallest commit changes three pages: table, ids, sessions

type Column = string | number | Uint8Array | null

export class Journal {
  readonly #db: Database
  readonly #files: DatabaseFiles | undefined
  readonly #begin: Statement
  readonly #commit: Statement
  readonly #rollback: Statement
  readonly #insert: Statement<unknown, Column[]>
  #lastSeq: number
  #logged = 0
  #rollbacks = 0

  constructor(db: Database, files?: DatabaseFiles) {
    this.#db = db
    this.#files = files
    this.#begin = db.prepare('BEGIN IMMEDIATE')
    this.#commit = db.prepare('COMMIT')
    this.#rollback = db.prepare('ROLLBACK')
    this.#insert = db.prepare(
      `INSERT INTO events (seq, id, at, received_at, agent, agent_version, type, native, session_id, agent_id,
                           tool_name, cwd, transport, client, cut_from, raw)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (id) DO NOTHING`,
    )
    this.#lastSeq = db.query<{ seq: number | null }, []>('SELECT max(seq) AS seq FROM events').get()?.seq ?? 0
  }

  get lastSeq(): number {
    return this.#lastSeq
  }

  /** About how much all commits so far wrote to the write-ahead log. Its file does not tell: it never shrinks. */
  get loggedBytes(): number {
    return this.#logged
  }

  /** How often a transaction was given up: what was remembered of its rows is no longer true. */
  get rollbacks(): number {
    return this.#rollbacks
  }

  /** Inside `commit`, and SQLite has not given the transaction up by itself, as it may when the disk is full. */
  get isOpen(): boolean {
    return this.#db.inTransaction
  }

  /**
   * Runs `work` in one durable transaction. Throws what SQLite threw, with nothing of it kept. Throws as well when the files
   * it was written to are not at their paths any more: it may still be saved, but nobody may rely on that.
   */
  commit<T>(work: () => T): T {
    const result = this.#transact(work)
    if (this.#files && !this.#files.areThere())
      throw new GantryError(
        'DATABASE',
        `${this.#files.path} or its log was removed, replaced or broken. Restart gantry.`,
      )
    return result
  }

  #transact<T>(work: () => T): T {
    const seq = this.#lastSeq
    this.#begin.run()
    try {
      const result = work()
      this.#commit.run()
      this.#logged += COMMIT_BYTES
      return result
    } catch (error) {
      this.#lastSeq = seq
      this.#abandon()
      if (isCorrupt(error)) this.#files?.broke(messageOf(error))
      throw error
    }
  }

  /**
   * A transaction whose fsync is the next commit's: for what follows from the journal and can be made again. A process
   * that is killed loses nothing of it, only a machine that loses power may.
   */
  relaxed(work: () => void): void {
    this.#db.exec('PRAGMA synchronous = NORMAL')
    try {
      this.commit(work)
    } finally {
      this.#db.exec('PRAGMA synchronous = FULL')
    }
  }

  append(event: HookEvent): number {
    const { changes } = this.#insert.run(
      this.#lastSeq + 1,
      event.id,
      event.at,
      event.receivedAt,
      event.agent,
      event.agentVersion ?? null,
      event.type,
      event.native,
      event.sessionId,
      event.agentId ?? null,
      event.tool?.name ?? null,
      event.cwd ?? null,
      event.transport,
      JSON.stringify(event.client),
      event.cutFrom ?? null,
      event.raw,
    )
    if (changes === 0) return 0
    this.#lastSeq += 1
    this.#logged += event.raw.length
    return this.#lastSeq
  }

  #abandon(): void {
    this.#rollbacks += 1
    try {
      this.#rollback.run()
    } catch {
      // SQLite rolls back by itself on a full disk; a second rollback has nothing to do.
    }
  }
}
