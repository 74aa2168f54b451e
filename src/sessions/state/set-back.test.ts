/** How a session's times change when the clock is set back. */
import { expect, test } from 'bun:test'
import { type HookEvent, OWN_AGENT } from '../../events/index.ts'
import { CLOCK_SET_BACK } from './gantry-agent.ts'
import { phaseOf } from './phase.ts'
import { infer } from './reported-status.ts'
import type { Session } from './session.ts'
import type { SessionMap } from './session-map.ts'
import { ev, sessionsOf, tool } from './testkit.ts'

const T = 1_763_000_000_000
const at = (ms: number, event: HookEvent): HookEvent => ({ ...event, at: T + ms, receivedAt: T + ms + 3 })
const clock = (ms: number, byMs: unknown, fields: Partial<HookEvent> = {}) =>
  at(ms, ev(CLOCK_SET_BACK, { agent: OWN_AGENT, transport: 'emit', fields: { by_ms: byMs }, ...fields }))

const only = (sessions: SessionMap) => sessions.get('claude:s1') as Session

const turn = () => [
  at(0, ev('SessionStart', { source: 'startup' })),
  at(1_000, ev('UserPromptSubmit', { prompt: 'go' })),
  at(5_000, ev('Stop')),
]
const asks = (ms: number) => [
  at(ms, ev('UserPromptSubmit', { prompt: 'again' })),
  at(ms + 1_000, ev('PreToolUse', tool('Bash', 't1'))),
  at(ms + 1_020, ev('PermissionRequest', tool('Bash', undefined, { of: 't1' }))),
]

test('a dialog of the next turn is one, and its end is one', () => {
  const sessions = sessionsOf(...turn(), clock(-24_000, 30_000), ...asks(-23_000))
  expect(phaseOf(only(sessions))).toBe('blocked')
  const healed = infer(only(sessions), { kind: 'interrupt', at: T - 20_000, says: 'Esc' })
  expect(healed?.type).toBe('Interrupt')
  sessions.apply(at(-20_000, ev('Interrupt')))
  sessions.apply(at(-19_000, ev('SessionEnd')))
  expect(phaseOf(only(sessions))).toBe('ended')
})

test("all ages stay the same, and the cause keeps the journal's time", () => {
  const before = only(
    sessionsOf(...turn(), ...asks(6_000), at(7_100, ev('SubagentStart', { agentId: 'a1' }))),
  )
  const after = only(
    sessionsOf(
      ...turn(),
      ...asks(6_000),
      at(7_100, ev('SubagentStart', { agentId: 'a1' })),
      clock(-22_000, 30_000),
    ),
  )
  const times = (value: unknown, name = ''): [string, number][] => {
    if (typeof value === 'number' && value > T - 60_000) return [[name, value]]
    if (typeof value !== 'object' || value === null) return []
    return Object.entries(value).flatMap(([key, one]) => times(one, `${name}.${key}`))
  }
  const { cause, ...known } = before
  const { cause: same, ...moved } = after
  expect(times(known).length).toBeGreaterThan(5)
  expect(times(moved)).toEqual(times(known).map(([name, time]) => [name, time - 30_000]))
  expect(same).toMatchObject({ at: cause?.at as number })
})

test('a session that ended long ago stays unchanged, one that would end in the future does not', () => {
  const over = [...turn(), at(6_000, ev('SessionEnd'))]
  expect(only(sessionsOf(...over, clock(60_000, 30_000))).endedAt).toBe(T + 6_000)
  expect(only(sessionsOf(...over, clock(-20_000, 30_000))).endedAt).toBe(T - 24_000)
})

test('only the daemon itself can report it', () => {
  const lies = [
    clock(-24_000, 30_000, { transport: 'replay' }),
    clock(-24_000, 30_000, { transport: 'socket' }),
    clock(-24_000, 30_000, { agent: 'claude' }),
    clock(-24_000, -5),
    clock(-24_000, Number.NaN),
    clock(-24_000, '30000'),
  ]
  for (const lie of lies) expect(only(sessionsOf(...turn(), lie)).turn.stoppedAt).toBe(T + 5_000)
})
