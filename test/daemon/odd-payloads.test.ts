/** Payloads that cannot be read or belong to no session are stored, counted, and said; what gantry itself found is in words. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import type { Finding, Status } from '../../src/client/index.ts'
import {
  gantry,
  gantryJson,
  journal,
  makeHome,
  type RunningDaemon,
  sendFrame,
  startDaemon,
  until,
} from '../kit.ts'

setDefaultTimeout(60_000) // many processes each, on machines that are busy

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
