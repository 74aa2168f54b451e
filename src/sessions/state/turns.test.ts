/** Turns that start or end without their usual hook, or with a late one. */
import { describe, expect, test } from 'bun:test'
import type { HookEvent } from '../../events/index.ts'
import { phaseOf } from './phase.ts'
import { ev, inTurn, prompt, run, tool } from './testkit.ts'

const idle = () => ev('Notification', { notification: { type: 'idle_prompt' } })
const stop = (...ids: string[]) =>
  ev('Stop', { backgroundTasks: ids.map((id) => ({ id, status: 'running' })) })
const ask = (whose: object = {}) => ev('PermissionRequest', { ...tool('Bash'), ...whose })
/** These events a second apart, and then one with this earlier time. */
const then = (events: HookEvent[], at: number, event: HookEvent) =>
  run(...inTurn(...events), { ...event, at })

describe('a spooled prompt', () => {
  const late = { ...prompt(), transport: 'spool' as const }

  test('opens a turn, unless that turn is over or a later one was opened', () => {
    expect(phaseOf(then([prompt(), ev('Stop')], 2000, late))).toBe('working')
    expect(phaseOf(then([prompt(), ev('Stop')], 1500, late))).toBe('idle')
    expect(then([prompt(), ev('Stop'), prompt()], 2500, late).turn.startedAt).toBe(3000)
  })

  test('leaves later requests and those of sub-agents, and answers the rest', () => {
    const kinds = (at: number) => {
      const events = [prompt(), stop('b1'), ask({ agentId: 'b1' }), idle(), ask()]
      return then(events, at, late).attention.map(({ kind, agentId }) => `${kind} ${agentId ?? ''}`.trim())
    }
    expect(kinds(4500)).toEqual(['permission b1', 'permission'])
    expect(kinds(6000)).toEqual(['permission b1'])
  })
})

test('a prompt whose hook arrives after a stop of the previous turn opens its turn', () => {
  expect(phaseOf(then([prompt(), ev('Stop')], 1990, prompt()))).toBe('working')
})

describe('a turn whose end was blocked', () => {
  const blocked = (at: number, whose: object = {}) =>
    ev('StopBlocked', { at, reason: 'kept going by stay: not yet', transport: 'healer', ...whose })

  test('goes on, and all of its time counts once', () => {
    const events = inTurn(prompt(), ev('Stop'))
    const kept = run(...events, blocked(2000))
    expect(phaseOf(kept)).toBe('working')
    expect(kept).toMatchObject({ detail: 'kept going by stay', turn: { open: true, startedAt: 2000 } })
    expect(kept.turn.graceUntil).toBeUndefined()
    const over = run(...events, blocked(2000), { ...ev('Stop'), at: 5000 })
    expect(phaseOf(over)).toBe('idle')
    expect(over).toMatchObject({ workedMs: 4000 })
    expect(over.detail).toBeUndefined()
  })

  test('stays over if something else ended it since, or began', () => {
    const broken = run(...inTurn(prompt(), ev('Stop'), ev('Interrupt')), blocked(2000))
    expect(phaseOf(broken)).toBe('idle')
    expect(run(...inTurn(prompt(), ev('Stop'), prompt()), blocked(2000)).turn.startedAt).toBe(3000)
  })

  test('may be that of a sub-agent', () => {
    const child = { agentId: 'a1', agentType: 'scout' }
    const events = inTurn(prompt(), ev('SubagentStart', child), ev('SubagentStop', child))
    expect(run(...events).children).toMatchObject([{ agentId: 'a1', endedAt: 3000 }])
    expect(run(...events, blocked(3000, child)).children[0]).not.toHaveProperty('endedAt')
  })
})

describe('a refused prompt', () => {
  const denied = ev('UserPromptDenied', { reason: 'not on Fridays' })

  test('leaves no turn and nothing to look at, and gives the reason', () => {
    const session = then([prompt()], 2000, denied)
    expect([phaseOf(session), session.detail, session.seen]).toEqual(['idle', 'not on Fridays', true])
    expect(session.turn).toEqual({ open: false, startedAt: 1000, stoppedAt: 2000 })
    const { reason: _, ...nameless } = denied
    expect(then([prompt()], 2000, nameless).detail).toBe('refused')
  })

  test('shows what runs in the background, if anything', () => {
    expect(then([prompt(), stop('b1'), prompt()], 4000, denied).detail).toBe('background: 1')
  })

  test('changes neither an ended turn nor one that began since', () => {
    const over = then([prompt(), ev('Stop')], 3000, denied)
    expect([over.detail, over.seen, over.turn.stoppedAt]).toEqual([undefined, false, 2000])
    expect(phaseOf(then([prompt(), prompt()], 1999, denied))).toBe('working')
  })
})

describe('a turn that was only observed', () => {
  const seen = ev('TurnObserved', { transport: 'healer' })

  test('counts as one; it waits for no prompt, and other requests stay', () => {
    const events = [prompt(), stop('b1'), ask({ agentId: 'b1' }), idle()]
    const session = then(events, 5000, seen)
    expect(session.turn).toEqual({ open: true, startedAt: 5000 })
    expect(session.attention.map(({ kind }) => kind)).toEqual(['permission'])
  })

  test('is neither the open turn nor an ended one', () => {
    expect(then([prompt()], 2000, seen).turn.startedAt).toBe(1000)
    expect(phaseOf(then([prompt(), ev('Stop')], 1999, seen))).toBe('idle')
  })
})

test('a turn that ends twice was not seen because of that', () => {
  expect(then([prompt(), ev('Stop')], 3000, ev('Stop')).seen).toBe(false)
  expect(then([prompt(), ev('Stop')], 3000, ev('Stop', { transport: 'healer' })).seen).toBe(false)
})
