import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { Glob } from 'bun'
import { EVENT_TYPES, type HookEvent } from '../../events/index.ts'
import { testAgent } from '../testing.ts'
import { type Recorded, rawEventOf, recorded } from '../testkit.ts'
import { gemini } from './index.ts'

const FIXTURES = join(import.meta.dir, '../../../test/fixtures/gemini')
const fixtures = [...new Glob('*/*.jsonl').scanSync({ cwd: FIXTURES, absolute: true })].sort()
const lines = fixtures.flatMap(recorded)

testAgent(gemini, {
  fixtures,
  otherTypes: { AfterTool: ['PostToolUseFailure'], Notification: ['PermissionRequest'] },
})

function readLine(line: Recorded): HookEvent {
  return gemini.read(line.payload, rawEventOf('gemini', line.payload, { event: line.event }))
}

test('the table has the 11 events of 0.61.0, each with its own canonical type', () => {
  const types = Object.values(gemini.events).map((event) => event.type)
  expect(types).toHaveLength(11)
  expect(new Set(types).size).toBe(11)
  for (const type of types) expect<readonly string[]>(EVENT_TYPES).toContain(type)
})

describe('the recordings', () => {
  const events = lines.map(readLine)
  const ofType = (type: string) => events.filter((event) => event.type === type)

  test('have a model for each request, and usage at its end', () => {
    for (const type of ['PreModelRequest', 'PreToolSelection', 'PostModelRequest'])
      for (const event of ofType(type)) expect(event.model).toBe('gemini-2.5-pro')
    const counted = ofType('PostModelRequest').filter((event) => event.usage !== undefined)
    expect(counted.length).toBeGreaterThan(0)
    for (const { usage } of counted) expect(usage?.contextTokens).toBe(usage?.inputTokens as number)
  })

  test('have a failure for each tool error and nowhere else', () => {
    for (const line of lines.filter((line) => line.event === 'AfterTool')) {
      const { error } = (line.payload as { tool_response: { error?: { message: string } } }).tool_response
      expect(readLine(line)).toMatchObject({ type: error ? 'PostToolUseFailure' : 'PostToolUse' })
      expect(readLine(line).tool?.error).toBe(error?.message as string)
    }
  })

  test('hide every compression and nothing else', () => {
    const reasons = new Map<unknown, number>()
    for (const event of events) {
      expect(event.hidden !== undefined).toBe(event.native === 'PreCompress')
      if (event.hidden) reasons.set(event.hidden, (reasons.get(event.hidden) ?? 0) + 1)
    }
    expect([...reasons]).toEqual([
      ['no-compaction', 23],
      ['endless-compaction', 1],
    ])
  })

  test('name the asking tool in each permission', () => {
    const asks = ofType('Notification').map(({ tool, notification, native }) => ({
      native,
      tool,
      title: notification?.title,
    }))
    expect<unknown>(asks).toEqual([
      ask('Confirm Shell Command', 'run_shell_command', { command: 'touch DENIED_RAN' }),
      ask('Confirm Write: edit.txt', 'write_file', { file_path: '/home/dev/acme/edit.txt' }),
      ask('Confirm MCP Tool Execution', 'mcp_fix_echo', undefined, 'fix'),
      ask('Confirm Web Fetch', 'web_fetch', { prompt: 'fetch http://127.0.0.1:9/nothing please' }),
    ])
    expect(ofType('PermissionRequest')).toEqual([])
  })

  test('use tool names in permissions that the tools themselves have', () => {
    const called = new Set(ofType('PreToolUse').map((event) => event.tool?.name))
    for (const event of ofType('PermissionRequest')) expect(called).toContain(event.tool?.name)
  })

  test('have no final message that could be garbled', () => {
    for (const event of ofType('Stop')) {
      expect(event.message).toBeUndefined()
      expect(event.fields?.prompt_response).toBeString()
    }
  })
})

function ask(title: string, name: string, input: unknown, mcpServer?: string): object {
  return { native: 'Notification', tool: { name, input, ...(mcpServer && { mcpServer }) }, title }
}
