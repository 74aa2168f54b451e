import { describe, expect, test } from 'bun:test'
import type { HookEvent, RawEvent } from '../../events/index.ts'
import { rawEventOf } from '../testkit.ts'
import { read as readCopilot } from './read.ts'

function read(payload: unknown, rest: Partial<RawEvent> = {}): HookEvent {
  return readCopilot(payload, rawEventOf('copilot', payload, rest))
}

/** The fields that come from the payload, without those of the raw event. */
function readAs(event: string, payload: object): object {
  const { id, at, receivedAt, agent, seq, client, transport, raw, ...rest } = read(payload, { event })
  return rest
}

type Row = [event: string, payload: object, expected: object]

describe('each camelCase field is mapped', () => {
  const rows: Row[] = [
    [
      'sessionStart',
      { cwd: '/w', source: 'new', initialPrompt: 'go' },
      { type: 'SessionStart', cwd: '/w', source: 'new', prompt: 'go' },
    ],
    ['sessionStart', { workingDirectory: '/w' }, { type: 'SessionStart', cwd: '/w' }],
    ['sessionEnd', { reason: 'user_exit' }, { type: 'SessionEnd', reason: 'user_exit' }],
    ['userPromptSubmitted', { prompt: 'go' }, { type: 'UserPromptSubmit', prompt: 'go' }],
    [
      'userPromptTransformed',
      { prompt: 'go', transformedPrompt: '<date> go' },
      { type: 'UserPromptTransformed', prompt: 'go', fields: { transformedPrompt: '<date> go' } },
    ],
    [
      'preToolUse',
      { toolName: 'bash', toolArgs: { command: 'ls' } },
      { type: 'PreToolUse', tool: { name: 'bash', input: { command: 'ls' } } },
    ],
    [
      'preToolUse',
      { toolName: 'apply_patch', toolArgs: '*** Begin Patch' },
      { type: 'PreToolUse', tool: { name: 'apply_patch', input: '*** Begin Patch' } },
    ],
    [
      'permissionRequest',
      {
        hookName: 'permissionRequest',
        toolName: 'edit',
        toolInput: { diff: '+x' },
        permissionSuggestions: [],
      },
      {
        type: 'PermissionRequest',
        hidden: 'before-rules',
        tool: { name: 'edit', input: { diff: '+x' } },
        fields: { permissionSuggestions: [] },
      },
    ],
    [
      'permissionRequest',
      { toolName: 'files/read', toolInput: {} },
      {
        type: 'PermissionRequest',
        hidden: 'before-rules',
        tool: { name: 'files/read', input: {}, mcpServer: 'files' },
      },
    ],
    [
      'preMcpToolCall',
      { toolCallId: 'c', serverName: 'files', toolName: 'read', arguments: { a: 1 }, _meta: {} },
      {
        type: 'PreMcpToolCall',
        tool: { name: 'read', input: { a: 1 }, useId: 'c', mcpServer: 'files' },
        fields: { _meta: {} },
      },
    ],
    [
      'postToolUse',
      { toolName: 'bash', toolArgs: {}, toolResult: { resultType: 'success', textResultForLlm: 'exit 3' } },
      {
        type: 'PostToolUse',
        tool: { name: 'bash', input: {}, response: { resultType: 'success', textResultForLlm: 'exit 3' } },
      },
    ],
    [
      'postToolUse',
      { toolName: 'view', toolArgs: {}, toolResult: { resultType: 'failure', textResultForLlm: 'no file' } },
      {
        type: 'PostToolUseFailure',
        tool: {
          name: 'view',
          input: {},
          response: { resultType: 'failure', textResultForLlm: 'no file' },
          error: 'no file',
        },
      },
    ],
    [
      'postToolUseFailure',
      { toolName: 'view', toolArgs: {}, error: 'Path does not exist' },
      { type: 'PostToolUseFailure', tool: { name: 'view', input: {}, error: 'Path does not exist' } },
    ],
    [
      'errorOccurred',
      { errorContext: 'model_call', recoverable: true, error: { message: 'm', name: 'Error', stack: 's' } },
      {
        type: 'PostModelRequest', // it is retried
        error: { kind: 'model_call', message: 'm' },
        fields: { recoverable: true, error: { message: 'm', name: 'Error', stack: 's' } },
      },
    ],
    [
      'errorOccurred',
      { errorContext: 'model_call', recoverable: false, error: { message: 'm' } },
      {
        type: 'StopFailure',
        error: { kind: 'model_call', message: 'm' },
        fields: { recoverable: false, error: { message: 'm' } },
      },
    ],
    ['errorOccurred', { error: 'm' }, { type: 'StopFailure', error: { kind: '', message: 'm' } }],
    [
      'agentStop',
      { transcriptPath: '/t', stopReason: 'end_turn', stop_hook_active: true },
      { type: 'Stop', transcriptPath: '/t', reason: 'end_turn', stopHookActive: true },
    ],
    [
      'subagentStart',
      { agentName: 'g', agentId: 'a', agentType: 'g', parentAgentId: 's' },
      {
        type: 'SubagentStart',
        agentId: 'a',
        agentType: 'g',
        fields: { agentName: 'g', parentAgentId: 's' },
      },
    ],
    [
      'subagentStop',
      { agentName: 'g', agentId: 'a', agentType: 'g', response: 'done', stopReason: 'end_turn' },
      {
        type: 'SubagentStop',
        agentId: 'a',
        agentType: 'g',
        message: 'done',
        reason: 'end_turn',
        fields: { agentName: 'g' },
      },
    ],
    [
      'preCompact',
      { trigger: 'manual', customInstructions: '' },
      { type: 'PreCompact', trigger: 'manual', fields: { customInstructions: '' } },
    ],
  ]
  test.each(rows)('%s %j', (event, payload, expected) => {
    expect(readAs(event, { sessionId: 's', ...payload })).toEqual({
      native: event,
      sessionId: 's',
      ...expected,
    })
  })

  test('a notification has the PascalCase name and otherwise camelCase fields', () => {
    const payload = {
      sessionId: 's',
      message: 'Shell command done.',
      title: 'd',
      hook_event_name: 'Notification',
      notification_type: 'shell_completed',
    }
    expect(readAs('notification', payload)).toEqual({
      type: 'Notification',
      native: 'Notification',
      sessionId: 's',
      notification: { type: 'shell_completed', message: 'Shell command done.', title: 'd' },
    })
  })
})

describe('each field of a PascalCase payload is mapped', () => {
  const rows: Row[] = [
    ['SessionStart', { initial_prompt: 'go' }, { type: 'SessionStart', prompt: 'go' }],
    ['UserPromptSubmit', { prompt: 'go' }, { type: 'UserPromptSubmit', prompt: 'go' }],
    [
      'PreToolUse',
      { tool_name: 'Bash', tool_input: { command: 'ls' } },
      { type: 'PreToolUse', tool: { name: 'Bash', input: { command: 'ls' } } },
    ],
    [
      'PostToolUse',
      { tool_name: 'Bash', tool_input: {}, tool_result: { result_type: 'success' } },
      { type: 'PostToolUse', tool: { name: 'Bash', input: {}, response: { result_type: 'success' } } },
    ],
    [
      'PostToolUseFailure',
      { tool_name: 'Read', tool_input: {}, error: 'no file' },
      { type: 'PostToolUseFailure', tool: { name: 'Read', input: {}, error: 'no file' } },
    ],
    [
      'ErrorOccurred',
      { error: { message: 'm' }, error_context: 'model_call', recoverable: true },
      {
        type: 'PostModelRequest',
        error: { kind: 'model_call', message: 'm' },
        fields: { error: { message: 'm' }, recoverable: true },
      },
    ],
    [
      'Stop',
      { transcript_path: '/t', stop_reason: 'end_turn', stop_hook_active: false },
      { type: 'Stop', transcriptPath: '/t', reason: 'end_turn', stopHookActive: false },
    ],
    [
      'SubagentStop',
      { agent_id: 'a', agent_type: 'g', agent_name: 'g', last_assistant_message: 'done' },
      { type: 'SubagentStop', agentId: 'a', agentType: 'g', message: 'done', fields: { agent_name: 'g' } },
    ],
  ]
  test.each(rows)('%s %j', (event, payload, expected) => {
    expect(readAs(event, { hook_event_name: event, session_id: 's', ...payload })).toEqual({
      native: event,
      sessionId: 's',
      ...expected,
    })
  })
})

describe('a camelCase payload gets its camelCase name, whatever the command line says', () => {
  test.each([
    ['PermissionRequest', { hookName: 'permissionRequest', toolName: 'bash' }, 'permissionRequest'],
    [
      'SubagentStart',
      { agentName: 'g', agent_id: 'a', agent_type: 'g', parent_agent_id: 's' },
      'subagentStart',
    ],
    ['Stop', { stopReason: 'end_turn' }, 'agentStop'],
    ['ToolRetried', { attempt: 2 }, 'ToolRetried'],
  ])('%s', (event, payload, native) => {
    expect(read({ sessionId: 's', ...payload }, { event })).toMatchObject({ native, sessionId: 's' })
  })
})

describe('subagents', () => {
  const child = { agentId: 'a', agentType: 'g', parentAgentId: 'p' }

  test('an event under the child’s session is assigned to the parent’s', () => {
    const event = read({ sessionId: 'a', toolName: 'bash', ...child }, { event: 'preToolUse' })
    expect(event).toMatchObject({ sessionId: 'p', agentId: 'a', agentType: 'g' })
  })

  test('in either spelling', () => {
    const payload = { hook_event_name: 'Stop', session_id: 'a', agent_id: 'a', parent_agent_id: 'p' }
    expect(read(payload)).toMatchObject({ sessionId: 'p', agentId: 'a', hidden: 'subagent-turn' })
  })

  test.each([undefined, null, 5, ''])('with a parent of %j it keeps its own', (parentAgentId) => {
    expect(read({ sessionId: 'a', agentId: 'a', parentAgentId }, { event: 'preToolUse' }).sessionId).toBe('a')
  })

  test('a stop of the main agent counts', () => {
    expect(read({ sessionId: 's' }, { event: 'agentStop' }).hidden).toBeUndefined()
  })
})

test.each([
  ['<system_notification>\nShell command "d" has completed.', true],
  ['What is a <system_notification>?', undefined],
])('%j', (prompt, injected) => {
  expect(read({ sessionId: 's', prompt }, { event: 'userPromptSubmitted' }).promptInjected).toBe(
    injected as true,
  )
})

describe('drift', () => {
  test.each([
    ['sessionStart', { mood: 'good' }, ['mood']],
    ['agentStop', { stopReason: 5 }, ['stopReason:number']],
    ['errorOccurred', { error: { code: 5 } }, ['error:object']],
    ['permissionRequest', { toolName: ['bash'] }, ['toolName:array']],
  ])('%s %j', (event, payload, unknown) => {
    const drifted = read({ sessionId: 's', ...payload }, { event })
    expect(drifted).toMatchObject({ fields: payload })
    expect(drifted.unknown).toEqual(unknown)
  })
})
