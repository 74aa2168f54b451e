/** A tool call that was refused: most agents say nothing more of it, so gantry says itself that it does not run. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { join } from 'node:path'
import { call, type SessionView } from '../../src/client/index.ts'
import {
  type FixtureLine,
  fixtureLines,
  gantry,
  journal,
  makeHome,
  type RunningDaemon,
  sendFrame,
  startDaemon,
  until,
} from '../kit.ts'

setDefaultTimeout(60_000)

const RULE =
  'rules: [{ id: no-touch, on: PreToolUse, match: { tool.input.command: DENIED_RAN }, decision: deny, reason: no }]'
const home = makeHome('[summary]\nmode = "off"\n')
let daemon: RunningDaemon
beforeAll(async () => {
  await Bun.write(join(home.rules, 'a.yaml'), RULE)
  daemon = await startDaemon(home)
})
afterAll(() => daemon.kill('SIGTERM'))

test.each([
  ['claude', '2.1.325/d-pre-deny.jsonl', 'PreToolUse'],
  ['codex', '0.166.0/pre-deny-hso.jsonl', 'PreToolUse'],
  ['gemini', '0.61.0/before-deny-json.jsonl', 'BeforeTool'],
  ['copilot', '1.0.102/copilot-deny.jsonl', 'preToolUse'],
  ['opencode', '1.18.33/opencode-deny.jsonl', 'tool.execute.before'],
])('%s: the call is over at once, once, and denied in the timeline', async (agent, file, last) => {
  const lines = fixtureLines(join(agent, file))
  const at = lines.findIndex(({ event }) => event === last)
  const send = ({ event, payload }: FixtureLine) =>
    sendFrame(home, {
      agent,
      event,
      payload: JSON.stringify(payload).replace(/touch \w+/, 'touch DENIED_RAN'),
    })
  for (const line of lines.slice(0, at + 1)) await send(line)
  const shown = async () =>
    ((await call(home, 'sessions.list', { all: true })) as SessionView[]).find((one) => one.agent === agent)
  await until(async () => (await shown())?.openTools.length === 0, 'the end of the call')
  expect(await shown()).toMatchObject({ phase: 'working', detail: 'Thinking' })
  for (const line of lines.slice(at + 1)) await send(line)
  const id = (await shown())?.id ?? ''
  const denied = journal(
    home,
    `SELECT 1 FROM events WHERE session_id = '${id}' AND type = 'PermissionDenied'`,
  )
  expect(denied).toHaveLength(1)
  const { stdout } = await gantry(home, 'session', id, '--timeline')
  expect(stdout).toMatch(/✗ .*touch DENIED_RAN.* denied/)
  expect(stdout.match(/touch DENIED_RAN/g)).toHaveLength(1)
})
