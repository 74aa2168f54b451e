import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import type { HookEvent, RawEvent } from '../../events/index.ts'
import { rawEventOf, recorded } from '../testkit.ts'
import { read as readOpencode } from './read.ts'

const FIXTURES = join(import.meta.dir, '../../../test/fixtures/opencode/1.18.33')

function read(payload: unknown, rest: Partial<RawEvent> = {}): HookEvent {
  return readOpencode(payload, rawEventOf('opencode', payload, rest))
}

/** The fields that come from the payload, without those of the raw event. */
function made(event: HookEvent): object {
  const { id, at, receivedAt, agent, seq, client, transport, raw, ...rest } = event
  return rest
}

describe('each field of a hook is mapped', () => {
  const rows: [event: string, input: object, output: object, expected: object][] = [
    [
      'tool.execute.before',
      { tool: 'bash', sessionID: 's', callID: 'c' },
      { args: { command: 'ls' } },
      { type: 'PreToolUse', tool: { name: 'bash', input: { command: 'ls' }, useId: 'c' } },
    ],
    [
      'tool.execute.after',
      { tool: 'bash', sessionID: 's', callID: 'c', args: { command: 'ls' } },
      { title: 'ls', output: 'a', metadata: { exit: 0 } },
      {
        type: 'PostToolUse',
        tool: {
          name: 'bash',
          input: { command: 'ls' },
          useId: 'c',
          response: { title: 'ls', output: 'a', metadata: { exit: 0 } },
        },
      },
    ],
    [
      'experimental.text.complete',
      { sessionID: 's', messageID: 'm', partID: 'p' },
      { text: 'Done.' },
      {
        type: 'TextComplete',
        message: 'Done.',
        fields: { input: { sessionID: 's', messageID: 'm', partID: 'p' } },
      },
    ],
    [
      'experimental.session.compacting',
      { sessionID: 's' },
      { context: [] },
      { type: 'PreCompact', fields: { output: { context: [] } } },
    ],
    [
      'command.execute.before',
      { sessionID: 's', command: 'init', arguments: 'x' },
      { parts: [{ type: 'text', text: 'Make a file.' }] },
      {
        type: 'UserPromptExpansion',
        prompt: 'Make a file.',
        fields: {
          input: { sessionID: 's', command: 'init', arguments: 'x' },
          output: { parts: [{ type: 'text', text: 'Make a file.' }] },
        },
      },
    ],
  ]
  test.each(rows)('%s', (event, input, output, expected) => {
    expect(made(read({ input, output }, { event }))).toEqual({ native: event, sessionId: 's', ...expected })
  })

  test('a prompt is the typed text, with its message and model', () => {
    const message = { id: 'm', role: 'user', agent: 'build', model: { providerID: 'p', modelID: 'big' } }
    const parts = [
      { type: 'text', text: 'Explain' },
      { type: 'file', url: 'file:///w/a.ts' },
      { type: 'text', text: 'Called the Read tool …', synthetic: true },
      { type: 'text', text: 'this' },
    ]
    const event = read({ input: { sessionID: 's' }, output: { message, parts } }, { event: 'chat.message' })
    expect(event).toMatchObject({
      type: 'UserPromptSubmit',
      prompt: 'Explain\nthis',
      turnId: 'm',
      model: 'big',
    })
    expect(event.promptInjected).toBeUndefined()
    expect(event.fields).toMatchObject({ output: { parts } })
  })

  test('a prompt with only synthetic parts was not typed by a person', () => {
    const parts = [{ type: 'text', text: 'Continue if you have next steps', synthetic: true }]
    const event = read({ input: { sessionID: 's' }, output: { parts } }, { event: 'chat.message' })
    expect(event).toMatchObject({ prompt: 'Continue if you have next steps', promptInjected: true })
  })

  test.each([
    ['title', 'title-request'],
    ['build', undefined],
  ])('the request of agent %s', (agent, hidden) => {
    const event = read({ input: { sessionID: 's', agent, model: { id: 'big' } } }, { event: 'chat.params' })
    expect(event).toMatchObject({ type: 'PreModelRequest', model: 'big' })
    expect(event.hidden).toBe(hidden as string)
  })
})

describe('each field of a bus event is mapped', () => {
  const rows: [type: string, properties: object, expected: object][] = [
    ['session.idle', {}, { type: 'Stop' }],
    ['session.compacted', {}, { type: 'PostCompact' }],
    ['session.deleted', { info: { id: 's' } }, { type: 'SessionEnd' }],
    [
      'session.created',
      { info: { id: 's', version: '1.18.33', directory: '/w', cost: 0, tokens: { input: 0, output: 0 } } },
      {
        type: 'SessionStart',
        agentVersion: '1.18.33',
        cwd: '/w',
        usage: { costUsd: 0 },
      },
    ],
    [
      'session.updated',
      { info: { id: 's', model: { id: 'big' } } },
      { type: 'SessionUpdated', model: 'big' },
    ],
    [
      'session.error',
      { error: { name: 'APIError', data: { message: 'Overloaded', statusCode: 529 } } },
      { type: 'StopFailure', error: { kind: 'APIError', message: 'Overloaded' } },
    ],
    [
      'session.error',
      { error: { name: 'MessageAbortedError', data: { message: 'Aborted' } } },
      { type: 'Interrupt' },
    ],
    [
      'permission.asked',
      {
        id: 'per_1',
        permission: 'bash',
        patterns: ['touch x'],
        metadata: { command: 'touch x' },
        always: ['touch *'],
        tool: { messageID: 'm', callID: 'c' },
      },
      { type: 'PermissionRequest', tool: { name: 'bash', input: { command: 'touch x' }, useId: 'c' } },
    ],
    [
      'permission.replied',
      { requestID: 'per_1', reply: 'reject' },
      { type: 'PermissionReplied', reason: 'reject' },
    ],
    [
      'question.asked',
      { id: 'q', questions: [{ question: 'Which?', header: 'Pick', options: [] }], tool: { callID: 'c' } },
      {
        type: 'Notification',
        notification: { type: 'elicitation_dialog', message: 'Which?', title: 'Pick' },
        tool: { name: 'question', input: undefined, useId: 'c' },
      },
    ],
    ['question.rejected', { requestID: 'q' }, { type: 'ElicitationResult' }],
    [
      'message.updated',
      {
        info: {
          role: 'assistant',
          modelID: 'big',
          path: { cwd: '/w' },
          tokens: { input: 5, output: 9, cache: { read: 20, write: 3 } },
        },
      },
      { type: 'MessageUpdated', model: 'big', cwd: '/w', usage: { contextTokens: 37 } },
    ],
    [
      'message.part.updated',
      {
        part: {
          type: 'tool',
          tool: 'read',
          callID: 'c',
          state: {
            status: 'error',
            input: { filePath: '/x' },
            error: 'File not found: /x',
            time: { start: 5, end: 12 },
          },
        },
      },
      {
        type: 'PostToolUseFailure',
        tool: {
          name: 'read',
          input: { filePath: '/x' },
          useId: 'c',
          error: 'File not found: /x',
          durationMs: 7,
        },
      },
    ],
    [
      'message.part.updated',
      { part: { type: 'tool', tool: 'read', callID: 'c', state: { status: 'completed' } }, time: 5 },
      { type: 'MessagePartUpdated' },
    ],
    ['message.part.delta', { field: 'text', delta: 'a' }, { type: 'MessagePartDelta' }],
    ['installation.update-available', { version: '2.0.0' }, { type: 'InstallationUpdateAvailable' }],
  ]
  test.each(rows)('%s %j', (type, properties, expected) => {
    const all = { sessionID: 's', ...properties }
    const event = made(read({ id: 'evt_1', type, properties: all }))
    const fields = Object.keys(properties).length > 0 ? { id: 'evt_1', properties: all } : { id: 'evt_1' }
    expect<unknown>(event).toEqual({ native: type, sessionId: 's', fields, ...expected })
  })

  test('an interrupted tool is distinguished from a failed one', () => {
    const state = { status: 'error', error: 'Tool execution aborted', metadata: { interrupted: true } }
    const properties = { sessionID: 's', part: { type: 'tool', tool: 'bash', callID: 'c', state } }
    expect(read({ type: 'message.part.updated', properties }).tool?.interrupted).toBe(true)
  })
})

describe('the name', () => {
  test.each(['session.idle', 'event:session.idle', undefined, 'chat.message'])(
    'given %s, the type is used',
    (event) => {
      const payload = { id: 'evt_1', type: 'session.idle', properties: { sessionID: 's' } }
      expect(read(payload, event === undefined ? {} : { event })).toMatchObject({
        type: 'Stop',
        native: 'session.idle',
      })
    },
  )

  test('a bus event without a type is named by the frame', () => {
    expect(read({ properties: { sessionID: 's' } }, { event: 'event:session.idle' })).toMatchObject({
      type: 'Stop',
      native: 'session.idle',
    })
  })

  test.each([
    ['session.next.mood.changed', 'SessionNextMoodChanged'],
    ['experimental.mood-ring', 'MoodRing'],
    ['NeverHeardOf', 'NeverHeardOf'],
  ])('%s, which nobody knows, becomes %s', (native, type) => {
    const event = read({ properties: { sessionID: 's', mood: 'good' } }, { event: native })
    expect(event).toMatchObject({ native, type, sessionId: 's', unknown: ['properties.mood'] })
  })
})

describe('child sessions', () => {
  const child = { parentID: 'root', agentType: 'general' }

  test.each([
    ['session.created', 'SubagentStart'],
    ['session.idle', 'SubagentStop'],
    ['session.deleted', 'SubagentStop'],
    ['session.status', 'SessionStatus'],
  ])('%s is %s, keyed by the root that the plugin knows', (type, expected) => {
    const info = { id: 'child', parentID: 'between', agent: 'explore' }
    const event = read({ id: 'evt_1', type, properties: { sessionID: 'child', info }, ...child })
    expect(event).toMatchObject({ type: expected, sessionId: 'root', agentId: 'child', agentType: 'general' })
  })

  test('without a root from the plugin, the session itself names its parent', () => {
    const info = { id: 'child', parentID: 'parent', agent: 'explore' }
    const event = read({ type: 'session.created', properties: { sessionID: 'child', info } })
    expect(event).toMatchObject({
      type: 'SubagentStart',
      sessionId: 'parent',
      agentId: 'child',
      agentType: 'explore',
    })
  })

  test('tools and prompts belong to the child, and nobody typed the prompt', () => {
    const tool = { input: { sessionID: 'child', tool: 'bash', callID: 'c' }, output: { args: {} }, ...child }
    expect(read(tool, { event: 'tool.execute.before' })).toMatchObject({
      sessionId: 'root',
      agentId: 'child',
    })
    const parts = [{ type: 'text', text: 'SUBTASK' }]
    const prompt = { input: { sessionID: 'child' }, output: { parts }, ...child }
    expect(read(prompt, { event: 'chat.message' })).toMatchObject({ agentId: 'child', promptInjected: true })
  })

  test('the parentID of a message is not a session', () => {
    const info = { id: 'm2', parentID: 'm1', role: 'assistant', sessionID: 's' }
    const event = read({ type: 'message.updated', properties: { sessionID: 's', info } })
    expect(event).toMatchObject({ sessionId: 's' })
    expect(event.agentId).toBeUndefined()
  })

  test('the recording contains one', () => {
    const lines = recorded(`${FIXTURES}/opencode-subagent.jsonl`)
    const events = lines.map((line) => read(line.payload, { event: line.event }))
    const starts = events.filter((event) => /^(Session|Subagent)Start$/.test(event.type))
    expect(starts.map((event) => event.type)).toEqual(['SessionStart', 'SubagentStart'])
    expect(starts[1]).toMatchObject({ sessionId: starts[0]?.sessionId as string, agentType: 'general' })
  })
})

test('an event with only the session itself, as older versions send it, is understood', () => {
  expect(read({ type: 'session.created', properties: { info: { id: 's' } } }).sessionId).toBe('s')
})

test('an end raised by an observer reaches its session', () => {
  const payload = { session_id: 's', hook_event_name: 'SessionEnd', reason: 'gone: process 42 ended' }
  const event = made(read(payload, { transport: 'healer' }))
  expect<unknown>(event).toEqual({
    type: 'SessionEnd',
    native: 'SessionEnd',
    sessionId: 's',
    reason: 'gone: process 42 ended',
  })
})

test('dispose ends the session it names; without one, only the plugin ends', () => {
  expect(read({ sessionID: 's' }, { event: 'dispose' })).toMatchObject({ type: 'SessionEnd', sessionId: 's' })
  expect(read({}, { event: 'dispose' })).toMatchObject({ type: 'PluginDispose', sessionId: '' })
})

test('the version comes from the session, or from the plugin', () => {
  const client = { env: { OPENCODE_VERSION: '1.18.33' } }
  expect(read({ type: 'session.idle', properties: {} }, { client }).agentVersion).toBe('1.18.33')
  const info = { id: 's', version: '1.19.0' }
  expect(read({ type: 'session.updated', properties: { info } }, { client }).agentVersion).toBe('1.19.0')
})

test('unknown fields and types are kept and reported with their path', () => {
  const input = { tool: 5, sessionID: 's', callID: 'c', mood: 'good' }
  const event = read({ input, output: { args: {} }, extra: 1 }, { event: 'tool.execute.before' })
  expect(event.fields).toEqual({ input, extra: 1 })
  expect(event.unknown).toEqual(['input.tool:number', 'input.mood', 'extra'])
})

describe('fields added by the plugin', () => {
  test('the context window: usage is shown as opencode itself shows it', () => {
    const tokens = {
      total: 40_525,
      input: 38_000,
      output: 20,
      reasoning: 5,
      cache: { read: 2_500, write: 0 },
    }
    const info = { id: 'msg_1', role: 'assistant', providerID: 'mock', modelID: 'big', tokens }
    const event = read({
      id: 'evt_1',
      type: 'message.updated',
      properties: { sessionID: 's', info },
      contextWindow: 100_000,
    })
    expect(event.usage).toEqual({ contextTokens: 40_525, contextPct: 40.525 })
    expect(event.unknown).toBeUndefined()
  })

  test('whether a session was created by a prompt, and whether it was resumed', () => {
    const info = { id: 's', title: 'New session - now', directory: '/w' }
    const properties = { sessionID: 's', info }
    expect(read({ id: 'e', type: 'session.created', properties, prompted: true })).toMatchObject({
      type: 'SessionStart',
      prompted: true,
    })
    expect(read({ type: 'session.resumed', properties })).toMatchObject({
      type: 'SessionStart',
      source: 'resume',
      sessionId: 's',
    })
  })
})
