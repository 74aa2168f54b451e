import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { tempDir } from '../../../test/kit.ts'
import { openStore, type Store } from '../index.ts'

function openTemp() {
  const path = join(tempDir(), 'gantry.db')
  return { path, store: openStore(path) }
}

const write = (store: Store) => store.counters.write((work) => store.journal.commit(work))
const LIMIT = 5_000

test('counts add up in memory and on disk, with the first and last time', () => {
  const { path, store } = openTemp()
  const { counters } = store
  counters.count('unknown', 'claude Stop x', 10)
  counters.count('unknown', 'claude Stop x', 20)
  const twice = { kind: 'unknown', key: 'claude Stop x', count: 2, firstAt: 10, lastAt: 20 }
  expect(counters.all()).toEqual([twice])
  write(store)
  expect(counters.all()).toEqual([twice])
  counters.count('unknown', 'claude Stop x', 30)
  expect(counters.all()).toEqual([{ ...twice, count: 3, lastAt: 30 }])
  write(store)
  store.close()
  expect(openStore(path).counters.all()).toEqual([{ ...twice, count: 3, lastAt: 30 }])
})

test('kinds and keys are separate and sorted', () => {
  const { store } = openTemp()
  for (const [kind, key] of [
    ['b', 'x'],
    ['a', 'y'],
    ['a', 'x'],
    ['b', 'x'],
  ] as const)
    store.counters.count(kind, key, 1)
  const all = () => store.counters.all().map(({ kind, key, count }) => `${kind} ${key} ${count}`)
  expect(all()).toEqual(['a x 1', 'a y 1', 'b x 2'])
  write(store)
  expect(all()).toEqual(['a x 1', 'a y 1', 'b x 2'])
})

test('there is something to write only after a count', () => {
  const { store } = openTemp()
  expect(store.counters.dirty).toBe(false)
  store.counters.count('a', 'b', 1)
  expect(store.counters.dirty).toBe(true)
  write(store)
  expect(store.counters.dirty).toBe(false)
})

test('counts are kept for the next write if one fails', () => {
  const { store } = openTemp()
  store.counters.count('a', 'b', 1)
  const failing = (work: () => void) =>
    store.journal.commit(() => {
      work()
      throw new Error('disk full')
    })
  expect(() => store.counters.write(failing)).toThrow('disk full')
  expect(store.counters.dirty).toBe(true)
  expect(store.counters.all()).toHaveLength(1)
  write(store)
  write(store)
  expect(store.counters.all()).toMatchObject([{ count: 1 }])
})

test('a flood of new keys is bounded, counted under one key, and does not stop the others', () => {
  const { path, store } = openTemp()
  const { counters } = store
  counters.count('duplicate', 'claude', 1)
  for (let i = 0; i < LIMIT * 3; i++) {
    counters.count('unknown', `field ${i}`, 2)
    if (i % 1000 === 0) write(store)
  }
  counters.count('duplicate', 'claude', 3)
  write(store)
  const check = (all: ReturnType<typeof counters.all>) => {
    expect(all.length).toBeLessThanOrEqual(LIMIT + 2)
    expect(all.reduce((sum, { count }) => sum + count, 0)).toBe(LIMIT * 3 + 2)
    expect(all.find(({ key }) => key === '(others)')?.count).toBeGreaterThan(LIMIT)
    expect(all.find(({ kind }) => kind === 'duplicate')).toMatchObject({ key: 'claude', count: 2 })
  }
  check(counters.all())
  store.close()

  // The limit applies across restarts, and known keys keep their place.
  const again = openStore(path)
  again.counters.count('unknown', 'yet another', 4)
  again.counters.count('unknown', 'field 0', 4)
  expect(again.counters.all().find(({ key }) => key === 'yet another')).toBeUndefined()
  expect(again.counters.all().find(({ key }) => key === 'field 0')).toMatchObject({ count: 2 })
})

test('a long key is cut', () => {
  const { store } = openTemp()
  store.counters.count('unknown', 'x'.repeat(100_000), 1)
  store.counters.count('unknown', 'x'.repeat(200_000), 1)
  expect(store.counters.all()).toEqual([
    { kind: 'unknown', key: `${'x'.repeat(200)}…`, count: 2, firstAt: 1, lastAt: 1 },
  ])
})
