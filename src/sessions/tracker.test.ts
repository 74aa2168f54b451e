import { describe, expect, test } from 'bun:test'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { HookEvent } from '../events/index.ts'
import { sessionEvent } from '../journal/index.ts'
import { readEvent } from '../journal/parse-event.ts'
import { openStore, type Store } from '../store/index.ts'
import { phaseOf } from './state/index.ts'
import { SessionTracker } from './tracker.ts'

let count = 0

function event(name: string, session: string, payload: object = {}): HookEvent {
  count += 1
  const raw = JSON.stringify({ hook_event_name: name, session_id: session, ...payload })
  const rawEvent = { id: `e${count}`, at: count * 1000, receivedAt: count * 1000, agent: 'claude', raw }
  return readEvent({ ...rawEvent, client: { env: {} }, transport: 'socket' })
}

function commit(store: Store, tracker: SessionTracker, ...events: HookEvent[]): void {
  store.journal.commit(() => {
    for (const one of events) Object.assign(one, { seq: store.journal.append(one) })
  })
  tracker.apply(events)
}

const shown = (tracker: SessionTracker) =>
  [...tracker.sessions.all()].map((session) => `${session.id} ${phaseOf(session)} ${session.lastActivity}`)
const bash = { tool_name: 'Bash', tool_use_id: 't1', tool_input: { command: 'ls' } }

describe('the tracker', () => {
  const at = () => join(mkdtempSync(join(tmpdir(), 'gantry-tracker-')), 'gantry.db')

  test('has every committed event after a kill and restart, written or not', () => {
    const store = openStore(at())
    const tracker = new SessionTracker(store, 0)
    commit(store, tracker, event('SessionStart', 's1'), event('UserPromptSubmit', 's1', { prompt: 'x' }))
    tracker.write()
    commit(store, tracker, event('PreToolUse', 's1', bash), event('SessionStart', 's2'))
    expect(store.sessions.mark).toBe(2)
    const after = new SessionTracker(store, 0) // nothing of the first one was closed or written
    expect(shown(after)).toEqual(shown(tracker))
    expect(phaseOf(after.sessions.find('s1') ?? fail())).toBe('working')
  })

  test('returns each changed session once, and how visible the change is', () => {
    const store = openStore(at())
    const tracker = new SessionTracker(store, 0)
    const changes = tracker.apply([
      event('SessionStart', 's1'),
      event('UserPromptSubmit', 's1', { prompt: 'x' }),
      event('Odd', 's1'),
    ])
    expect(changes).toMatchObject([{ level: 'state', session: { id: 's1' } }])
    expect(tracker.apply([event('Odd', 's1')])).toMatchObject([{ level: 'none' }])
  })

  test('reports and writes a session that turns out to continue another', () => {
    const store = openStore(at())
    const tracker = new SessionTracker(store, 0)
    commit(store, tracker, event('SessionStart', 's1'), event('SessionStart', 's2', { source: 'clear' }))
    tracker.write()
    const end = event('SessionEnd', 's1', { reason: 'clear' })
    store.journal.commit(() => Object.assign(end, { seq: store.journal.append(end) }))
    expect(tracker.apply([end])).toMatchObject([
      { level: 'state', session: { id: 's1' } },
      { level: 'facts', session: { id: 's2', prevSessionId: 's1' } },
    ])
    tracker.write()
    expect(new SessionTracker(store, 0).sessions.find('s2')).toMatchObject({ prevSessionId: 's1' })
  })

  test('an event of gantry that is made for a session changes that session', () => {
    const store = openStore(at())
    const tracker = new SessionTracker(store, 0)
    commit(store, tracker, event('SessionStart', 's1'))
    const session = tracker.sessions.find('s1') ?? fail()
    const warned = readEvent(sessionEvent('BudgetWarned', session, { message: 'four fifths' }, 5_000))
    commit(store, tracker, warned)
    expect(warned).toMatchObject({ sessionId: 's1', fields: { session_key: 'claude:s1' } })
    expect(tracker.sessions.find('s1')).toMatchObject({ budget: { text: 'four fifths', since: 5_000 } })
  })

  test('keeps all live sessions over a restart, however many there are', () => {
    const store = openStore(at())
    const tracker = new SessionTracker(store, 0)
    const many = 5_010
    commit(store, tracker, ...Array.from({ length: many }, (_, i) => event('SessionStart', `many-${i}`)))
    tracker.write()
    const again = new SessionTracker(store, 0)
    expect(again.isWhole).toBe(false)
    expect(again.sessions.size).toBeLessThan(many / 10) // a start does not wait for all of them
    expect(again.sessions.get('claude:many-7')).toEqual(tracker.sessions.get('claude:many-7')) // whoever is asked for is there
    const loaded = new Set([...again.sessions.all()].map(({ key }) => key))
    for (let keys = again.loadMore(); keys; keys = again.loadMore()) for (const key of keys) loaded.add(key)
    expect({ size: again.sessions.size, loaded: loaded.size }).toEqual({ size: many, loaded: many })
    expect(again.isWhole).toBe(true)
    expect(new Set([...again.sessions.all()].map(({ name }) => name)).size).toBe(many)
  })

  test('gives a new session no name of one that is not loaded yet', () => {
    const store = openStore(at())
    const tracker = new SessionTracker(store, 0)
    commit(store, tracker, ...Array.from({ length: 600 }, (_, i) => event('SessionStart', `many-${i}`)))
    tracker.write()
    const again = new SessionTracker(store, 0)
    commit(store, again, ...Array.from({ length: 600 }, (_, i) => event('SessionStart', `new-${i}`)))
    again.loadAll()
    expect(new Set([...again.sessions.all()].map(({ name }) => name)).size).toBe(1_200)
  })

  test('restores a dropped session when it continues', () => {
    const store = openStore(at())
    const tracker = new SessionTracker(store, 0)
    commit(
      store,
      tracker,
      event('SessionStart', 'old'),
      event('UserPromptSubmit', 'old', { prompt: 'first' }),
      event('SessionEnd', 'old'),
    )
    tracker.write()
    tracker.tidy(Date.now())
    expect(tracker.sessions.find('old')).toBeUndefined()
    commit(store, tracker, event('SessionStart', 'old', { source: 'resume' }))
    expect(tracker.sessions.find('old')).toMatchObject({ generation: 2, lastPrompt: 'first' })
  })
})

function fail(): never {
  throw new Error('no such session')
}
