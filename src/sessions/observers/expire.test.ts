import { expect, test } from 'bun:test'
import { DAY_MS } from '../../core/time/days.ts'
import type { RawEvent } from '../../events/index.ts'
import { SessionMap } from '../state/index.ts'
import { ev } from '../state/testkit.ts'
import { ExpireObserver } from './expire.ts'

const NOW = 100 * DAY_MS

test('a session that was silent for a week has ended, unless its process lives', () => {
  const sessions = new SessionMap()
  const ages = { old: 7, alive: 8, young: 6 }
  for (const [sessionId, days] of Object.entries(ages))
    sessions.apply(ev('UserPromptSubmit', { sessionId, at: NOW - days * DAY_MS }))
  const raised: RawEvent[] = []
  new ExpireObserver({
    pidOf: (key) => (key.endsWith('alive') ? 1 : undefined),
    raise: (rawEvent) => raised.push(rawEvent),
  }).tidy([...sessions.all()], NOW)
  expect(raised.map(({ raw }) => JSON.parse(String(raw)))).toMatchObject([
    { session_id: 'old', reason: 'gone: silent for 7 days' },
  ])
})
