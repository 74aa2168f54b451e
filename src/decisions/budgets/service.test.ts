import { afterEach, describe, expect, test } from 'bun:test'
import { eventOf, tempDir } from '../../../test/kit.ts'
import type { HookEvent, RawEvent } from '../../events/index.ts'
import { SessionMap } from '../../sessions/state/index.ts'
import { openStore, type Store } from '../../store/index.ts'
import type { Budget } from './config.ts'
import { Budgets } from './service.ts'

const NOON = new Date(2026, 2, 1, 12).getTime()
const MINUTE_MS = 60_000
// biome-ignore lint/suspicious/noThenProperty: a key of gantry.toml
const STOPS: Omit<Budget, 'id'> = { per: 'session', then: 'stop' }
// biome-ignore lint/suspicious/noThenProperty: a key of gantry.toml
const ASKS = { then: 'ask' } as const
const stores: Store[] = []
afterEach(() => {
  for (const store of stores.splice(0)) store.close()
})

/** Sessions, and budgets that follow them; `restart` is another daemon on the same database. */
function setup(...settings: Partial<Budget>[]) {
  const budgets = settings.map((one, index) => ({ ...STOPS, id: `b${index}`, ...one }))
  const store = openStore(`${tempDir()}/gantry.db`)
  stores.push(store)
  const fleet = new SessionMap()
  const raised: RawEvent[] = []
  const efforts = new Map<string, string>()
  let now = NOON
  const open = () =>
    new Budgets({
      store,
      settings: () => budgets,
      session: (key) => fleet.get(key),
      sessions: () => fleet.all(),
      projectOf: (cwd = '') => cwd,
      effortOf: (_, id) => efforts.get(id) ?? '',
      home: '/home/me',
      raise: (event) => raised.push(event),
      now: () => now,
    })
  let service = open()
  const send = (type: string, parts: Partial<HookEvent> = {}) => {
    const event = eventOf({ type, native: type, at: now, receivedAt: now, cwd: '/p', ...parts })
    const verdict = service.decide(event)
    const change = fleet.apply(event)
    if (change) service.committed([change])
    return verdict
  }
  const call = (parts: Partial<HookEvent> = {}) => {
    const tool = { name: 'Bash', input: {}, useId: `u${Math.random()}` }
    const verdict = send('PreToolUse', { tool, ...parts })
    send(verdict.decision === 'deny' ? 'PermissionDenied' : 'PostToolUse', { tool, ...parts })
    return verdict.decision
  }
  return {
    ...{ store, fleet, efforts, send, call },
    told: () => raised.splice(0).map(({ raw }) => JSON.parse(String(raw))),
    service: () => service,
    restart: (writes: boolean) => {
      if (writes) service.write()
      service = open()
    },
    wait: (ms: number) => {
      now += ms
    },
    spend: (sessionId: string, costUsd: number, output: number) => {
      const counts = { requests: 1, unpriced: 0, input: 0, cacheRead: 9_999, cacheWrite: 0, output, costUsd }
      const row = { agent: 'claude', sessionId, agentId: '', turn: 't', turnAt: 1, model: 'm', ...counts }
      store.journal.commit(() => store.turnUsage.add(row))
      service.spent('claude', sessionId)
    },
  }
}

describe('a cap', () => {
  test('on tool calls counts those of sub-agents, and none that was refused', () => {
    const { call, service } = setup({ tool_calls: 2 })
    expect([call(), call({ agentId: 'child' }), call(), call()]).toEqual(['none', 'none', 'deny', 'deny'])
    expect(service().list()[0]?.uses[0]?.caps[0]).toMatchObject({ used: 2, limit: 2 })
  })

  test('holds for calls that come at once', () => {
    const { service } = setup({ tool_calls: 2 })
    const at = (useId: string) =>
      eventOf({ type: 'PreToolUse', cwd: '/p', tool: { name: 'Bash', input: {}, useId } })
    expect(['a', 'b', 'c'].map((id) => service().decide(at(id)).decision)).toEqual(['none', 'none', 'deny'])
  })

  test('on cost and tokens counts the transcript, and no token from the cache', () => {
    const { call, spend, service } = setup({ cost_usd: 1 }, { tokens: 1_000 })
    call()
    spend('s1', 0.4, 999)
    expect(call()).toBe('none')
    spend('s1', 0.1, 1)
    expect(call()).toBe('deny')
    expect(service().list()[1]?.uses[0]?.caps[0]).toMatchObject({ used: 1_000 })
  })

  test('on the cost takes the figure of the agent, if that is higher', () => {
    const { call, send } = setup({ cost_usd: 1 })
    call()
    send('StatusLine', { usage: { costUsd: 2 } })
    expect(call()).toBe('deny')
  })

  test('on the time counts turns, not the rest between them', () => {
    const { send, call, wait } = setup({ wall_minutes: 10 })
    send('UserPromptSubmit')
    wait(6 * MINUTE_MS)
    send('Stop')
    wait(600 * MINUTE_MS)
    expect(send('UserPromptSubmit').decision).toBe('none')
    wait(3 * MINUTE_MS)
    expect(call()).toBe('none')
    wait(2 * MINUTE_MS)
    send('Notification')
    expect(call()).toBe('deny')
    expect(send('Stop').decision).toBe('none')
  })
})

describe('a budget', () => {
  test('of an effort, a project or a day is shared', () => {
    const { call, efforts } = setup(
      { per: 'effort', tool_calls: 2 },
      { per: 'project', tool_calls: 3 },
      { per: 'day', tool_calls: 5 },
    )
    efforts.set('s1', '7').set('s2', '7')
    expect([call(), call({ sessionId: 's2' }), call()]).toEqual(['none', 'none', 'deny']) // effort 7
    expect([call({ sessionId: 's3' }), call({ sessionId: 's4' })]).toEqual(['none', 'deny']) // project /p
    const elsewhere = (sessionId: string) => call({ sessionId, cwd: '/q' })
    expect([elsewhere('s5'), elsewhere('s6'), elsewhere('s7')]).toEqual(['none', 'none', 'deny']) // the day
  })

  test('of a day begins anew at midnight', () => {
    const { call, wait } = setup({ per: 'day', tool_calls: 1 })
    expect([call(), call()]).toEqual(['none', 'deny'])
    wait(12 * 60 * MINUTE_MS)
    expect([call(), call()]).toEqual(['none', 'deny'])
  })

  test('is for its agent and its folder only', () => {
    const { call } = setup({ tool_calls: 1, agent: 'claude', project: '~/work/' })
    const at = (cwd: string, sessionId: string, agent = 'claude') => {
      call({ cwd, sessionId, agent })
      return call({ cwd, sessionId, agent })
    }
    expect(at('/home/me/work', 's1')).toBe('deny')
    expect(at('/home/me/work/a', 's2')).toBe('deny')
    expect(at('/home/me/workshop', 's3')).toBe('none')
    expect(at('/home/me/work', 's4', 'codex')).toBe('none')
  })

  test('asks about tool calls, not about prompts; one that stops denies both', () => {
    const asks = setup({ tool_calls: 1, ...ASKS })
    asks.call()
    expect(asks.send('PreToolUse', { tool: { name: 'Bash', input: {} } })).toMatchObject({
      decision: 'ask',
      by: 'budget:b0',
    })
    expect(asks.send('UserPromptSubmit').decision).toBe('none')
    const stops = setup({ tool_calls: 1 })
    stops.call()
    expect(stops.send('UserPromptSubmit')).toMatchObject({ decision: 'deny', stop: true })
  })

  test('is reported at four fifths and at its end, once, also after a restart', () => {
    const { call, told, restart } = setup({ tool_calls: 5 })
    for (let index = 0; index < 4; index++) call()
    expect(told()).toMatchObject([
      { hook_event_name: 'BudgetWarned', session_key: 'claude:s1', used: 4, limit: 5 },
    ])
    restart(false)
    call()
    call()
    expect(told()).toMatchObject([{ hook_event_name: 'BudgetReached', used: 5 }])
  })

  test('is not told of a session that has ended; what it shares with others is told without it', () => {
    const { call, send, told, spend } = setup({ cost_usd: 1 }, { per: 'day', cost_usd: 1 })
    call()
    send('SessionEnd')
    spend('s1', 2, 10)
    const all = told()
    expect(all).toEqual([expect.objectContaining({ hook_event_name: 'BudgetReached', budget: 'b1' })])
    expect(all[0].session_key).toBeUndefined()
  })

  test('of a project can be raised when no session lives there, and only one that it caps is listed', () => {
    const { call, send, service } = setup({ per: 'project', tool_calls: 1, project: '/p' })
    call()
    call({ sessionId: 's2', cwd: '/elsewhere' })
    for (const sessionId of ['s1', 's2']) send('SessionEnd', { sessionId })
    expect(
      service()
        .list()[0]
        ?.uses.map(({ scope }) => scope),
    ).toEqual(['/p'])
    expect(call({ sessionId: 's3' })).toBe('deny')
    service().raise('b0', '/p', 'tool_calls', 2, 'test')
    expect(call({ sessionId: 's3' })).toBe('none')
  })

  test('that was raised stays raised, for this session alone', () => {
    const { call, service, restart } = setup({ tool_calls: 1 })
    expect([call(), call()]).toEqual(['none', 'deny'])
    expect(service().raise('b0', 'claude:s1', 'tool_calls', 0.5, 'test')).toBeUndefined()
    expect(service().raise('b0', 'claude:none', 'tool_calls', 2, 'test')).toBeUndefined()
    expect(service().raise('b0', 'claude:s1', 'tool_calls', 2, 'test')?.caps[0]).toMatchObject({
      limit: 2,
      extra: 1,
    })
    restart(true)
    expect([call(), call()]).toEqual(['none', 'deny'])
    expect([call({ sessionId: 's2' }), call({ sessionId: 's2' })]).toEqual(['none', 'deny'])
  })
})

test.each([true, false])('sums are the same after a restart, written before: %p', (writes) => {
  const { call, restart, service } = setup({ per: 'day', tool_calls: 100 })
  for (let round = 1; round <= 5; round++) {
    call({ sessionId: `s${round}` })
    call({ sessionId: 'always' })
    restart(writes)
    call({ sessionId: 'always' })
    expect(service().list()[0]?.uses[0]?.caps[0]?.used).toBe(3 * round)
  }
})

test('what a session did on the days before does not count for today', () => {
  const { call, fleet, wait, service } = setup({ per: 'day', tool_calls: 100 })
  fleet.apply(
    eventOf({ type: 'PreToolUse', at: NOON - 24 * 60 * MINUTE_MS, tool: { name: 'Bash', input: {} } }),
  )
  call({ sessionId: 's2' })
  wait(1)
  expect(service().list()[0]?.uses[0]?.caps[0]?.used).toBe(1)
})
