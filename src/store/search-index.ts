/**
 * The index of `gantry search`: a separate database with the words only; the journal has the texts. It derives from the
 * journal, so a broken or outdated file is rebuilt instead of repaired.
 *
 *   const index = openSearchIndex('/tmp/x/search.db')
 *   index.put([{ seq: 7, said: 'add a retry', did: '', facts: 'aclaude' }], { seq: 7, id: '01J…' })
 *   index.find('{said did} : ("retry")', { order: 'newest', limit: 20 })   // [7]
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
const SEARCH_VERSION = 2
const CACHE_KIB = 8 * 1024
const LOG_PAGES = 2_000 // 16 MB: pages that change repeatedly are written once
const SEGMENTS = 8 // per size before they are merged: writes half as much as with four
/** Ranks only the newest matches: ranking every event with a common word takes half a second in a million. */
const WEIGHED = 10_000
/** Weights: what was said counts more than what was done; facts count nothing. */
const WEIGHTS = '2.0, 1.0, 0.0'

/** Short prefixes have their own index: scanning all words with that prefix takes most of a second. */
const SCHEMA = `
  CREATE VIRTUAL TABLE words USING fts5 (
    said, did, facts,
    content = '', contentless_delete = 1, prefix = '2 3', tokenize = "unicode61 remove_diacritics 2"
  );
  INSERT INTO words (words, rank) VALUES ('automerge', ${SEGMENTS});
  CREATE TABLE mark (one INTEGER PRIMARY KEY CHECK (one = 1), seq INTEGER NOT NULL, id TEXT NOT NULL);
  PRAGMA user_version = ${SEARCH_VERSION};`

export function openSearchIndex(path: string): SearchIndex {
  try {
    return new SearchIndex(opened(path))
  } catch (error) {
    if (!isUseless(error))
      throw new GantryError('DATABASE', `Cannot open ${path}: ${messageOf(error)}`, { cause: error })
    removeSearchIndex(path)
  }
  try {
    return new SearchIndex(opened(path))
  } catch (cause) {
    throw new GantryError('DATABASE', `Cannot open ${path}: ${messageOf(cause)}`, { cause })
  }
}

/** The file is broken or of another version. */
export function isUseless(error: unknown): boolean {
  return /malformed|not a database|of another version/i.test(messageOf(error))
}

export function removeSearchIndex(path: string): void {
  for (const suffix of ['', '-wal', '-shm']) rmSync(path + suffix, { force: true })
}

export class SearchIndex {
  readonly #db: Database

  constructor(db: Database) {
    this.#db = db
  }

  mark(): SearchMark {
    return this.#db.query<SearchMark, []>('SELECT seq, id FROM mark').get() ?? { seq: 0, id: '' }
  }

  /** Stores rows and mark in one transaction: an interrupted call is repeated, and nothing is stored twice. */
  put(rows: readonly SearchRow[], mark: SearchMark): void {
    const insert = this.#db.query('INSERT INTO words (rowid, said, did, facts) VALUES (?, ?, ?, ?)')
    this.#db.transaction(() => {
      for (const { seq, said, did, facts } of rows) insert.run(seq, said, did, facts)
      this.#db.query('INSERT OR REPLACE INTO mark (one, seq, id) VALUES (1, ?, ?)').run(mark.seq, mark.id)
    })()
  }

  /** Sequences in the requested order. */
  find(match: string, { order, limit, after = 0 }: FindOptions): number[] {
    const sql = order === 'newest' ? NEWEST : BEST
    return this.#db
      .query<{ seq: number }, [string, number, number]>(sql)
      .all(match, after, limit)
      .map(({ seq }) => seq)
  }

  /** Deletes a slice of the rows before a sequence; true if there is more. */
  forget(before: number, slice: number): boolean {
    const old = this.#db
      .query<{ seq: number }, [number, number]>(
        'SELECT rowid AS seq FROM words WHERE rowid < ? ORDER BY rowid LIMIT ?',
      )
      .all(before, slice)
    if (old.length === 0) return false
    const remove = this.#db.query('DELETE FROM words WHERE rowid = ?')
    this.#db.transaction(() => {
      for (const { seq } of old) remove.run(seq)
    })()
    return old.length === slice
  }

  count(): number {
    return this.#db.query<{ n: number }, []>('SELECT count(*) AS n FROM words').get()?.n ?? 0
  }

  close(): void {
    this.#db.close()
  }
}

const MATCHING = 'FROM words WHERE words MATCH ? AND rowid > ? ORDER BY rowid DESC'
const NEWEST = `SELECT rowid AS seq ${MATCHING} LIMIT ?`
const BEST = `SELECT seq FROM (SELECT rowid AS seq, bm25(words, ${WEIGHTS}) AS score ${MATCHING} LIMIT ${WEIGHED})
              ORDER BY score, seq DESC LIMIT ?`

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
    db.query('SELECT rowid FROM words LIMIT 1').all() // fails here if the file is broken
    return db
  } catch (error) {
    db.close()
    throw error
  }
}
