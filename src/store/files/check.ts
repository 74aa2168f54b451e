/**
 * Reads the whole journal, read-only and beside the daemon, to find damage: unreadable rows, missing sequences, payloads
 * that changed. It works slice by slice, so the caller sets the pace, and no read stays open for long.
 *
 *   const check = checkJournal(path, { structure: 'all' })
 *   for (let step = check.next(); !step.done; step = check.next()) progress(step.value)
 */
import { Database } from 'bun:sqlite'
import { isUtf8 } from 'node:buffer'
import { readFileSync, statSync } from 'node:fs'
import { messageOf } from '../../core/errors.ts'
import { writeAtomic } from '../../core/files/private-files.ts'

export interface CheckStep {
  readonly done: number
  readonly total: number
}

export interface CheckReport {
  /** When the check ended. */
  readonly at: number
  readonly ms: number
  readonly events: number
  /** What is broken, in words; only the first problems. */
  readonly problems: readonly string[]
  /** `dev ino` of the checked file; a report does not apply to another file. */
  readonly file: string
}

export interface CheckOptions {
  /** `all` is SQLite's own check of every page and index in one go; `tables` checks each table except the journal. */
  readonly structure: 'all' | 'tables'
}

const SLICE_ROWS = 250 // a millisecond or two
const MAX_PROBLEMS = 20
const MAX_RANGES = 5
const BUSY_MS = 1_000
const MALFORMED = 'database disk image is malformed' // SQLite's generic message

/** Kinds of damage to an event. */
const KINDS = {
  missing: 'events are missing',
  unreadable: 'events cannot be read',
  spoilt: 'payloads are corrupt',
} as const

type Kind = keyof typeof KINDS
type Note = (kind: Kind, seq: number) => void

/** Throws if there is no database. */
export function* checkJournal(path: string, { structure }: CheckOptions): Generator<CheckStep, CheckReport> {
  const began = performance.now()
  const { dev, ino } = statSync(path)
  const wrong: Record<Kind, number[]> = { missing: [], unreadable: [], spoilt: [] }
  const problems: string[] = []
  let events = 0
  const db = new Database(path, { readonly: true, strict: true })
  try {
    db.exec(`PRAGMA query_only = ON; PRAGMA busy_timeout = ${BUSY_MS}`)
    for (const step of readEvents(db, (kind, seq) => void wrong[kind].push(seq))) {
      events = step.done
      yield step
    }
    for (const question of structure === 'all' ? ['PRAGMA integrity_check(20)'] : tableChecks(db)) {
      problems.push(...answersOf(db, question))
      yield { done: events, total: events }
    }
  } catch (error) {
    if (!isBroken(error)) throw error
    problems.push(messageOf(error))
  } finally {
    db.close()
  }
  for (const kind of Object.keys(KINDS) as Kind[])
    if (wrong[kind].length > 0) problems.unshift(`${KINDS[kind]}: ${rangesOf(wrong[kind])}`)
  const ms = Math.round(performance.now() - began)
  // Omit SQLite's generic message if something more specific is known.
  const telling = problems.filter((problem) => problem !== MALFORMED)
  const said = (telling.length > 0 ? telling : problems).slice(0, MAX_PROBLEMS)
  return { at: Date.now(), ms, events, problems: said, file: `${dev} ${ino}` }
}

function* readEvents(db: Database, note: Note): Generator<CheckStep> {
  const { first, last } =
    db
      .query<{ first: number | null; last: number | null }, []>(
        'SELECT (SELECT min(seq) FROM events) AS first, (SELECT max(seq) FROM events) AS last',
      )
      .get() ?? {}
  if (first == null || last == null) return
  const total = last - first + 1
  for (let from = first; from <= last; from += SLICE_ROWS) {
    const to = Math.min(last, from + SLICE_ROWS - 1)
    readSlice(db, from, to, note)
    yield { done: to - first + 1, total }
  }
}

/** If a slice cannot be read, it is read row by row to find the affected events. */
function readSlice(db: Database, from: number, to: number, note: Note): void {
  try {
    for (const [kind, seq] of wrongRows(db, from, to)) note(kind, seq)
    return
  } catch (error) {
    if (!isBroken(error)) throw error
  }
  for (let seq = from; seq <= to; seq++) {
    try {
      for (const [kind] of wrongRows(db, seq, seq)) note(kind, seq)
    } catch {
      note('unreadable', seq)
    }
  }
}

interface Row {
  readonly seq: number
  readonly isText: number
  readonly raw: Uint8Array
}

function wrongRows(db: Database, from: number, to: number): [Kind, number][] {
  const rows = db.query<Row, [number, number]>(
    `SELECT seq, typeof(raw) = 'text' AS isText, CAST(raw AS BLOB) AS raw
       FROM events WHERE seq BETWEEN ? AND ? ORDER BY seq`,
  )
  const found: [Kind, number][] = []
  const missing: number[] = []
  let next = from
  for (const { seq, isText, raw } of rows.iterate(from, to)) {
    for (; next < seq; next++) missing.push(next)
    next = seq + 1
    // The journal stores a payload as text only if it is UTF-8 without a zero byte.
    if (isText && (raw.includes(0) || !isUtf8(raw))) found.push(['spoilt', seq])
  }
  for (; next <= to; next++) missing.push(next)
  if (missing.length === 0) return found
  // Events that retention deleted meanwhile are not missing.
  const first =
    db.query<{ seq: number | null }, []>('SELECT min(seq) AS seq FROM events').get()?.seq ?? to + 1
  return [...found, ...missing.filter((seq) => seq > first).map((seq): [Kind, number] => ['missing', seq])]
}

/** Checks each table by itself; none is as large as the journal. */
function tableChecks(db: Database): string[] {
  const tables = db.query<{ name: string }, []>("SELECT name FROM sqlite_schema WHERE type = 'table'").all()
  const others = tables.filter(({ name }) => name !== 'events' && !name.startsWith('sqlite_'))
  return others.map(({ name }) => `PRAGMA quick_check("${name}")`)
}

function answersOf(db: Database, question: string): string[] {
  try {
    const rows = db.query<Record<string, string>, []>(question).all()
    return rows.flatMap((row) => Object.values(row)).filter((text) => text !== 'ok')
  } catch (error) {
    if (!isBroken(error)) throw error
    return [messageOf(error)]
  }
}

function isBroken(error: unknown): boolean {
  return /malformed|not a database|disk I\/O error/i.test(messageOf(error))
}

/** For example `7, 12–40`. */
function rangesOf(seqs: readonly number[]): string {
  const ranges: [number, number][] = []
  for (const seq of seqs) {
    const last = ranges.at(-1)
    if (last && last[1] === seq - 1) last[1] = seq
    else ranges.push([seq, seq])
  }
  const more = ranges.length > MAX_RANGES ? `, and ${ranges.length - MAX_RANGES} more ranges` : ''
  const shown = ranges
    .slice(0, MAX_RANGES)
    .map(([from, to]) => (from === to ? String(from) : `${from}–${to}`))
  return `${shown.join(', ')}${more} (by sequence)`
}

export function keepReport(path: string, report: CheckReport): void {
  writeAtomic(path, JSON.stringify(report))
}

/** The last report, if it is about the current database. */
export function lastReport(path: string, database: string): CheckReport | undefined {
  try {
    const report = JSON.parse(readFileSync(path, 'utf8')) as CheckReport
    const { dev, ino } = statSync(database)
    return report.file === `${dev} ${ino}` ? report : undefined
  } catch {
    return undefined
  }
}
