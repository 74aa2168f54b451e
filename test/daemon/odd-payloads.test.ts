/** Payloads that cannot be read or belong to no session are stored, counted, and said; what gantry itself found is in words. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { call, type Finding, type Status } from '../../src/client/index.ts'
import {
  gantry,
  gantryJson,
  HOOK,
  journal,
  makeHome,
  type RunningDaemon,
  run,
  sendFrame,
  startDaemon,
  until,
} from '../kit.ts'

setDefaultTimeout(120_000) // many processes each, on machines that are busy

const at = makeHome()
let daemon: RunningDaemon
beforeAll(async () => {
  daemon = await startDaemon(at)
})
afterAll(async () => {
  expect(await daemon.kill('SIGTERM')).toBe(0)
})

const findings = async () =>
  ((await gantryJson(at, 'rpc', 'doctor')) as Finding[]).filter(({ about }) => about === 'payload')
const status = async () => (await gantryJson(at, 'status', '--json')) as Status

test('nothing is said where nothing was odd', async () => {
  await sendFrame(at, { payload: JSON.stringify({ hook_event_name: 'Stop', session_id: 's1' }) })
  await sendFrame(at, {
    agent: 'opencode',
    event: 'server.connected',
    payload: '{"type":"server.connected","properties":{}}',
  })
  expect(await status()).toMatchObject({ unreadable: 0, sessionless: 0 })
  expect(await findings()).toEqual([])
})

test('a payload that is no JSON, or of no session, is in the counters and in doctor', async () => {
  await sendFrame(at, { payload: 'not json' })
  await sendFrame(at, { payload: '[]', event: 'Stop' })
  await sendFrame(at, { payload: JSON.stringify({ hook_event_name: 'Stop', cwd: '/w' }) })
  expect(await status()).toMatchObject({ unreadable: 2, sessionless: 1 })
  const said = (await findings()).map(({ message }) => message).join('\n')
  expect(said).toContain('claude Stop: 1 payload without a session id')
  expect(said).toContain('could not be read')
  const people = await gantry(at, 'doctor')
  expect(people.stdout).toContain('without a session id')
})

test('gantry events says what drifted', async () => {
  const common = { session_id: 's1', cwd: '/w', transcript_path: '/x', permission_mode: 'default' }
  await sendFrame(at, {
    payload: JSON.stringify({ hook_event_name: 'Stop', stop_hook_active: false, mood: 'fine', ...common }),
  })
  await until(() => journal(at, "SELECT 1 FROM events WHERE type = 'SchemaDrift'").length > 0, 'the drift')
  const { stdout } = await gantry(at, 'events', '--type', 'SchemaDrift')
  expect(stdout).toContain('new field "mood" (string)')
})

test('a broken notify of Codex is stored and counted, and no rule makes its program fail: nobody waits for it', async () => {
  const strict = makeHome()
  mkdirSync(strict.rules, { recursive: true })
  writeFileSync(
    join(strict.rules, 'no-rm.yaml'),
    'rules: [{ id: no-rm, on: PreToolUse, tool: Bash, match: { tool.input.command: rm }, decision: deny, reason: no }]\n',
  )
  await using _daemon = await startDaemon(strict)
  expect(await run([HOOK, 'codex', 'notify', '{broken'], strict)).toEqual({ exit: 0, stdout: '', stderr: '' })
  // Without a name it is waited for a quarter of a second only, which may not be enough on a busy machine.
  let tries = 0
  const nameless = await until(async () => {
    tries += 1
    const told = await run([HOOK, 'codex'], strict, '{broken')
    return told.exit !== 0 && told
  }, 'an answer in time')
  expect(nameless).toMatchObject({ exit: 1 })
  expect(journal(strict, "SELECT raw FROM events WHERE type = 'Unreadable' ORDER BY seq LIMIT 1")).toEqual([
    { raw: '{broken' },
  ])
  const unreadable = async () => (await call(strict, 'status')).unreadable
  await until(async () => (await unreadable()) === 1 + tries, 'all of them to be counted')
})

test('hooks of an agent that nobody knows are stored, counted and named; a slip of the hand is guessed', async () => {
  const odd = makeHome()
  await using _daemon = await startDaemon(odd)
  const stop = JSON.stringify({ hook_event_name: 'Stop', session_id: 's1' })
  for (const agent of ['claud', 'homegrown', 'claude'])
    expect(await run([HOOK, agent, 'Stop'], odd, stop)).toEqual({ exit: 0, stdout: '', stderr: '' })
  expect(await gantryJson(odd, 'status', '--json')).toMatchObject({ strangers: 2 })
  const said = ((await gantryJson(odd, 'rpc', 'doctor')) as Finding[]).filter(
    ({ about }) => about === 'agents',
  )
  expect(said).toMatchObject([
    {
      level: 'warn',
      message: expect.stringContaining('1 hook came from the agent "claud", which gantry does not know'),
      fix: expect.stringMatching(/^Did you mean claude\? .*gantry-hook claude/),
    },
    { level: 'ok', message: expect.stringContaining('1 hook came from the agent "homegrown"') },
  ])
  const people = await gantry(odd, 'doctor')
  expect(people.stdout).toContain('Did you mean claude?')
})
