/** Sub-agents in the background, as Claude Code 2.1.325 starts them, and their requests. */
import { describe, expect, test } from 'bun:test'
import type { HookEvent } from '../../events/index.ts'
import { isWaitedFor } from './children.ts'
import { childPhase, phaseOf } from './phase.ts'
import { infer } from './reported-status.ts'
import { ev, inTurn, prompt, run as runAt, tool } from './testkit.ts'

const run = (...events: HookEvent[]) => runAt(...inTurn(...events))
const notice = () => ev('UserPromptSubmit', { prompt: '<task-notification>', promptInjected: true })
const stop = (...ids: string[]) =>
  ev('Stop', { backgroundTasks: ids.map((id) => ({ id, type: 'subagent', status: 'running' })) })
const who = (agentId: string) => ({ agentId, agentType: 'general-purpose' })

/** A background sub-agent: its call ends as soon as it has started, and names its id. */
const sent = (agentId: string, call = `call-${agentId}`, more = {}) => [
  ev('PreToolUse', tool('Agent', call)),
  ev('SubagentStart', who(agentId)),
  ev('PostToolUse', { ...tool('Agent', call), spawned: { agentId }, ...more }),
]
const asks = (agentId: string, name = 'Bash') => [
  ev('PreToolUse', { ...tool(name, `b-${agentId}`), ...who(agentId) }),
  ev('PermissionRequest', { ...tool(name, undefined, { of: `b-${agentId}` }), ...who(agentId) }),
]
const askers = (session: ReturnType<typeof run>) =>
  session.attention.map((one) => `${one.agentId}: ${one.reason}`)
const phases = (session: ReturnType<typeof run>, ...ids: string[]) => ids.map((id) => childPhase(session, id))
const working = (session: ReturnType<typeof run>) =>
  session.openTools.map((one) => one.agentId).filter((id) => id !== undefined)

describe("a background sub-agent's request", () => {
  const asked = () => [prompt(), ...sent('a1'), ...sent('a2'), stop('a1', 'a2'), ...asks('a1')]

  test.each([
    ['a prompt', [prompt()]],
    ['the notice of another one', [ev('SubagentStop', who('a2')), notice()]],
    ['the end of a turn', [prompt(), stop('a1')]],
    ['an API error', [prompt(), ev('StopFailure', { error: { kind: 'rate_limit' } })]],
    ['Esc', [prompt(), ev('Interrupt')]],
    ['the end of a turn that a transcript told', [prompt(), ev('Stop', { transport: 'healer' })]],
    ['the note that a prompt is waited for', [ev('Notification', { notification: { type: 'idle_prompt' } })]],
    ['a compaction', [ev('PreCompact'), ev('SessionStart', { source: 'compact' }), ev('PostCompact')]],
    [
      'a notification that names nobody',
      [ev('Notification', { notification: { type: 'permission_prompt' } })],
    ],
  ])('is asked after %s', (_what, events) => {
    const session = run(...asked(), ...events)
    expect(askers(session)).toContain('a1: Permission for Bash')
    expect(session.attention.filter((one) => one.kind === 'permission')).toHaveLength(1)
    expect([phaseOf(session), ...phases(session, 'a1')]).toEqual(['blocked', 'blocked'])
    expect(working(session)).toEqual(['a1'])
  })

  test("stands beside another one's, and an answer to one leaves the other", () => {
    const both = [...asked(), ...asks('a2')]
    expect(askers(run(...both))).toEqual(['a1: Permission for Bash', 'a2: Permission for Bash'])
    const yes = ev('PermissionResolved', tool('Bash', 'b-a1'))
    const done = ev('PostToolUse', { ...tool('Bash', 'b-a1'), ...who('a1') })
    for (const answer of [[yes], [yes, done], [yes, done, ev('SubagentStop', who('a1')), notice()]]) {
      const session = run(...both, ...answer)
      expect(askers(session)).toEqual(['a2: Permission for Bash'])
      expect(phaseOf(session)).toBe('blocked')
    }
  })

  test('ends with its batch of calls, as after a refusal, for which no other hook runs', () => {
    const no = ev('PostToolBatch', { ...who('a1'), endedCalls: ['b-a1'] })
    const session = run(...asked(), ...asks('a2'), no)
    expect(askers(session)).toEqual(['a2: Permission for Bash'])
    expect(working(session)).toEqual(['a2'])
    expect(phaseOf(run(...asked(), no))).toBe('working')
  })

  test('ends with the sub-agent, and with a turn that no longer lists it as running', () => {
    for (const end of [ev('SubagentStop', who('a1')), stop('a2')]) {
      const session = run(...asked(), end)
      expect([session.attention, working(session), phaseOf(session)]).toEqual([[], [], 'working'])
    }
    const end = ev('SessionEnd')
    expect(run(...asked(), end)).toMatchObject({ attention: [], openTools: [] })
  })
})

test('a request of a sub-agent with a missed start does not outlast the turn', () => {
  for (const end of [ev('Stop'), ev('Interrupt'), prompt()])
    expect(run(prompt(), ...asks('a9'), end)).toMatchObject({ attention: [] })
})

test('work listed at the end of a turn continues until it ends, and shows its description', () => {
  const tasks = [
    { id: 'b1', type: 'shell', description: 'npm run dev', status: 'running' },
    { id: 'b2', status: 'pending' },
    { id: 'b3', type: 'shell', status: 'failed' },
  ]
  expect(run(prompt(), ev('Stop', { backgroundTasks: tasks })).background).toStrictEqual([
    { id: 'b1', type: 'shell', description: 'npm run dev' },
    { id: 'b2' },
  ])
  const two = [prompt(), ...sent('a1'), ...sent('a2'), stop('a1', 'a2'), ev('SubagentStop', who('a1'))]
  expect(run(...two, prompt()).background.map(({ id }) => id)).toEqual(['a2'])
})

test('the list of continuing work is limited', () => {
  const ids = Array.from({ length: 100 }, (_, n) => `b${n}`)
  expect(run(prompt(), stop(...ids)).background).toHaveLength(64)
})

test('a request of someone only listed as continuing survives a prompt', () => {
  const unheard = [prompt(), stop('b1'), ...asks('b1'), prompt()]
  expect(askers(run(...unheard))).toEqual(['b1: Permission for Bash'])
})

describe('Esc', () => {
  test('leaves background work, and ends the sub-agents that were waited for', () => {
    const waited = [ev('PreToolUse', tool('Agent', 'call-a3')), ev('SubagentStart', who('a3'))]
    const shell = [
      prompt(),
      ev('Stop', { backgroundTasks: [{ id: 'b1', type: 'shell', status: 'running' }] }),
    ]
    const session = run(...shell, prompt(), ...sent('a1'), ...waited, ev('Interrupt'))
    expect(phases(session, 'a1', 'a3')).toEqual(['working', 'ended'])
    expect(session.background.map(({ id }) => id)).toEqual(['b1', 'a1'])
    expect([phaseOf(session), session.detail]).toEqual(['working', 'background: 2'])
  })

  test('leaves sub-agents started by a background one', () => {
    const below = [
      ev('PreToolUse', { ...tool('Agent', 'call-a2'), ...who('a1') }),
      ev('SubagentStart', who('a2')),
    ]
    expect(phases(run(prompt(), ...sent('a1'), ...below, ev('Interrupt')), 'a1', 'a2')).toEqual([
      'working',
      'working',
    ])
  })

  test('is followed by the notice of work that ended since', () => {
    const over = [prompt(), ...sent('a1'), ev('Interrupt'), ev('SubagentStop', who('a1'))]
    expect(phaseOf(run(...over))).toBe('working')
    expect(phaseOf(run(...over, notice(), stop()))).toBe('idle')
  })
})

describe('the end of a turn found only in a transcript', () => {
  const turnEnd = (at: number) => ({ kind: 'turn-end', at, says: 'system turn_duration' }) as const

  test('does not count while only sub-agents work and ask', () => {
    const session = run(prompt(), ...sent('a1'), stop('a1'), ...asks('a1'))
    expect(infer(session, turnEnd(9000))).toBeUndefined()
    expect(infer(run(prompt(), ...sent('a1'), ...asks('a1')), turnEnd(9000))).toMatchObject({ type: 'Stop' })
  })

  test('does not affect background work', () => {
    const session = run(prompt(), ...sent('a1'), stop('a1'), prompt(), ev('Stop', { transport: 'healer' }))
    expect(session.background).toMatchObject([{ id: 'a1' }])
    expect([phaseOf(session), session.detail]).toEqual(['working', 'background: 1'])
    // A sub-agent started since then is not listed yet.
    const fresh = run(prompt(), ...sent('a1'), ev('Stop', { transport: 'healer' }))
    expect(fresh.background).toMatchObject([{ id: 'a1' }])
  })
})

describe('the main thread waits for a sub-agent', () => {
  const call = (id: string, by: object = {}) => ev('PreToolUse', { ...tool('Agent', id), ...by })

  test('while its call is open, up to the main thread', () => {
    const one = [prompt(), call('c1'), ev('SubagentStart', who('a1'))]
    expect(isWaitedFor(run(...one), 'a1')).toBe(true)
    const two = [...one, call('c2', who('a1')), ev('SubagentStart', who('a2'))]
    expect(isWaitedFor(run(...two), 'a2')).toBe(true)
    const done = ev('PostToolUse', tool('Agent', 'c1'))
    expect([isWaitedFor(run(...one, done), 'a1'), isWaitedFor(run(...two, done), 'a2')]).toEqual([
      false,
      false,
    ])
  })

  test('whatever others do in the background', () => {
    const session = run(prompt(), ...sent('a1'), call('c2'), ev('SubagentStart', who('a2')))
    expect([isWaitedFor(session, 'a1'), isWaitedFor(session, 'a2')]).toEqual([false, true])
  })

  test('not for a background or an unknown one', () => {
    expect(isWaitedFor(run(prompt(), ...sent('a1')), 'a1')).toBe(false)
    expect(isWaitedFor(run(prompt()), 'a1')).toBe(false)
    expect(isWaitedFor(run(prompt()), undefined)).toBe(true)
  })

  test('by the call that its agent names, whichever was inferred', () => {
    const calls = [
      prompt(),
      call('c1'),
      call('c2'),
      ev('SubagentStart', who('a2')),
      ev('SubagentStart', who('a1')),
    ]
    const told = ev('PostToolUse', { ...tool('Agent', 'c2'), spawned: { agentId: 'a2' } })
    const session = run(...calls, told)
    expect(session.children).toMatchObject([
      { agentId: 'a2', call: 'c2', background: true, inferred: false },
      { agentId: 'a1' },
    ])
    expect(isWaitedFor(session, 'a2')).toBe(false)
    // The call ends before its sub-agent starts, as hooks of two processes may.
    const late = run(prompt(), call('c1'), call('c2'), told, ev('SubagentStart', who('a2')))
    expect(late.children).toMatchObject([{ agentId: 'a2', call: 'c2', background: true, inferred: false }])
  })

  test('never for itself', () => {
    const again = [prompt(), ...sent('a1'), ev('SubagentStop', who('a1')), call('c9', who('a1'))]
    expect(isWaitedFor(run(...again, ev('SubagentStart', who('a1'))), 'a1')).toBe(false)
  })
})

describe('a teammate', () => {
  const bob = { agentId: 'abob-1', agentType: 'bob' }
  const spawned = { spawned: { agentId: bob.agentId, teammate: true } }
  /** Listed under another id, whether it works or rests. */
  const teamStop = () => ev('Stop', { backgroundTasks: [{ id: 't4', type: 'teammate', status: 'running' }] })
  const idle = (whose: object = bob) => ev('TeammateIdle', { teammate: { name: 'bob', team: 't' }, ...whose })
  const begun = () => [
    prompt(),
    ev('PreToolUse', tool('Agent', 'c1')),
    ev('PostToolUse', { ...tool('Agent', 'c1'), ...spawned }),
    ev('SubagentStart', bob),
    teamStop(),
  ]
  const rests = () => [ev('SubagentStop', bob), idle()]
  const face = (...events: HookEvent[]) => {
    const session = run(...events)
    return [phaseOf(session), childPhase(session, bob.agentId), session.detail]
  }

  test('works after the turn that started it, and keeps its session working', () => {
    expect(face(...begun())).toEqual(['working', 'working', 'background: 1'])
    const call = ev('PreToolUse', { ...tool('Bash', 'b1'), ...bob })
    expect(face(...begun(), call)).toEqual(['working', 'working', 'Bash'])
  })

  test('rests when it says so, or has only stopped, and then does not keep the session working', () => {
    const call = ev('PreToolUse', { ...tool('Bash', 'b1'), ...bob })
    for (const rest of [rests(), [ev('SubagentStop', bob)], [idle()], [idle({})]])
      expect(face(...begun(), call, ...rest)).toEqual(['idle', 'idle', undefined])
    expect(face(...begun(), ...rests(), prompt(), teamStop())).toEqual(['idle', 'idle', undefined])
  })

  test('rests and works independently of another one', () => {
    const ann = { agentId: 'aann-1', agentType: 'ann' }
    const two = [...begun(), ev('SubagentStart', ann)]
    const both = (...events: HookEvent[]) => phases(run(...two, ...events), bob.agentId, ann.agentId)
    const annIdle = () => ev('TeammateIdle', { teammate: { name: 'ann', team: 't' }, ...ann })
    expect(both(idle())).toEqual(['idle', 'working'])
    expect(both(idle(), annIdle())).toEqual(['idle', 'idle'])
    for (const again of [ev('PreToolUse', { ...tool('Bash', 'b1'), ...bob }), ev('SubagentStart', bob)])
      expect(both(idle(), annIdle(), again)).toEqual(['working', 'idle'])
  })

  test('works again after a message, also if the end of the sending turn arrives first', () => {
    const again = [...begun(), ...rests(), prompt()]
    expect(face(...again, ev('SubagentStart', bob), teamStop())).toEqual([
      'working',
      'working',
      'background: 1',
    ])
    const raced = inTurn(...again, teamStop(), ev('SubagentStart', bob))
    const [end, start] = raced.slice(-2) as [HookEvent, HookEvent]
    const session = runAt(...raced.slice(0, -2), end, { ...start, at: end.at - 30 })
    expect([phaseOf(session), childPhase(session, bob.agentId)]).toEqual(['working', 'working'])
  })

  test('asks, whatever the main thread does, and continues after the answer', () => {
    const ask = [
      ev('PreToolUse', { ...tool('Bash', 'b1'), ...bob }),
      ev('PermissionRequest', { ...tool('Bash', undefined, { of: 'b1' }), ...bob }),
    ]
    for (const main of [[], [prompt()], [prompt(), teamStop()], [prompt(), ev('Interrupt')]])
      expect(face(...begun(), ...ask, ...main).slice(0, 2)).toEqual(['blocked', 'blocked'])
    const yes = ev('PermissionResolved', tool('Bash', 'b1'))
    expect(face(...begun(), ...ask, yes)).toEqual(['working', 'working', 'Bash'])
    expect(isWaitedFor(run(...begun(), ...ask), bob.agentId)).toBe(false)
  })

  test('survives Esc, and ends when no teammate is listed any more', () => {
    expect(face(...begun(), prompt(), ev('Interrupt')).slice(0, 2)).toEqual(['working', 'working'])
    expect(face(...begun(), prompt(), ev('Stop', { backgroundTasks: [] })).slice(0, 2)).toEqual([
      'idle',
      'ended',
    ])
  })

  test('is recognised by its own events if its start was missed', () => {
    const unheard = [prompt(), ev('SubagentStart', bob), idle(), teamStop()]
    expect(face(...unheard)).toEqual(['idle', 'idle', undefined])
    expect(face(...unheard, ev('SubagentStart', bob), ev('SubagentStop', bob))).toEqual([
      'idle',
      'idle',
      undefined,
    ])
  })
})

test("a teammate's message starts a turn without a hook; its transcript line shows it", () => {
  const line = (at: number) => ({ kind: 'turn-start', at, says: 'a message', prompt: 'Another' }) as const
  const over = run(prompt(), stop())
  expect(infer(over, line(9000))).toMatchObject({ type: 'UserPromptSubmit', at: 9000, prompt: 'Another' })
  expect(infer(over, line(1500))).toBeUndefined() // the turn that it started is over already
  expect(infer(run(prompt()), line(9000))).toBeUndefined()
})
