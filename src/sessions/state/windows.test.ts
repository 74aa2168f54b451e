/** /clear ends one session and starts another; process, location and reason tell which follows which. */
import { describe, expect, test } from 'bun:test'
import type { HookEvent } from '../../events/index.ts'
import type { Session } from './session.ts'
import type { SessionMap } from './session-map.ts'
import { ev, sessionsOf } from './testkit.ts'

const at = (pid?: number, pane?: string): Partial<HookEvent> => ({
  cwd: '/work',
  client: {
    env: pid === undefined ? {} : { CLAUDE_PID: String(pid) },
    ...(pane === undefined ? {} : { pane }),
  },
})
const began = (id: string, source: string, where: Partial<HookEvent>) =>
  ev('SessionStart', { sessionId: id, source, ...where })
const ended = (id: string, reason: string, where: Partial<HookEvent>) =>
  ev('SessionEnd', { sessionId: id, reason, ...where })

const before = (sessions: SessionMap, id: string): Session['prevSessionId'] =>
  sessions.get(`claude:${id}`)?.prevSessionId

describe('two agents in one folder', () => {
  const both = () => [began('a1', 'startup', at(100)), began('b1', 'startup', at(200))]

  test('each window continues that of its own process', () => {
    const ends = [ended('b1', 'clear', at(200)), ended('a1', 'clear', at(100))]
    const sessions = sessionsOf(
      ...both(),
      ...ends,
      began('b2', 'clear', at(200)),
      began('a2', 'clear', at(100)),
    )
    expect([before(sessions, 'a2'), before(sessions, 'b2')]).toEqual(['a1', 'b1'])
  })

  test('a window that ended for another reason is not continued', () => {
    const where = at(undefined)
    const events = [began('a1', 'startup', where), ended('a1', 'other', where), began('b2', 'clear', where)]
    expect(before(sessionsOf(...events), 'b2')).toBeUndefined()
  })

  test('without a process, panes decide, and nothing is guessed if those are equal', () => {
    const there = (one: string, other: string) => [
      began('a1', 'startup', at(undefined, one)),
      began('b1', 'startup', at(undefined, other)),
      ended('a1', 'clear', at(undefined, one)),
      ended('b1', 'clear', at(undefined, other)),
      began('a2', 'clear', at(undefined, one)),
    ]
    expect(before(sessionsOf(...there('%1', '%2')), 'a2')).toBe('a1')
    expect(before(sessionsOf(...there('%1', '%1')), 'a2')).toBeUndefined()
  })
})

describe('a start that arrives before the end', () => {
  test('in the same process is linked at once', () => {
    const sessions = sessionsOf(began('a1', 'startup', at(100)), began('a2', 'clear', at(100)))
    expect(before(sessions, 'a2')).toBe('a1')
  })

  test('otherwise is linked at the end, and that change is reported', () => {
    const where = at(undefined, '%1')
    const sessions = sessionsOf(began('a1', 'startup', where), began('a2', 'clear', where))
    expect(before(sessions, 'a2')).toBeUndefined()
    const change = sessions.apply(ended('a1', 'clear', where))
    expect(change?.linked).toMatchObject({ id: 'a2', prevSessionId: 'a1', conversationId: 'a1' })
    expect(sessions.get('claude:a2')).toMatchObject({ prevSessionId: 'a1' })
    expect(sessions.get('claude:a2')).not.toHaveProperty('awaitsPrev')
  })

  test('of another window, process or reason links nothing', () => {
    const where = at(undefined, '%1')
    const second = () => sessionsOf(began('a1', 'startup', where), began('a2', 'clear', where))
    for (const end of [
      ended('a1', 'other', where),
      ended('a1', 'clear', at(undefined, '%2')),
      { ...ended('a1', 'clear', where), at: Number.MAX_SAFE_INTEGER },
    ])
      expect(second().apply(end)?.linked).toBeUndefined()
    const other = sessionsOf(began('a1', 'startup', at(100)), began('b2', 'clear', at(200)))
    expect(other.apply(ended('a1', 'clear', at(100)))?.linked).toBeUndefined()
  })
})

test('a window that is cleared at once does not continue itself, and no window is continued twice', () => {
  const where = at(undefined, '%1')
  const alone = sessionsOf(began('a2', 'clear', where))
  expect(alone.apply(ended('a2', 'clear', where))?.linked).toBeUndefined()
  const sessions = sessionsOf(
    began('a1', 'startup', where),
    began('b2', 'clear', where),
    ended('a1', 'clear', where),
    began('c2', 'clear', where),
  )
  expect([before(sessions, 'b2'), before(sessions, 'c2')]).toEqual(['a1', undefined])
  expect(sessions.apply(ended('a1', 'clear', where))?.linked).toBeUndefined()
})

test('a chain of windows in one process: each continues the previous one', () => {
  const where = at(100)
  const sessions = sessionsOf(
    began('a1', 'startup', where),
    ended('a1', 'clear', where),
    began('a2', 'clear', where),
    ended('a2', 'clear', where),
    began('a3', 'clear', where),
  )
  expect([before(sessions, 'a2'), before(sessions, 'a3')]).toEqual(['a1', 'a2'])
  expect(sessions.get('claude:a3')?.conversationId).toBe('a1')
})
