import { describe, expect, test } from 'bun:test'
import type { HookEvent } from '../../events/index.ts'
import { phaseOf } from './phase.ts'
import { SessionMap } from './session-map.ts'
import { ev, inTurn, prompt, run as runAt, start, tool } from './testkit.ts'

const run = (...events: HookEvent[]) => runAt(...inTurn(...events))
const child = { agentId: 'a1', agentType: 'Explore' }
const stop = (...ids: string[]) =>
  ev('Stop', { backgroundTasks: ids.map((id) => ({ id, status: 'running' })) })
const open = (session: ReturnType<typeof run>) =>
  session.children.filter((one) => one.endedAt === undefined).map((one) => one.agentId)

describe('a sub-agent with a missed end', () => {
  const begun = () => [start(), prompt(), ev('SubagentStart', child)]

  test('ends with a turn that does not list it as running', () => {
    const over = run(...begun(), stop())
    expect([phaseOf(over), open(over)]).toEqual(['idle', []])
    expect(phaseOf(run(...begun(), stop(), prompt(), stop()))).toBe('idle')
  })

  test('continues if the turn lists it, with those it started', () => {
    const nested = [
      ev('PreToolUse', { ...tool('Agent', 't2'), ...child }),
      ev('SubagentStart', { agentId: 'a2', agentType: 'Plan' }),
      ev('SubagentStart', { agentId: 'a3', agentType: 'Plan' }),
    ]
    const session = run(...begun(), ...nested, stop('a1'))
    expect([phaseOf(session), open(session)]).toEqual(['working', ['a1', 'a2']])
    expect(open(run(...begun(), ...nested, stop()))).toEqual([])
  })

  test("keeps its own end time, not the turn's", () => {
    const session = run(...begun(), ev('SubagentStop', child), stop())
    expect(session.children).toMatchObject([{ agentId: 'a1', endedAt: 4000 }])
  })

  test('ends with a turn that lists it as completed', () => {
    const done = ev('Stop', { backgroundTasks: [{ id: 'a1', status: 'completed' }] })
    expect(phaseOf(run(...begun(), done))).toBe('idle')
  })

  test('continues if the agent does not list what still runs', () => {
    expect(open(run(...begun(), ev('Stop')))).toEqual(['a1'])
  })
})

describe('a sub-agent that ends before it starts', () => {
  const begin = ev('SubagentStart', child)

  test('is not there afterwards', () => {
    const events = [...inTurn(prompt(), ev('SubagentStop', child)), { ...begin, at: 1990 }]
    expect(runAt(...events).children).toEqual([])
    expect(phaseOf(runAt(...events, { ...stop(), at: 3000 }))).toBe('idle')
  })

  test('counts as ended, however late its start arrives; one that is asked again restarts', () => {
    const ended = inTurn(prompt(), begin, ev('SubagentStop', child))
    expect(open(runAt(...ended, { ...begin, at: 2999 }))).toEqual([])
    expect(open(runAt(...ended, { ...begin, at: 3000 }))).toEqual([])
    expect(open(runAt(...ended, { ...begin, at: 3001 }))).toEqual(['a1'])
  })

  test('has ended with its turn, too', () => {
    for (const end of [ev('Interrupt'), stop()]) {
      const over = inTurn(prompt(), end)
      expect(open(runAt(...over, { ...begin, at: 1990 }))).toEqual([])
    }
    expect(open(runAt(...inTurn(prompt(), stop('a1')), { ...begin, at: 1990 }))).toEqual(['a1'])
  })

  test('does not affect others', () => {
    const other = { agentId: 'a2', agentType: 'Plan' }
    const ended = inTurn(prompt(), ev('SubagentStop', child), ev('SubagentStop', { agentId: 'a3' }))
    expect(open(runAt(...ended, { ...begin, ...other, at: 1990 }))).toEqual(['a2'])
    expect(open(runAt(...ended, { ...begin, at: 1990 }))).toEqual([])
  })

  test('is remembered within limits', () => {
    const ends = Array.from({ length: 100 }, (_, n) => ev('SubagentStop', { agentId: `x${n}` }))
    expect(run(start(), prompt(), ...ends).stoppedChildren).toHaveLength(16)
  })
})

describe('the call that started a sub-agent', () => {
  const begin = (agentId = 'a1') => ev('SubagentStart', { ...child, agentId })
  const called = (name: string, whose = {}) => [
    ev('PreToolUse', { ...tool(name, 't1'), ...whose }),
    ev('PostToolUse', { ...tool(name, 't1'), ...whose }),
  ]
  const callsOf = (session: ReturnType<typeof run>) =>
    session.children.map(({ agentId, call, parentId }) => [agentId, call, parentId])

  test('may have closed a moment before, but not longer ago', () => {
    const closed = inTurn(prompt(), ...called('Agent'))
    expect(callsOf(runAt(...closed, { ...begin(), at: 12_999 }))).toEqual([['a1', 't1', undefined]])
    expect(callsOf(runAt(...closed, { ...begin(), at: 13_000 }))).toEqual([['a1', undefined, undefined]])
  })

  test('is one that starts sub-agents, is unclaimed and named no other', () => {
    expect(callsOf(run(prompt(), ...called('Bash'), begin()))).toEqual([['a1', undefined, undefined]])
    expect(callsOf(run(prompt(), ...called('Agent'), begin(), begin('a2')))).toEqual([
      ['a1', 't1', undefined],
      ['a2', undefined, undefined],
    ])
    const named = called('Agent', { spawned: { agentId: 'a9' } })
    expect(callsOf(run(prompt(), ...named, begin()))).toEqual([['a1', undefined, undefined]])
  })

  test('determines the parent, also after it has closed', () => {
    const inner = called('Agent', child)
    expect(callsOf(run(prompt(), begin(), ...inner, begin('a2')))).toEqual([
      ['a1', undefined, undefined],
      ['a2', 't1', 'a1'],
    ])
  })

  test('sends only the named one to the background', () => {
    const both = [prompt(), ev('PreToolUse', tool('Agent', 't1')), begin(), begin('a2')]
    const session = run(...both, ev('PostToolUse', { ...tool('Agent', 't1'), spawned: { agentId: 'a1' } }))
    expect(session.children.map(({ agentId, background }) => [agentId, background])).toEqual([
      ['a1', true],
      ['a2', undefined],
    ])
  })
})

test('of hundreds of sub-agents the oldest ended ones are dropped first', () => {
  const begin = (n: number) => ev('SubagentStart', { agentId: `a${n}`, agentType: 'Explore' })
  const many = Array.from({ length: 200 }, (_, n) => begin(n))
  const ids = (...more: HookEvent[]) => run(prompt(), ...many, ...more).children.map((one) => one.agentId)
  expect(ids()).toHaveLength(200)
  const over = ids(ev('SubagentStop', { agentId: 'a7', agentType: 'Explore' }), begin(200))
  expect([over.length, over.at(0), over.at(-1), over.includes('a7')]).toEqual([200, 'a0', 'a200', false])
  const none = ids(begin(200))
  expect([none.length, none.at(0), none.at(-1)]).toEqual([200, 'a1', 'a200'])
})

test('a sub-agent in a turn with a missed prompt counts; a warm-up before any prompt does not', () => {
  const call = ev('PreToolUse', tool('Agent', 't1'))
  expect(open(run(start(), call, ev('SubagentStart', child)))).toEqual(['a1'])
  expect(open(run(call, ev('SubagentStart', child)))).toEqual(['a1'])
  expect(open(run(start(), ev('SubagentStart', child)))).toEqual([])
})

test('a sub-agent alone is not a session: Claude 2.0.77 warms some up under an id that it never uses', () => {
  const sessions = new SessionMap()
  for (const type of ['SubagentStart', 'SubagentStop']) sessions.apply(ev(type, child))
  expect(sessions.size).toBe(0)
})
