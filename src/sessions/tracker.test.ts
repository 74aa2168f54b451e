import { describe, expect, test } from 'bun:test'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { HookEvent } from '../events/index.ts'
import { readEvent } from '../journal/parse-event.ts'
import { openStore, type Store } from '../store/index.ts'
import { phaseOf } from './state/index.ts'
import { Keeper } from './tracker.ts'

let count = 0

function event(name: string, session: string, payload: object = {}): HookEvent {
  count += 1
  const raw = JSON.stringify({ hook_event_name: name, session_id: session, ...payload })
  const arrival = { id: `e${count}`, at: count * 1000, receivedAt: count * 1000, agent: 'claude', raw }
  return readEvent({ ...arrival, client: { env: {} }, transport: 'socket' })
}

function commit(store: Store, keeper: Keeper, ...events: HookEvent[]): void {
  store.journal.commit(() => {
    for (const one of events) Object.assign(one, { seq: store.journal.append(one) })
  })
  keeper.apply(events)
}

const shown = (keeper: Keeper) =>
  [...keeper.fleet.all()].map((session) => `${session.id} ${phaseOf(session)} ${session.lastActivity}`)
const bash = { tool_name: 'Bash', tool_use_id: 't1', tool_input: { command: 'ls' } }

describe('the keeper', () => {
  const at = () => join(mkdtempSync(join(tmpdir(), 'gantry-keeper-')), 'gantry.db')

  test('a restart after a kill has every event that was committed, written or not', () => {
    const store = openStore(at())
    const keeper = new Keeper(store, 0)
    commit(store, keeper, event('SessionStart', 's1'), event('UserPromptSubmit', 's1', { prompt: 'x' }))
    keeper.write()
    commit(store, keeper, event('PreToolUse', 's1', bash), event('SessionStart', 's2'))
    expect(store.sessions.mark).toBe(2)
    const after = new Keeper(store, 0) // nothing of the first one was closed or written
    expect(shown(after)).toEqual(shown(keeper))
    expect(phaseOf(after.fleet.find('s1') ?? fail())).toBe('working')
  })

  test('answers each session that changed once, and whether anyone would notice', () => {
    const store = openStore(at())
    const keeper = new Keeper(store, 0)
    const changes = keeper.apply([
      event('SessionStart', 's1'),
      event('UserPromptSubmit', 's1', { prompt: 'x' }),
      event('Odd', 's1'),
    ])
    expect(changes).toMatchObject([{ news: 'state', session: { id: 's1' } }])
    expect(keeper.apply([event('Odd', 's1')])).toMatchObject([{ news: 'none' }])
  })

  test('a session that turns out to go on with another is told of, and written', () => {
    const store = openStore(at())
    const keeper = new Keeper(store, 0)
    commit(store, keeper, event('SessionStart', 's1'), event('SessionStart', 's2', { source: 'clear' }))
    keeper.write()
    const end = event('SessionEnd', 's1', { reason: 'clear' })
    store.journal.commit(() => Object.assign(end, { seq: store.journal.append(end) }))
    expect(keeper.apply([end])).toMatchObject([
      { news: 'state', session: { id: 's1' } },
      { news: 'facts', session: { id: 's2', prevSessionId: 's1' } },
    ])
    keeper.write()
    expect(new Keeper(store, 0).fleet.find('s2')).toMatchObject({ prevSessionId: 's1' })
  })

  test('a restart forgets no session that lives, however many there are', () => {
    const store = openStore(at())
    const keeper = new Keeper(store, 0)
    const many = 5_010
    commit(store, keeper, ...Array.from({ length: many }, (_, i) => event('SessionStart', `many-${i}`)))
    keeper.write()
    expect(new Keeper(store, 0).fleet.size).toBe(many)
  })

  test('a session that was forgotten goes on where it was', () => {
    const store = openStore(at())
    const keeper = new Keeper(store, 0)
    commit(
      store,
      keeper,
      event('SessionStart', 'old'),
      event('UserPromptSubmit', 'old', { prompt: 'first' }),
      event('SessionEnd', 'old'),
    )
    keeper.write()
    keeper.tidy(Date.now())
    expect(keeper.fleet.find('old')).toBeUndefined()
    commit(store, keeper, event('SessionStart', 'old', { source: 'resume' }))
    expect(keeper.fleet.find('old')).toMatchObject({ generation: 2, lastPrompt: 'first' })
  })
})

function fail(): never {
  throw new Error('no such session')
}
