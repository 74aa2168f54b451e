/**
 * The index of `gantry search`: a separate database with the words only; the journal has the texts. It derives from the
 * journal, so a broken or outdated file is rebuilt instead of repaired.
 *
 *   const index = openSearchIndex('/tmp/x/search.db')
 *   index.put([{ seq: 7, said: 'add a retry', did: '', facts: 'aclaude' }], { seq: 7, id: '01J…' })
 *   index.find('{said did} : ("retry")', { order: 'newest', limit: 20 })   // [7]
 *
 * It has a part for every few sequences. Retention deletes the oldest events, and so whole parts, which costs next to nothing;
 * to delete rows one by one would make the index longer, until all of it is merged again. A new event never makes SQLite
 * merge more than its own part, however long the journal is.
 *
 * It is not in the journal's file: merging segments takes up to a third of a second now and then, and its writes would have
 * to reach the disk with the next hook's commit.
 */
import { Database } from 'bun:sqlite'
import { chmodSync, rmSync } from 'node:fs'
import { GantryError, messageOf } from '../core/errors.ts'

export interface SearchRow {
  readonly seq: number
  readonly said: string
  readonly did: string
  readonly facts: string
}

/** The last indexed event; its id tells whether the journal is still the same. */
export interface SearchMark {
  readonly seq: number
  readonly id: string
}

export type SearchOrder = 'newest' | 'best'

export interface FindOptions {
  readonly order: SearchOrder
  readonly limit: number
  /** Only events after this sequence. */
  readonly after?: number
}

/** Increase it when the indexed content or its form changes: then everything is indexed again. */
const SEARCH_VERSION = 3
const CACHE_KIB = 8 * 1024
const LOG_PAGES = 2_000 // 16 MB: pages that change repeatedly are written once
const SEGMENTS = 8 // per size before they are merged: writes half as much as with four
/** Ranks only the newest matches: ranking every event with a common word takes half a second in a million. */
const WEIGHED = 10_000
/** Weights: what was said counts more than what was done; facts count nothing. */
const WEIGHTS = '2.0, 1.0, 0.0'

/** Sequences of a part: a rare word is looked for in each, so fewer parts answer sooner; more are forgotten sooner. */
const PART_SEQS = 200_000

const SCHEMA = `
  CREATE TABLE mark (one INTEGER PRIMARY KEY CHECK (one = 1), seq INTEGER NOT NULL, id TEXT NOT NULL);
  CREATE TABLE parts (n INTEGER PRIMARY KEY);
  PRAGMA user_version = ${SEARCH_VERSION};`

/** Short prefixes have their own index: scanning all words with that prefix takes most of a second. */
const partSchema = (part: string) => `
  CREATE VIRTUAL TABLE ${part} USING fts5 (
    said, did, facts,
    content = '', contentless_delete = 1, prefix = '2 3', tokenize = "unicode61 remove_diacritics 2"
  );
  INSERT INTO ${part} (${part}, rank) VALUES ('automerge', ${SEGMENTS});`

export function openSearchIndex(path: string, partSeqs?: number): SearchIndex {
  try {
    return new SearchIndex(opened(path), partSeqs)
  } catch (error) {
    if (!isUnusable(error))
      throw new GantryError('DATABASE', `Cannot open ${path}: ${messageOf(error)}`, { cause: error })
    removeSearchIndex(path)
  }
  try {
    return new SearchIndex(opened(path), partSeqs)
  } catch (cause) {
    throw new GantryError('DATABASE', `Cannot open ${path}: ${messageOf(cause)}`, { cause })
  }
}

/** The file is broken or of another version. */
export function isUnusable(error: unknown): boolean {
  return /malformed|not a database|of another version/i.test(messageOf(error))
}

export function removeSearchIndex(path: string): void {
  for (const suffix of ['', '-wal', '-shm']) rmSync(path + suffix, { force: true })
}

export class SearchIndex {
  readonly #db: Database
  readonly #partSeqs: number

  constructor(db: Database, partSeqs = PART_SEQS) {
    this.#db = db
    this.#partSeqs = partSeqs
  }

  mark(): SearchMark {
    return this.#db.query<SearchMark, []>('SELECT seq, id FROM mark').get() ?? { seq: 0, id: '' }
  }

  /** Stores rows and mark in one transaction: an interrupted call is repeated, and nothing is stored twice. */
  put(rows: readonly SearchRow[], mark: SearchMark): void {
    this.#db.transaction(() => {
      const there = new Set(this.#parts())
      for (const { seq, said, did, facts } of rows) {
        const n = Math.floor(seq / this.#partSeqs)
        if (!there.has(n)) this.#make(n)
        there.add(n)
        const insert = `INSERT INTO ${nameOf(n)} (rowid, said, did, facts) VALUES (?, ?, ?, ?)`
        this.#db.query(insert).run(seq, said, did, facts)
      }
      this.#db.query('INSERT OR REPLACE INTO mark (one, seq, id) VALUES (1, ?, ?)').run(mark.seq, mark.id)
    })()
  }

  /** Sequences in the requested order. */
  find(match: string, { order, limit, after = 0 }: FindOptions): number[] {
    const most = order === 'newest' ? limit : WEIGHED
    const found: Match[] = []
    for (const n of this.#parts()) {
      if ((n + 1) * this.#partSeqs <= after || found.length >= most) break
      const sql = order === 'newest' ? newestIn(nameOf(n)) : weighedIn(nameOf(n))
      const query = this.#db.query<Match, [string, number, number]>(sql)
      found.push(...query.all(match, after, most - found.length))
    }
    if (order === 'best') found.sort((a, b) => a.score - b.score || b.seq - a.seq)
    return found.slice(0, limit).map(({ seq }) => seq)
  }

  /** Deletes the oldest part if all of it is before a sequence; true if there may be more. */
  forget(before: number): boolean {
    const oldest = this.#parts().at(-1)
    if (oldest === undefined || (oldest + 1) * this.#partSeqs > before) return false
    this.#db.transaction(() => {
      this.#db.exec(`DROP TABLE ${nameOf(oldest)}`)
      this.#db.query('DELETE FROM parts WHERE n = ?').run(oldest)
    })()
    return true
  }

  count(): number {
    const rows = (n: number) =>
      this.#db.query<{ n: number }, []>(`SELECT count(*) AS n FROM ${nameOf(n)}`).get()?.n ?? 0
    return this.#parts().reduce((sum, n) => sum + rows(n), 0)
  }

  close(): void {
    this.#db.close()
  }

  /** The newest first. */
  #parts(): number[] {
    return this.#db
      .query<{ n: number }, []>('SELECT n FROM parts ORDER BY n DESC')
      .all()
      .map(({ n }) => n)
  }

  #make(n: number): void {
    this.#db.exec(partSchema(nameOf(n)))
    this.#db.query('INSERT INTO parts (n) VALUES (?)').run(n)
  }
}

interface Match {
  readonly seq: number
  readonly score: number
}

const nameOf = (n: number) => `words_${n}`
const newestIn = (part: string) =>
  `SELECT rowid AS seq, 0 AS score FROM ${part} WHERE ${part} MATCH ? AND rowid > ? ORDER BY rowid DESC LIMIT ?`
const weighedIn = (part: string) =>
  `SELECT rowid AS seq, bm25(${part}, ${WEIGHTS}) AS score FROM ${part} WHERE ${part} MATCH ? AND rowid > ?
    ORDER BY rowid DESC LIMIT ?`

function opened(path: string): Database {
  const db = new Database(path, { create: true, strict: true })
  try {
    db.exec(
      `PRAGMA page_size = 8192; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;
       PRAGMA busy_timeout = 1000; PRAGMA cache_size = -${CACHE_KIB};
       PRAGMA wal_autocheckpoint = ${LOG_PAGES}`,
    )
    chmodSync(path, 0o600)
    const version = db.query<{ user_version: number }, []>('PRAGMA user_version').get()?.user_version
    if (version === 0) db.transaction(() => db.exec(SCHEMA)).immediate()
    else if (version !== SEARCH_VERSION) throw new Error('of another version')
    db.query('SELECT n FROM parts').all() // fails here if the file is broken
    return db
  } catch (error) {
    db.close()
    throw error
  }
}
