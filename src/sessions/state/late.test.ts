/** Events that arrive after later ones: hooks are separate processes, and some were spooled. */
import { describe, expect, test } from 'bun:test'
import type { HookEvent } from '../../events/index.ts'
import { phaseOf } from './phase.ts'
import { ev, inTurn, note, prompt, run, tool } from './testkit.ts'

/** These events a second apart, and then one with this earlier time. */
const then = (events: HookEvent[], at: number, event: HookEvent) =>
  run(...inTurn(...events), { ...event, at })
const bash = tool('Bash', 't1')
const TRANSPORTS = ['socket', 'spool', 'healer'] as const

describe.each(TRANSPORTS)('over the %s, a request from before the end of a turn', (transport) => {
  const asks = [
    ev('PermissionRequest', { ...tool('Bash', undefined, { of: 't1' }), transport }),
    ev('PermissionRequest', { ...tool('AskUserQuestion'), transport }),
    { ...note('permission_prompt'), transport },
    { ...note('elicitation_dialog'), transport },
  ]

  test.each(['Stop', 'Interrupt', 'StopFailure'])('is ignored after %s', (type) => {
    const over = [prompt(), ev('PreToolUse', bash), ev(type)]
    for (const ask of asks) {
      expect(phaseOf(then(over, 2999, ask))).toBe('idle')
      expect(phaseOf(then(over, 3001, ask))).toBe('blocked')
    }
  })

  test('is ignored in the next turn, too', () => {
    for (const ask of asks)
      expect(phaseOf(then([prompt(), ev('Interrupt'), prompt()], 2500, ask))).toBe('working')
  })

  test('counts if two processes raced by milliseconds or have equal times', () => {
    for (const ask of asks) {
      expect(phaseOf(then([prompt(), prompt()], 1995, ask))).toBe('blocked')
      expect(phaseOf(then([prompt(), ev('Stop')], 2000, ask))).toBe('blocked')
    }
  })
})

describe('the end of an earlier turn', () => {
  const ends = [ev('Interrupt'), ev('StopFailure', { error: { kind: 'x' } }), note('idle_prompt'), ev('Stop')]

  test('does not end the open one', () => {
    for (const end of ends) {
      const session = then([prompt(), prompt(), ev('PreToolUse', bash)], 1999, end)
      expect([end.type, phaseOf(session), session.openTools.length]).toEqual([end.type, 'working', 1])
    }
  })

  test('ends it if their times are equal', () => {
    for (const end of ends) expect(phaseOf(then([prompt(), prompt()], 2000, end))).toBe('idle')
  })

  test('leaves background work of a later stop', () => {
    const stop = ev('Stop', { backgroundTasks: [{ id: 'b1', status: 'running' }] })
    expect(then([prompt(), stop], 1999, ev('Interrupt')).background).toHaveLength(1)
  })
})

test("a sub-agent's request from before its end is ignored after it", () => {
  const child = { agentId: 'a1', agentType: 'Explore' }
  const ask = ev('PermissionRequest', { ...tool('Bash'), ...child })
  const ended = [prompt(), ev('SubagentStart', child), ev('SubagentStop', child)]
  expect(phaseOf(then(ended, 2999, ask))).toBe('working')
  expect(phaseOf(then([prompt(), ev('SubagentStop', child)], 1999, ask))).toBe('working')
  expect(phaseOf(then([prompt(), ev('SubagentStart', child)], 2999, ask))).toBe('blocked')
})

describe('a person who looked', () => {
  const seen = () => ev('SessionSeen', { agent: 'gantry', fields: { session_key: 'claude:s1' } })

  test('during a turn has not seen its end', () => {
    for (const end of [ev('Stop'), ev('Interrupt'), ev('StopFailure')])
      expect(then([prompt(), seen()], 3000, end).seen).toBe(false)
    expect(then([prompt(), ev('Stop')], 3000, seen()).seen).toBe(true)
  })

  test('after it has, also when the agent reports that it waits, or background work has ended', () => {
    for (const more of [note('idle_prompt'), ev('Stop', { transport: 'healer' })])
      expect(then([prompt(), ev('Stop'), seen()], 4000, more).seen).toBe(true)
  })
})

describe('an agent that reports that it waits for a prompt', () => {
  const waits = [
    prompt(),
    ev('Stop', { backgroundTasks: [{ id: 'b1', status: 'running' }] }),
    note('idle_prompt'),
  ]

  test('is idle, whatever runs in the background, which is shown beside it', () => {
    const session = run(...inTurn(...waits))
    expect([phaseOf(session), session.detail]).toEqual(['idle', 'background: 1'])
    expect(session.attention).toMatchObject([{ kind: 'idle' }])
    expect(session.turn.graceUntil).toBeUndefined()
  })

  test('works again with the next prompt or call', () => {
    for (const next of [prompt(), ev('PreToolUse', bash)]) {
      const session = then(waits, 4000, next)
      expect([phaseOf(session), session.attention]).toEqual(['working', []])
    }
  })

  test('is blocked if a background sub-agent asks', () => {
    const ask = ev('PermissionRequest', { ...tool('Bash'), agentId: 'b1' })
    expect(phaseOf(then(waits, 4000, ask))).toBe('blocked')
  })
})
