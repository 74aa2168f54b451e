import { describe, expect, test } from 'bun:test'
import type { HookEvent, RawEvent } from '../events/index.ts'
import { claude } from './claude/index.ts'
import { toSnakeCase, typeName } from './payload.ts'
import { rawEventOf } from './testkit.ts'

function read(payload: unknown, rest: Partial<RawEvent> = {}): HookEvent {
  return claude.read(payload, rawEventOf('claude', payload, rest))
}

describe('event names', () => {
  test.each(['PreToolUse', 'preToolUse', 'pre-tool-use', 'pre_tool_use', 'PRE_TOOL_USE'])(
    '%s is PreToolUse, and stays the native name',
    (name) => {
      expect(read({ hook_event_name: name })).toMatchObject({ type: 'PreToolUse', native: name })
      expect(read({}, { event: name })).toMatchObject({ type: 'PreToolUse', native: name })
    },
  )

  test.each(['statusLine', 'StatusLine', 'status-line'])('%s is StatusLine', (event) => {
    expect(read({}, { event }).type).toBe('StatusLine')
  })

  test('the payload names the event before the command line does', () => {
    expect(read({ hook_event_name: 'Stop' }, { event: 'SessionEnd' }).type).toBe('Stop')
    expect(read({ hook_event_name: '' }, { event: 'SessionEnd' }).type).toBe('SessionEnd')
  })

  test.each(['hookEventName', 'hook-event-name'])('%s names it, too', (key) => {
    const event = read({ [key]: 'Stop', session_id: 's' })
    expect(event).toMatchObject({ type: 'Stop', native: 'Stop' })
    expect(event.fields).toBeUndefined()
  })
})

test('an event name that was not used is kept', () => {
  expect(read({ HookEventName: 'Stop' }, { event: 'SessionEnd' })).toMatchObject({
    type: 'SessionEnd',
    fields: { hook_event_name: 'Stop' },
  })
})

describe('spellings of fields', () => {
  test.each([
    ['UserPromptSubmit', { user_prompt: 'hi' }, { prompt: 'hi' }],
    ['UserPromptSubmit', { user_input: 'hi' }, { prompt: 'hi' }],
    ['UserPromptSubmit', { userInput: 'hi' }, { prompt: 'hi' }],
    ['PostToolUse', { tool_output: 'ok' }, { tool: { name: '', input: undefined, response: 'ok' } }],
    ['SubagentStop', { agent_name: 'a' }, { agentId: 'a' }],
    ['Stop', { sessionId: 'x', transcriptPath: '/t' }, { sessionId: 'x', transcriptPath: '/t' }],
    ['Stop', { 'session-id': 'x', 'last-assistant-message': 'm' }, { sessionId: 'x', message: 'm' }],
    ['PreToolUse', { toolUseID: 't' }, { tool: { name: '', input: undefined, useId: 't' } }],
    ['PermissionRequest', { permissionSuggestions: [1] }, { fields: { permission_suggestions: [1] } }],
  ])('%s %j', (event, payload, expected) => {
    const read = claude.read({ hook_event_name: event, ...payload }, rawEventOf('claude', payload))
    expect(read).toMatchObject(expected)
    expect(read.unknown).toBeUndefined()
  })

  test('the exact spelling wins in any order, and the other is kept', () => {
    for (const payload of [
      { prompt: 'right', user_prompt: 'other' },
      { user_prompt: 'other', prompt: 'right' },
    ]) {
      const event = read({ hook_event_name: 'UserPromptSubmit', ...payload })
      expect(event.prompt).toBe('right')
      expect(event.fields).toEqual({ user_prompt: 'other' })
      expect(event.unknown).toEqual(['user_prompt'])
    }
  })

  test('the first of two other spellings wins', () => {
    const event = read({ hook_event_name: 'UserPromptSubmit', user_input: 'one', user_prompt: 'two' })
    expect(event.prompt).toBe('one')
    expect(event.fields).toEqual({ user_prompt: 'two' })
  })

  test.each([
    ['tool_use_id', 'tool_use_id'],
    ['toolUseId', 'tool_use_id'],
    ['toolUseID', 'tool_use_id'],
    ['ToolUseId', 'tool_use_id'],
    ['tool-use-id', 'tool_use_id'],
    ['index2Value', 'index2_value'],
    ['', ''],
  ])('%s → %s', (key, snake) => expect(toSnakeCase(key)).toBe(snake))
})

test('type names distinguish null and arrays from objects', () => {
  expect([null, [], {}, '', 1, true, undefined].map(typeName)).toEqual([
    'null',
    'array',
    'object',
    'string',
    'number',
    'boolean',
    'undefined',
  ])
})

test('facts of the raw event are passed on without a copy', () => {
  const payload = { hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_input: { command: 'ls' }, odd: {} }
  const from = rawEventOf('claude', payload, { cutFrom: 9_000_000, transport: 'spool' })
  const event = claude.read(payload, from)
  expect(event).toMatchObject({
    id: from.id,
    at: from.at,
    receivedAt: from.receivedAt,
    agent: 'claude',
    seq: 0,
  })
  expect(event).toMatchObject({ cutFrom: 9_000_000, transport: 'spool' })
  expect(event.client).toBe(from.client)
  expect(event.tool?.input).toBe(payload.tool_input)
  expect(event.fields?.odd).toBe(payload.odd)
})
