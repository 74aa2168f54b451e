import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { tempDir } from '../../../test/kit.ts'
import { openStore } from '../index.ts'
import { RowCache } from '../row-cache.ts'

function begin() {
  const store = openStore(join(tempDir(), 'gantry.db'))
  const { journal, work } = store
  const effort = journal.commit(() => {
    const project = work.addProject('/app', 'app', 1)
    work.putTask({ dirPath: '/t', projectId: project.id, title: 'T', keywords: ['k'] }, 1)
    return work.addEffort({
      taskId: '/t',
      agentId: null,
      skill: 'fix',
      mode: null,
      currentPhase: null,
      discoveredDirectives: [],
      metadata: { a: 1 },
      createdAt: 1,
    })
  })
  const window = (nativeId: string, agentId = '') =>
    work.addSession(
      { effortId: effort.id, prevSessionId: null, agent: 'claude', nativeId, agentId, runId: null },
      1,
    )
  return { store, journal, work, effort, window }
}

describe('cached rows', () => {
  test('are the same until they change', () => {
    const { journal, work, effort, window } = begin()
    expect(work.projects()).toBe(work.projects())
    expect(work.activeIn(1)).toBe(work.activeIn(1))
    journal.commit(() => work.updateEffort(effort.id, { currentPhase: 'build', metadata: { b: [1] } }))
    expect(work.activeIn(1)).toMatchObject([{ currentPhase: 'build', metadata: { b: [1] } }])
    expect(work.effort(effort.id)).toMatchObject({ currentPhase: 'build' })
    journal.commit(() => work.updateEffort(effort.id, { lifecycle: 'finished' }))
    expect([work.activeIn(1).length, work.countActive()]).toEqual([0, 0])
    expect(work.sessionOf('claude', 's1', '')).toBeUndefined()
    const one = journal.commit(() => window('s1'))
    expect(work.sessionOf('claude', 's1', '')?.id).toBe(one.id)
    journal.commit(() => work.countCall(one.id, 3, 0.5))
    journal.commit(() => work.updateSession(one.id, { loadedFiles: ['/a'] }))
    const expected = { heartbeatCounter: 3, contextUsage: 0.5, loadedFiles: ['/a'] }
    expect(work.sessionOf('claude', 's1', '')).toMatchObject(expected)
    expect(work.sessions(effort.id)).toMatchObject([expected]) // read from disk
    journal.commit(() => work.addProject('/other', 'other', 1))
    expect(work.projects()).toHaveLength(2)
  })

  test('are dropped after a failed transaction', () => {
    const { journal, work, effort, window } = begin()
    const one = journal.commit(() => window('s1'))
    expect(() =>
      journal.commit(() => {
        work.countCall(one.id, 9, 0.9)
        work.updateSession(one.id, { endedAt: 5 })
        work.updateEffort(effort.id, { lifecycle: 'finished' })
        work.addProject('/other', 'other', 1)
        window('s2')
        expect(work.sessionOf('claude', 's1', '')?.heartbeatCounter).toBe(9)
        expect(work.sessionOf('claude', 's2', '')).toBeDefined()
        expect(work.activeIn(1)).toEqual([])
        throw new Error('no')
      }),
    ).toThrow('no')
    expect(work.sessionOf('claude', 's1', '')).toMatchObject({ heartbeatCounter: 0, endedAt: null })
    expect(work.sessionOf('claude', 's2', '')).toBeUndefined()
    expect(work.activeIn(1)).toHaveLength(1)
    expect(work.projects()).toHaveLength(1)
  })

  test('are limited in number', () => {
    const rows = new RowCache<number, string>({ rollbacks: 0 }, 3)
    for (let i = 0; i < 10; i++) rows.set(i, `row ${i}`)
    expect(rows.get(9)).toBe('row 9')
    expect(rows.get(0)).toBeUndefined()
  })
})

describe('windows', () => {
  test('end with their session, with or without those of its sub-agents', () => {
    const { journal, work, window } = begin()
    const [own, child, other] = journal.commit(() => [window('s1'), window('s1', 'c1'), window('s2')])
    const ended = () => [own, child, other].map((one) => work.session(one?.id ?? 0)?.endReason ?? null)
    journal.commit(() => work.endSessions({ agent: 'claude', nativeId: 's1', agentId: 'c1' }, 7, 'stop'))
    expect(ended()).toEqual([null, 'stop', null])
    journal.commit(() => work.endSessions({ agent: 'claude', nativeId: 's1' }, 8, 'end'))
    expect(ended()).toEqual(['end', 'stop', null])
    journal.commit(() => work.endEffortSessions(1, 9, 'finished'))
    expect(ended()).toEqual(['end', 'stop', 'finished'])
  })
})

describe('messages', () => {
  test('of one window are at most two thousand; the oldest are deleted first', () => {
    const { journal, work, window } = begin()
    const one = journal.commit(() => window('s1'))
    journal.commit(() => {
      for (let i = 0; i < 2_300; i++)
        work.addMessage({ sessionId: one.id, role: 'user', content: `m${i}`, toolName: null, at: i })
    })
    const kept = work.messages(one.id)
    expect(kept).toHaveLength(2_000)
    expect(kept.at(-1)?.content).toBe('m2299')
  })

  test('of windows that ended long ago are deleted, those of open ones stay', () => {
    const { store, journal, work, window } = begin()
    const [old, open] = journal.commit(() => [window('s1'), window('s2')])
    journal.commit(() => {
      for (const one of [old, open])
        work.addMessage({ sessionId: one?.id ?? 0, role: 'user', content: 'x', toolName: null, at: 1 })
      work.updateSession(old?.id ?? 0, { endedAt: 10 })
    })
    while (store.retain({ maxAgeMs: 1, maxBytes: 1e12 }, 12));
    expect([work.messages(old?.id ?? 0).length, work.messages(open?.id ?? 0).length]).toEqual([0, 1])
  })
})

describe('ordinals', () => {
  test('count within a task', () => {
    const { journal, work, effort } = begin()
    const { id: _id, ordinal: _ordinal, lifecycle: _lifecycle, finishedAt: _end, ...again } = effort
    expect(journal.commit(() => work.addEffort(again)).ordinal).toBe(2)
    journal.commit(() => work.putTask({ dirPath: '/u', projectId: 1, title: 'U', keywords: [] }, 1))
    expect(journal.commit(() => work.addEffort({ ...again, taskId: '/u' })).ordinal).toBe(1)
  })
})

test('a session keeps the effort that it began with, whatever it starts afterwards', () => {
  const { journal, work, effort, window } = begin()
  expect(work.firstEffortOf('claude', 's1')).toBeUndefined()
  journal.commit(() => window('s1'))
  expect(work.firstEffortOf('claude', 's1')).toBe(effort.id)
  journal.commit(() => {
    work.updateEffort(effort.id, { lifecycle: 'finished' })
    const { id: _, ...parts } = effort
    const next = work.addEffort({ ...parts, agentId: null, createdAt: 2 })
    for (const nativeId of ['s1', 's2'])
      work.addSession(
        { effortId: next.id, prevSessionId: null, agent: 'claude', nativeId, agentId: '', runId: null },
        2,
      )
    expect(work.firstEffortOf('claude', 's2')).toBe(next.id)
  })
  expect(work.sessionOf('claude', 's1', '')?.effortId).not.toBe(effort.id)
  expect(work.firstEffortOf('claude', 's1')).toBe(effort.id)
})
