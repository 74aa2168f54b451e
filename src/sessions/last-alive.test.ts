import { afterEach, expect, test } from 'bun:test'
import { statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { eventOf, tempDir, until } from '../../test/kit.ts'
import { openStore, type Store } from '../store/index.ts'
import { openLastAlive } from './last-alive.ts'

const stores: Store[] = []
afterEach(() => {
  for (const store of stores.splice(0)) store.close()
})

const SIGNED_AT = 5_000_000

/** A lock file with an old time, and a journal with or without an event. */
function setup(events = 1) {
  const dir = tempDir()
  const lock = join(dir, 'gantry.lock')
  const store = openStore(join(dir, 'gantry.db'))
  stores.push(store)
  writeFileSync(lock, '')
  utimesSync(lock, SIGNED_AT / 1000, SIGNED_AT / 1000)
  if (events > 0) store.journal.commit(() => store.journal.append(eventOf()))
  return { lock, lastAlive: openLastAlive(lock, store), signedAt: () => statSync(lock).mtimeMs }
}

test("the last time is the previous daemon's", () => {
  const { lastAlive } = setup()
  expect(lastAlive.at).toBe(SIGNED_AT)
  lastAlive.close()
})

test('without any event, or without the lock file, there is none', () => {
  expect(setup(0).lastAlive.at).toBe(0)
  const store = openStore(join(tempDir(), 'gantry.db'))
  stores.push(store)
  store.journal.commit(() => store.journal.append(eventOf()))
  expect(openLastAlive(join(tempDir(), 'gone'), store).at).toBe(0)
})

test('a daemon that ends before it has looked for missed events leaves that to the next one', () => {
  const { lastAlive, signedAt } = setup()
  lastAlive.close()
  lastAlive.begin()
  expect(signedAt()).toBe(SIGNED_AT)
})

test('from then on it updates the time regularly, and at its end', async () => {
  const { lock, lastAlive, signedAt } = setup()
  const start = Date.now() - 1
  lastAlive.begin()
  expect(signedAt()).toBeGreaterThan(start)
  utimesSync(lock, 1, 1)
  await until(() => signedAt() > start, 'the next update')
  utimesSync(lock, 1, 1)
  lastAlive.close()
  expect(signedAt()).toBeGreaterThan(start)
})
