import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { Glob } from 'bun'
import type { HookEvent, RawEvent } from '../../events/index.ts'
import { testAgent } from '../testing.ts'
import { rawEventOf, recorded } from '../testkit.ts'
import { copilot } from './index.ts'

const FIXTURES = join(import.meta.dir, '../../../test/fixtures/copilot')
const fixtures = [...new Glob('*/*.jsonl').scanSync({ cwd: FIXTURES, absolute: true })].sort()
const lines = fixtures.flatMap(recorded)

const UNRECORDED = ['notification', 'preCompact', 'preMcpToolCall']
const UNRECORDED_PASCAL = ['ErrorOccurred', 'Notification', 'PreCompact', 'SubagentStop']
/** These names may also come with a camelCase payload, which then gets its camelCase name. */
const NEVER_NATIVE = ['PermissionRequest', 'SubagentStart']

testAgent(copilot, {
  fixtures,
  unrecorded: [...UNRECORDED, ...UNRECORDED_PASCAL, ...NEVER_NATIVE],
  otherTypes: { errorOccurred: ['PostModelRequest'] }, // a request that is retried
})

function read(payload: unknown, rest: Partial<RawEvent> = {}): HookEvent {
  return copilot.read(payload, rawEventOf('copilot', payload, rest))
}

test('the table has the 15 events, and 13 of them under a second name', () => {
  const names = Object.keys(copilot.events)
  expect(names.filter((name) => /^[a-z]/.test(name))).toHaveLength(15)
  expect(names.filter((name) => /^[A-Z]/.test(name))).toHaveLength(13)
})

test('every recording has the version', () => {
  for (const line of lines) {
    expect(read(line.payload, { client: { env: line.env } }).agentVersion).toBe(line.version)
  }
  expect(read({}).agentVersion).toBeUndefined()
})

describe('without a name on the command line, as over http', () => {
  test('every recorded payload is recognised as the same event', () => {
    for (const line of lines) {
      const { type, native } = read(line.payload)
      expect({ line: line.event, type, native }).toEqual({
        line: line.event,
        type: read(line.payload, { event: line.event }).type,
        native: line.event === 'PermissionRequest' ? 'permissionRequest' : line.event,
      })
    }
  })

  test.each([
    ['notification', { notification_type: 'shell_completed', message: 'm' }, 'Notification'],
    ['preCompact', { transcriptPath: '/t', trigger: 'manual', customInstructions: '' }, 'PreCompact'],
    ['preMcpToolCall', { toolCallId: 'c', serverName: 'm', toolName: 'x', arguments: {} }, 'PreMcpToolCall'],
    ['subagentStart', { agentName: 'g', agent_id: 'a', agent_type: 'g' }, 'SubagentStart'],
    ['subagentStop', { agentName: 'g', stopReason: 'end_turn' }, 'SubagentStop'],
    ['sessionStart', { source: 'resume' }, 'SessionStart'],
  ])('%s is told by its fields', (native, fields, type) => {
    expect(read({ sessionId: 's', timestamp: 1, cwd: '/w', ...fields })).toMatchObject({ native, type })
  })

  test.each([
    {},
    { sessionId: 's', timestamp: 1, cwd: '/w' },
    { sessionId: 's', mood: 'good' },
    { session_id: 's', prompt: 'hi' },
    { sessionId: 5, prompt: 'hi' },
  ])('%j is unreadable', (payload) => {
    expect(read(payload)).toMatchObject({ type: 'Unreadable', native: '' })
  })
})

describe('the recorded sub-agent', () => {
  const events = recorded(`${FIXTURES}/1.0.102/copilot-subagent.jsonl`).map((line) =>
    read(line.payload, { event: line.event }),
  )
  const parent = events[0]?.sessionId
  const inside = events.filter((event) => event.agentId !== undefined)

  test('is assigned to its parent in every event', () => {
    expect(new Set(events.map((event) => event.sessionId))).toEqual(new Set([parent as string]))
    expect(new Set(inside.map((event) => event.agentId)).size).toBe(1)
    expect(inside.map((event) => event.type)).toEqual([
      'SubagentStart',
      'UserPromptSubmit',
      'UserPromptTransformed',
      'PreToolUse',
      'PermissionRequest',
      'PostToolUse',
      'Stop',
      'SubagentStop',
    ])
  })

  test('has a turn that is not counted, and a prompt that nobody typed', () => {
    const stops = events.filter((event) => event.type === 'Stop')
    expect(stops.map((event) => event.hidden)).toEqual(['subagent-turn', undefined])
    const prompts = events.filter((event) => event.type === 'UserPromptSubmit')
    expect(prompts.map((event) => event.promptInjected)).toEqual([undefined, true])
  })
})
