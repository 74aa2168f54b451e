/** The journal as the page reads it, of a real daemon: pages of events, and what follows from all of them. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { hostname } from 'node:os'
import { call } from '../../src/client/index.ts'
import { makeHome, type RunningDaemon, sendFrames, startDaemon } from '../kit.ts'

const at = makeHome()
let daemon: RunningDaemon
beforeAll(async () => {
  daemon = await startDaemon(at)
  const prompts = Array.from({ length: 300 }, (_, n) => ({
    hook_event_name: 'UserPromptSubmit',
    prompt: `say ${n}`,
  }))
  const huge = {
    hook_event_name: 'PreToolUse',
    tool_name: 'Write',
    tool_input: { content: 'x'.repeat(1_000_000) },
  }
  const wide = { hook_event_name: 'Stop', last_assistant_message: 'é'.repeat(100_000) }
  await sendFrames(
    at,
    [...prompts, huge, wide].map((one) => ({ payload: JSON.stringify({ session_id: 's1', ...one }) })),
  )
})
afterAll(async () => {
  expect(await daemon.kill('SIGTERM')).toBe(0)
})

describe('events.page', () => {
  test('has no payloads, and long texts are cut', async () => {
    const { events, last, total } = await call(at, 'events.page', { agent: 'claude', limit: 2 })
    expect(total).toBe(last)
    expect(events.map(({ type, shortened }) => [type, shortened])).toEqual([
      ['PreToolUse', true],
      ['Stop', true],
    ])
    expect(events[0]).toMatchObject({ tool: { name: 'Write', input: null } })
    expect(events[0]?.bytes).toBeGreaterThan(1_000_000)
    expect(JSON.stringify(events).length).toBeLessThan(5_000)
    expect(events.some((event) => 'raw' in event)).toBe(false)
  })

  test('finds a session by its key or name, text by a process of its own, and nothing of other hosts', async () => {
    const { name } = await call(at, 'sessions.get', { session: 's1' })
    for (const session of ['s1', 'claude:s1', name]) {
      const { events } = await call(at, 'events.page', { session, after: 0, limit: 3, host: hostname() })
      expect(events.map(({ prompt }) => prompt)).toEqual(['say 0', 'say 1', 'say 2'])
    }
    const found = await call(at, 'events.page', { grep: 'SAY 299' })
    expect(found.events.map(({ prompt }) => prompt)).toEqual(['say 299'])
    const elsewhere = await call(at, 'events.page', { host: 'elsewhere' })
    expect(elsewhere).toMatchObject({ events: [], older: false, newer: false })
    expect((await call(at, 'events.page', { session: "' OR 1=1 --" })).events).toEqual([])
  })

  test('refuses what is not a page', () => {
    for (const wrong of [
      { limit: 501 },
      { at: -1 },
      { after: 1.5 },
      { grep: '' },
      { verdict: 'perhaps' },
      { x: 1 },
    ])
      expect(call(at, 'events.page', wrong as object)).rejects.toThrow()
  })
})

describe('insights', () => {
  test('are of the events of that time', async () => {
    const found = await call(at, 'insights', { since: 0 })
    expect(found).toMatchObject({ since: 0, sessions: 1, cost: [], missed: [] })
    expect(found.events).toBeGreaterThanOrEqual(302)
    expect(found.left).toBeUndefined()
    expect(found.days.reduce((sum, { prompts }) => sum + prompts, 0)).toBe(300)
    expect(found.hooks.arrival.count).toBe(302)
    expect(found.tools).toMatchObject([{ tool: 'Write', calls: 1 }])
    expect(found.heat.workedMs.map((hours) => hours.length)).toEqual([24, 24, 24, 24, 24, 24, 24])
  })

  test('of so many days begin at midnight of the first', async () => {
    const { since, firstDay, lastDay } = await call(at, 'insights', { days: 1 })
    expect([firstDay, new Date(since).getHours()]).toEqual([lastDay, 0])
  })

  test('of a time that was not yet, or never, are none', async () => {
    expect(await call(at, 'insights', { since: Date.now() + 86_400_000 })).toMatchObject({
      events: 0,
      sessions: 0,
    })
    expect(await call(at, 'insights', { since: 5, until: 4 })).toMatchObject({ events: 0 })
    for (const wrong of [
      {},
      { since: 1, days: 1 },
      { days: 0 },
      { since: -1 },
      { since: 'today' },
      { since: Number.NaN },
    ])
      expect(call(at, 'insights', wrong as never)).rejects.toThrow()
  })
})
