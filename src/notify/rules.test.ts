import { describe, expect, test } from 'bun:test'
import type { Occasion } from './occasion.ts'
import { channelsFor, decide, isWatched } from './rules.ts'
import { channelOf } from './testkit.ts'

const now = Date.parse('2026-06-10T23:00:00Z')
const occasion = (parts: Partial<Occasion> = {}): Occasion => ({
  key: 'k',
  session: 'claude:s1',
  reason: 'permission',
  since: now - 1000,
  says: 'Permission for Bash',
  ...parts,
})
const throttle = { now, toldAt: undefined, recent: [], quiet: [], timeZone: 'UTC' }
const night = [{ from: 22 * 60, to: 7 * 60 }]

describe('who is notified', () => {
  test('is every enabled channel that wants the reason', () => {
    const channels = [
      channelOf({ name: 'all' }),
      channelOf({ name: 'off', enabled: false }),
      channelOf({ name: 'errors', reasons: ['error'] }),
    ]
    expect(channelsFor('permission', channels).map(({ name }) => name)).toEqual(['all'])
    expect(channelsFor('error', channels).map(({ name }) => name)).toEqual(['all', 'errors'])
    expect(channelsFor('stale', channels)).toEqual([])
  })
})

describe('when somebody is notified', () => {
  test('is at once, if nothing prevents it', () => {
    expect(decide(channelOf(), occasion(), throttle)).toEqual({ do: 'send' })
  })

  test('is after the cool-down of the session', () => {
    const channel = channelOf({ cooldownMs: 30_000 })
    expect(decide(channel, occasion(), { ...throttle, toldAt: now - 10_000 })).toMatchObject({
      do: 'wait',
      until: now + 20_000,
    })
    expect(decide(channel, occasion(), { ...throttle, toldAt: now - 30_000 })).toEqual({ do: 'send' })
  })

  test('is at the end of quiet hours for a pending request, and never for a finished turn', () => {
    const quiet = { ...throttle, quiet: night }
    const morning = Date.parse('2026-06-11T07:00:00Z')
    expect(decide(channelOf(), occasion(), quiet)).toMatchObject({ do: 'wait', until: morning })
    expect(decide(channelOf(), occasion({ reason: 'done' }), quiet)).toEqual({
      do: 'skip',
      why: 'quiet hours',
    })
    expect(decide(channelOf({ inQuietHours: true }), occasion(), quiet)).toEqual({ do: 'send' })
  })

  test('is a minute after the first one beyond the rate limit', () => {
    const channel = channelOf({ maxPerMinute: 2 })
    const recent = [now - 50_000, now - 40_000, now - 1_000]
    expect(decide(channel, occasion(), { ...throttle, recent })).toMatchObject({
      do: 'wait',
      until: now + 20_000,
    })
    expect(decide(channel, occasion(), { ...throttle, recent: [now - 61_000, now - 1] })).toEqual({
      do: 'send',
    })
  })

  test('is never for an old end of a turn from a spool; a question is still sent', () => {
    const old = now - 2 * 3_600_000
    expect(decide(channelOf(), occasion({ reason: 'done', since: old }), throttle)).toMatchObject({
      do: 'skip',
    })
    expect(decide(channelOf(), occasion({ reason: 'question', since: old }), throttle)).toEqual({
      do: 'send',
    })
  })
})

describe('a pane is watched', () => {
  test('by a client that has the focus and was touched lately', () => {
    expect(isWatched([{ focused: true, activeAt: now - 1000 }], now, 300_000)).toBe(true)
    expect(isWatched([{ focused: false, activeAt: now }], now, 300_000)).toBe(false)
    expect(isWatched([{ focused: true, activeAt: now - 400_000 }], now, 300_000)).toBe(false)
    expect(isWatched([{ focused: true, activeAt: now - 400_000 }], now, 0)).toBe(true)
    expect(isWatched([], now, 300_000)).toBe(false)
  })
})
