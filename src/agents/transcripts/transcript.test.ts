/** Facts parsed from real agents' transcripts. */
import { describe, expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { agentFor, type TranscriptFact } from '../index.ts'

const FIXTURES = join(import.meta.dir, '../../../test/fixtures')

function factsIn(agent: string, folder: string): TranscriptFact[] {
  const dir = join(FIXTURES, agent, folder)
  const [file = ''] = readdirSync(dir).filter((name) => name.endsWith('.jsonl'))
  const { transcript } = agentFor(agent)
  const read = transcript?.reading?.() ?? transcript?.read ?? (() => [])
  return readFileSync(join(dir, file), 'utf8')
    .split('\n')
    .flatMap((line) => read(line))
}

/** Each fact in a word or two, in order, without usage and titles. */
function told(facts: readonly TranscriptFact[]): string[] {
  return facts.flatMap((fact) => {
    switch (fact.kind) {
      case 'prompt':
        return `prompt ${fact.text}`
      case 'tool-start':
        return `${fact.name} begins`
      case 'tool-end':
        return `${fact.outcome}`
      case 'answer':
        return `answer ${fact.message ?? ''}`
      case 'permission-answered':
        return `${fact.outcome} by a person`
      case 'usage':
      case 'title':
      case 'version':
        return []
      default:
        return fact.kind
    }
  })
}

const of = <K extends TranscriptFact['kind']>(facts: readonly TranscriptFact[], kind: K) =>
  facts.filter((fact): fact is Extract<TranscriptFact, { kind: K }> => fact.kind === kind)

const claude = (line: object) =>
  agentFor('claude').transcript?.read(
    JSON.stringify({ type: 'user', timestamp: '2026-11-15T02:26:15.312Z', ...line }),
  ) ?? []
const claudeSays = (content: unknown, more: object = {}) =>
  told(claude({ message: { role: 'user', content }, ...more }))

describe('claude 2.1.325', () => {
  test('a turn with successful, failed and invalid calls', () => {
    const facts = factsIn('claude', '2.1.325/transcripts/basic')
    expect(told(facts)).toEqual([
      'prompt please do things [[s:main]]',
      ...['Bash', 'Write', 'Read', 'Edit'].flatMap((name) => [`${name} begins`, 'ok']),
      ...['Glob begins', 'Grep begins', 'ok', 'ok'],
      ...['Bash begins', 'error'],
      ...['TodoWrite begins', 'void'],
      ...['TaskCreate begins', 'ok', 'TaskUpdate begins', 'ok', 'Agent begins', 'ok'],
      'answer All finished.',
      'answer done',
    ])
    const [start] = of(facts, 'tool-start')
    expect(start).toMatchObject({
      useId: 'toolu_013hmq8yq7vgxjowl5a8mqk',
      input: { command: 'echo hi; pwd', description: 'say hi' },
      at: Date.parse('2026-11-15T02:54:18.951Z'),
    })
    const failed = of(facts, 'tool-end').find(({ outcome }) => outcome === 'error')
    expect(failed).toMatchObject({ error: 'Exit code 3\noops' })
  })

  test("a teammate's message is not a prompt, but starts a turn", () => {
    const message =
      'Another Claude session sent a message:\n<teammate-message teammate_id="bob" color="blue">\n{"type":"idle_notification","from":"bob"}\n</teammate-message>\n\nThis came from another Claude session'
    expect(claudeSays(message)).toEqual(['turn-start'])
  })

  test('a rejected dialog denies the call and interrupts the turn', () => {
    expect(told(factsIn('claude', '2.1.325/transcripts/i-perm-no'))).toEqual([
      'prompt run [[s:a]]',
      'Bash begins',
      'denied',
      'interrupt',
      'turn-end',
    ])
  })

  test('a compaction adds a summary, a command and its output, and no prompt', () => {
    expect(told(factsIn('claude', '2.1.325/transcripts/compact'))).toEqual([
      'prompt first [[s:one]]',
      'answer first answer',
      'prompt go on [[s:two]]',
      'answer after compact',
    ])
  })

  test('a sub-agent’s messages are not the session’s', () => {
    const folder = '2.1.325/transcripts/subagent-sync/00be1536-8336-475b-95ea-c7ea2e2258d8/subagents'
    expect(factsIn('claude', folder)).toEqual([])
  })

  test.each([
    ['a command', '<command-name>/model</command-name>\n<command-message>model</command-message>'],
    ['a command of one’s own', '<command-message>review is running</command-message>'],
    ['what a command printed', '<local-command-stdout>Set model</local-command-stdout>'],
    ['a ! command', '<bash-input>ls</bash-input>'],
    ['its output', '<bash-stdout>a.txt</bash-stdout><bash-stderr></bash-stderr>'],
    ['a task that ended', '<task-notification>\n<task-id>a1</task-id>'],
    ['a reminder', '<system-reminder>be brief</system-reminder>'],
    ['an interrupt', '[Request interrupted by user for tool use]'],
    ['nothing', '  '],
  ])('%s is no prompt', (_what, text) => {
    expect(claudeSays(text)).not.toContainEqual(expect.stringMatching(/^prompt/))
    expect(claudeSays([{ type: 'text', text }])).not.toContainEqual(expect.stringMatching(/^prompt/))
  })

  test.each([
    ['meta', { isMeta: true }],
    ['a summary', { isCompactSummary: true }],
    ['of a task that ended', { turnOrigin: 'task_notification' }],
    ['of a plugin', { origin: { kind: 'plugin' } }],
    ['of a subagent', { isSidechain: true }],
  ])('a line that is %s is no prompt', (_what, more) => {
    expect(claudeSays('go', more)).toEqual([])
    expect(claudeSays('go')).toEqual(['prompt go'])
  })

  test('a prompt with a picture and one that mentions tags are prompts', () => {
    const picture = { type: 'image', source: { type: 'base64', data: 'AAAA' } }
    expect(claudeSays([picture, { type: 'text', text: 'what is this?' }])).toEqual(['prompt what is this?'])
    expect(claudeSays('<div> is not closed')).toEqual(['prompt <div> is not closed'])
  })

  test('text before a call is not an answer, nor is one without a stop reason', () => {
    const line = (stop_reason: unknown) => ({
      type: 'assistant',
      message: { content: [{ type: 'text', text: 'Hm.' }], stop_reason },
    })
    expect(told(claude(line('tool_use')))).toEqual([])
    expect(told(claude(line(null)))).toEqual([])
    expect(claude(line('end_turn'))).toMatchObject([{ kind: 'answer', message: 'Hm.', final: true }])
  })
})

describe('codex 0.166.0', () => {
  test('its first line has the version, which its hooks lack', () => {
    expect(of(factsIn('codex', '0.166.0/transcripts/basic'), 'version')).toMatchObject([
      { version: '0.166.0' },
    ])
  })

  test('a turn with a command', () => {
    const facts = factsIn('codex', '0.166.0/transcripts/basic')
    expect(told(facts)).toEqual(['prompt do the thing', 'Bash begins', 'ok', 'ok', 'turn-end'])
    expect(of(facts, 'tool-start')).toEqual([
      {
        kind: 'tool-start',
        at: Date.parse('2026-11-15T02:42:30.729Z'),
        useId: 'call_1_0',
        name: 'Bash',
        input: { command: 'echo hi from codex && cat hello.txt' },
      },
    ])
  })

  test('tools have the same names as in hooks', () => {
    const facts = factsIn('codex', '0.166.0/transcripts/subagent')
    expect(of(facts, 'tool-start').map(({ name }) => name)).toEqual(
      hooksOf('subagent.jsonl').filter((name) => name !== 'Bash'), // the sub-agent's own
    )
  })

  test('a command interrupted by Esc has no result', () => {
    expect(told(factsIn('codex', '0.166.0/transcripts/interrupt-sigint'))).toEqual([
      'prompt go now',
      'Bash begins',
      'interrupt',
      'ok', // the process itself, after the turn
    ])
  })

  test.each([
    ['a patch', { type: 'custom_tool_call', name: 'apply_patch', input: '*** Begin' }, 'apply_patch'],
    [
      'an MCP tool',
      { type: 'function_call', name: 'echo', namespace: 'mcp__fix', arguments: '{}' },
      'mcp__fix__echo',
    ],
    [
      'keys for a running command',
      { type: 'function_call', name: 'write_stdin', arguments: '{}' },
      undefined,
    ],
    ['code that makes calls', { type: 'custom_tool_call', name: 'exec', input: 'await x()' }, undefined],
  ])('%s', (_what, payload, name) => {
    const line = { type: 'response_item', payload: { call_id: 'c1', ...payload } }
    const facts = agentFor('codex').transcript?.read(JSON.stringify(line)) ?? []
    expect(of(facts, 'tool-start').map((fact) => fact.name)).toEqual(name === undefined ? [] : [name])
  })

  test.each(['unsupported call: no_such_tool', 'unsupported custom tool call: no_such_tool'])(
    '%s',
    (output) => {
      const line = { type: 'response_item', payload: { type: 'function_call_output', call_id: 'c1', output } }
      const facts = agentFor('codex').transcript?.read(JSON.stringify(line)) ?? []
      expect(of(facts, 'tool-end')).toMatchObject([{ outcome: 'void', error: output }])
    },
  )

  test('a command that continues in the background has not ended', () => {
    const output = 'Chunk ID: 1\nWall time: 1.0 seconds\nProcess running with session ID 7\nOutput:\n'
    const line = { type: 'response_item', payload: { type: 'function_call_output', call_id: 'c1', output } }
    expect(agentFor('codex').transcript?.read(JSON.stringify(line))).toEqual([])
  })
})

describe('gemini 0.61.0', () => {
  test('a turn with several calls, one of which fails', () => {
    const facts = factsIn('gemini', '0.61.0/transcripts/basic')
    expect(told(facts)).toEqual([
      'prompt Read hello.txt, write out.txt and run a command',
      'answer Reading.',
      ...['read_file begins', 'ok'],
      ...['write_file begins', 'ok', 'run_shell_command begins', 'ok'],
      ...['replace begins', 'ok'],
      ...['read_file begins', 'error'],
      'answer All finished.',
    ])
    expect(of(facts, 'answer').every(({ final }) => !final)).toBe(true)
    expect(of(facts, 'tool-end').at(-1)).toMatchObject({
      error: 'File not found: /home/dev/acme/does-not-exist.txt',
      at: Date.parse('2026-11-15T02:42:27.786Z'),
    })
  })

  test('Esc in a call ends the turn, and the call that is logged afterwards does not start', () => {
    const at = '2026-11-15T07:46:58.815Z'
    const call = { id: 'c1', name: 'run_shell_command', args: {}, status: 'cancelled', timestamp: at }
    const line = { type: 'gemini', timestamp: at, content: '', toolCalls: [call] }
    const facts = agentFor('gemini').transcript?.read(JSON.stringify(line)) ?? []
    expect(told(facts)).toEqual(['interrupt'])
  })

  test('a conversation that is rewritten after Esc counts once', () => {
    expect(told(factsIn('gemini', '0.61.0/transcripts/api-error'))).toEqual([
      ...['prompt please [[s:one]]', 'answer First answer.'],
      ...['prompt please [[s:two]]', 'list_directory begins', 'ok', 'answer Second answer.'],
      ...['prompt please [[s:dlg]]', 'interrupt', 'interrupt'],
      ...['prompt please [[s:err]]', 'turn-error'],
    ])
  })

  test.each([
    ['[API Error: Quota exceeded for metric (Status: RESOURCE_EXHAUSTED)]', 'rate_limit'],
    ['[API Error: API key not valid. (Status: INVALID_ARGUMENT)]', 'authentication_failed'],
    ['[API Error: {"error":{"code":400,"message":"no"}}]', 'invalid_request'],
    ['[API Error: The model is overloaded. (Status: UNAVAILABLE)]', 'server_error'],
    ['[API Error: An unknown error occurred.]', 'unknown'],
  ])('a turn fails: %s', (content, error) => {
    const line = JSON.stringify({ type: 'error', timestamp: '2026-11-15T07:46:58.815Z', content })
    expect(agentFor('gemini').transcript?.read(line)).toMatchObject([
      { kind: 'turn-error', error, message: content },
    ])
  })

  test('an error of a command is not a failed turn', () => {
    const line = JSON.stringify({ type: 'error', content: 'Unknown command: /nope' })
    expect(agentFor('gemini').transcript?.read(line)).toEqual([])
  })

  test('text that a hook put before the prompt is not the prompt, nor is the session context', () => {
    const asked = (text: string) =>
      told(agentFor('gemini').transcript?.read(JSON.stringify({ type: 'user', content: [{ text }] })) ?? [])
    expect(asked('<hook_context>be brief</hook_context>\n\ngo')).toEqual(['prompt go'])
    expect(asked('<session_context>\nThis is the Gemini CLI.')).toEqual([])
  })
})

test.each(['claude', 'codex', 'gemini'])('%s: a junk line yields nothing', (agent) => {
  const { read } = agentFor(agent).transcript ?? { read: () => [] }
  const junk = ['', 'null', '[]', '{', '{"type":"user"}', '{"type":"user","message":{"content":[null,7]}}']
  const odd =
    '{"type":"response_item","payload":{"type":"function_call","call_id":"c","name":"x","arguments":"["}}'
  for (const line of [...junk, '{"type":"gemini","toolCalls":[null,{"id":1}]}'])
    expect(read(line)).toEqual([])
  expect(() => read(odd)).not.toThrow()
})

/** Names of the tools that hooks reported, in order. */
function hooksOf(file: string): string[] {
  return readFileSync(join(FIXTURES, 'codex/0.166.0', file), 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as { event: string; payload: { tool_name?: string } })
    .filter(({ event }) => event === 'PreToolUse')
    .map(({ payload }) => payload.tool_name ?? '')
}

describe('copilot 1.0.102', () => {
  const facts = (name: string) => factsIn('copilot', `1.0.102/transcripts/${name}`)

  test('dialogs: two at once, one refused, and Esc in a call and in an answer', () => {
    expect(told(facts('dialogs'))).toEqual([
      ...['prompt please [[s:par]]', 'bash begins', 'bash begins', 'permission-asked', 'permission-asked'],
      ...['allowed by a person', 'ok', 'allowed by a person', 'ok', 'answer Both done.'],
      ...['prompt please [[s:no]]', 'bash begins', 'permission-asked', 'denied by a person', 'denied'],
      'answer Not done.',
      ...['prompt please [[s:esc]]', 'bash begins', 'permission-asked', 'allowed by a person', 'interrupt'],
      ...['prompt please [[s:next]]', 'answer Next.'],
      'interrupt', // the turn itself was rewound, with its prompt
    ])
    const [asked, other] = of(facts('dialogs'), 'permission-asked')
    const [first, second] = of(facts('dialogs'), 'permission-answered')
    expect([first?.id, second?.id]).toEqual([asked?.id, other?.id])
    expect(first).toMatchObject({ useId: 'call_000000000004' })
    expect(of(facts('dialogs'), 'tool-start')[1]).toMatchObject({
      useId: 'call_000000000004',
      input: { command: './ask.sh 2', description: 'd', mode: 'sync' },
    })
  })

  test('a rewound turn leaves its end, but not its prompt', () => {
    expect(told(facts('taken-back')).slice(0, 5)).toEqual([
      ...['prompt please [[s:one]]', 'answer Hi.'],
      'interrupt',
      ...['prompt please [[s:two]]', 'answer Hi two.'],
    ])
  })

  test('a dialog left with Esc, and an error that ended a turn', () => {
    expect(told(facts('errors'))).toEqual([
      ...['prompt please [[s:tool]]', 'bash begins', 'permission-asked', 'allowed by a person', 'ok'],
      'answer Done it.',
      ...[
        'prompt please [[s:toolno]]',
        'bash begins',
        'permission-asked',
        'cancelled by a person',
        'interrupt',
      ],
      ...['prompt please [[s:long]]', 'answer Never.'],
      ...['prompt please [[s:api]]\n\nplease [[s:api5]]', 'turn-error'],
    ])
    expect(of(facts('errors'), 'turn-error')).toMatchObject([{ error: 'server_error', message: '500 bad' }])
  })

  test("a sub-agent's actions are in the same file, but not the session’s", () => {
    expect(told(facts('subagent'))).toEqual([
      ...['prompt please [[s:auto]]', 'bash begins', 'ok', 'answer Auto.'],
      ...['prompt please [[s:retry]]', 'answer After the retry.'], // it does not contain the retried attempt
      ...['prompt please [[s:sub]]', 'task begins', 'ok', 'answer Sub done.'],
      ...['prompt please [[s:res]]', 'answer Resumed.'],
    ])
    const used = of(facts('subagent'), 'usage')
    expect(new Set(used.map(({ contextTokens }) => contextTokens))).toEqual(new Set([110]))
    expect(used[0]).toMatchObject({ contextWindow: 922_000, model: 'gpt-5.6-sol' })
  })

  const says = (type: string, data: object, more: object = {}) =>
    agentFor('copilot').transcript?.read(
      JSON.stringify({ type, data, timestamp: '2026-11-15T17:41:37.724Z', ...more }),
    )

  test.each([
    ['rate_limit', 429, 'rate_limit'],
    ['quota', undefined, 'billing_error'],
    ['authentication', 401, 'authentication_failed'],
    ['query', 403, 'authentication_failed'],
    ['query', 400, 'invalid_request'],
    ['query', undefined, 'unknown'],
  ])('an error of type %s with status %p is %s', (errorType, statusCode, error) => {
    expect(says('session.error', { errorType, statusCode, message: 'no' })).toMatchObject([{ error }])
  })

  test.each([
    ['approved', 'allowed'],
    ['approved-for-session', 'allowed'],
    ['denied-interactively-by-user', 'denied'],
    ['cancelled', 'cancelled'],
    ['never-heard-of', 'cancelled'],
  ])('an answer of %s is %s', (kind, outcome) => {
    expect(says('permission.completed', { requestId: 'r', result: { kind } })).toMatchObject([{ outcome }])
  })

  test('a sub-agent’s dialog belongs to the session, and its Esc does not', () => {
    expect(says('permission.requested', { requestId: 'r' }, { agentId: 'a' })).toHaveLength(1)
    expect(says('abort', { reason: 'x' }, { agentId: 'a' })).toEqual([])
  })

  test('the end of a background shell is not a prompt', () => {
    expect(says('user.message', { content: '<system_notification>\nShell "d" has completed.' })).toEqual([])
  })

  test('other cache news does not end a turn', () => {
    const news = { promptCacheBreakState: [{ conversation: 'main', pendingRewriteSources: ['compaction'] }] }
    expect(says('session.usage_checkpoint', news)).toEqual([])
  })

  test.each(['../x', 'a/b', '', '.', 'x'.repeat(200)])(
    '%j is not a session id, and no file is looked for',
    (id) => {
      expect(agentFor('copilot').transcript?.find?.(id, {}, '/home/dev')).toBeUndefined()
    },
  )

  test('its path follows from its id', () => {
    const find = agentFor('copilot').transcript?.find
    expect(find?.('s-1', {}, '/home/dev')).toBe('/home/dev/.copilot/session-state/s-1/events.jsonl')
    expect(find?.('s-1', { COPILOT_HOME: '/c' }, '/home/dev')).toBe('/c/session-state/s-1/events.jsonl')
  })
})
