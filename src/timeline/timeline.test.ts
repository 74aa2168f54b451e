import { describe, expect, test } from 'bun:test'
import { Glob } from 'bun'
import { eventOf, FIXTURES, fixtureLines, rawEvent } from '../../test/kit.ts'
import { agentFor } from '../agents/index.ts'
import type { EffortDetail, WindowView, WireEvent } from '../client/index.ts'
import type { HookEvent } from '../events/index.ts'
import { isHard, SessionMap } from '../sessions/state/index.ts'
import { clockOf } from './style.ts'
import { timelineOf } from './timeline.ts'

const ME = { id: 's1', agent: 'claude' }

const event = (at: number, type: string, parts: Partial<HookEvent> = {}) =>
  eventOf({ at, seq: at, type, native: type, ...parts }) as WireEvent

const tool = (name: string, useId?: string, more = {}) => ({
  tool: { name, input: { command: 'npm test' }, ...(useId ? { useId } : {}), ...more },
})

const shown = (events: WireEvent[], efforts: EffortDetail[] = []) =>
  timelineOf(ME, events, efforts).map(({ at, kind, label, text }) => `${at} ${kind} ${label}: ${text}`)

test("a sub-agent's call that is rejected with Esc, or left behind by its end, is not open any more", () => {
  const child = { agentId: 'a1', agentType: 'Explore' }
  const entries = timelineOf(
    ME,
    [
      event(1, 'SubagentStart', child),
      event(2, 'PreToolUse', { ...child, ...tool('Bash', 't1') }),
      event(3, 'PermissionRequest', { ...child, ...tool('Bash') }),
      event(4, 'PreToolUse', { ...child, ...tool('Read', 't2') }),
      event(5, 'PostToolUse', { ...child, ...tool('Read', 't2') }),
      event(6, 'PostToolBatch', { ...child, endedCalls: ['t1', 't2'] }),
      event(7, 'PreToolUse', { ...child, ...tool('Bash', 't3') }),
      event(8, 'PreToolUse', tool('Bash', 't4')),
      event(9, 'SubagentStop', child),
    ],
    [],
  )
  expect(entries.filter(({ open }) => open)).toMatchObject([{ at: 8 }])
  expect(entries.map(({ at, text }) => `${at} ${text}`)).toEqual([
    '1 Explore a1',
    '2 npm test → rejected',
    '3 Bash  npm test → rejected',
    '4 npm test',
    '7 npm test → no result',
    '8 npm test',
    '9 Explore a1 → done',
  ])
})

const windowOf = (parts: Partial<WindowView>): WindowView => ({
  id: 1,
  effortId: 1,
  prevSessionId: null,
  agent: 'claude',
  nativeId: 's1',
  agentId: '',
  heartbeatCounter: 0,
  contextUsage: 0,
  loadedFiles: [],
  dehydrationPayload: null,
  runId: null,
  recoveredFrom: null,
  startedAt: 1,
  endedAt: null,
  endReason: null,
  ...parts,
})

const effortOf = (parts: Partial<EffortDetail>): EffortDetail => ({
  id: 7,
  taskId: '/tasks/7',
  agentId: null,
  skill: 'implement',
  mode: null,
  ordinal: 1,
  lifecycle: 'active',
  currentPhase: null,
  discoveredDirectives: [],
  metadata: {},
  createdAt: 0,
  finishedAt: null,
  title: 'Search',
  windows: 1,
  openSessions: 1,
  heartbeat: 0,
  contextUsage: 0,
  dehydrated: false,
  phases: [],
  sessions: [],
  messages: [],
  artifacts: [],
  settings: {
    heartbeat_warn: 3,
    heartbeat_block: 10,
    heartbeat_denials: 3,
    overflow_warn: 0.8,
    overflow_dehydrate: 0.9,
  },
  ...parts,
})

test("a sub-agent's request still waits after the session's turn is over", () => {
  const asks = { ...tool('Bash'), agentId: 'a1' }
  const events = [
    event(0, 'SubagentStart', { agentId: 'a1', agentType: 'Explore' }),
    event(1, 'PermissionRequest', asks),
    event(2, 'PermissionRequest', tool('Edit')),
    event(3, 'Stop'),
  ]
  expect(shown(events).slice(1)).toEqual([
    '1 ask permission: Bash  npm test',
    '2 ask permission: Edit  npm test → not answered',
    '3 stop done: ',
  ])
  expect(shown([...events, event(4, 'SessionEnd')])[1]).toBe(
    '1 ask permission: Bash  npm test → not answered',
  )
})

describe('a tool call', () => {
  test('is one entry with its duration, also when calls overlap', () => {
    const entries = timelineOf(
      ME,
      [
        event(10, 'PreToolUse', tool('Bash', 'a')),
        event(20, 'PreToolUse', tool('Read', 'b')),
        event(30, 'PostToolUse', tool('Bash', 'a')),
        event(70, 'PostToolUse', tool('Read', 'b', { durationMs: 42 })),
      ],
      [],
    )
    expect(entries.map(({ label, tookMs, open }) => ({ label, tookMs, open }))).toEqual([
      { label: 'Bash', tookMs: 20, open: undefined },
      { label: 'Read', tookMs: 42, open: undefined },
    ])
  })

  test('without an id is matched by its input', () => {
    const entries = timelineOf(
      ME,
      [
        event(10, 'PreToolUse', tool('run_shell_command')),
        event(20, 'PreToolUse', { tool: { name: 'run_shell_command', input: { command: 'ls' } } }),
        event(50, 'PostToolUse', tool('run_shell_command')),
      ],
      [],
    )
    expect(entries.map(({ tookMs, open }) => ({ tookMs, open }))).toEqual([
      { tookMs: 40, open: undefined },
      { tookMs: undefined, open: true },
    ])
  })

  test('that failed, was denied or never ended says so', () => {
    expect(
      shown([
        event(1, 'PreToolUse', tool('Bash', 'a')),
        event(2, 'PostToolUseFailure', tool('Bash', 'a', { error: 'exit code 1' })),
        event(3, 'PreToolUse', tool('Bash', 'b')),
        event(4, 'PermissionDenied', tool('Bash', 'b')),
        event(5, 'PreToolUse', tool('Bash', 'c')),
        event(6, 'Stop', { message: 'ok' }),
      ]),
    ).toEqual([
      '1 error Bash: npm test → exit code 1',
      '3 error Bash: npm test → denied',
      '5 note Bash: npm test → no result',
      '6 stop done: ok',
    ])
  })

  test('of a sub-agent continues after the turn is over', () => {
    const [, entry] = timelineOf(
      ME,
      [
        event(0, 'SubagentStart', { agentId: 'a1', agentType: 'Explore' }),
        event(1, 'PreToolUse', { agentId: 'a1', ...tool('Read', 'a') }),
        event(2, 'Stop'),
      ],
      [],
    )
    expect(entry).toMatchObject({ open: true, child: true })
  })

  test('whose start is no longer in the journal is still shown', () => {
    expect(shown([event(9, 'PostToolUse', tool('Bash', 'a'))])).toEqual(['9 tool Bash: npm test'])
  })
})

describe('a permission', () => {
  const ask = event(2, 'PermissionRequest', tool('Bash'))
  const begun = event(1, 'PreToolUse', tool('Bash', 'a'))
  const other = event(2, 'PermissionRequest', { tool: { name: 'Write', input: { file_path: '/x' } } })

  test('is allowed when its tool ran, also while another waits', () => {
    const [, first, second] = timelineOf(
      ME,
      [begun, ask, other, event(5, 'PostToolUse', tool('Bash', 'a'))],
      [],
    )
    expect(first?.text).toBe('Bash  npm test → allowed')
    expect(second).toMatchObject({ text: 'Write  /x', open: true })
  })

  test('is closed by its call although the input differs from the request', () => {
    const plan = (input: object, useId?: string) => ({
      tool: { name: 'ExitPlanMode', input, ...(useId ? { useId } : {}) },
    })
    const entries = timelineOf(
      ME,
      [
        event(1, 'PreToolUse', plan({ plan: 'first' }, 'p')),
        event(2, 'PermissionRequest', plan({ plan: 'first', mode: 'auto' })),
        event(9_000, 'PostToolUse', plan({ plan: 'first', edited: true }, 'p')),
        event(9_001, 'PreToolUse', tool('Bash', 'b')),
        event(9_002, 'PermissionRequest', { tool: { name: 'Bash', input: { command: 'rewritten' } } }),
        event(9_900, 'PostToolUse', tool('Bash', 'b')),
      ],
      [],
    )
    expect(entries.filter(({ open }) => open)).toEqual([])
    expect(entries.map(({ kind, text }) => `${kind} ${text}`)).toEqual([
      'ask first → allowed',
      'tool npm test',
      'ask Bash  rewritten → allowed',
    ])
  })

  test('that opencode reports as answered is closed', () => {
    const asked = [begun, ask, event(3, 'PermissionReplied', { reason: 'reject' })]
    expect(shown(asked)[1]).toBe('2 ask permission: Bash  npm test → denied')
  })

  test('that is denied leaves a call that never ran, however long the question was open', () => {
    const denied = event(10_302, 'PermissionDenied', tool('Bash', 'a'))
    const [call, asked] = timelineOf(ME, [begun, ask, denied], [])
    expect(call).toMatchObject({ kind: 'error', text: 'npm test → denied' })
    expect([call?.tookMs, call?.open, asked?.open]).toEqual([undefined, undefined, undefined])
  })

  test('is rejected by Esc, and has one entry although a notification reports it, too', () => {
    const notice = event(3, 'Notification', {
      notification: { type: 'permission_prompt', message: 'needs you' },
    })
    expect(shown([begun, ask, notice, event(4, 'Interrupt')])).toEqual([
      '1 error Bash: npm test → rejected',
      '2 ask permission: Bash  npm test → rejected',
      '4 error interrupted: ',
    ])
  })
})

describe('a turn', () => {
  test('lasts from the prompt to the stop, with its sub-agents', () => {
    const entries = timelineOf(
      ME,
      [
        event(0, 'SessionStart', { source: 'startup', model: 'opus' }),
        event(10, 'UserPromptSubmit', { prompt: 'go' }),
        event(20, 'SubagentStart', { agentId: 'a1', agentType: 'Explore' }),
        event(60, 'SubagentStop', { agentId: 'a1', agentType: 'Explore', message: 'found' }),
        event(90, 'Stop', { message: 'done' }),
        event(95, 'StatusLine'),
      ],
      [],
    )
    expect(entries.map(({ label, text, tookMs }) => [label, text, tookMs])).toEqual([
      ['start', 'startup · opus', undefined],
      ['prompt', 'go', undefined],
      ['sub-agent', 'Explore a1', undefined],
      ['sub-agent', 'Explore a1: found → done', 40],
      ['done', 'done', 80],
    ])
  })

  test('shows nothing of another agent with the same session id, nor hidden events', () => {
    expect(
      shown([
        event(1, 'UserPromptSubmit', { agent: 'codex', prompt: 'theirs' }),
        event(2, 'UserPromptSubmit', { hidden: 'title-thread', prompt: 'hidden' }),
        event(3, 'UserPromptSubmit', { prompt: 'machine', promptInjected: true }),
        event(4, 'EffortDehydrated', { agent: 'gantry', fields: { effort_id: 7 } }),
        event(5, 'SomethingNew', { message: 'hello' }),
      ]),
    ).toEqual([
      '3 note injected: machine',
      '4 window written down: effort 7: the next window continues from here',
      '5 note SomethingNew: hello',
    ])
  })
})

test("the order is the journal's, also after the clock was set back", () => {
  const events = [
    event(3_600_000, 'UserPromptSubmit', { seq: 1, prompt: 'one' }),
    event(3_601_000, 'Stop', { seq: 2, message: 'two' }),
    event(2_000, 'UserPromptSubmit', { seq: 3, prompt: 'three' }),
  ]
  expect(timelineOf(ME, events, []).map(({ text }) => text)).toEqual(['one', 'two', 'three'])
  // If the journal has the difference, earlier times are shifted to the current clock.
  const back = event(1_000, 'ClockSetBack', {
    ...{ seq: 2, agent: 'gantry', sessionId: '', transport: 'emit', fields: { by_ms: 3_600_500 } },
  })
  const moved = timelineOf(ME, [...events.slice(0, 2), back, ...events.slice(2)], [])
  expect(moved.map(({ at, text }) => [at, text])).toEqual([
    [-500, 'one'],
    [500, 'two'],
    [2_000, 'three'],
  ])
})

describe('the open entries', () => {
  const files = [...new Glob('*/*/*.jsonl').scanSync(FIXTURES)].filter((file) => !file.includes('_one-of'))

  test.each(files)("of %s match the session's open calls, after every event", (file) => {
    const events = fixtureLines(file).map(({ agent, event: name, env, payload }, i): HookEvent => {
      const raw = JSON.stringify(payload)
      const at = 1_000 + i
      return {
        ...agentFor(agent).read(payload, rawEvent({ agent, event: name, client: { env }, raw, at })),
        seq: i,
      }
    })
    const fleet = new SessionMap()
    events.forEach((event, i) => {
      fleet.apply(event)
      for (const session of fleet.all()) {
        const mine = events.slice(0, i + 1).filter(({ sessionId }) => sessionId === session.id)
        const open = timelineOf(session, mine as WireEvent[], []).filter((one) => one.open)
        const asks = session.attention.filter(isHard)
        const calls = session.openTools.filter(
          ({ call }) => !asks.some((one) => ['question', 'plan'].includes(one.kind) && one.call === call),
        )
        expect(open.filter(({ kind }) => kind === 'ask')).toHaveLength(asks.length)
        expect(open.filter(({ kind }) => kind === 'tool')).toHaveLength(calls.length)
      }
    })
  })
})

describe('the work engine', () => {
  test('adds windows with their predecessors, logs and dialogue, in order', () => {
    const effort = effortOf({
      sessions: [
        windowOf({ id: 1, nativeId: 'before-it-1', dehydrationPayload: '{}' }),
        windowOf({ id: 2, prevSessionId: 1, startedAt: 5, endedAt: 9_000, endReason: 'compaction' }),
        windowOf({ id: 3, prevSessionId: 2, agentId: 'a1', startedAt: 6 }),
      ],
      messages: [
        { sessionId: 1, role: 'log', content: 'of another session', toolName: null, at: 3 },
        { sessionId: 2, role: 'log', content: 'index built', toolName: null, at: 40 },
        { sessionId: 2, role: 'user', content: 'go', toolName: null, at: 11 },
        { sessionId: 2, role: 'user', content: 'only by a call', toolName: null, at: 12 },
        { sessionId: 2, role: 'dialogue', content: 'Q: a?\nA: b', toolName: 'AskUserQuestion', at: 41 },
      ],
    })
    expect(shown([event(10, 'UserPromptSubmit', { prompt: 'go' })], [effort])).toEqual([
      '5 window window 2: effort 7 implement ← window 1 (before-i), which was written down',
      '6 window window 3: effort 7 implement · sub-agent a1 of window 2',
      '10 prompt prompt: go',
      '12 prompt prompt: only by a call',
      '40 log log: index built',
      '41 log dialogue: Q: a?\nA: b',
      '9000 window window 2: closed: compaction',
    ])
  })

  test('shows the end of a window and of its session once', () => {
    const effort = effortOf({ sessions: [windowOf({ endedAt: 100, endReason: 'clear' })] })
    expect(shown([event(101, 'SessionEnd', { reason: 'clear' })], [effort])).toEqual([
      '1 window window 1: effort 7 implement · the first',
      '101 session end: clear',
    ])
  })
})

test('times are human-readable', () => {
  expect([0, 7_900, 754_000, 3_723_000, 183_840_000, -5_000].map(clockOf)).toEqual([
    '+0:00',
    '+0:07',
    '+12:34',
    '+1:02:03',
    '+2d 03:04',
    '-0:05',
  ])
})

test('a drift shows the difference', () => {
  const drift = event(1, 'SchemaDrift', {
    agent: 'gantry',
    fields: { message: 'claude Stop: field "x" is missing' },
  })
  expect(timelineOf(ME, [drift], [])).toMatchObject([
    { kind: 'note', label: 'drift', text: 'claude Stop: field "x" is missing' },
  ])
})
