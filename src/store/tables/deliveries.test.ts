import { afterEach, expect, test } from 'bun:test'
import { join } from 'node:path'
import { tempDir } from '../../../test/kit.ts'
import { openStore, type Store } from '../index.ts'
import type { Letter } from './deliveries.ts'

const stores: Store[] = []
afterEach(() => {
  for (const store of stores.splice(0)) store.close()
})

function letters() {
  const store = openStore(join(tempDir(), 'gantry.db'))
  stores.push(store)
  return store.deliveries
}

function letter(seq: number, more: Partial<Letter> = {}): Letter {
  return {
    target: 'webhook:w',
    stream: 'HOOK_EVENTS',
    seq,
    id: `e${seq}`,
    sessionId: 's1',
    attemptCount: 1,
    nextAttemptAt: 5,
    lastError: 'HTTP 500',
    deadAt: null,
    ...more,
  }
}

test('a mark is kept per target and stream, and only the latest', () => {
  const rows = letters()
  expect(rows.mark('webhook:w', 'HOOK_EVENTS')).toBeUndefined()
  rows.setMark('webhook:w', 'HOOK_EVENTS', 0, 1)
  expect(rows.mark('webhook:w', 'HOOK_EVENTS')).toBe(0)
  rows.setMark('webhook:w', 'HOOK_EVENTS', 7, 2)
  rows.setMark('webhook:other', 'HOOK_EVENTS', 9, 3)
  expect(rows.mark('webhook:w', 'HOOK_EVENTS')).toBe(7)
  expect(rows.mark('webhook:w', 'SESSION_EVENTS')).toBeUndefined()
  rows.setMark('webhook:w', 'HOOK_EVENTS', 3, 4)
  expect(rows.mark('webhook:w', 'HOOK_EVENTS')).toBe(3)
})

test('deliveries wait in order, change, die and go', () => {
  const rows = letters()
  for (const seq of [9, 3, 5]) rows.put(letter(seq))
  rows.put(letter(5, { attemptCount: 2 }))
  rows.put(letter(4, { target: 'jetstream' }))
  expect(rows.waiting('webhook:w', 'HOOK_EVENTS')).toEqual([
    letter(3),
    letter(5, { attemptCount: 2 }),
    letter(9),
  ])
  rows.put(letter(3, { deadAt: 8 }))
  rows.remove('webhook:w', 'HOOK_EVENTS', 9)
  expect(rows.waiting('webhook:w', 'HOOK_EVENTS').map(({ seq }) => seq)).toEqual([5])
  expect(rows.countDead('webhook:w')).toBe(1)
  expect(rows.countDead('jetstream')).toBe(0)
})

test('dead deliveries are limited in number, and go with their message', () => {
  const rows = letters()
  for (let seq = 1; seq <= 20; seq++) rows.put(letter(seq, { deadAt: 1 }))
  rows.put(letter(2, { target: 'webhook:other', deadAt: 1 }))
  rows.put(letter(1))
  rows.trimDead('webhook:w', 'HOOK_EVENTS', 50, 4)
  expect(rows.countDead('webhook:w')).toBe(17)
  rows.trimDead('webhook:w', 'HOOK_EVENTS', 5, 4)
  expect(rows.countDead('webhook:w')).toBe(5)
  expect(rows.countDead('webhook:other')).toBe(1)
  expect(rows.waiting('webhook:w', 'HOOK_EVENTS')).toHaveLength(1)
})

test('forgetting a target removes all of its rows and no others', () => {
  const rows = letters()
  for (const target of ['webhook:a', 'webhook:b', 'jetstream']) {
    rows.setMark(target, 'HOOK_EVENTS', 1, 10)
    rows.put(letter(1, { target }))
  }
  expect(rows.targets('webhook:').map(({ target }) => target)).toEqual(['webhook:a', 'webhook:b'])
  rows.forget('webhook:a', 'HOOK_EVENTS')
  expect(rows.mark('webhook:a', 'HOOK_EVENTS')).toBeUndefined()
  expect(rows.waiting('webhook:a', 'HOOK_EVENTS')).toEqual([])
  expect(rows.mark('webhook:b', 'HOOK_EVENTS')).toBe(1)
  expect(rows.waiting('jetstream', 'HOOK_EVENTS')).toHaveLength(1)
})
