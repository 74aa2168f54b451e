/** What the readers make of transcripts that the real agents wrote. */
import { describe, expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { agentFor, type TranscriptFact } from './index.ts'

const FIXTURES = join(import.meta.dir, '../../test/fixtures')

function factsIn(agent: string, folder: string): TranscriptFact[] {
  const dir = join(FIXTURES, agent, folder)
  const [file = ''] = readdirSync(dir).filter((name) => name.endsWith('.jsonl'))
  const { transcript } = agentFor(agent)
  const read = transcript?.reading?.() ?? transcript?.read ?? (() => [])
  return readFileSync(join(dir, file), 'utf8')
    .split('\n')
    .flatMap((line) => read(line))
}

/** One short word a fact, in order; usage and titles are not what these tests are about. */
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
  test('a turn with every kind of call: good, failed, and one that cannot be made', () => {
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

  test('a message of a teammate is no prompt, and begins a turn', () => {
    const message =
      'Another Claude session sent a message:\n<teammate-message teammate_id="bob" color="blue">\n{"type":"idle_notification","from":"bob"}\n</teammate-message>\n\nThis came from another Claude session'
    expect(claudeSays(message)).toEqual(['turn-start'])
  })

  test('a rejected dialog: the call is denied, the turn interrupted', () => {
    expect(told(factsIn('claude', '2.1.325/transcripts/i-perm-no'))).toEqual([
      'prompt run [[s:a]]',
      'Bash begins',
      'denied',
      'interrupt',
      'turn-end',
    ])
  })

  test('a compaction brings a summary, a command and its output, and no prompt', () => {
    expect(told(factsIn('claude', '2.1.325/transcripts/compact'))).toEqual([
      'prompt first [[s:one]]',
      'answer first answer',
      'prompt go on [[s:two]]',
      'answer after compact',
    ])
  })

  test('a subagent’s own words are not the session’s', () => {
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

  test('a prompt with a picture, and one that speaks of tags, are prompts', () => {
    const picture = { type: 'image', source: { type: 'base64', data: 'AAAA' } }
    expect(claudeSays([picture, { type: 'text', text: 'what is this?' }])).toEqual(['prompt what is this?'])
    expect(claudeSays('<div> is not closed')).toEqual(['prompt <div> is not closed'])
  })

  test('a text that came before a call is no answer, and neither is one without a reason', () => {
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
  test('its first line names the version, which its hooks do not', () => {
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

  test('tools have the names that hooks give them', () => {
    const facts = factsIn('codex', '0.166.0/transcripts/subagent')
    expect(of(facts, 'tool-start').map(({ name }) => name)).toEqual(
      hooksOf('subagent.jsonl').filter((name) => name !== 'Bash'), // the subagent's own
    )
  })

  test('a command that Esc broke off has no result of its own', () => {
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

  test('a command that goes on beside the turn has not ended', () => {
    const output = 'Chunk ID: 1\nWall time: 1.0 seconds\nProcess running with session ID 7\nOutput:\n'
    const line = { type: 'response_item', payload: { type: 'function_call_output', call_id: 'c1', output } }
    expect(agentFor('codex').transcript?.read(JSON.stringify(line))).toEqual([])
  })
})

describe('gemini 0.61.0', () => {
  test('a turn with several calls, of which one fails', () => {
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

  test('Esc in a call: the turn is over, and the call that is written down after it does not begin', () => {
    const at = '2026-11-15T07:46:58.815Z'
    const call = { id: 'c1', name: 'run_shell_command', args: {}, status: 'cancelled', timestamp: at }
    const line = { type: 'gemini', timestamp: at, content: '', toolCalls: [call] }
    const facts = agentFor('gemini').transcript?.read(JSON.stringify(line)) ?? []
    expect(told(facts)).toEqual(['interrupt'])
  })

  test('a conversation that is written down again after Esc is said once', () => {
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

  test('an error of a command is no failed turn', () => {
    const line = JSON.stringify({ type: 'error', content: 'Unknown command: /nope' })
    expect(agentFor('gemini').transcript?.read(line)).toEqual([])
  })

  test('what a hook put before the prompt is not the prompt, nor is the session’s context', () => {
    const asked = (text: string) =>
      told(agentFor('gemini').transcript?.read(JSON.stringify({ type: 'user', content: [{ text }] })) ?? [])
    expect(asked('<hook_context>be brief</hook_context>\n\ngo')).toEqual(['prompt go'])
    expect(asked('<session_context>\nThis is the Gemini CLI.')).toEqual([])
  })
})

test.each(['claude', 'codex', 'gemini'])('%s: a line of junk says nothing', (agent) => {
  const { read } = agentFor(agent).transcript ?? { read: () => [] }
  const junk = ['', 'null', '[]', '{', '{"type":"user"}', '{"type":"user","message":{"content":[null,7]}}']
  const odd =
    '{"type":"response_item","payload":{"type":"function_call","call_id":"c","name":"x","arguments":"["}}'
  for (const line of [...junk, '{"type":"gemini","toolCalls":[null,{"id":1}]}'])
    expect(read(line)).toEqual([])
  expect(() => read(odd)).not.toThrow()
})

/** Names of the tools that hooks told of, in order. */
function hooksOf(file: string): string[] {
  return readFileSync(join(FIXTURES, 'codex/0.166.0', file), 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as { event: string; payload: { tool_name?: string } })
    .filter(({ event }) => event === 'PreToolUse')
    .map(({ payload }) => payload.tool_name ?? '')
}
