import { describe, expect, test } from 'bun:test'
import { ev, run, tool } from '../sessions/state/testkit.ts'
import { type Occasion, occasionsOf, stands } from './occasion.ts'

const reasons = (found: readonly Occasion[]) => found.map(({ reason }) => reason)
const asked = () => [ev('UserPromptSubmit'), ev('PermissionRequest', tool('Bash', 'c1'))]

describe('an occasion', () => {
  test('is what a session waits for', () => {
    const session = run(...asked())
    const [found] = occasionsOf(session, session.lastActivity)
    expect(found).toMatchObject({ reason: 'permission', says: 'Permission for Bash', session: 'claude:s1' })
  })

  test('is nothing in a replayed session', () => {
    const session = run(...asked())
    expect(occasionsOf({ ...session, replayed: true }, session.lastActivity)).toEqual([])
  })

  test('keeps its key as long as it lasts, whatever else happens', () => {
    const events = asked()
    const before = run(...events)
    const after = run(...events, ev('PreToolUse', tool('Read', 'c2')), ev('PostToolUse', tool('Read', 'c2')))
    const [one] = occasionsOf(before, before.lastActivity)
    const [same] = occasionsOf(after, after.lastActivity)
    expect(same?.key).toBe(one?.key as string)
  })

  test('is a new one when the same is asked again', () => {
    const events = [...asked(), ev('PostToolUse', tool('Bash', 'c1'))]
    const once = run(...asked())
    const again = run(...events, ev('PermissionRequest', tool('Bash', 'c1b')))
    expect(occasionsOf(again, again.lastActivity)[0]?.key).not.toBe(occasionsOf(once, 0)[0]?.key as string)
  })

  test('is a budget that comes to its end, until a person goes on', () => {
    const before = run(ev('UserPromptSubmit'))
    const since = before.lastActivity + 1
    const session = { ...before, budget: { text: 'Budget night: $4 of $5 used', since } }
    expect(occasionsOf(session, since)).toMatchObject([
      { reason: 'budget', since, says: session.budget.text },
    ])
    expect(occasionsOf({ ...session, lastPromptAt: since + 1 }, since)).toEqual([])
  })

  test('is over once it was answered', () => {
    const events = asked()
    const before = run(...events)
    const [one] = occasionsOf(before, before.lastActivity)
    const after = run(...events, ev('PostToolUse', tool('Bash', 'c1')))
    expect(stands(one as Occasion, before, 0)).toBe(true)
    expect(stands(one as Occasion, after, 0)).toBe(false)
    expect(stands(one as Occasion, undefined, 0)).toBe(false)
  })

  test('is the end of a turn, unless somebody pressed Esc', () => {
    expect(reasons(occasionsOf(run(ev('UserPromptSubmit'), ev('Stop')), 0))).toEqual(['done'])
    expect(occasionsOf(run(ev('UserPromptSubmit'), ev('Interrupt')), 0)).toEqual([])
  })

  test('"done" lasts through the idle notice and the end of the session, and ends with the next prompt', () => {
    const events = [ev('UserPromptSubmit'), ev('Stop')]
    const [done] = occasionsOf(run(...events), 0) as [Occasion]
    const idle = run(...events, ev('Notification', { notification: { type: 'idle_prompt', message: '' } }))
    expect(reasons(occasionsOf(idle, 0))).toEqual(['idle'])
    expect(stands(done, idle, 0)).toBe(true)
    expect(stands(done, run(...events, ev('SessionEnd')), 0)).toBe(true)
    expect(stands(done, run(...events, ev('UserPromptSubmit')), 0)).toBe(false)
    expect(stands(done, { ...run(...events), seen: true }, 0)).toBe(false)
  })

  test('is a failed turn, which is not also done', () => {
    const asked = ev('UserPromptSubmit')
    const failed = ev('StopFailure', { error: { kind: 'rate_limit', message: 'slow down' } })
    expect(reasons(occasionsOf(run(asked, failed), 0))).toEqual(['error'])
  })

  test('is a session that works in silence for eight hours, not a resting one', () => {
    const working = run(ev('UserPromptSubmit'))
    const later = working.lastActivity + 8 * 3_600_000 + 1
    expect(occasionsOf(working, later - 2)).toEqual([])
    expect(reasons(occasionsOf(working, later))).toEqual(['stale'])
    const resting = run(ev('UserPromptSubmit'), ev('Stop'))
    expect(reasons(occasionsOf(resting, later + 60_000))).toEqual(['done'])
  })
})
