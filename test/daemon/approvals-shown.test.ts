/** What a person says yes to, wherever it is shown: nothing of a command hides behind a cut or a line break. */
import { expect, setDefaultTimeout, test } from 'bun:test'
import type { SessionView } from '../../src/client/index.ts'
import type { Places } from '../../src/core/files/paths.ts'
import { GANTRY, gantry, gantryJson, makeHome, run, sendFrame, startDaemon, until } from '../kit.ts'
import { first, hold, list, permission, told } from './approval-kit.ts'

setDefaultTimeout(120_000)

const HIDING = `git status\n${' '.repeat(200)}\n# ${'x'.repeat(3_000)}\nrm -rf ~`

test('a command that hides its end shows it, and its line breaks, and how much is left out', async () => {
  const at = makeHome()
  await using _daemon = await startDaemon(at)
  const held = hold(at, permission(HIDING, 's1', { tool_input: { command: HIDING, timeout: 5 } }))
  const { id, line } = await first(at)
  const shown = /git status ⏎ # x+ … \d+ more … x*\s?⏎ rm -rf ~/
  expect(line).toMatch(shown)
  expect(line).toEndWith('(and timeout: 5)')
  const asked = await until(() => told(at)[0], 'the message on the bus')
  expect(JSON.stringify(asked)).toMatch(shown)
  const [session] = (await gantryJson(at, 'sessions', '--json')) as SessionView[]
  expect(session?.approvals?.[0]?.line).toBe(line)
  const narrow = await run([GANTRY, 'sessions'], at, '', { COLUMNS: '60' })
  expect(narrow.stdout).toMatch(/approve \w+: git s?.*…\+3\d{3}\n/) // a row has little room
  for (const command of [
    ['approvals'],
    ['sessions'],
    ['session', 's1'],
    ['approvals', id],
    ['approve', id],
  ]) {
    const { stdout } = await gantry(at, ...command)
    const whole = stdout.replace(/\n +/g, ' ')
    expect(whole, command.join(' ')).toMatch(/… 2\d{3} more …/)
    expect(whole, command.join(' ')).toContain('rm -rf ~')
  }
  await held.reply
})

const send = (at: Places, payload: object) =>
  sendFrame(at, { payload: JSON.stringify({ session_id: 's1', cwd: '/', ...payload }) })

test('what is asked elsewhere has its command and its sub-agent', async () => {
  const at = makeHome()
  await using _daemon = await startDaemon(at)
  const sub = { agent_id: 'a1', agent_type: 'Explore' }
  await send(at, { hook_event_name: 'SessionStart', source: 'startup' })
  await send(at, { hook_event_name: 'UserPromptSubmit', prompt: 'go' })
  await send(at, { hook_event_name: 'SubagentStart', ...sub })
  const call = { tool_name: 'Bash', tool_input: { command: 'make\nrm -rf x' }, tool_use_id: 't1', ...sub }
  await send(at, { hook_event_name: 'PreToolUse', ...call })
  await send(at, { hook_event_name: 'PermissionRequest', ...call, tool_use_id: undefined })
  const { elsewhere } = await list(at)
  expect(elsewhere).toMatchObject([
    { kind: 'permission', tool: 'Bash', agentId: 'a1', agentType: 'Explore', line: 'make ⏎ rm -rf x' },
  ])
  const { stdout } = await gantry(at, 'approvals')
  expect(stdout).toMatch(/claude Explore · Permission for Bash .*\n +make ⏎ rm -rf x\n/)
})

test('a question is listed with its options, and not as JSON', async () => {
  const at = makeHome()
  await using _daemon = await startDaemon(at)
  await send(at, { hook_event_name: 'SessionStart', source: 'startup' })
  await send(at, { hook_event_name: 'UserPromptSubmit', prompt: 'go' })
  const options = [{ label: 'Red', description: 'r' }, { label: 'Blue' }]
  const tool_input = { questions: [{ question: 'Which colour?', header: 'Colour', options }] }
  const call = { tool_name: 'AskUserQuestion', tool_input, tool_use_id: 't1' }
  await send(at, { hook_event_name: 'PreToolUse', ...call })
  await send(at, { hook_event_name: 'PermissionRequest', ...call, tool_use_id: undefined })
  const { stdout } = await gantry(at, 'approvals')
  expect(stdout).toEndWith('\n       Which colour?\n       1. Red — r\n       2. Blue\n')
  expect(stdout).not.toContain('{')
})

test('a dialog that only a notification tells of has the command of the call that is open', async () => {
  const at = makeHome()
  await using _daemon = await startDaemon(at)
  await send(at, { hook_event_name: 'SessionStart', source: 'startup' })
  await send(at, { hook_event_name: 'UserPromptSubmit', prompt: 'go' })
  const call = { tool_name: 'Bash', tool_input: { command: 'npm publish' }, tool_use_id: 't1' }
  await send(at, { hook_event_name: 'PreToolUse', ...call })
  await send(at, { hook_event_name: 'Notification', notification_type: 'permission_prompt', message: 'x' })
  expect((await list(at)).elsewhere).toMatchObject([{ kind: 'permission', line: 'npm publish' }])
})
