/** Conversations parsed from real agents' transcripts. */
import { describe, expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { markdownOf, type TranscriptMessage } from '../../events/index.ts'
import { agentFor, Conversation, type MessagePart } from '../index.ts'

const FIXTURES = join(import.meta.dir, '../../../test/fixtures')

function linesIn(folder: string, which = 0): string[] {
  const dir = join(FIXTURES, folder)
  const files = readdirSync(dir).filter((name) => name.endsWith('.jsonl'))
  return readFileSync(join(dir, files.sort()[which] ?? ''), 'utf8').split('\n')
}

function conversationIn(agent: string, lines: readonly string[], side = false): readonly TranscriptMessage[] {
  const conversation = new Conversation()
  for (const line of lines)
    for (const part of agentFor(agent).transcript?.messages(line, side) ?? []) conversation.add(part)
  return conversation.messages()
}

/** Role and text of each message, abbreviated. */
function told(messages: readonly TranscriptMessage[]): string[] {
  return messages.map(({ role, text, tool }) => {
    if (!tool) return `${role}: ${text.split('\n')[0]?.slice(0, 40)}`
    const outcome = tool.error === undefined ? (tool.result ?? '…') : `✗ ${tool.error}`
    return `${tool.name} → ${outcome.split('\n')[0]?.slice(0, 30)}`
  })
}

describe('claude 2.1.325', () => {
  const messages = conversationIn('claude', linesIn('claude/2.1.325/transcripts/basic'))

  test('a turn with every kind of tool call', () => {
    expect(told(messages)).toEqual([
      'user: please do things [[s:main]]',
      'assistant: Running.',
      'Bash → hi',
      'Write → File created successfully at: ',
      'Read → 1\thello',
      'Edit → The file a.txt has been update',
      'Glob → b.txt',
      'Grep → Found 1 file',
      'Bash → ✗ Exit code 3',
      'TodoWrite → ✗ <tool_use_error>Error: No su',
      'TaskCreate → Task #1 created successfully: ',
      'TaskUpdate → Updated task #1 status',
      'Agent → Async agent launched successfu',
      'assistant: All finished.',
      'system: <task-notification>',
      'assistant: done',
    ])
  })

  test('a message has its time, model, usage and unique id', () => {
    expect(messages[1]).toMatchObject({
      model: 'claude-opus-5-5',
      at: Date.parse('2026-11-15T02:54:18.848Z'),
    })
    expect(messages.at(-1)?.usage).toEqual({
      input: 100,
      cacheRead: 0,
      cacheWrite5m: 0,
      cacheWrite1h: 0,
      output: 25,
    })
    // Once per request, on its last message.
    expect(messages.filter(({ usage }) => usage).length).toBe(12)
    expect(new Set(messages.map(({ id }) => id)).size).toBe(messages.length)
  })

  test('a sub-agent’s file is a separate conversation, not part of the session’s', () => {
    const folder = 'claude/2.1.325/transcripts/subagent-sync/00be1536-8336-475b-95ea-c7ea2e2258d8/subagents'
    expect(conversationIn('claude', linesIn(folder))).toEqual([])
    expect(told(conversationIn('claude', linesIn(folder), true)).length).toBeGreaterThan(1)
  })

  test('a compaction is shown, and its summary is not a prompt', () => {
    const roles = told(conversationIn('claude', linesIn('claude/2.1.325/transcripts/compact')))
    expect(roles.filter((line) => line.startsWith('user'))).toEqual([
      'user: first [[s:one]]',
      'user: go on [[s:two]]',
    ])
    expect(roles).toContain('system: The context was compacted.')
  })

  test('a fork names its origin session or its first prompt', () => {
    const origin = (line: object) => agentFor('claude').transcript?.origin?.(JSON.stringify(line))
    expect(
      origin({ type: 'user', timestamp: '2026-11-15T08:04:38.908Z', message: { content: 'hi' } }),
    ).toEqual({ prompt: 'hi', at: Date.parse('2026-11-15T08:04:38.908Z') })
    expect(origin({ type: 'user', forkedFrom: { sessionId: 's0' } })).toEqual({ sessionId: 's0' })
    expect(origin({ type: 'mode' })).toBeUndefined()
  })
})

test("codex 0.166.0: prompts as typed, calls with results, the thread's model", () => {
  const messages = conversationIn('codex', linesIn('codex/0.166.0/transcripts/basic'))
  expect(told(messages)).toEqual([
    'user: do the thing',
    'assistant: Running.',
    expect.stringMatching(/^exec_command → /),
    'assistant: finished.',
  ])
  expect(messages[2]?.tool?.input).toMatchObject({ cmd: 'echo hi from codex && cat hello.txt' })
  expect(messages[1]?.model).toBe('mock-model')
  expect(messages.at(-1)?.usage).toMatchObject({ input: 100, output: 10 })
})

test('codex names the origin session of a fork', () => {
  const meta = { type: 'session_meta', payload: { id: 'b', forked_from_id: 'a' } }
  expect(agentFor('codex').transcript?.origin?.(JSON.stringify(meta))).toEqual({ sessionId: 'a' })
})

test('gemini 0.61.0: a message written twice is one, with its calls', () => {
  const messages = conversationIn('gemini', linesIn('gemini/0.61.0/transcripts/basic'))
  expect(told(messages)).toEqual([
    'user: Read hello.txt, write out.txt and run a ',
    'assistant: Reading.',
    'read_file → hello from fixture',
    'write_file → Successfully created and wrote',
    'run_shell_command → <untrusted_context>',
    'replace → Successfully modified file: /h',
    'read_file → ✗ File not found: /home/dev/ac',
    'assistant: All finished.',
  ])
})

test('gemini: a rewritten list replaces the messages', () => {
  const said = (id: string, text: string) => ({ id, type: 'user', content: [{ text }] })
  const lines = [said('1', 'one'), said('2', 'two'), { $set: { messages: [said('3', 'short')] } }]
  const messages = conversationIn(
    'gemini',
    lines.map((line) => JSON.stringify(line)),
  )
  expect(told(messages)).toEqual(['user: short'])
})

describe.each(['claude', 'codex', 'gemini'])('%s', (agent) => {
  test.each([
    '',
    'junk',
    '{',
    '[]',
    'null',
    '{"type":"user"}',
    '{"type":"assistant","message":7}',
    '{"payload":{}}',
  ])('a line of %p adds nothing and throws nothing', (line) => {
    expect(agentFor(agent).transcript?.messages(line)).toEqual([])
  })
})

test('a conversation stays within its limits and drops the oldest messages', () => {
  const conversation = new Conversation()
  const said = (n: number): MessagePart => ({
    kind: 'message',
    message: { id: `m${n}`, role: 'user', at: n, text: 'x'.repeat(50_000) },
  })
  for (let n = 0; n < 2_000; n++) conversation.add(said(n))
  const messages = conversation.messages()
  expect(messages.length + conversation.dropped).toBe(2_000)
  expect(messages.reduce((sum, { text }) => sum + text.length, 0)).toBeLessThan(33 * 1024 * 1024)
  expect(messages.at(-1)?.id).toBe('m1999')
  conversation.add({
    ...said(1_999),
    message: { id: 'm1999', role: 'user', at: 1, text: 'grown' },
  } as MessagePart)
  expect(conversation.messages().at(-1)?.text).toBe('grown')
})

describe('markdown', () => {
  test('a text cannot close its own fence', () => {
    const text = markdownOf([
      {
        id: '1',
        role: 'tool',
        at: 0,
        text: '',
        tool: { name: 'Bash', input: { command: 'ls' }, result: 'a\n```\n# not a heading\n````' },
      },
    ])
    expect(text).toContain('`````\na\n```\n# not a heading\n````\n`````')
  })

  test("an assistant's text and calls share one heading", () => {
    const text = markdownOf(conversationIn('codex', linesIn('codex/0.166.0/transcripts/basic')), {
      title: 'T',
    })
    expect(text.match(/^##? .*/gm)).toEqual([
      '# T',
      '## User · 2026-11-15 02:42:30',
      '## Assistant · 2026-11-15 02:42:30 · mock-model',
    ])
    expect(text).toContain('**exec_command**')
  })

  test('a long result is cut and marked', () => {
    const tool = { name: 'Read', result: 'y'.repeat(100) }
    const text = markdownOf([{ id: '1', role: 'tool', at: 0, text: '', tool }], { toolChars: 10 })
    expect(text).toContain('yyyyyyyyyy\n… 90 more characters')
  })
})
