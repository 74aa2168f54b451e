/** Handlers of other events are no work for a hook: the same hooks with them and without. */
import { expect, test } from 'bun:test'
import { call } from '../../src/client/index.ts'
import { makeHome, sendFrame, startDaemon } from '../kit.ts'

const HOOKS = 200

test('twenty handlers of other events cost a hook nothing', async () => {
  const at = makeHome()
  await using _daemon = await startDaemon(at)
  const median = async () => {
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
  await median() // both are measured on a warm daemon
  const without = await median()
  for (let i = 0; i < 20; i++)
    await call(at, 'bus.register', { id: `h${i}`, events: ['Stop'], command: 'true' })
  const withThem = await median()
  expect(withThem).toBeLessThan(1.5 * without + 0.3)
})
