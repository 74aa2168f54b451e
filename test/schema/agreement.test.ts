/** What is said of payloads is the same everywhere: what breaks, what was never seen, and which types they have. */
import { expect, setDefaultTimeout, test } from 'bun:test'
import type { Finding } from '../../src/client/index.ts'
import type { Unseen } from '../../src/insight/schema/index.ts'
import {
  type FixtureLine,
  fixtureLines,
  gantry,
  gantryJson,
  makeHome,
  sendFrame,
  startDaemon,
} from '../kit.ts'

setDefaultTimeout(120_000)

const stop = fixtureLines('claude/2.1.325/_one-of-each.jsonl').find(
  ({ event }) => event === 'Stop',
) as FixtureLine
const STOPS = 6

test.each([
  ['one of them lacks is optional', 1, 'notable', 0],
  ['all of them lack breaks', STOPS, 'breaking', 1],
] as const)('a field that %s, for doctor as for schema diff', async (_, without, severity, exit) => {
  const at = makeHome()
  await using _daemon = await startDaemon(at)
  const { agent, event, env } = stop
  const { stop_hook_active: __, ...lacking } = stop.payload
  for (let i = 0; i < STOPS; i++) {
    const payload = JSON.stringify(i < without ? lacking : stop.payload)
    await sendFrame(at, { agent, event, payload, header: { env } })
  }
  await gantryJson(at, 'rpc', 'schema.drifts') // all of it is learned
  const found = ((await gantryJson(at, 'doctor', '--json')) as Finding[]).filter(
    ({ about }) => about === 'drift',
  )
  expect(found.map(({ kind }) => kind)).toEqual([`drift claude ${severity}`])
  const diff = await gantry(at, 'schema', 'diff', '--agent', 'claude')
  expect(diff).toMatchObject({ exit, stdout: expect.stringContaining(`1 ${severity}`) })
})

test('schema analyze names what was never seen, with the way to see it; schema types narrow by the name', async () => {
  const at = makeHome()
  await using _daemon = await startDaemon(at)
  const { agent, event, env, payload } = stop
  await sendFrame(at, { agent, event, payload: JSON.stringify(payload), header: { env } })
  const said = await gantry(at, 'schema', 'analyze', '--agent', 'claude')
  expect(said.stdout).toMatch(/^Never seen of claude, and how to trigger it$/m)
  expect(said.stdout).toMatch(/^ {2}PreCompact +\S.*\/compact/m)
  const { unseen } = (await gantryJson(at, 'schema', 'analyze', '--json')) as { unseen: Unseen[] }
  expect(unseen.map((one) => one.event)).toContain('SessionEnd')
  expect(unseen.map((one) => one.event)).not.toContain('Stop')
  const types = await gantry(at, 'schema', 'types', '--agent', 'claude')
  expect(types.stdout).toMatch(/^ {2}hook_event_name: "Stop"$/m)
})
