/** What is no work for a hook: the same hooks with it and without. */
import { expect, test } from 'bun:test'
import { appendFileSync } from 'node:fs'
import { call } from '../../src/client/index.ts'
import type { Places } from '../../src/core/files/paths.ts'
import { makeHome, sendFrame, startDaemon, until } from '../kit.ts'
import { pauseMs } from '../processor-time.ts'
import { openReceiver } from '../receiver.ts'

const HOOKS = 100

async function hookMs(at: Places, n: number): Promise<number> {
  const tool = { tool_name: 'Bash', tool_input: { command: String(n) } }
  const payload = JSON.stringify({ hook_event_name: 'PreToolUse', session_id: 's1', cwd: '/', ...tool })
  const start = performance.now()
  await sendFrame(at, { event: 'PreToolUse', payload })
  return performance.now() - start
}

/** The medians of so many hooks to two daemons, in turns, so that whatever else the machine does falls on both. */
async function inTurns(one: Places, other: Places): Promise<[number, number]> {
  const took: [number, number][] = []
  for (let i = 0; i < HOOKS; i++) took.push([await hookMs(one, i), await hookMs(other, i)])
  const median = (of: 0 | 1) => took.map((pair) => pair[of]).toSorted((a, b) => a - b)[HOOKS / 2] ?? 0
  return [median(0), median(1)]
}

test('twenty handlers of other events, and an endpoint that never answers, cost a hook nothing', async () => {
  const [plain, at] = [makeHome(), makeHome()]
  await using _plain = await startDaemon(plain)
  await using _daemon = await startDaemon(at)
  await inTurns(plain, at) // all are measured on a warm daemon
  for (let i = 0; i < 20; i++)
    await call(at, 'bus.register', { id: `h${i}`, events: ['Stop'], command: 'true' })
  const besideHandlers = await inTurns(plain, at)
  const silent = openReceiver(() => new Promise(() => {}))
  appendFileSync(
    at.configFile,
    `\n[[webhooks]]\nname = "w"\nurl = "${silent.url}"\nsecret = "of the tests"\n`,
  )
  await until(async () => (await call(at, 'bus.webhooks')).length === 1, 'the webhook')
  const besideWebhook = await inTurns(plain, at)
  expect(silent.got.length).toBeGreaterThan(0)
  await silent.stop()
  for (const [without, beside] of [besideHandlers, besideWebhook])
    expect(beside).toBeLessThan(1.5 * without + 0.3 + pauseMs())
})
