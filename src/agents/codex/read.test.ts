import { describe, expect, test } from 'bun:test'
import type { HookEvent, RawEvent } from '../../events/index.ts'
import { rawEventOf } from '../testkit.ts'
import { read as readCodex } from './read.ts'

function read(payload: unknown, rest: Partial<RawEvent> = {}): HookEvent {
  return readCodex(payload, rawEventOf('codex', payload, rest))
}

/** Without the fields common to every event. */
function facts(event: HookEvent): object {
  const { id: _, at: _at, receivedAt, agent, seq, client, transport, raw, ...rest } = event
  return rest
}

describe('each native field is mapped', () => {
  const rows: [event: string, payload: object, expected: object][] = [
    [
      'SessionStart',
      { transcript_path: '/t', cwd: '/w', model: 'gpt', permission_mode: 'default', source: 'fork' },
      { transcriptPath: '/t', cwd: '/w', model: 'gpt', permissionMode: 'default', source: 'fork' },
    ],
    ['SessionStart', { transcript_path: null }, { fields: { transcript_path: null } }],
    ['SessionEnd', { reason: 'other' }, { reason: 'other' }],
    ['UserPromptSubmit', { turn_id: 't', prompt: 'hi' }, { turnId: 't', prompt: 'hi' }],
    [
      'UserPromptSubmit',
      { agent_id: 'a', agent_type: 'default', prompt: 'SUBTASK' },
      { agentId: 'a', agentType: 'default', prompt: 'SUBTASK', promptInjected: true },
    ],
    [
      'UserPromptSubmit',
      { prompt: '<hook_prompt hook_run_id="stop:1">more</hook_prompt>' },
      { prompt: '<hook_prompt hook_run_id="stop:1">more</hook_prompt>', promptInjected: true },
    ],
    ['PreModelRequest', { model: 'gpt' }, { model: 'gpt' }],
    [
      'PreToolUse',
      { tool_name: 'Bash', tool_input: { command: 'ls' }, tool_use_id: 'call_1' },
      { tool: { name: 'Bash', input: { command: 'ls' }, useId: 'call_1' } },
    ],
    [
      'PermissionRequest',
      { tool_name: 'Bash', tool_input: { command: 'ls', description: 'need it' } },
      { tool: { name: 'Bash', input: { command: 'ls', description: 'need it' } } },
    ],
    ['PostToolUse', { tool_name: 'x', tool_response: '' }, { tool: tool('x', '') }],
    ['PostToolUse', { tool_name: 'x', tool_response: [1] }, { tool: tool('x', [1]) }],
    ['PostToolUse', { tool_name: 'x', tool_response: { content: [] } }, { tool: tool('x', { content: [] }) }],
    ['PreCompact', { trigger: 'manual' }, { trigger: 'manual' }],
    ['PostCompact', { trigger: 'auto' }, { trigger: 'auto' }],
    ['SubagentStart', { agent_id: 'a', agent_type: 'default' }, { agentId: 'a', agentType: 'default' }],
    [
      'SubagentStop',
      { agent_id: 'a', agent_transcript_path: '/a', stop_hook_active: true, last_assistant_message: 'm' },
      { agentId: 'a', agentTranscriptPath: '/a', stopHookActive: true, message: 'm' },
    ],
    ['Stop', { last_assistant_message: null }, { fields: { last_assistant_message: null } }],
    ['Interrupt', { turn_id: 't' }, { turnId: 't' }],
  ]
  test.each(rows)('%s %j', (event, payload, expected) => {
    const found = facts(read({ session_id: 's', hook_event_name: event, ...payload }))
    expect<unknown>(found).toEqual({ type: event, native: event, sessionId: 's', ...expected })
  })

  test.each([
    ['Stop', 'cwd', null, 'cwd:null'],
    ['PreToolUse', 'turn_id', 5, 'turn_id:number'],
    ['PostModelRequest', 'token_usage', [], 'token_usage:array'],
    ['PostModelRequest', 'error', {}, 'error:object'],
    ['PostModelRequest', 'status', null, 'status:null'],
    ['Stop', 'mood', 'good', 'mood'],
  ])('%s %s of the wrong kind is kept and reported', (event, field, value, mark) => {
    const found = read({ hook_event_name: event, [field]: value })
    expect(found).toMatchObject({ fields: { [field]: value }, unknown: [mark] })
  })
})

describe('requests to the model', () => {
  const USAGE = { input_tokens: 100, cached_input_tokens: 40, output_tokens: 10, total_tokens: 110 }

  test('a completed request has its tokens, including cached ones in the input', () => {
    const event = read({
      hook_event_name: 'PostModelRequest',
      status: 'completed',
      error: null,
      token_usage: USAGE,
    })
    expect(event).toMatchObject({ type: 'PostModelRequest', fields: { token_usage: USAGE } })
    expect(event.usage).toEqual({ inputTokens: 100, outputTokens: 10, contextTokens: 100 })
    expect(event.error).toBeUndefined()
    expect(event.unknown).toBeUndefined()
  })

  test('a failed request ends the turn, whatever the order of its fields', () => {
    const message = '{"error":{"message":"mock error","type":"server_error","code":"mock"}}'
    for (const payload of [
      { status: 'failed', error: message, token_usage: null },
      { token_usage: null, error: message, status: 'failed' },
    ]) {
      const event = read({ hook_event_name: 'PostModelRequest', ...payload })
      expect(event).toMatchObject({ type: 'StopFailure', native: 'PostModelRequest' })
      expect(event.error).toEqual({ kind: 'server_error', message })
      expect(event.usage).toBeUndefined()
      expect(event.unknown).toBeUndefined()
    }
  })

  test.each([
    [null, 'unknown'],
    ['something odd', 'unknown'],
    ['{"error":{"type":"insufficient_quota","message":"You exceeded your current quota"}}', 'billing_error'],
    ['unexpected status 429 Too Many Requests: {"error":{"type":"requests"}}', 'rate_limit'],
    ['{"error":{"code":"rate_limit_exceeded"}}', 'rate_limit'],
    ["You've hit your usage limit.", 'rate_limit'],
    [
      '{"error":{"type":"invalid_request_error","code":"invalid_api_key","message":"Incorrect API key"}}',
      'authentication_failed',
    ],
    ['{"error":{"type":"invalid_request_error","code":"model_not_found"}}', 'model_not_found'],
    ['unexpected status 503 : ', 'server_error'],
    [
      '{"error":{"type":"invalid_request_error","message":"Missing parameter: \'input\'"}}',
      'invalid_request',
    ],
    ['{"error":{"code":"context_length_exceeded"}}', 'invalid_request'],
    [`${'x'.repeat(3_000)} server_error`, 'unknown'],
  ])('%j is %s', (error, kind) => {
    const event = read({ hook_event_name: 'PostModelRequest', status: 'failed', error })
    expect(event.error).toEqual({ kind, ...(error !== null && { message: error }) })
  })
})

describe('notify', () => {
  const TURN = {
    type: 'agent-turn-complete',
    'thread-id': 's',
    'turn-id': 't',
    cwd: '/w',
    client: 'codex_exec',
    'input-messages': ['one', 'two'],
    'last-assistant-message': 'Done.',
  }
  const notify = (payload: unknown) => read(payload, { event: 'notify' })

  test('is the end of a turn, with its prompt and answer', () => {
    expect<unknown>(facts(notify(TURN))).toEqual({
      type: 'Stop',
      native: 'agent-turn-complete',
      sessionId: 's',
      turnId: 't',
      cwd: '/w',
      prompt: 'two',
      message: 'Done.',
      fields: { client: 'codex_exec', 'input-messages': ['one', 'two'] },
    })
  })

  test('may have no answer', () => {
    const event = notify({ ...TURN, 'last-assistant-message': null })
    expect(event.message).toBeUndefined()
    expect(event.unknown).toBeUndefined()
  })

  test.each([
    [['one', '<hook_prompt hook_run_id="stop:1">go on</hook_prompt>'], 'one', undefined],
    [['Another language model started to solve this problem and …'], 'Another language model', true],
    [[], undefined, undefined],
  ])('of %j', (messages, prompt, injected) => {
    const event = notify({ ...TURN, 'input-messages': messages })
    expect(event.prompt?.slice(0, 22)).toBe(prompt as string)
    expect(event.promptInjected).toBe(injected as true)
  })

  test('from the title thread is hidden', () => {
    const title =
      'Generate a concise, single-line task title of at most 36 characters …\n\nUser prompt:\nfirst'
    expect(notify({ ...TURN, 'input-messages': [title] }).hidden).toBe('title-thread')
    expect(notify({ ...TURN, 'input-messages': ['first', title] }).hidden).toBeUndefined()
  })

  test('without a client is a turn, too, with or without the word notify', () => {
    const { client: _, cwd: __, 'turn-id': ___, ...turn } = TURN
    for (const event of [notify(turn), read(turn)]) {
      expect(event).toMatchObject({ type: 'Stop', sessionId: 's', prompt: 'two', message: 'Done.' })
      expect(event.hidden).toBeUndefined()
    }
    expect(read({ type: 'approval-requested', 'thread-id': 's' }).type).not.toBe('Stop')
  })

  test('of an unknown kind keeps its name; without one it is just notify', () => {
    expect(notify({ ...TURN, type: 'approval-requested' })).toMatchObject({
      type: 'approval-requested',
      native: 'approval-requested',
    })
    expect(notify({ cwd: '/w' })).toMatchObject({ type: 'notify', native: 'notify', cwd: '/w' })
    expect(notify({ ...TURN, 'input-messages': 'two' }).unknown).toEqual(['input-messages:string'])
  })

  test('is only recognised as an argument', () => {
    const event = read({ ...TURN, hook_event_name: 'SessionStart' })
    expect(event).toMatchObject({ type: 'SessionStart', unknown: expect.arrayContaining(['type']) })
  })
})

function tool(name: string, response: unknown): object {
  return { name, input: undefined, response }
}
