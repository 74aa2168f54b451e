/** Turns that start or end without their usual hook, or with a late one. */
import { describe, expect, test } from 'bun:test'
import type { HookEvent } from '../../events/index.ts'
import { phaseOf } from './phase.ts'
import { ev, inTurn, run, tool } from './testkit.ts'

const prompt = () => ev('UserPromptSubmit', { prompt: 'do it' })
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
