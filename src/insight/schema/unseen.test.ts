import { expect, test } from 'bun:test'
import { SHIPPED, unseenEvents } from './index.ts'

const kind = (agent: string, event: string) => ({ agent, version: '', event, tool: '' })

test('what the authors of claude-hooks-sdk never saw is named, with the way to see it', () => {
  const seen = [
    'SessionStart',
    'UserPromptSubmit',
    'PreToolUse',
    'PostToolUse',
    'Stop',
    'SubagentStop',
    'Notification',
  ]
  const found = unseenEvents(
    seen.map((event) => kind('claude', event)),
    SHIPPED,
  )
  const ways = new Map(found.map(({ event, trigger }) => [event, trigger]))
  expect(ways.get('SessionEnd')).toContain('/exit')
  expect(ways.get('PreCompact')).toContain('/compact')
  expect(ways.get('PermissionRequest')).toContain('permission')
  for (const event of seen) expect(ways.has(event)).toBe(false)
})

test('every event but those of the bus of opencode has a way', () => {
  for (const agent of ['claude', 'codex', 'gemini', 'copilot']) {
    const found = unseenEvents([kind(agent, 'x')], SHIPPED)
    expect(found.length).toBeGreaterThan(5)
    expect(found.filter(({ trigger }) => trigger === undefined)).toEqual([])
  }
})

test('either name of an event of Copilot counts', () => {
  const names = (event: string) => unseenEvents([kind('copilot', event)], SHIPPED).map((one) => one.event)
  expect(names('Stop')).not.toContain('agentStop')
  expect(names('agentStop')).not.toContain('agentStop')
  expect(names('SessionStart')).not.toContain('sessionStart')
  expect(names('x')).toContain('agentStop')
})

test('of an agent that nothing was seen of, nothing is missing', () => {
  expect(unseenEvents([], SHIPPED)).toEqual([])
})
