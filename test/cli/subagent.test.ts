/** A session and its events by the id of a sub-agent. */
import { expect, test } from 'bun:test'
import { gantry, gantryJson, makeHome, sendFrame, startDaemon } from '../kit.ts'

test('a sub-agent is looked up and filtered by its id', async () => {
  const at = makeHome('[summary]\nmode = "off"\n')
  await using _daemon = await startDaemon(at)
  const tell = (session_id: string, hook_event_name: string, more = {}) =>
    sendFrame(at, {
      event: hook_event_name,
      payload: JSON.stringify({ session_id, hook_event_name, ...more }),
    })
  const child = { agent_id: 'a7c31b0d', agent_type: 'Explore' }
  await tell('s1', 'UserPromptSubmit', { prompt: 'go' })
  await tell('s2', 'UserPromptSubmit', { prompt: 'other' })
  await tell('s1', 'SubagentStart', child)
  await tell('s1', 'PreToolUse', {
    ...child,
    tool_name: 'Bash',
    tool_input: { command: 'ls' },
    tool_use_id: 't1',
  })
  expect(await gantryJson(at, 'session', 'a7c31b0d', '--json')).toMatchObject({ id: 's1' })
  expect((await gantry(at, 'session', 's1')).stdout).toMatch(/sub-agent +● Explore a7c31b0d working/)
  const lines = (await gantry(at, 'events', '--subagent', 'a7c31b0d', '--json')).stdout.trim().split('\n')
  expect(lines.map((line) => (JSON.parse(line) as { type: string }).type)).toEqual([
    'SubagentStart',
    'PreToolUse',
  ])
  expect((await gantry(at, 'events', '--subagent', 'nobody', '--json')).stdout).toBe('')
}, 120_000)
