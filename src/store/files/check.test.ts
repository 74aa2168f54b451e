import { Database } from 'bun:sqlite'
import { describe, expect, test } from 'bun:test'
import { closeSync, openSync, readSync, statSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { eventOf, tempDir } from '../../../test/kit.ts'
import { openStore } from '../index.ts'
import { type CheckReport, checkJournal } from './check.ts'

const PAGE = 8192

function journalOf(count: number, bytes = 3_000): string {
  const path = join(tempDir(), 'gantry.db')
  const store = openStore(path)
  store.journal.commit(() => {
    for (let n = 0; n < count; n++)
      store.journal.append(eventOf({ id: `e${n}`, raw: JSON.stringify({ n, text: 'x'.repeat(bytes) }) }))
  })
  store.close()
  return path
}

function look(path: string, structure: 'all' | 'tables' = 'all'): CheckReport & { steps: number } {
  const check = checkJournal(path, { structure })
  let steps = 0
  for (;;) {
    const step = check.next()
    if (step.done) return { ...step.value, steps }
    steps += 1
  }
}

function overwrite(path: string, page: number, bytes: Uint8Array): void {
  const file = openSync(path, 'r+')
  writeSync(file, bytes, 0, bytes.length, page * PAGE)
  closeSync(file)
}

/** Numbers of the pages that contain this text. */
function pagesWith(path: string, letters: string): number[] {
  const file = openSync(path, 'r')
  const room = Buffer.alloc(PAGE)
  const found: number[] = []
  for (let page = 1; page < statSync(path).size / PAGE; page++) {
    readSync(file, room, 0, PAGE, page * PAGE)
    if (room.includes(letters)) found.push(page)
  }
  closeSync(file)
  return found
}

describe('a journal check', () => {
  test('finds nothing wrong in an intact journal, and works in slices', () => {
    const path = journalOf(1_000)
    expect(look(path)).toMatchObject({ events: 1_000, problems: [], steps: 5 })
    expect(look(path, 'tables')).toMatchObject({ events: 1_000, problems: [] })
  })

  test('finds garbage pages in the middle and names their events', () => {
    const path = journalOf(1_000)
    const page = pagesWith(path, '"n":500,')[0] ?? 0
    overwrite(path, page, crypto.getRandomValues(new Uint8Array(PAGE)))
    const { problems, events } = look(path, 'tables')
    expect(events).toBe(1_000)
    expect(problems).toEqual([expect.stringMatching(/^events cannot be read: \d+–\d+ \(by sequence\)$/)])
    expect(look(path).problems).toEqual(problems) // without SQLite's generic message
  })

  test('finds a payload with an overwritten end, which SQLite itself does not', () => {
    const path = journalOf(20, 20_000)
    const pages = pagesWith(path, 'x'.repeat(1000))
    const last = pages.at(-1) ?? 0
    overwrite(path, last, new Uint8Array(PAGE))
    const { problems } = look(path, 'tables')
    expect(problems).toHaveLength(1)
    expect(problems[0]).toMatch(/payloads are corrupt|events cannot be read/)
  })

  test('finds missing events, but not those that retention deleted', () => {
    const path = journalOf(600)
    const db = new Database(path)
    db.exec('DELETE FROM events WHERE seq <= 100 OR seq BETWEEN 300 AND 310 OR seq = 320')
    db.close()
    expect(look(path)).toMatchObject({
      events: 500,
      problems: ['events are missing: 300–310, 320 (by sequence)'],
    })
  })

  test('finds damage in other tables and in indexes', () => {
    const path = journalOf(2_000, 10)
    const db = new Database(path)
    const { rootpage } = db
      .query<{ rootpage: number }, []>("SELECT rootpage FROM sqlite_schema WHERE name = 'counters'")
      .get() ?? { rootpage: 0 }
    db.close()
    overwrite(path, rootpage - 1, new Uint8Array(PAGE).fill(7))
    expect(look(path, 'tables').problems.join()).toMatch(/malformed|counters|rootpage|invalid/i)
    expect(look(path).problems.length).toBeGreaterThan(0)
  })

  test('reports a file that is not a database, and throws without a file', () => {
    const path = journalOf(10)
    overwrite(path, 0, new Uint8Array(PAGE).fill(1))
    expect(look(path).problems).toEqual([expect.stringContaining('not a database')])
    expect(() => look(join(tempDir(), 'none.db'))).toThrow()
  })

  test('works beside a daemon that writes and deletes', () => {
    const path = journalOf(800)
    const store = openStore(path)
    const check = checkJournal(path, { structure: 'tables' })
    check.next()
    store.journal.commit(() => store.journal.append(eventOf({ id: 'new' })))
    while (store.retain({ maxAgeMs: 1, maxBytes: Number.MAX_SAFE_INTEGER }, Date.now()));
    let step = check.next()
    while (!step.done) step = check.next()
    expect(step.value.problems).toEqual([])
    store.close()
  })
})
