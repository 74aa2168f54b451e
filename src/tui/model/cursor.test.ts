import { describe, expect, test } from 'bun:test'
import type { SessionView } from '../../client/index.ts'
import { held, rowsOf, type Seen, seenAfter, selectedRow } from './cursor.ts'
import { FIRST_STATE, type FleetState, withChanges } from './fleet-state.ts'
import { press } from './keys.ts'
import { NOW, needyOf, sessionOf } from './testkit.ts'

const web = needyOf('web', { project: 'web' })
const api = sessionOf('api', { project: 'api' })
const ops = sessionOf('ops', { project: 'ops' })
const ended = { phase: 'ended', needsYou: false, attention: [] } as const

const fleet = (...sessions: SessionView[]) => withChanges(FIRST_STATE, [{ snapshot: { seq: 1, sessions } }])
const told = (state: FleetState, ...sessions: SessionView[]) =>
  withChanges(
    state,
    sessions.map((session, n) => ({ seq: n + 2, session })),
  )
const at = (state: FleetState) => selectedRow(state)?.id
const seen = (id: string): Seen => ({ id, before: undefined, at: 0 })
const key = (state: FleetState, text: string, what: Seen | undefined = seen(at(state) ?? '')) =>
  press(held(state, what, NOW), { kind: 'text', text }, 5, NOW)

describe('the cursor', () => {
  test('is on the first that needs a person while nobody presses a key', () => {
    const state = fleet(api, sessionOf('ops', { project: 'ops' }))
    expect(at(state)).toBe('claude api')
    expect(at(told(state, needyOf('ops', { project: 'ops' })))).toBe('claude ops')
  })

  test('stays where the first key found it, whoever asks next', () => {
    for (const text of ['a', 'i', 's', 'b', 'f', '?', 'x']) {
      const { state } = key(fleet(web, api, ops), text)
      const sorted = told(
        { ...state, filter: 'live' },
        sessionOf('web', { project: 'web' }),
        needyOf('ops', { project: 'ops' }),
      )
      expect(at(sorted)).toBe('claude web')
    }
  })

  test('is where the person saw it, if the list sorted itself after that', () => {
    const state = fleet(sessionOf('web', { project: 'web' }), needyOf('api', { project: 'api' }))
    expect(key(state, 'K', seen('claude web')).state.mode).toMatchObject({ key: 'claude web' })
    const moved = (ago: number) => seenAfter(seen('claude web'), 'claude api', NOW - ago)
    expect(at(key(state, 'd', moved(100)).state)).toBe('claude web')
    expect(at(key(state, 'd', moved(1_000)).state)).toBe('claude api')
    expect(at(key(state, 'd', seenAfter(undefined, 'claude api', NOW)).state)).toBe('claude api')
  })

  test('goes to the nearest session when its own ends or is hidden, and stays there', () => {
    const names = ['a', 'b', 'c', 'd'].map((name, n) => sessionOf(name, { startedAt: n }))
    const chosen = { ...fleet(...names), selected: 'claude c' }
    const gone = told(chosen, sessionOf('c', { startedAt: 2, ...ended }))
    expect(at(gone)).toBe('claude d')
    expect(at(told(gone, needyOf('a')))).toBe('claude d')
    expect(at(told(gone, sessionOf('d', { startedAt: 3, ...ended })))).toBe('claude b')
    const hidden = key(told(chosen, needyOf('a'), needyOf('b')), 'f').state
    expect([hidden.filter, at(hidden)]).toEqual(['needs', 'claude b'])
  })

  test('returns to what was folded', () => {
    const folded = key({ ...fleet(api, ops), selected: 'claude ops' }, 'z').state
    expect(rowsOf(folded)).toHaveLength(2)
    expect(at(key(folded, 'z').state)).toBe('claude ops')
  })

  test('returns from a search that is taken back', () => {
    const chosen = { ...fleet(api, ops), selected: 'claude ops' }
    const searched = key(key(chosen, '/').state, 'a').state
    const typed = key(key(searched, 'p').state, 'i').state
    expect(at(typed)).toBe('claude api')
    const back = press(typed, { kind: 'key', name: 'escape' }, 5, NOW).state
    expect(at(back)).toBe('claude ops')
    const kept = press(typed, { kind: 'key', name: 'return' }, 5, NOW).state
    expect(at({ ...kept, search: '' })).toBe('claude api')
  })
})
