import { expect, test } from 'bun:test'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { eventOf, tempDir } from '../../test/kit.ts'
import { openStore } from './index.ts'

test('the log is preallocated before events come, and does not grow', () => {
  const path = join(tempDir(), 'gantry.db')
  const store = openStore(path)
  let slices = 1
  while (store.growLog()) slices += 1
  expect(slices).toBeLessThan(20)
  store.checkpoint()
  const room = statSync(`${path}-wal`).size
  expect(room).toBeGreaterThan(3 * 1024 * 1024)
  for (let i = 0; i < 50; i++) store.journal.commit(() => store.journal.append(eventOf({ id: `e${i}` })))
  expect(statSync(`${path}-wal`).size).toBe(room)
  expect(store.growLog()).toBe(false)
  store.close()
  expect(openStore(path).count()).toBe(50)
})

test('preallocation leaves nothing in the database, also if it was interrupted', () => {
  const path = join(tempDir(), 'gantry.db')
  const first = openStore(path)
  first.growLog()
  first.close()
  const second = openStore(path)
  while (second.growLog());
  expect(second.usedBytes()).toBeLessThan(1024 * 1024)
})
