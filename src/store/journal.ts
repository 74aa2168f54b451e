/**
 * The journal: every event once, in the order it was made durable.
 *
 *   journal.commit(() => { for (const event of batch) journal.append(event) })
 *
 * All appends of one `commit` share one sync of the log. `append` returns the event's sequence, or 0 if the id is already
 * stored. The journal syncs the log itself, because the SQLite of Bun 1.4.4 calls fsync, which also writes the times of the
 * file and takes up to three times as long as fdatasync (measured on ext4).
 */
import type { Database, Statement } from 'bun:sqlite'
import { GantryError, isCorrupt, messageOf } from '../core/errors.ts'
import type { HookEvent } from '../events/index.ts'
import type { DatabaseFiles } from './files/database-files.ts'
import { moveLog } from './files/rescue.ts'
import { EventKinds } from './kinds.ts'

const COMMIT_BYTES = 24 * 1024 // the smallest commit changes three pages: table, ids, sessions

type Column = string | number | Uint8Array | null

export class Journal {
  readonly #db: Database
  readonly #files: DatabaseFiles | undefined
  readonly #begin: Statement
  readonly #commit: Statement
  readonly #rollback: Statement
  readonly #insert: Statement<unknown, Column[]>
  readonly #kinds: EventKinds
  #lastSeq: number
  #logged = 0
  #rollbacks = 0
  /** The last sync failed. */
  #isDoubtful = false

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
    this.#kinds = new EventKinds(db)
    if (files) db.exec('PRAGMA synchronous = NORMAL') // no sync with a transaction: see `commit`
    this.#lastSeq = db.query<{ seq: number | null }, []>('SELECT max(seq) AS seq FROM events').get()?.seq ?? 0
  }

  get lastSeq(): number {
    return this.#lastSeq
  }

  /**
   * Approximate bytes that all commits wrote to the write-ahead log. The file's size does not tell, because it never
   * shrinks.
   */
  get loggedBytes(): number {
    return this.#logged
  }

  /** Number of rollbacks: each invalidates cached rows. */
  get rollbacks(): number {
    return this.#rollbacks
  }

  /** Inside `commit`, unless SQLite rolled back by itself, as it may on a full disk. */
  get isOpen(): boolean {
    return this.#db.inTransaction
  }

  /**
   * Runs `work` in one durable transaction. Rethrows what SQLite threw, with nothing stored. Also throws if the log cannot be
   * synced or the files are no longer at their paths: then the data is stored, but nobody may rely on it.
   */
  commit<T>(work: () => T): T {
    const result = this.#transact(work)
    if (this.#isDoubtful && !this.#files?.trouble) this.#moveLog() // the remains of a removed or broken one stay as they are
    this.#isDoubtful = true
    this.#files?.sync()
    this.#isDoubtful = false
    return result
  }

  /**
   * After a sync that failed, Linux takes what it could not write for written, and the next sync says nothing of it. The
   * database file gets all of it, with a sync of its own, before anything counts again.
   */
  #moveLog(): void {
    if (!moveLog(this.#db))
      throw new GantryError('DATABASE', 'The disk has failed, and the log cannot be saved yet. Try again.')
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
   * A transaction that becomes durable with the next commit, for data that can be derived from the journal again. A killed
   * process loses nothing; only a power failure may. Whether the files are still there, the next commit says.
   */
  relaxed(work: () => void): void {
    this.#transact(work)
  }

  /** Something other than events was written to the log. */
  wrote(bytes: number): void {
    this.#logged += bytes
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
    this.#kinds.note(this.#lastSeq, event)
    this.#logged += event.raw.length
    return this.#lastSeq
  }

  #abandon(): void {
    this.#rollbacks += 1
    this.#kinds.forget()
    try {
      this.#rollback.run()
    } catch {
      // SQLite rolls back by itself on a full disk; a second rollback has nothing to do.
    }
  }
}
