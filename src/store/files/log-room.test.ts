import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { copyFileSync, statSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { eventOf, tempDir } from '../../../test/kit.ts'
import { openStore, type Store } from '../index.ts'

const logOf = (path: string) => statSync(`${path}-wal`).size

function add(store: Store, from: number, to: number): void {
  for (let i = from; i < to; i++) store.journal.commit(() => store.journal.append(eventOf({ id: `e${i}` })))
}

test('the log is preallocated between events, and does not grow with the next ones', () => {
  const path = join(tempDir(), 'gantry.db')
  const store = openStore(path)
  add(store, 0, 10)
  let slices = 1
  for (; store.growLog(); slices++) add(store, 10 * slices, 10 * slices + 10)
  expect(slices).toBeLessThan(10)
  const room = logOf(path)
  expect(room).toBe(4 * 1024 * 1024)
  add(store, 1_000, 1_050)
  expect(logOf(path)).toBe(room)
  expect(store.growLog()).toBe(false)
  store.close()
  expect(openStore(path).count()).toBe(10 * slices + 50)
})

test('a daemon that was killed leaves zeros behind its events, and the next one finds just these', () => {
  const [path, left] = [join(tempDir(), 'gantry.db'), join(tempDir(), 'gantry.db')]
  const store = openStore(path)
  add(store, 0, 20)
  while (store.growLog());
  add(store, 20, 40)
  for (const file of ['', '-wal']) copyFileSync(path + file, left + file)
  const next = openStore(left)
  expect(next.count()).toBe(40)
  add(next, 40, 50)
  next.close()
  const read = new Database(left, { readonly: true })
  expect(read.query('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' })
  expect(read.query('SELECT count(*) AS n FROM events').get()).toEqual({ n: 50 })
})

test('nothing is written to a log while another program writes to it', () => {
  const path = join(tempDir(), 'gantry.db')
  const store = openStore(path)
  add(store, 0, 1)
  const other = new Database(path)
  other.exec('BEGIN IMMEDIATE')
  const before = logOf(path)
  expect(() => store.growLog()).toThrow('locked')
  expect(logOf(path)).toBe(before)
  other.exec('ROLLBACK')
  other.close()
  expect(store.growLog()).toBe(true)
})

test('a log that somebody cut is filled up again from where it ends', () => {
  const path = join(tempDir(), 'gantry.db')
  const store = openStore(path)
  add(store, 0, 5)
  while (store.growLog());
  store.checkpoint()
  truncateSync(`${path}-wal`, 1024 * 1024)
  while (store.growLog());
  expect(logOf(path)).toBe(4 * 1024 * 1024)
})
