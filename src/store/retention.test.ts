import { Database } from 'bun:sqlite'
import { describe, expect, test } from 'bun:test'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { cpuMsOf, eventOf, tempDir } from '../../test/kit.ts'
import { openStore, type RetentionLimits, type Store } from './index.ts'
import { RETENTION } from './retention-rules.ts'

const T0 = 1_763_000_000_000
const HOUR = 3_600_000
const EVER: RetentionLimits = { maxAgeMs: 1e12, maxBytes: 1e12 }

/** `count` events, a minute apart from T0 on. */
function storeOf(count: number, bytes = 100) {
  const path = join(tempDir(), 'gantry.db')
  const store = openStore(path)
  for (let i = 0; i < count; ) {
    store.journal.commit(() => {
      for (let n = 0; n < 1000 && i < count; n++, i++) {
        store.journal.append(eventOf({ id: `e${i}`, receivedAt: T0 + i * 60_000, raw: 'x'.repeat(bytes) }))
      }
    })
  }
  return { path, store }
}

/** Runs all slices and returns their number. */
function retain(store: Store, limits: RetentionLimits, now: number): number {
  let slices = 1
  while (store.retain(limits, now)) {
    slices += 1
    if (slices > 10_000) throw new Error('never done')
  }
  return slices
}

const seqs = (store: Store) => [...store.oldest({}, 1e6)].map((row) => row.seq)

describe('by age', () => {
  test('old events are deleted, all others stay', () => {
    const { store } = storeOf(600)
    retain(store, { ...EVER, maxAgeMs: HOUR }, T0 + 599 * 60_000)
    expect(seqs(store)).toEqual(Array.from({ length: 61 }, (_, i) => 540 + i))
  })

  test('nothing is deleted while all are young enough', () => {
    const { store } = storeOf(50)
    expect(store.retain({ ...EVER, maxAgeMs: HOUR }, T0 + HOUR)).toBe(false)
    expect(store.count()).toBe(50)
  })

  test('the newest stays however old it is, and the sequence continues', () => {
    const { path, store } = storeOf(500)
    retain(store, { ...EVER, maxAgeMs: 1 }, T0 * 2)
    expect(seqs(store)).toEqual([500])
    store.close()
    const again = openStore(path)
    expect(again.journal.commit(() => again.journal.append(eventOf()))).toBe(501)
  })

  test('an old event after young ones waits its turn, so sequences have no gaps', () => {
    const path = join(tempDir(), 'gantry.db')
    const store = openStore(path)
    store.journal.commit(() => {
      for (const receivedAt of [T0, T0 + 5 * HOUR, T0, T0 + 5 * HOUR])
        store.journal.append(eventOf({ receivedAt }))
    })
    retain(store, { ...EVER, maxAgeMs: HOUR }, T0 + 5 * HOUR)
    expect(seqs(store)).toEqual([2, 3, 4])
    expect(store.count()).toBe(3)
  })

  test('an old event before many young ones is deleted without reading them all', () => {
    const fastest = (events: number) => {
      const { store } = storeOf(events, 4000)
      const times = Array.from({ length: 5 }, (_, i) =>
        cpuMsOf(() =>
          expect(store.retain({ ...EVER, maxAgeMs: HOUR }, T0 + HOUR + i * 60_000 + 1)).toBe(true),
        ),
      )
      expect(store.count()).toBe(events - 5)
      return Math.min(...times)
    }
    // Most of the time is one commit; reading 48 MB would come on top.
    expect(fastest(12_000)).toBeLessThan(fastest(1000) * 2 + 5)
  })
})

describe('by size', () => {
  test('the oldest are deleted until the rest fits', () => {
    const { store } = storeOf(3000, 2000)
    const limit = 2 * 1024 * 1024
    expect(store.usedBytes()).toBeGreaterThan(2 * limit)
    retain(store, { ...EVER, maxBytes: limit }, T0)
    expect(store.usedBytes()).toBeLessThanOrEqual(limit)
    expect(store.usedBytes()).toBeGreaterThan(limit / 2)
    expect(seqs(store).at(-1)).toBe(3000)
  })

  test('a single event over the limit stays, and retention ends', () => {
    const { store } = storeOf(3, 3 * 1024 * 1024)
    retain(store, { ...EVER, maxBytes: 1024 * 1024 }, T0)
    expect(seqs(store)).toEqual([3])
  })

  test('free space is returned to the disk', () => {
    const { path, store } = storeOf(20_000, 2000)
    store.checkpoint()
    const before = statSync(path).size
    retain(store, { ...EVER, maxBytes: 1024 * 1024 }, T0)
    store.close()
    expect(before).toBeGreaterThan(40e6)
    expect(statSync(path).size).toBeLessThan(16e6)
  })
})

describe('free space', () => {
  test('of a tenth stays, because the next events take it: the file neither shrinks nor grows', () => {
    const { path, store } = storeOf(20_000, 2000)
    store.checkpoint()
    const before = statSync(path).size
    const used = store.usedBytes()
    retain(store, { ...EVER, maxBytes: Math.floor(used * 0.93) }, T0)
    store.checkpoint()
    expect(statSync(path).size).toBe(before)
    const count = 20_000 - store.count()
    expect(count).toBeGreaterThan(1_000)
    store.journal.commit(() => {
      for (let i = 0; i < count / 2; i++) store.journal.append(eventOf({ raw: 'x'.repeat(2000) }))
    })
    store.checkpoint()
    expect(statSync(path).size).toBe(before)
    store.close()
  })

  test('and deleting count as written to the log, so that it is checkpointed in small steps', () => {
    const { store } = storeOf(2_000, 2000)
    store.checkpoint()
    store.retain({ ...EVER, maxAgeMs: 1 }, T0 * 2)
    expect(store.unmovedBytes()).toBeGreaterThan(500_000)
    store.close()
  })
})

describe('in slices', () => {
  test('one call deletes little and tells that there is more', () => {
    const { store } = storeOf(5000)
    expect(store.retain({ ...EVER, maxAgeMs: 1 }, T0 * 2)).toBe(true)
    expect(store.count()).toBe(4800)
    expect(retain(store, { ...EVER, maxAgeMs: 1 }, T0 * 2)).toBeGreaterThan(20)
  })

  test('one call takes a few milliseconds', () => {
    const { store } = storeOf(5000, 2000)
    const times = Array.from({ length: 10 }, () =>
      cpuMsOf(() => store.retain({ ...EVER, maxAgeMs: 1 }, T0 * 2)),
    )
    expect(times.toSorted((a, b) => a - b)[5]).toBeLessThan(20)
  })

  test('an empty journal has nothing to do', () => {
    expect(storeOf(0).store.retain({ maxAgeMs: 1, maxBytes: 1 }, T0)).toBe(false)
  })
})

describe('the rows of other tables', () => {
  test('have one rule each, which is valid SQL', () => {
    const { path, store } = storeOf(1)
    store.retain(EVER, T0)
    const db = new Database(path, { readonly: true })
    const tables = db
      .query<{ name: string }, []>(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name",
      )
      .all()
      .map(({ name }) => name)
    expect(RETENTION.map(({ table }) => table).sort()).toEqual(tables)
  })

  test('are found without a table scan for each of them', () => {
    const { path } = storeOf(1)
    const db = new Database(path, { readonly: true })
    const slow = RETENTION.flatMap(({ table, gone }) => {
      if (!gone) return []
      const select = `EXPLAIN QUERY PLAN SELECT ${gone.key} FROM ${table} WHERE ${gone.where}`
      const plan = db.query<{ id: number; parent: number; detail: string }, []>(select).all()
      const forEach = new Set(
        plan.filter(({ detail }) => detail.startsWith('CORRELATED')).map(({ id }) => id),
      )
      return plan.filter(({ parent, detail }) => forEach.has(parent) && detail.startsWith('SCAN'))
    })
    expect(slow).toEqual([])
  })

  test('of efforts are deleted a year after they finished, and the newest effort of a task stays', () => {
    const { store } = storeOf(1)
    const { journal, work } = store
    const efforts = journal.commit(() => {
      const project = work.addProject('/app', 'app', T0)
      work.putTask({ dirPath: '/t', projectId: project.id, title: 'T', keywords: [] }, T0)
      work.putTask({ dirPath: '/idle', projectId: project.id, title: 'I', keywords: [] }, T0)
      return [1, 2].map(() => {
        const effort = work.addEffort({
          ...{ taskId: '/t', agentId: null, skill: 'fix', mode: null, currentPhase: null },
          ...{ discoveredDirectives: [], metadata: {}, createdAt: T0 },
        })
        work.addPhase(effort.id, 'build', T0)
        let prevSessionId: number | null = null
        for (const nativeId of ['s1', 's2', 's3'])
          prevSessionId = work.addSession(
            {
              ...{ effortId: effort.id, prevSessionId, agent: 'claude', nativeId, agentId: '' },
              runId: null,
            },
            T0,
          ).id
        return effort
      })
    })
    journal.commit(() => {
      for (const { id } of efforts) work.updateEffort(id, { lifecycle: 'finished', finishedAt: T0 })
    })
    const kept = () => efforts.map(({ id }) => [work.sessions(id).length, work.phases(id).length])
    retain(store, EVER, T0 + 364 * 24 * HOUR)
    expect(kept()).toEqual([
      [3, 1],
      [3, 1],
    ])
    retain(store, EVER, T0 + 366 * 24 * HOUR)
    expect(kept()).toEqual([
      [0, 0],
      [3, 1],
    ])
    expect(work.task('/t')).toBeDefined()
    expect(work.task('/idle')).toBeUndefined()
  })

  test("that name a session's process are deleted with the session", () => {
    const { store } = storeOf(1)
    const row = { pid: 7, start: '1', boot: 'b' }
    store.journal.commit(() => {
      store.processes.put({ ...row, session: 'claude:s1' })
      store.processes.put({ ...row, session: 'claude:gone' })
    })
    retain(store, EVER, T0)
    expect(store.processes.get('claude:s1')).toBeDefined() // it has an event, and may get its row any moment
    expect(store.processes.get('claude:gone')).toBeUndefined()
  })
})
