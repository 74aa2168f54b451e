/** What is no work for a hook: the same hooks with it and without. */
import { expect, test } from 'bun:test'
import { appendFileSync } from 'node:fs'
import { call } from '../../src/client/index.ts'
import type { Places } from '../../src/core/files/paths.ts'
import { makeHome, sendFrame, startDaemon, until } from '../kit.ts'
import { openReceiver } from '../receiver.ts'

const HOOKS = 150

/** The median of so many hooks, one after the other, in milliseconds. */
async function hookMs(at: Places): Promise<number> {
  const took: number[] = []
  for (let i = 0; i < HOOKS; i++) {
    const tool = { tool_name: 'Bash', tool_input: { command: String(i) } }
    const payload = JSON.stringify({ hook_event_name: 'PreToolUse', session_id: 's1', cwd: '/', ...tool })
    const start = performance.now()
    await sendFrame(at, { event: 'PreToolUse', payload })
    took.push(performance.now() - start)
  }
  return took.toSorted((a, b) => a - b)[HOOKS / 2] ?? 0
}

test('twenty handlers of other events, and an endpoint that never answers, cost a hook nothing', async () => {
  const at = makeHome()
  await using _daemon = await startDaemon(at)
  await hookMs(at) // all are measured on a warm daemon
  const without = await hookMs(at)
  for (let i = 0; i < 20; i++)
    await call(at, 'bus.register', { id: `h${i}`, events: ['Stop'], command: 'true' })
  const besideHandlers = await hookMs(at)
  const silent = openReceiver(() => new Promise(() => {}))
  appendFileSync(
    at.configFile,
    `\n[[webhooks]]\nname = "w"\nurl = "${silent.url}"\nsecret = "of the tests"\n`,
  )
  await until(async () => ((await call(at, 'bus.webhooks')) as object[]).length === 1, 'the webhook')
  const besideWebhook = await hookMs(at)
  expect(silent.got.length).toBeGreaterThan(0)
  await silent.stop()
  for (const beside of [besideHandlers, besideWebhook]) expect(beside).toBeLessThan(1.5 * without + 0.3)
})
