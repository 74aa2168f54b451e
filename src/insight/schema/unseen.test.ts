import { expect, test } from 'bun:test'
import { SHIPPED, unseenEvents } from './index.ts'

const kind = (agent: string, event: string) => ({ agent, version: '', event, tool: '' })

test('events that the authors of claude-hooks-sdk never saw are listed, with their triggers', () => {
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

test('every event except opencode’s bus events has a trigger', () => {
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

test('an agent that was never seen has no missing events', () => {
  expect(unseenEvents([], SHIPPED)).toEqual([])
})
