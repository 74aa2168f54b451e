/** Turns that begin and end without the hook that usually says so, or with one that comes late. */
import { describe, expect, test } from 'bun:test'
import type { HookEvent } from '../../events/index.ts'
import { phaseOf } from './phase.ts'
import { ev, inTurn, run, tool } from './testkit.ts'

const prompt = () => ev('UserPromptSubmit', { prompt: 'do it' })
const idle = () => ev('Notification', { notification: { type: 'idle_prompt' } })
const stop = (...ids: string[]) =>
  ev('Stop', { backgroundTasks: ids.map((id) => ({ id, status: 'running' })) })
const ask = (whose: object = {}) => ev('PermissionRequest', { ...tool('Bash'), ...whose })
/** These a second apart, and then one that happened at this time. */
const then = (events: HookEvent[], at: number, event: HookEvent) =>
  run(...inTurn(...events), { ...event, at })

describe('a prompt that was spooled', () => {
  const late = { ...prompt(), transport: 'spool' as const }

  test('opens a turn, unless that turn is over or another one was opened since', () => {
    expect(phaseOf(then([prompt(), ev('Stop')], 2000, late))).toBe('working')
    expect(phaseOf(then([prompt(), ev('Stop')], 1500, late))).toBe('idle')
    expect(then([prompt(), ev('Stop'), prompt()], 2500, late).turn.startedAt).toBe(3000)
  })

  test('leaves what was asked after it, and what sub-agents ask, and answers the rest', () => {
    const kinds = (at: number) => {
      const events = [prompt(), stop('b1'), ask({ agentId: 'b1' }), idle(), ask()]
      return then(events, at, late).attention.map(({ kind, agentId }) => `${kind} ${agentId ?? ''}`.trim())
    }
    expect(kinds(4500)).toEqual(['permission b1', 'permission'])
    expect(kinds(6000)).toEqual(['permission b1'])
  })
})

test('a prompt whose hook is overtaken by a stop of the turn before opens its turn', () => {
  expect(phaseOf(then([prompt(), ev('Stop')], 1990, prompt()))).toBe('working')
})

describe('a prompt that was refused', () => {
  const denied = ev('UserPromptDenied', { reason: 'not on Fridays' })

  test('leaves no turn and nothing to look at, and says why', () => {
    const session = then([prompt()], 2000, denied)
    expect([phaseOf(session), session.detail, session.seen]).toEqual(['idle', 'not on Fridays', true])
    expect(session.turn).toEqual({ open: false, startedAt: 1000, stoppedAt: 2000 })
    const { reason: _, ...nameless } = denied
    expect(then([prompt()], 2000, nameless).detail).toBe('refused')
  })

  test('says what goes on in the background, where something does', () => {
    expect(then([prompt(), stop('b1'), prompt()], 4000, denied).detail).toBe('background: 1')
  })

  test('changes neither a turn that is over nor one that began since', () => {
    const over = then([prompt(), ev('Stop')], 3000, denied)
    expect([over.detail, over.seen, over.turn.stoppedAt]).toEqual([undefined, false, 2000])
    expect(phaseOf(then([prompt(), prompt()], 1999, denied))).toBe('working')
  })
})

describe('a turn that was only seen', () => {
  const seen = ev('TurnObserved', { transport: 'healer' })

  test('is one; it waits for no prompt, and what else was asked stands', () => {
    const events = [prompt(), stop('b1'), ask({ agentId: 'b1' }), idle()]
    const session = then(events, 5000, seen)
    expect(session.turn).toEqual({ open: true, startedAt: 5000 })
    expect(session.attention.map(({ kind }) => kind)).toEqual(['permission'])
  })

  test('is no other one than that which is open, nor one that is over', () => {
    expect(then([prompt()], 2000, seen).turn.startedAt).toBe(1000)
    expect(phaseOf(then([prompt(), ev('Stop')], 1999, seen))).toBe('idle')
  })
})

test('a turn that ends twice was not seen by that', () => {
  expect(then([prompt(), ev('Stop')], 3000, ev('Stop')).seen).toBe(false)
  expect(then([prompt(), ev('Stop')], 3000, ev('Stop', { transport: 'healer' })).seen).toBe(false)
})
