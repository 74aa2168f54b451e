import { describe, expect, test } from 'bun:test'
import type { HookEvent } from '../../events/index.ts'
import { asksPermission } from '../facts.ts'
import { rawEventOf } from '../testkit.ts'
import { read } from './read.ts'

function readAs(event: string, payload: object): HookEvent {
  return read({ session_id: 's', hook_event_name: event, ...payload }, rawEventOf('gemini', payload))
}

describe('each native field is mapped', () => {
  const diff = { type: 'edit', title: 'Confirm Edit: a.txt', fileName: 'a.txt', filePath: '/w/a.txt' }
  const request = { model: 'gemini-2.5-pro', messages: [], config: {} }
  const counts = { promptTokenCount: 100, candidatesTokenCount: 10, totalTokenCount: 110 }
  const mcp = { server_name: 'fix', tool_name: 'echo' }
  const response = { llmContent: 'ok', returnDisplay: '' }
  const failed = { ...response, error: { message: 'File not found', type: 'file_not_found' } }
  const rows: [event: string, payload: object, type: string, expected: object][] = [
    [
      'SessionStart',
      { transcript_path: '/t', cwd: '/w', timestamp: '2026-11-15T02:57:02.797Z', source: 'clear' },
      'SessionStart',
      {
        transcriptPath: '/t',
        cwd: '/w',
        source: 'clear',
        fields: { timestamp: '2026-11-15T02:57:02.797Z' },
      },
    ],
    ['SessionEnd', { reason: 'exit' }, 'SessionEnd', { reason: 'exit' }],
    ['BeforeAgent', { prompt: 'go' }, 'UserPromptSubmit', { prompt: 'go' }],
    [
      'AfterAgent',
      { prompt: 'go', prompt_response: 'one two. two.', stop_hook_active: true },
      'Stop',
      { prompt: 'go', stopHookActive: true, fields: { prompt_response: 'one two. two.' } },
    ],
    [
      'BeforeModel',
      { llm_request: request },
      'PreModelRequest',
      { model: request.model, fields: { llm_request: request } },
    ],
    [
      'BeforeToolSelection',
      { llm_request: request },
      'PreToolSelection',
      { model: request.model, fields: { llm_request: request } },
    ],
    [
      'AfterModel',
      { llm_request: request, llm_response: { text: 'a', candidates: [], usageMetadata: counts } },
      'PostModelRequest',
      {
        model: request.model,
        usage: { inputTokens: 100, contextTokens: 100, outputTokens: 10 },
        fields: {
          llm_request: request,
          llm_response: { text: 'a', candidates: [], usageMetadata: counts },
        },
      },
    ],
    [
      'AfterModel',
      { llm_response: { text: 'a' } },
      'PostModelRequest',
      { fields: { llm_response: { text: 'a' } } },
    ],
    [
      'BeforeTool',
      { tool_name: 'mcp_fix_echo', tool_input: { text: 'hi' }, mcp_context: mcp },
      'PreToolUse',
      {
        tool: { name: 'mcp_fix_echo', input: { text: 'hi' }, mcpServer: 'fix' },
        fields: { mcp_context: mcp },
      },
    ],
    [
      'AfterTool',
      { tool_name: 'read_file', tool_input: {}, tool_response: response, original_request_name: 'glob' },
      'PostToolUse',
      { tool: { name: 'read_file', input: {}, response }, fields: { original_request_name: 'glob' } },
    ],
    [
      'AfterTool',
      { tool_response: failed, tool_input: {}, tool_name: 'read_file' },
      'PostToolUseFailure',
      { tool: { name: 'read_file', input: {}, response: failed, error: 'File not found' } },
    ],
    ['PreCompress', { trigger: 'auto' }, 'PreCompact', { trigger: 'auto', hidden: 'no-compaction' }],
    ['PreCompress', { trigger: 'manual' }, 'PreCompact', { trigger: 'manual', hidden: 'endless-compaction' }],
    [
      'Notification',
      { notification_type: 'ToolPermission', message: 'Tool … requires editing', details: diff },
      'Notification',
      {
        notification: {
          type: 'ToolPermission',
          message: 'Tool … requires editing',
          title: 'Confirm Edit: a.txt',
        },
        tool: { name: 'replace', input: { file_path: '/w/a.txt' } },
        fields: { details: diff },
      },
    ],
    [
      'Notification',
      { message: 'still there?', notification_type: 'Idle' },
      'Notification',
      { notification: { type: 'Idle', message: 'still there?' } },
    ],
  ]
  test.each(rows)('%s %j', (event, payload, type, expected) => {
    const { id: _, at: _at, receivedAt, agent, seq, client, transport, raw, ...rest } = readAs(event, payload)
    expect<unknown>(rest).toEqual({ type, native: event, sessionId: 's', ...expected })
  })

  test.each([
    ['BeforeModel', 'llm_request', 'x', 'llm_request:string'],
    ['AfterModel', 'llm_response', null, 'llm_response:null'],
    ['AfterModel', 'llm_response', { usageMetadata: { promptTokenCount: 'many' } }, 'llm_response:object'],
    ['BeforeTool', 'mcp_context', {}, 'mcp_context:object'],
    ['PreCompress', 'trigger', 1, 'trigger:number'],
    ['Notification', 'details', 'x', 'details:string'],
    ['Notification', 'details', { type: 'exec', title: 5 }, 'details:object'],
    ['SessionStart', 'mood', 'good', 'mood'],
  ])('%s %s of the wrong kind is kept and reported', (event, field, value, mark) => {
    expect(readAs(event, { [field]: value })).toMatchObject({ fields: { [field]: value }, unknown: [mark] })
  })
})

describe('a sub-agent call', () => {
  const input = { agent_name: 'generalist', prompt: 'look' }
  test.each([
    ['BeforeTool', { tool_name: 'invoke_agent', tool_input: input }, 'generalist'],
    ['AfterTool', { tool_input: input, tool_name: 'invoke_agent', tool_response: {} }, 'generalist'],
    ['BeforeTool', { tool_name: 'invoke_agent', tool_input: { prompt: 'look' } }, undefined],
    ['BeforeTool', { tool_name: 'invoke_agent', tool_input: 'look' }, undefined],
    ['BeforeTool', { tool_name: 'read_file', tool_input: input }, undefined],
  ])('%s %j', (event, payload, agent) => {
    expect(readAs(event, payload).tool?.agent).toBe(agent as string)
  })
})

describe('the asking tool of a permission', () => {
  test.each([
    [{ type: 'exec', title: 'Confirm Shell Command', command: 'ls' }, 'run_shell_command', { command: 'ls' }],
    [{ type: 'sandbox_expansion', title: 'Sandbox' }, 'run_shell_command', undefined],
    [{ type: 'edit', title: 'Confirm Write: a' }, 'write_file', {}],
    [{ type: 'edit', title: 'Bestätige: a', filePath: '/a' }, 'write_file', { file_path: '/a' }],
    [{ type: 'mcp', serverName: 'fix', toolName: 'echo' }, 'mcp_fix_echo', undefined],
    [
      { type: 'info', title: 'Activate Skill: pdf', prompt: 'You are about' },
      'activate_skill',
      { prompt: 'You are about' },
    ],
    [{ type: 'info', title: 'Enter Plan Mode', prompt: 'p' }, 'enter_plan_mode', { prompt: 'p' }],
    [{ type: 'info', title: 'Confirm: SaveMemory', prompt: 'p' }, 'SaveMemory', { prompt: 'p' }],
    [
      { type: 'info', title: 'Call Remote Agent: bob', prompt: 'p' },
      'Call Remote Agent: bob',
      { prompt: 'p' },
    ],
    [{ type: 'info' }, 'info', {}],
    [{ type: 'ask_user', title: 'Which?' }, 'ask_user', undefined],
    [{ type: 'exit_plan_mode', title: 'Plan' }, 'exit_plan_mode', undefined],
  ])('%j', (details, name, input) => {
    const event = readAs('Notification', { notification_type: 'ToolPermission', details })
    expect(event.type).toBe('Notification')
    expect(asksPermission(event)).toBe(true)
    expect(event.tool?.name).toBe(name)
    expect(event.tool?.input).toEqual(input)
    expect(event.unknown).toBeUndefined()
  })
})

test.each([
  [{ error: 'just text' }, 'PostToolUseFailure', 'just text'],
  [{ error: { type: 'unknown' } }, 'PostToolUseFailure', undefined],
  [{ error: null }, 'PostToolUse', undefined],
  ['text', 'PostToolUse', undefined],
])('a tool response of %j is a %s', (tool_response, type, error) => {
  const event = readAs('AfterTool', { tool_name: 'x', tool_response })
  expect(event.type).toBe(type)
  expect(event.tool?.error).toBe(error as string)
  expect(event.tool?.response).toBe(tool_response)
})
