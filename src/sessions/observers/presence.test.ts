import { expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { rawEvent, tempDir } from '../../../test/kit.ts'
import { readEvent } from '../../journal/parse-event.ts'
import { SessionMap } from '../state/index.ts'
import { PresenceObserver } from './presence.ts'

/** This process's inotify watches, with their descriptors, as Linux lists them. */
function watches(): number {
  return readdirSync('/proc/self/fdinfo')
    .flatMap((fd) => {
      try {
        return readFileSync(`/proc/self/fdinfo/${fd}`, 'utf8').split('\n')
      } catch {
        return []
      }
    })
    .filter((line) => line.startsWith('inotify ')).length
}

test('hooks that name ever new homes leave only a limited number of watches', () => {
  const sessions = new SessionMap()
  const raw = JSON.stringify({ sessionId: 's1', cwd: '/' })
  sessions.apply({ ...readEvent(rawEvent({ agent: 'copilot', event: 'sessionStart', raw })), seq: 1 })
  const session = sessions.get('copilot:s1') ?? expect.unreachable()
  const observer = new PresenceObserver({ session: () => session, raise: () => {} })
  const before = watches()
  for (let i = 0; i < 100; i++) observer.follow(session, { COPILOT_HOME: tempDir() })
  expect(watches() - before).toBeLessThanOrEqual(32)
  observer.close()
  expect(watches()).toBe(before)
})
