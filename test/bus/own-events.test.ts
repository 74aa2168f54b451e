/** What gantry itself raises, and what was imported, are on no `hooks.>`; whatever is there has a folder. On the spot and on NATS. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { call, type WireMessage } from '../../src/client/index.ts'
import {
  gantry,
  gantryJson,
  journal,
  makeHome,
  type RunningDaemon,
  sendFrame,
  startDaemon,
  tempDir,
  until,
} from '../kit.ts'
import { contentOf, startServer, type TestServer } from '../nats-kit.ts'

setDefaultTimeout(120_000) // many processes each, on machines that are busy

const at = makeHome()
let server: TestServer
let daemon: RunningDaemon
beforeAll(async () => {
  server = await startServer()
  daemon = await startDaemon(at, { GANTRY_NATS: 'external', BD_NATS_URL: server.url })
})
afterAll(async () => {
  await daemon.kill('SIGTERM')
  await server.kill('SIGTERM')
})

const hook = (payload: object, agent = 'claude') => sendFrame(at, { agent, payload: JSON.stringify(payload) })
const common = { session_id: 's1', cwd: '/home/me/acme', transcript_path: '/x', permission_mode: 'default' }
const lastSeq = () => journal<{ seq: number }>(at, 'SELECT max(seq) AS seq FROM events')[0]?.seq ?? 0

test('drift, names and usage are on gantry.>, and hooks.> has hooks alone, each with its folder', async () => {
  await hook({ hook_event_name: 'SessionStart', source: 'startup', ...common })
  await hook({ hook_event_name: 'Stop', stop_hook_active: false, mood: 'fine', ...common })
  await gantry(at, 'session', 's1', '--name', 'crane')
  const file = join(tempDir(), 'old.jsonl')
  writeFileSync(
    file,
    JSON.stringify({
      input: { hook: { hook_event_name: 'Stop', session_id: 'old' }, timestamp: '2024-01-01T00:00:00Z' },
    }),
  )
  expect(await gantryJson(at, 'events', 'import', file, '--json')).toMatchObject({ added: 1 })
  await hook({ hook_event_name: 'SessionEnd', reason: 'exit', ...common })
  await until(() => journal(at, "SELECT 1 FROM events WHERE type = 'SchemaDrift'").length > 0, 'the drift')
  const end = lastSeq()

  const stored = async (stream: string) => contentOf(server, stream)
  const own = await until(async () => {
    const found = await stored('GANTRY_EVENTS').catch(() => [])
    return found.some(({ subject }) => subject === 'gantry.SchemaDrift') ? found : undefined
  }, 'what gantry says')
  expect(
    own.every(
      ({ subject, headers }) => subject.startsWith('gantry.') && headers['Gantry-Agent'] === 'gantry',
    ),
  ).toBe(true)
  const hooks = await until(async () => {
    const found = await stored('HOOK_EVENTS')
    return found.some(({ subject }) => subject === 'hooks.SessionEnd') ? found : undefined
  }, 'the hooks')
  expect(hooks.map(({ subject }) => subject)).toEqual([
    'hooks.SessionStart',
    'hooks.Stop',
    'hooks.SessionEnd',
  ])
  for (const { data } of hooks) expect(JSON.parse(data)).toHaveProperty('cwd')

  const list = journal<{ seq: number; type: string; agent: string; transport: string }>(
    at,
    'SELECT seq, type, agent, transport FROM events',
  )
  expect(list.filter(({ agent }) => agent === 'gantry').length).toBeGreaterThan(0)
  const subscribed = await gantry(at, 'bus', 'subscribe', '--since', 'all', '--count', '3', '--json')
  const messages = subscribed.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as WireMessage)
  expect(messages.map(({ subject }) => subject)).toEqual([
    'hooks.SessionStart',
    'hooks.Stop',
    'hooks.SessionEnd',
  ])
  const drift = await gantry(
    at,
    'bus',
    'subscribe',
    '--stream',
    'gantry',
    '--filter',
    'SchemaDrift',
    '--since',
    'all',
    '--count',
    '1',
    '--json',
  )
  expect(JSON.parse(drift.stdout)).toMatchObject({
    stream: 'GANTRY_EVENTS',
    subject: 'gantry.SchemaDrift',
    agent: 'gantry',
  })
  expect(end).toBeGreaterThan(3)
})

test('a durable consumer goes past them, and has nothing left when only they came', async () => {
  const first = await gantry(
    at,
    'bus',
    'subscribe',
    '--durable',
    'd1',
    '--since',
    'all',
    '--count',
    '3',
    '--json',
  )
  expect(first.stdout.trim().split('\n')).toHaveLength(3)
  await gantry(at, 'session', 's1', '--name', 'derrick')
  const info = await until(async () => {
    const [one] = (await gantryJson(at, 'bus', 'consumers', '--json')) as { pending: number; lag: number }[]
    return one?.pending === 0 ? one : undefined
  }, 'nothing left')
  expect(info).toMatchObject({ lag: 0 })
})

test('an event of a program stays on hooks.>, and nobody may speak in the name of gantry', async () => {
  await gantry(at, 'bus', 'emit', '--event', 'DeployDone')
  const got = await gantry(
    at,
    'bus',
    'subscribe',
    '--filter',
    'DeployDone',
    '--since',
    'all',
    '--count',
    '1',
    '--json',
  )
  expect(JSON.parse(got.stdout)).toMatchObject({ subject: 'hooks.DeployDone' })
  expect((await gantry(at, 'bus', 'emit', '--event', 'SchemaDrift')).stderr).toContain(
    'reserved for gantry itself',
  )
})

test('a Notification of Gemini is hooks.Notification, and a permission in its session', async () => {
  const details = { type: 'exec', title: 'Confirm Shell Command', command: 'ls' }
  const gemini = { ...common, session_id: 'g1' }
  await hook({ hook_event_name: 'BeforeAgent', prompt: 'list', ...gemini }, 'gemini')
  await hook(
    {
      hook_event_name: 'BeforeTool',
      tool_name: 'run_shell_command',
      tool_input: { command: 'ls' },
      ...gemini,
    },
    'gemini',
  )
  await hook(
    {
      hook_event_name: 'Notification',
      notification_type: 'ToolPermission',
      message: 'May I?',
      details,
      ...gemini,
    },
    'gemini',
  )
  const got = await gantry(
    at,
    'bus',
    'subscribe',
    '--filter',
    'Notification',
    '--since',
    'all',
    '--count',
    '1',
    '--json',
  )
  expect(JSON.parse(got.stdout)).toMatchObject({
    subject: 'hooks.Notification',
    native: 'Notification',
    session: 'g1',
  })
  expect(await call(at, 'sessions.get', { session: 'g1' })).toMatchObject({
    phase: 'blocked',
    attention: [{ kind: 'permission', reason: 'Permission for run_shell_command' }],
  })
  expect(journal(at, "SELECT type FROM events WHERE session_id = 'g1' AND native = 'Notification'")).toEqual([
    { type: 'Notification' },
  ])
})
