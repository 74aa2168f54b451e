import { describe, expect, test } from 'bun:test'
import { eventOf } from '../../test/kit.ts'
import { SessionMap, STALE_MS } from '../sessions/state/index.ts'
import { tmuxSchema } from './config.ts'
import { Tally } from './index.ts'

const settings = tmuxSchema().parse({ error: '', attention: '', working: '', checked: '', done: '' })
const T0 = 1_763_000_000_000
const TYPES = ['SessionStart', 'UserPromptSubmit', 'PermissionRequest', 'Stop', 'StopFailure', 'SessionEnd']
const SERVERS = [1, 2].map((pid) => ({ socket: '/tmp/tmux', pid }))

let seed = 7
function chance(below: number): number {
  seed = (seed * 48_271) % 0x7fffffff
  return seed % below
}

function randomEvent(at: number) {
  const type = TYPES[chance(TYPES.length)] ?? ''
  const session = chance(40)
  const env = session % 3 === 0 ? {} : { TMUX: `/tmp/tmux,${1 + (session % 2)},0` }
  return eventOf({
    ...{ at, receivedAt: at, type, native: type, sessionId: `s${session}` },
    client: { env, pane: `%${session % 5}`, ...(env.TMUX === undefined ? {} : { tmux: env.TMUX }) },
    ...(type === 'PermissionRequest' ? { tool: { name: 'Bash', input: {} } } : {}),
    ...(type === 'StopFailure' ? { error: { kind: 'rate_limit' } } : {}),
  })
}

/** Without who is named: of two that wait as long as each other it may be either. */
const counts = (tally: Tally, now: number) => tally.summary(settings, now).split(' ').slice(0, 5).join(' ')

test('a failed call is no failed turn', () => {
  const fleet = new SessionMap()
  const tool = { name: 'Bash', input: {}, useId: 'u1' }
  const parts = { at: T0, receivedAt: T0, tool }
  fleet.apply(eventOf({ ...parts, type: 'PreToolUse', native: 'PreToolUse' }))
  const error = { ...tool, error: 'exit 1' }
  fleet.apply(eventOf({ ...parts, tool: error, type: 'PostToolUseFailure', native: 'PostToolUseFailure' }))
  fleet.apply(eventOf({ at: T0 + 1, receivedAt: T0 + 1 }))
  const [session] = fleet.all()
  expect(session?.error?.tool).toBe('Bash')
  expect(new Tally(fleet.all(), T0 + 1).summary(settings, T0 + 1)).toBe('✓1')
})

describe('the incremental count', () => {
  test('equals a fresh count at every step, also for sessions that become stale', () => {
    const fleet = new SessionMap()
    const tally = new Tally([], T0)
    const shown = new Set<string>()
    for (let i = 0, now = T0; i < 3_000; i++) {
      now += chance(50) === 0 ? STALE_MS / 3 : chance(60_000)
      const change = fleet.apply(randomEvent(now))
      if (change) tally.put(change.session, now)
      const fresh = new Tally(fleet.all(), now)
      const later = now + 10_000 // sessions that turned stale are looked for that often
      expect(counts(tally, later)).toBe(counts(fresh, later))
      for (const server of SERVERS) {
        const panes = fresh.panesOn(server)
        expect(tally.panesOn(server)).toEqual(panes)
        for (const status of panes.values()) shown.add(status)
      }
    }
    expect([...shown].sort()).toEqual(['attention', 'done', 'error', 'working'])
  })
})
