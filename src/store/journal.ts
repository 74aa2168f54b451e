/**
 * The journal: every event once, in the order it was made durable.
 *
 *   journal.commit(() => { for (const event of batch) journal.append(event) })
 *
 * All appends of one `commit` share one sync of the log. `append` returns the event's sequence, or 0 if the id is already
 * stored. Whoever has other work meanwhile writes first, and lets another thread wait for the disk:
 *
 *   journal.write(() => …)
 *   await journal.syncBeside()
 *
 * The journal syncs the log itself, because the SQLite of Bun 1.4.4 calls fsync, which also writes the file's times and takes up to
 * three times as long as fdatasync (measured on ext4).
 */
import type { Database, Statement } from 'bun:sqlite'
import { isCorrupt, messageOf } from '../core/errors.ts'
import type { HookEvent } from '../events/index.ts'
import type { DatabaseFiles } from './files.ts'
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
  /** The last event in a transaction, durable or not. */
  #appended: number
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
    this.#kinds = new EventKinds(db)
    if (files) db.exec('PRAGMA synchronous = NORMAL') // no sync with a commit: see `sync`
    this.#lastSeq = db.query<{ seq: number | null }, []>('SELECT max(seq) AS seq FROM events').get()?.seq ?? 0
    this.#appended = this.#lastSeq
  }

  /** The last durable event. Rows after it are written already if a sync is under way; they do not count yet. */
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
   * Runs `work` in one transaction, which is durable when this returns. Rethrows what SQLite threw, with nothing stored.
   * Also throws if the files are no longer at their paths: the data may still be rescued, but nobody may rely on it.
   */
  commit<T>(work: () => T): T {
    const before = this.#appended
    const result = this.#transact(work)
    this.#files?.sync()
    this.#countSince(before)
    return result
  }

  /** Not what somebody else wrote before, and has not synced yet. */
  #countSince(before: number): void {
    if (this.#appended > before) this.#lastSeq = this.#appended
  }

  /** Runs `work` in one transaction, which is durable, and counts, after the next sync. */
  write(work: () => void): void {
    this.#transact(work)
  }

  /** What was written is durable when this returns. It counts also if this throws, but then nobody may rely on it. */
  sync(): void {
    this.#lastSeq = this.#appended
    this.#files?.sync()
  }

  /** The same in another thread, for what was written before the call. */
  async syncBeside(): Promise<void> {
    const upTo = this.#appended
    try {
      await this.#files?.syncBeside()
    } finally {
      this.#lastSeq = Math.max(this.#lastSeq, upTo)
    }
  }

  #transact<T>(work: () => T): T {
    const seq = this.#appended
    this.#begin.run()
    try {
      const result = work()
      this.#commit.run()
      this.#logged += COMMIT_BYTES
      return result
    } catch (error) {
      this.#appended = seq
      this.#abandon()
      if (isCorrupt(error)) this.#files?.broke(messageOf(error))
      throw error
    }
  }

  /**
   * A transaction that becomes durable with the next sync, for data that can be derived from the journal again. A killed
   * process loses nothing; only a power failure may. Whether the files are still there, the next sync says.
   */
  relaxed(work: () => void): void {
    const before = this.#appended
    this.#transact(work)
    this.#countSince(before)
  }

  /** Something other than events was written to the log. */
  wrote(bytes: number): void {
    this.#logged += bytes
  }

  append(event: HookEvent): number {
    const { changes } = this.#insert.run(
      this.#appended + 1,
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
    this.#appended += 1
    this.#kinds.note(this.#appended, event)
    this.#logged += event.raw.length
    return this.#appended
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
