import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import type { HookEvent, RawEvent } from '../../events/index.ts'
import { rawEventOf, recorded } from '../testkit.ts'
import { read as readClaude } from './read.ts'

const FIXTURES = join(import.meta.dir, '../../../test/fixtures/claude/2.1.325')

function read(payload: unknown, rest: Partial<RawEvent> = {}): HookEvent {
  return readClaude(payload, rawEventOf('claude', payload, rest))
}

function readAs(event: string, payload: object): HookEvent {
  return read({ session_id: 's', hook_event_name: event, ...payload })
}

describe('each native field is mapped', () => {
  const rows: [event: string, payload: object, expected: object][] = [
    [
      'Stop',
      { prompt_id: 'p', cwd: '/w', transcript_path: '/t', permission_mode: 'plan' },
      { turnId: 'p', cwd: '/w', transcriptPath: '/t', permissionMode: 'plan' },
    ],
    [
      'PreToolUse',
      { tool_name: 'Bash', tool_input: { command: 'ls' }, tool_use_id: 't', effort: { level: 'low' } },
      { tool: { name: 'Bash', input: { command: 'ls' }, useId: 't' }, fields: { effort: { level: 'low' } } },
    ],
    [
      'PreToolUse',
      { tool_name: 'mcp__m__x', tool_input: {}, mcp_server: { name: 'm', source: 'dynamic' } },
      {
        tool: { name: 'mcp__m__x', input: {}, mcpServer: 'm' },
        fields: { mcp_server: { name: 'm', source: 'dynamic' } },
      },
    ],
    [
      'PostToolUse',
      { tool_name: 'Bash', tool_input: {}, tool_response: [1], tool_use_id: 't', duration_ms: 7 },
      { tool: { name: 'Bash', input: {}, response: [1], useId: 't', durationMs: 7 } },
    ],
    [
      'PostToolUseFailure',
      { tool_name: 'Bash', tool_input: {}, error: 'Exit code 1', is_interrupt: true, duration_ms: 7 },
      { tool: { name: 'Bash', input: {}, error: 'Exit code 1', interrupted: true, durationMs: 7 } },
    ],
    ['PermissionDenied', { reason: 'no' }, { reason: 'no' }],
    [
      'Stop',
      { last_assistant_message: 'Done.', stop_hook_active: true },
      { message: 'Done.', stopHookActive: true },
    ],
    ['Stop', { background_tasks: [] }, { backgroundTasks: [] }],
    [
      'Stop',
      {
        background_tasks: [
          { id: 'a', type: 'subagent', status: 'running', agent_type: 'x', description: 'd' },
        ],
      },
      {
        backgroundTasks: [{ id: 'a', type: 'subagent', status: 'running', agentType: 'x', description: 'd' }],
      },
    ],
    [
      'Stop',
      { background_tasks: [{ id: 'a', command: 'sleep 9', pid: 5 }] },
      {
        backgroundTasks: [{ id: 'a', command: 'sleep 9' }],
        fields: { background_tasks: [{ id: 'a', command: 'sleep 9', pid: 5 }] },
      },
    ],
    [
      'Stop',
      { background_tasks: [{ id: 'a' }, 'b'] },
      {
        backgroundTasks: [{ id: 'a' }],
        fields: { background_tasks: [{ id: 'a' }, 'b'] },
        unknown: ['background_tasks:array'],
      },
    ],
    [
      'StopFailure',
      { error: 'rate_limit', error_details: '429', last_assistant_message: 'API Error' },
      { error: { kind: 'rate_limit', message: '429' }, message: 'API Error' },
    ],
    [
      'Notification',
      { message: 'waits', title: 'Claude', notification_type: 'idle_prompt' },
      { notification: { type: 'idle_prompt', message: 'waits', title: 'Claude' } },
    ],
    [
      'SubagentStop',
      { agent_id: 'a', agent_type: '', agent_transcript_path: '/a' },
      { agentId: 'a', agentType: '', agentTranscriptPath: '/a' },
    ],
    ['SessionStart', { source: 'resume', model: 'opus' }, { source: 'resume', model: 'opus' }],
    ['SessionEnd', { reason: 'clear' }, { reason: 'clear' }],
    [
      'PreCompact',
      { trigger: 'auto', custom_instructions: null },
      { trigger: 'auto', fields: { custom_instructions: null } },
    ],
    ['TeammateIdle', { teammate_name: 'm', team_name: 't' }, { teammate: { name: 'm', team: 't' } }],
    [
      'TaskCreated',
      { task_id: '1', task_subject: 's', task_description: 'd' },
      { task: { id: '1', subject: 's', description: 'd' } },
    ],
    ['Elicitation', { message: 'Your name?' }, { fields: { message: 'Your name?' } }],
    ['MessageDisplay', { prompt_id: 'p', turn_id: 't' }, { turnId: 'p', fields: { turn_id: 't' } }],
  ]
  test.each(rows)('%s %j', (event, payload, expected) => {
    const { id: _, at: _at, receivedAt, agent, seq, client, transport, raw, ...rest } = readAs(event, payload)
    expect<unknown>(rest).toEqual({ type: event, native: event, sessionId: 's', ...expected })
  })

  test('the status line is usage, model and version', () => {
    const line = recorded(`${FIXTURES}/i-idle.jsonl`).findLast((line) => line.event === 'statusLine')
    const event = read(line?.payload, { event: 'statusLine' })
    expect(event).toMatchObject({
      type: 'StatusLine',
      native: 'statusLine',
      agentVersion: '2.1.325',
      model: 'claude-opus-5-5',
      usage: {
        contextPct: 0,
        contextTokens: 100,
        contextWindow: 1_000_000,
        inputTokens: 100,
        outputTokens: 25,
        costUsd: 0.0009,
      },
    })
    expect(event.fields).toHaveProperty('context_window.current_usage.input_tokens', 100)
  })

  test('a status line with impossible numbers yields none of them', () => {
    const usage = (percentage: number, cost: number, tokens: number) => {
      const context_window = {
        used_percentage: percentage,
        total_input_tokens: tokens,
        current_usage: { input_tokens: tokens, cache_read_input_tokens: 7 },
      }
      const payload = { session_id: 's', context_window, cost: { total_cost_usd: cost } }
      // Raw JSON: 1e999 is valid and parses to Infinity.
      const text = JSON.stringify(payload).replaceAll('"inf"', '1e999')
      return read(JSON.parse(text), { event: 'statusLine' }).usage
    }
    expect(usage(-5, -0.5, -100)).toEqual({ contextPct: 0, contextTokens: 7 })
    expect(usage(1e308, 1e308, 1e308)).toEqual({ contextPct: 100, contextTokens: 7 })
    expect(usage(150, 0, 0)).toEqual({ contextPct: 100, costUsd: 0, inputTokens: 0, contextTokens: 7 })
    expect(usage('inf' as never, 'inf' as never, 'inf' as never)).toEqual({ contextTokens: 7 })
  })

  test('a status line before the first request has no percentage', () => {
    const context_window = { context_window_size: 200_000, current_usage: null, used_percentage: null }
    const event = read(
      { session_id: 's', context_window, cost: { total_cost_usd: 'free' } },
      { event: 'statusLine' },
    )
    expect(event.usage).toEqual({ contextWindow: 200_000 })
    expect(event.unknown).toEqual(['cost:object'])
  })
})

describe('a known field of the wrong type is kept and reported', () => {
  const rows: [event: string, field: string, value: unknown, mark: string][] = [
    ['Stop', 'session_id', 5, 'session_id:number'],
    ['Stop', 'cwd', null, 'cwd:null'],
    ['Stop', 'stop_hook_active', 'yes', 'stop_hook_active:string'],
    ['PreToolUse', 'tool_name', ['Bash'], 'tool_name:array'],
    ['PreToolUse', 'mcp_server', 'm', 'mcp_server:string'],
    ['PostToolUse', 'duration_ms', '7', 'duration_ms:string'],
    ['StopFailure', 'error', { kind: 'x' }, 'error:object'],
    ['UserPromptSubmit', 'prompt', { text: 'hi' }, 'prompt:object'],
  ]
  test.each(rows)('%s %s', (event, field, value, mark) => {
    const read = readAs(event, { [field]: value })
    expect(read.fields).toEqual({ [field]: value })
    expect(read.unknown).toEqual([mark])
    expect(read.tool).toBeUndefined()
    expect(read.sessionId).toBe(field === 'session_id' ? '' : 's')
  })

  test("an event name of the wrong type is replaced by the command line's", () => {
    const event = read({ hook_event_name: 5 }, { event: 'Stop' })
    expect(event).toMatchObject({ type: 'Stop', native: 'Stop', unknown: ['hook_event_name:number'] })
  })
})

describe('drift', () => {
  test('an unknown field is kept and listed', () => {
    const event = readAs('Stop', { mood: 'good', message: 'hm' })
    expect(event.fields).toEqual({ mood: 'good', message: 'hm' })
    expect(event.unknown).toEqual(['mood', 'message'])
  })

  test('an unknown event keeps its name, and its common fields are understood', () => {
    const event = readAs('ToolRetried', { tool_name: 'Bash', tool_use_id: 't', attempt: 2 })
    expect(event).toMatchObject({
      type: 'ToolRetried',
      native: 'ToolRetried',
      tool: { name: 'Bash', useId: 't' },
      unknown: ['attempt'],
    })
  })

  test('a tool_use_id on PermissionRequest is understood if a later version adds it', () => {
    const event = readAs('PermissionRequest', { tool_name: 'Bash', tool_input: {}, tool_use_id: 't' })
    expect(event.tool?.useId).toBe('t')
    expect(event.unknown).toBeUndefined()
  })

  test('the list of unknown fields is bounded, the kept fields are not', () => {
    const junk = Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`junk${i}`, i]))
    const event = readAs('Stop', junk)
    expect(Object.keys(event.fields ?? {})).toHaveLength(500)
    expect(event.unknown?.length).toBe(64)
  })
})

describe('a sub-agent that outlives its call', () => {
  const response = (event: HookEvent) => event.spawned

  test('is named by the call of a background sub-agent or a teammate', () => {
    const ends = (tool_response: unknown) =>
      response(readAs('PostToolUse', { tool_name: 'Agent', tool_response }))
    expect(ends({ isAsync: true, status: 'async_launched', agentId: 'a1' })).toEqual({ agentId: 'a1' })
    expect(ends({ status: 'teammate_spawned', agentId: 'abob-1' })).toEqual({
      agentId: 'abob-1',
      teammate: true,
    })
  })

  test('is not reported for a foreground sub-agent or another tool', () => {
    for (const tool_response of [
      { status: 'completed', agentId: 'a1' },
      { isAsync: true },
      'a1',
      null,
      [{ agentId: 'a1' }],
    ])
      expect(response(readAs('PostToolUse', { tool_name: 'Agent', tool_response }))).toBeUndefined()
    const waited = recorded(`${FIXTURES}/subagent-sync.jsonl`).map((line) => read(line.payload))
    expect(waited.filter((event) => event.spawned)).toEqual([])
    const sent = recorded(`${FIXTURES}/basic.jsonl`).map((line) => read(line.payload))
    expect(sent.flatMap((event) => event.spawned ?? [])).toHaveLength(1)
  })

  test('the calls of a batch have ended', () => {
    const tool_calls = [{ tool_name: 'Bash', tool_use_id: 't1' }, { tool_name: 'Bash' }, 'x']
    expect(readAs('PostToolBatch', { tool_calls })).toMatchObject({
      endedCalls: ['t1'],
      fields: { tool_calls },
    })
  })
})

describe('prompts that nobody typed', () => {
  test.each([
    ['<task-notification>\n<task-id>a</task-id>', true],
    ['<system-reminder>Mind the gap</system-reminder>', true],
    ['Another Claude session sent a message:\n<teammate-message teammate_id="bob">', true],
    ['Explain <task-notification> to me', undefined],
    ['', undefined],
  ])('%j', (prompt, injected) => {
    expect(readAs('UserPromptSubmit', { prompt }).promptInjected).toBe(injected as true)
  })

  test('the recorded end of a background task is one', () => {
    const prompts = recorded(`${FIXTURES}/basic.jsonl`).filter((line) => line.event === 'UserPromptSubmit')
    const injected = prompts.map((line) => read(line.payload)).filter((event) => event.promptInjected)
    expect(injected).toHaveLength(1)
    expect(injected[0]?.prompt).toContain('<task-id>')
  })
})
