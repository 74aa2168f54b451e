import { describe, expect, test } from 'bun:test'
import type { HookEvent } from '../../events/index.ts'
import { phaseOf } from './phase.ts'
import { awaitsNotice } from './reported-status.ts'
import type { Session } from './session.ts'
import { ev, inTurn, prompt, run, start, tool } from './testkit.ts'
import { GRACE_MS } from './turns.ts'

const face = (session: Session) => ({
  phase: phaseOf(session),
  detail: session.detail,
  asks: session.attention.map(({ kind, reason }) => `${kind}: ${reason}`),
})
const bash = (id: string) => tool('Bash', id)

describe('every row of the state table', () => {
  test('SessionStart: starting, attention and error cleared', () => {
    const failed = ev('PostToolUseFailure', bash('t1'))
    expect(face(run(start()))).toEqual({ phase: 'starting', detail: undefined, asks: [] })
    const again = run(
      start(),
      prompt(),
      ev('PreToolUse', bash('t1')),
      failed,
      ev('SessionStart', { source: 'resume' }),
    )
    expect(face(again).phase).toBe('starting')
    expect(again.error).toBeUndefined()
    expect(again.generation).toBe(2)
  })

  test('UserPromptSubmit: working, turn open, no detail, error cleared', () => {
    const session = run(start(), prompt())
    expect(face(session)).toEqual({ phase: 'working', detail: undefined, asks: [] })
    expect(session.turn.open).toBe(true)
    expect(session.lastPrompt).toBe('do it')
  })

  test('PreToolUse of a standard tool: working on it', () => {
    const session = run(start(), prompt(), ev('PreToolUse', bash('t1')))
    expect(face(session)).toEqual({ phase: 'working', detail: 'Bash', asks: [] })
    expect(session.openTools.map(({ call }) => call)).toEqual(['t1'])
  })

  test.each([
    ['AskUserQuestion', 'question'],
    ['EnterPlanMode', 'plan'],
    ['ExitPlanMode', 'plan'],
  ])('PreToolUse %s: blocked, %s', (name, kind) => {
    const session = run(start(), prompt(), ev('PreToolUse', tool(name, 't1')))
    expect(face(session)).toEqual({ phase: 'blocked', detail: name, asks: [`${kind}: ${name}`] })
  })

  test('PermissionRequest: blocked, bound to its call', () => {
    const session = run(
      start(),
      prompt(),
      ev('PreToolUse', bash('t1')),
      ev('PermissionRequest', tool('Bash', undefined, { of: 't1' })),
    )
    expect(face(session)).toEqual({
      phase: 'blocked',
      detail: 'Bash',
      asks: ['permission: Permission for Bash'],
    })
    expect(session.attention[0]?.call).toBe('t1')
  })

  test('PostToolUse: that tool closed, its attention cleared, thinking', () => {
    const ask = ev('PermissionRequest', tool('Bash', undefined, { of: 't1' }))
    const session = run(start(), prompt(), ev('PreToolUse', bash('t1')), ask, ev('PostToolUse', bash('t1')))
    expect(face(session)).toEqual({ phase: 'working', detail: 'Thinking', asks: [] })
  })

  test('PostToolUseFailure: like PostToolUse, plus an error until the next success or prompt', () => {
    const failure = () =>
      ev('PostToolUseFailure', { tool: { name: 'Bash', input: { of: 't1' }, useId: 't1', error: 'exit 1' } })
    const events = () => [start(), prompt(), ev('PreToolUse', bash('t1')), failure()]
    expect(run(...events()).error).toEqual({ tool: 'Bash', message: 'exit 1' })
    expect(run(...events(), ev('PreToolUse', bash('t2'))).error).toBeDefined()
    expect(
      run(...events(), ev('PreToolUse', bash('t2')), ev('PostToolUse', bash('t2'))).error,
    ).toBeUndefined()
    expect(run(...events(), prompt()).error).toBeUndefined()
  })

  test('Stop: turn closed, idle, a minute of grace', () => {
    const stop = ev('Stop', { message: 'done' })
    const session = run(start(), prompt(), { ...stop, at: 9e6 })
    expect(face(session)).toEqual({ phase: 'idle', detail: undefined, asks: [] })
    expect(session.turn).toMatchObject({ open: false, stoppedAt: 9e6, graceUntil: 9e6 + GRACE_MS })
    expect(session.lastMessage).toBe('done')
  })

  test('Stop with background work: working, and idle when the work has ended', () => {
    const stop = () =>
      ev('Stop', {
        backgroundTasks: [
          { id: 'b1', status: 'running' },
          { id: 'b2', status: 'completed' },
        ],
      })
    const session = run(start(), prompt(), stop())
    expect(face(session)).toEqual({ phase: 'working', detail: 'background: 1', asks: [] })
    const over = run(
      start(),
      prompt(),
      stop(),
      ev('UserPromptSubmit', { prompt: '<task-notification>', promptInjected: true }),
      ev('Stop', { backgroundTasks: [] }),
    )
    expect(face(over).phase).toBe('idle')
    expect(over.lastPrompt).toBe('do it')
  })

  test('StopFailure: turn closed, attention with the kind of error', () => {
    const session = run(start(), prompt(), ev('StopFailure', { error: { kind: 'rate_limit' } }))
    expect(face(session)).toEqual({ phase: 'idle', detail: undefined, asks: ['error: rate_limit'] })
  })

  test('Interrupt: turn closed, tools and attention cleared, idle', () => {
    const ask = ev('PermissionRequest', tool('Bash', undefined, { of: 't1' }))
    const session = run(start(), prompt(), ev('PreToolUse', bash('t1')), ask, ev('Interrupt'))
    expect(face(session)).toEqual({ phase: 'idle', detail: undefined, asks: [] })
    expect(session.openTools).toEqual([])
  })

  test.each([
    ['permission_prompt', 'permission: Permission'],
    ['elicitation_dialog', 'elicitation: MCP input'],
  ])('Notification %s: blocked', (type, asks) => {
    expect(face(run(start(), prompt(), ev('Notification', { notification: { type } })))).toMatchObject({
      phase: 'blocked',
      asks: [asks],
    })
  })

  test('Notification idle_prompt: idle, soft attention, grace over', () => {
    const session = run(
      start(),
      prompt(),
      ev('Stop'),
      ev('Notification', { notification: { type: 'idle_prompt' } }),
    )
    expect(face(session)).toEqual({ phase: 'idle', detail: undefined, asks: ['idle: Waiting for you'] })
    expect(session.turn.graceUntil).toBeUndefined()
  })

  test.each(['auth_success', 'something_new'])('Notification %s: no change', (type) => {
    expect(
      face(
        run(start(), prompt(), ev('PreToolUse', bash('t1')), ev('Notification', { notification: { type } })),
      ),
    ).toEqual({ phase: 'working', detail: 'Bash', asks: [] })
  })

  test('SubagentStart and SubagentStop: a child that works and ends; the parent continues or stays idle', () => {
    const child = { agentId: 'a1', agentType: 'Explore' }
    const begun = [start(), prompt(), ev('PreToolUse', tool('Agent', 't1')), ev('SubagentStart', child)]
    const session = run(...begun)
    expect(face(session)).toMatchObject({ phase: 'working', detail: 'Explore' })
    expect(session.children).toMatchObject([{ agentId: 'a1', type: 'Explore', call: 't1', inferred: true }])
    expect(face(run(...begun, ev('SubagentStop', child)))).toMatchObject({
      phase: 'working',
      detail: 'Thinking',
    })
  })

  test('SubagentStop in the background: working until a turn follows, or none will', () => {
    const child = { agentId: 'a1', agentType: 'Explore' }
    const tasks = ['a1', 'a2'].map((id) => ({ id, status: 'running' }))
    const begun = [start(), prompt(), ev('SubagentStart', child), ev('SubagentStart', { agentId: 'a2' })]
    const one = run(...begun, ev('Stop', { backgroundTasks: tasks }), ev('SubagentStop', child))
    expect(face(one)).toMatchObject({ phase: 'working', detail: 'background: 1' })
    expect(awaitsNotice(one)).toBe(false)
    const both = [
      ...begun,
      ev('Stop', { backgroundTasks: tasks }),
      ev('SubagentStop', child),
      ev('SubagentStop', { agentId: 'a2' }),
    ]
    expect(face(run(...both))).toMatchObject({ phase: 'working', detail: 'Thinking' })
    expect(awaitsNotice(run(...both))).toBe(true)
    const notice = ev('UserPromptSubmit', { prompt: '<task-notification>', promptInjected: true })
    expect(run(...both, notice)).toMatchObject({ background: [], turn: { open: true } })
    for (const end of [
      ev('Stop'),
      ev('Interrupt'),
      ev('Notification', { notification: { type: 'idle_prompt' } }),
    ])
      expect(face(run(...both, end)).phase).toBe('idle')
  })

  test('PreCompact and Setup: compacting, setting up', () => {
    expect(face(run(start(), ev('PreCompact')))).toMatchObject({ phase: 'compacting', detail: 'Compacting' })
    expect(face(run(start(), ev('Setup')))).toMatchObject({ phase: 'working', detail: 'Setup' })
  })

  test('SessionEnd: ended', () => {
    expect(face(run(start(), prompt(), ev('PreToolUse', bash('t1')), ev('SessionEnd')))).toEqual({
      phase: 'ended',
      detail: undefined,
      asks: [],
    })
  })

  test('the status line changes usage and nothing else', () => {
    const session = run(
      start(),
      prompt(),
      ev('StatusLine', { usage: { contextPct: 81, costUsd: 0.5, contextTokens: 1000 } }),
    )
    expect(face(session).phase).toBe('working')
    expect(session.usage).toEqual({ contextPct: 81, costUsd: 0.5, tokens: 1000 })
  })

  test('unknown events keep a session alive and change nothing', () => {
    const session = run(start(), prompt(), ev('PreToolUse', bash('t1')), { ...ev('BrandNewEvent'), at: 9e9 })
    expect(face(session)).toEqual({ phase: 'working', detail: 'Bash', asks: [] })
    expect(session.lastActivity).toBe(9e9)
  })
})

describe('racing hooks', () => {
  test("the end of a parallel tool does not clear another's permission", () => {
    const session = run(
      start(),
      prompt(),
      ev('PreToolUse', tool('Read', 't1')),
      ev('PreToolUse', bash('t2')),
      ev('PermissionRequest', tool('Bash', undefined, { of: 't2' })),
      ev('PostToolUse', tool('Read', 't1')),
    )
    expect(face(session)).toEqual({
      phase: 'blocked',
      detail: 'Bash',
      asks: ['permission: Permission for Bash'],
    })
  })

  test('two calls with the same input: each permission belongs to its own call', () => {
    const same = { command: 'make' }
    const ask = () => ev('PermissionRequest', tool('Bash', undefined, same))
    const both = run(
      start(),
      prompt(),
      ev('PreToolUse', tool('Bash', 't1', same)),
      ev('PreToolUse', tool('Bash', 't2', same)),
      ask(),
      ask(),
      ev('PostToolUse', tool('Bash', 't1', same)),
    )
    expect(both.attention.map(({ call }) => call)).toEqual(['t2'])
  })

  test('a permission that arrives before its call is bound when the call comes', () => {
    const session = run(
      start(),
      prompt(),
      ev('PermissionRequest', tool('Bash', undefined, { of: 't1' })),
      ev('PreToolUse', bash('t1')),
      ev('PostToolUse', bash('t1')),
    )
    expect(face(session)).toMatchObject({ phase: 'working', asks: [] })
  })

  test('a permission that arrives after the end of its call is ignored', () => {
    const ask = ev('PermissionRequest', tool('Bash', undefined, { of: 't1' }))
    const over = inTurn(prompt(), ev('PreToolUse', bash('t1')), ev('PostToolUse', bash('t1')))
    expect(face(run(...over, { ...ask, at: 2500 }))).toMatchObject({ phase: 'working', asks: [] })
    expect(face(run(...over, { ...ask, at: 3000 }))).toMatchObject({ phase: 'working', asks: [] })
    // The same again, and another one that has not started yet, count.
    expect(face(run(...over, { ...ask, at: 3001 })).phase).toBe('blocked')
    const other = ev('PermissionRequest', { ...tool('Bash', undefined, { of: 't2' }), at: 2500 })
    expect(face(run(...over, other)).phase).toBe('blocked')
  })

  test('a call that ends before it starts does not stay open', () => {
    const before = ev('PreToolUse', bash('t1'))
    const session = run(start(), prompt(), ev('PostToolUse', bash('t1')), before, ev('Stop'))
    expect(session.openTools).toEqual([])
    expect(face(session).phase).toBe('idle')
  })

  test('a stop of the previous turn does not close the open one', () => {
    const stop = ev('Stop')
    expect(face(run(start(), ev('UserPromptSubmit'), ev('UserPromptSubmit'), stop)).phase).toBe('working')
  })

  test('a late event of an old window cannot change a new one', () => {
    const late = ev('PreToolUse', bash('t1'))
    const session = run(start(), prompt(), ev('SessionEnd'), ev('SessionStart', { source: 'resume' }), late)
    expect(face(session)).toMatchObject({ phase: 'starting' })
    expect(session.openTools).toEqual([])
  })

  test('a repeated end counts once, and work after an end is a new generation', () => {
    const twice = run(start(), prompt(), ev('SessionEnd'), ev('SessionEnd'))
    expect(phaseOf(twice)).toBe('ended')
    const again = run(start(), ev('SessionEnd'), prompt())
    expect(phaseOf(again)).toBe('working')
    expect(again.generation).toBe(2)
  })
})

describe('spooled or recovered events that arrive after later hooks', () => {
  const late = (type: string, before: number, fields: Partial<HookEvent> = {}) => {
    const event = ev(type, fields)
    return { ...event, at: event.at - before, transport: 'healer' as const }
  }

  test('a prompt does not open an ended turn, and is not the last one', () => {
    const session = run(start(), prompt(), ev('Stop'), late('UserPromptSubmit', 2500, { prompt: 'older' }))
    expect(face(session).phase).toBe('idle')
    expect(session.lastPrompt).toBe('do it')
  })

  test('a prompt opens the turn whose calls arrived before it, and leaves their requests', () => {
    const before = [start(), ev('Stop')]
    const call = ev('PreToolUse', bash('t1'))
    const request = ev('PermissionRequest', tool('Bash', undefined, { of: 't1' }))
    const asked = late('UserPromptSubmit', 2500, { prompt: 'it' })
    const session = run(...before, call, request, asked)
    expect(face(session)).toMatchObject({ phase: 'blocked', asks: ['permission: Permission for Bash'] })
    expect(session.lastPrompt).toBe('it')
  })

  test('a call does not start again in an ended turn', () => {
    const session = run(start(), prompt(), ev('Stop'), late('PreToolUse', 1500, bash('t1')))
    expect(face(session).phase).toBe('idle')
    expect(session.openTools).toEqual([])
  })

  test('in order, each has its usual effect', () => {
    const session = run(
      start(),
      prompt(),
      ev('Stop'),
      late('UserPromptSubmit', 0),
      late('PreToolUse', 0, bash('t1')),
    )
    expect(face(session)).toMatchObject({ phase: 'working', detail: 'Bash' })
  })
})

describe('sub-agents', () => {
  const child = { agentId: 'a1', agentType: 'Explore' }

  test('an asking sub-agent blocks the session, and its own end clears it', () => {
    const asks = () => ev('PermissionRequest', { ...tool('Bash', undefined, { x: 1 }), ...child })
    const begun = [
      start(),
      prompt(),
      ev('SubagentStart', child),
      ev('PreToolUse', { ...tool('Bash', 't9', { x: 1 }), ...child }),
      asks(),
    ]
    expect(run(...begun).attention).toMatchObject([{ kind: 'permission', agentId: 'a1' }])
    expect(run(...begun, ev('PostToolUse', tool('Read', 't1'))).attention).toHaveLength(1)
    expect(run(...begun, ev('SubagentStop', child)).attention).toHaveLength(0)
  })

  test("compaction's nameless sub-agent and the warm-up ones of 2.0.77 do not count", () => {
    expect(run(start(), prompt(), ev('SubagentStop', { agentId: 'x', agentType: '' })).children).toEqual([])
    expect(run(start(), ev('SubagentStart', child)).children).toEqual([])
  })

  test("its own stop and prompts do not affect the session's turn", () => {
    const session = run(
      start(),
      prompt(),
      ev('SubagentStart', child),
      ev('UserPromptSubmit', { ...child, prompt: 'inner' }),
      ev('Stop', child),
    )
    expect(session.turn.open).toBe(true)
    expect(session.lastPrompt).toBe('do it')
  })

  test('its transcript is not the session’s', () => {
    const own = ev('UserPromptSubmit', { transcriptPath: '/r/root.jsonl' })
    const session = run(own, ev('SubagentStart', { ...child, transcriptPath: '/r/child.jsonl' }))
    expect(session.transcriptPath).toBe('/r/root.jsonl')
  })

  test('a child of a child finds its parent by the open call', () => {
    const inner = { agentId: 'a2', agentType: 'Plan' }
    const session = run(
      start(),
      prompt(),
      ev('PreToolUse', tool('Agent', 't1')),
      ev('SubagentStart', child),
      ev('PreToolUse', { ...tool('Agent', 't2'), ...child }),
      ev('SubagentStart', inner),
    )
    expect(session.children).toMatchObject([
      { agentId: 'a1', call: 't1' },
      { agentId: 'a2', call: 't2', parentId: 'a1', inferred: true },
    ])
  })
})

describe('copilot', () => {
  const start = ev('SessionStart', { source: 'new', prompt: 'go' })
  const failed = ev('PostModelRequest', { error: { kind: 'model_call', message: '500 bad' } })

  test('a session that starts with its first prompt works at once', () => {
    const session = run(start)
    expect(phaseOf(session)).toBe('working')
    expect(session.turn).toEqual({ open: true, startedAt: start.at })
    expect(session.lastPrompt).toBeUndefined() // its own hook reports it
  })

  test('a failed request is retried: the session works and has no error', () => {
    const session = run(start, ev('UserPromptSubmit'), failed)
    expect(phaseOf(session)).toBe('working')
    expect(session).toMatchObject({ detail: 'Retrying', attention: [] })
    expect(session.error).toBeUndefined()
    expect(run(start, ev('UserPromptSubmit'), failed, ev('Stop')).detail).toBeUndefined()
  })

  test('a session observed at its opening and then reported starts once', () => {
    const seen = ev('SessionStart', { source: 'resume', transport: 'healer' })
    const told = ev('SessionStart', { source: 'resume', prompt: 'go' })
    const end = ev('SessionEnd')
    expect(run(ev('UserPromptSubmit'), end, seen, told).generation).toBe(2)
  })
})
