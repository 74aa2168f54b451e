import { expect, test } from 'bun:test'
import { MAX_RESTARTS, RESTART_SPAN_MS, RestartLimit } from './supervise.ts'

test('a storm of restarts ends, and is forgotten after a while', () => {
  let now = 0
  const limit = new RestartLimit(() => now)
  for (let i = 0; i < MAX_RESTARTS; i++) {
    expect(limit.reached).toBe(false)
    limit.note()
    now += 1_000
  }
  expect(limit.reached).toBe(true)
  now = RESTART_SPAN_MS
  expect(limit.reached).toBe(false)
})
