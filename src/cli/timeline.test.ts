import { describe, expect, test } from 'bun:test'
import { eventOf } from '../../test/kit.ts'
import type { EffortDetail, WindowView, WireEvent } from '../client/index.ts'
import type { HookEvent } from '../events/index.ts'
import { widthOf } from './terminal.ts'
import { timelineOf } from './timeline.ts'
import { clockOf, timelineLines, took } from './timeline-lines.ts'

const ME = { id: 's1', agent: 'claude' }

const event = (at: number, type: string, parts: Partial<HookEvent> = {}) =>
  eventOf({ at, type, native: type, ...parts }) as WireEvent

const tool = (name: string, useId?: string, more = {}) => ({
  tool: { name, input: { command: 'npm test' }, ...(useId ? { useId } : {}), ...more },
})

const shown = (events: WireEvent[], efforts: EffortDetail[] = []) =>
  timelineOf(ME, events, efforts).map(({ at, kind, label, text }) => `${at} ${kind} ${label}: ${text}`)

test('a call of a sub-agent that is rejected with Esc, or left behind by its end, does not run on', () => {
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

test('what a sub-agent asks waits on when the turn of the session is over', () => {
  const asks = { ...tool('Bash'), agentId: 'a1' }
  const events = [
    event(1, 'PermissionRequest', asks),
    event(2, 'PermissionRequest', tool('Edit')),
    event(3, 'Stop'),
  ]
  expect(shown(events)).toEqual([
    '1 ask permission: Bash  npm test',
    '2 ask permission: Edit  npm test → not answered',
    '3 stop stop: ',
  ])
  expect(shown([...events, event(4, 'SessionEnd')])[0]).toBe(
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

  test('without an id belongs to the oldest of its name that is open', () => {
    const entries = timelineOf(
      ME,
      [
        event(10, 'PreToolUse', tool('run_shell_command')),
        event(20, 'PreToolUse', tool('run_shell_command')),
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
      '5 tool Bash: npm test → no result',
      '6 stop stop: ok',
    ])
  })

  test('of a sub-agent goes on when the turn is over', () => {
    const [entry] = timelineOf(
      ME,
      [event(1, 'PreToolUse', { agentId: 'a1', ...tool('Read', 'a') }), event(2, 'Stop')],
      [],
    )
    expect(entry).toMatchObject({ open: true, child: true })
  })

  test('whose beginning is not in the journal any more is still there', () => {
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

  test('is rejected by Esc, and has one entry though a notification tells of it, too', () => {
    const notice = event(3, 'Notification', {
      notification: { type: 'permission_prompt', message: 'needs you' },
    })
    expect(shown([begun, ask, notice, event(4, 'Interrupt')])).toEqual([
      '1 tool Bash: npm test → no result',
      '2 ask permission: Bash  npm test → rejected',
      '4 error interrupt: ',
    ])
  })
})

describe('a turn', () => {
  test('goes from the prompt to the stop, with the sub-agents in it', () => {
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
      ['stop', 'done', 80],
    ])
  })

  test('shows nothing of another agent with the same session id, nor what is hidden', () => {
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
      '4 window written down: effort 7: the next window goes on from here',
      '5 note SomethingNew: hello',
    ])
  })
})

describe('the work engine', () => {
  test('adds windows with the ones before, logs and dialogue, in order', () => {
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

  test('says the end of a window and of its session once', () => {
    const effort = effortOf({ sessions: [windowOf({ endedAt: 100, endReason: 'clear' })] })
    expect(shown([event(101, 'SessionEnd', { reason: 'clear' })], [effort])).toEqual([
      '1 window window 1: effort 7 implement · the first',
      '101 session end: clear',
    ])
  })
})

describe('the lines', () => {
  const entries = timelineOf(
    ME,
    [
      event(1_000, 'UserPromptSubmit', { prompt: `日本語${'x'.repeat(500)}\u001b[2J\r\nend` }),
      event(62_000, 'PreToolUse', { agentId: 'a1', ...tool('mcp__github__create_issue', 'a') }),
      event(63_500, 'PostToolUse', { agentId: 'a1', ...tool('mcp__github__create_issue', 'a') }),
      event(64_000, 'PreToolUse', {
        tool: { name: '\u001b]0;x\u0007', input: { command: `e${'\u0301'.repeat(5_000)}` } },
      }),
    ],
    [],
  )
  const lines = timelineLines(entries, 1_000, 70_000)

  test('are one each, no wider than the terminal, and drive nothing', () => {
    expect(lines).toHaveLength(3)
    for (const line of lines) {
      expect(widthOf(line)).toBeLessThanOrEqual(100)
      expect(line.length).toBeLessThan(1_000)
      // biome-ignore lint/suspicious/noControlCharactersInRegex: that none is there is the point
      expect(line).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/)
    }
  })

  test('have the time since the start, the tool’s own name and how long it took', () => {
    expect(lines[0]).toStartWith('    +0:00  › prompt')
    expect(lines[1]).toMatch(/^ {4}\+1:01 {2}│ · create_issue {3}npm test +1\.5 s$/)
    expect(lines[2]).toEndWith('runs 6.0 s')
  })
})

test('times are for people', () => {
  expect([0, 7_900, 754_000, 3_723_000, 183_840_000, -5_000].map(clockOf)).toEqual([
    '+0:00',
    '+0:07',
    '+12:34',
    '+1:02:03',
    '+2d 03:04',
    '-0:05',
  ])
  expect([0, 320, 4_240, 181_000, -1].map(took)).toEqual(['0 ms', '320 ms', '4.2 s', '3 min 1 s', '0 ms'])
})
