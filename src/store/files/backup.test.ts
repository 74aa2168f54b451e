import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { existsSync, statSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { eventOf, tempDir } from '../../../test/kit.ts'
import { checkJournal, openStore, type Store } from '../index.ts'
import { copyDatabase } from './backup.ts'
import { placeDatabase, schemaOf } from './restore.ts'

const EVENTS = 2_300 // a few slices

function filled(events = EVENTS): { path: string; store: Store } {
  const path = join(tempDir(), 'gantry.db')
  const store = openStore(path)
  append(store, events)
  return { path, store }
}

function append({ journal }: Store, events: number, raw = '{}'): void {
  journal.commit(() => {
    for (let i = 0; i < events; i++) journal.append(eventOf({ raw }))
  })
}

function read<Row>(path: string, sql: string): Row[] {
  const db = new Database(path, { readonly: true })
  try {
    return db.query<Row, []>(sql).all()
  } finally {
    db.close()
  }
}

/** Runs the copy to its end, with something done between each two steps. */
function copied(from: string, to: string, between: (step: number) => void = () => {}) {
  const steps = copyDatabase(from, to)
  for (let n = 0; ; n++) {
    const step = steps.next()
    if (step.done) return step.value
    between(n)
  }
}

function problemsIn(path: string): readonly string[] {
  const check = checkJournal(path, { structure: 'all' })
  for (;;) {
    const step = check.next()
    if (step.done) return step.value.problems
  }
}

const SCHEMA = "SELECT type, name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%' ORDER BY name"
const ROWS = 'SELECT * FROM events ORDER BY seq'

test('a copy has every row, table, index and view, and is whole', () => {
  const { path, store } = filled()
  store.journal.commit(() => store.marks.set('x', 7))
  const copy = join(tempDir(), 'copy.db')
  expect(copied(path, copy)).toMatchObject({ events: EVENTS, firstSeq: 1, lastSeq: EVENTS })
  expect(read(copy, ROWS)).toEqual(read(path, ROWS))
  expect(read(copy, SCHEMA)).toEqual(read(path, SCHEMA))
  expect(read(copy, 'SELECT * FROM marks')).toEqual(read(path, 'SELECT * FROM marks'))
  expect(read(copy, 'PRAGMA page_size')).toEqual(read(path, 'PRAGMA page_size'))
  expect(read(copy, 'PRAGMA auto_vacuum')).toEqual(read(path, 'PRAGMA auto_vacuum'))
  expect(problemsIn(copy)).toEqual([])
  expect(statSync(copy).mode & 0o777).toBe(0o600)
  store.close()
})

test('hooks and retention that go on meanwhile leave no gap: it is the database of one moment', () => {
  const { path, store } = filled()
  const copy = join(tempDir(), 'copy.db')
  let mark = 0
  const made = copied(path, copy, (step) => {
    append(store, 30)
    mark = store.journal.lastSeq
    store.journal.commit(() => store.marks.set('sessions', mark)) // always belongs to the newest event
    if (step === 1) store.retain({ maxAgeMs: -1_000, maxBytes: 2 ** 40 }, Date.now()) // the oldest slice goes
  })
  expect(made.firstSeq).toBeGreaterThan(1)
  expect(made.events).toBe(made.lastSeq - made.firstSeq + 1)
  const [{ seq } = { seq: 0 }] = read<{ seq: number }>(copy, "SELECT seq FROM marks WHERE name = 'sessions'")
  expect(seq).toBe(made.lastSeq)
  expect(problemsIn(copy)).toEqual([])
  store.close()
})

test('the log restarts while a copy is made: no read stays open between two steps', () => {
  const { path, store } = filled(20)
  append(store, 4_000, JSON.stringify({ text: 'x'.repeat(2_000) }))
  store.checkpoint()
  const sizes: number[] = []
  copied(path, join(tempDir(), 'copy.db'), () => {
    append(store, 50, JSON.stringify({ text: 'x'.repeat(2_000) }))
    store.checkpoint()
    sizes.push(statSync(`${path}-wal`).size)
  })
  expect(sizes.length).toBeGreaterThan(5)
  expect(sizes.at(-1)).toBe(sizes[0])
  store.close()
})

test('a link in the way is not followed', () => {
  const { path, store } = filled(1)
  const folder = tempDir()
  symlinkSync(join(folder, 'victim'), join(folder, 'copy.db'))
  expect(() => copied(path, join(folder, 'copy.db'))).toThrow('EEXIST')
  expect(existsSync(join(folder, 'victim'))).toBe(false)
  store.close()
})

test('payloads of megabytes are copied a few at a time', () => {
  const { path, store } = filled(1)
  append(store, 12, JSON.stringify({ text: 'x'.repeat(2_000_000) }))
  let steps = 0
  const made = copied(path, join(tempDir(), 'copy.db'), () => {
    steps += 1
  })
  expect(made.events).toBe(13)
  expect(steps).toBe(4) // in one slice, the number of rows would allow all of them
  store.close()
})

test('a database that takes the place of another keeps the other, and nothing of its log is applied to it', () => {
  const { path, store } = filled(10)
  const copy = join(tempDir(), 'copy.db')
  copied(path, copy)
  append(store, 5)
  store.close()
  const kept = placeDatabase(copy, path, 1) ?? ''
  expect(read<{ n: number }>(path, 'SELECT count(*) AS n FROM events')).toEqual([{ n: 10 }])
  expect(read<{ n: number }>(kept, 'SELECT count(*) AS n FROM events')).toEqual([{ n: 15 }])
  const again = openStore(path)
  append(again, 1)
  expect(again.journal.lastSeq).toBe(11)
  again.close()
  expect(schemaOf(path).schema).toBe(schemaOf(path).known)
})
