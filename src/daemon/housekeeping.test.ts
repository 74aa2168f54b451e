import { afterEach, describe, expect, test } from 'bun:test'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { eventOf, silentLog, tempDir, until } from '../../test/kit.ts'
import { openStore, type RetentionLimits, type Store } from '../store/index.ts'
import { Housekeeping } from './housekeeping.ts'

const FOREVER: RetentionLimits = { maxAgeMs: 1e12, maxBytes: 1e12 }
const running: Housekeeping[] = []
afterEach(() => {
  for (const one of running.splice(0)) one.stop()
})

function setup(
  limits = () => FOREVER,
  wrap: (store: Store) => void = () => {},
  checkpointBeside?: () => Promise<void>,
) {
  const path = join(tempDir(), 'gantry.db')
  const store = openStore(path)
  wrap(store)
  const log = silentLog()
  const written = { sessions: 0 }
  const housekeeping = new Housekeeping({
    store,
    log,
    limits,
    now: () => 1_763_000_100_000,
  })
  housekeeping.start({
    sessions: () => {
      written.sessions += 1
    },
    tidy: () => {},
    spool: () => {},
    ...(checkpointBeside ? { checkpointBeside } : {}),
  })
  running.push(housekeeping)
  const commit = (count: number, bytes = 100) => {
    store.journal.commit(() => {
      for (let i = 0; i < count; i++) store.journal.append(eventOf({ raw: 'x'.repeat(bytes) }))
    })
    housekeeping.committed()
  }
  return { path, store, log, housekeeping, commit, written }
}

describe('when it is quiet', () => {
  test('counters are written', async () => {
    const { path, store, commit } = setup()
    store.counters.count('unknown', 'x', 1)
    commit(1)
    expect(store.counters.dirty).toBe(true)
    await until(() => !store.counters.dirty, 'counters to be written')
    expect(openStore(path).counters.all()).toHaveLength(1)
  })

  test('sessions are written', async () => {
    const { commit, written } = setup()
    commit(1) // the first of a while, so it writes at once
    const before = written.sessions
    commit(1)
    expect(written.sessions).toBe(before)
    await until(() => written.sessions > before, 'sessions to be written')
  })

  test('a large WAL is moved into the database', async () => {
    const { store, commit } = setup()
    let checkpoints = 0
    const checkpoint = store.checkpoint
    store.checkpoint = () => {
      checkpoints += 1
      checkpoint()
    }
    commit(100)
    await Bun.sleep(250)
    expect(checkpoints).toBe(0) // not worth it yet
    commit(600, 2000)
    expect(checkpoints).toBe(0) // not while hooks come in
    await until(() => checkpoints > 0, 'a checkpoint')
  })
})

describe('under steady load', () => {
  test('the WAL stays short', () => {
    const { path, commit } = setup()
    for (let i = 0; i < 640; i++) commit(1, 60_000)
    expect(statSync(`${path}-wal`).size).toBeLessThan(24 * 1024 * 1024) // 640 times 60 KB are 38 MB
  })

  test('most of the log is moved beside the hooks; here only the rest of it, or all of it if that takes too long', async () => {
    let checkpoints = 0
    const counted = (store: Store) => {
      const { checkpoint } = store
      store.checkpoint = () => {
        checkpoints += 1
        checkpoint()
      }
    }
    const asked: (() => void)[] = []
    const { commit } = setup(undefined, counted, () => new Promise((done) => asked.push(done)))
    for (let i = 0; i < 50; i++) commit(1, 60_000)
    expect([asked.length, checkpoints]).toEqual([1, 0])
    asked[0]?.()
    await until(() => checkpoints === 1, 'the rest to be moved')
    for (let i = 0; i < 120; i++) commit(1, 60_000)
    expect([asked.length, checkpoints]).toEqual([2, 2])
  })
})

describe('retention', () => {
  test('runs in slices until it is done', async () => {
    let limits = FOREVER
    const { store, housekeeping, commit } = setup(() => limits)
    commit(1000)
    limits = { ...FOREVER, maxAgeMs: 1000 }
    housekeeping.retainNow()
    expect(store.count()).toBe(950) // few at a time, because a hook came just now
    await until(() => store.count() === 1, 'all but the newest to be gone')
  })

  test('that fails is postponed and logged, and does not end the daemon', () => {
    const { housekeeping, log } = setup(undefined, (store) => {
      store.retain = () => {
        throw new Error('database is locked')
      }
    })
    housekeeping.retainNow()
    expect(log.lines).toEqual(['warn store retention postponed: database is locked'])
  })
})

test('at the end counters are written', () => {
  const { path, store, housekeeping } = setup()
  store.counters.count('unknown', 'x', 1)
  housekeeping.stop()
  expect(openStore(path).counters.all()).toHaveLength(1)
})
