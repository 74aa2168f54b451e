import { describe, expect, test } from 'bun:test'
import { eventOf } from '../../../test/kit.ts'
import type { HookEvent } from '../../events/index.ts'
import { printOf, SessionMap } from '../../sessions/state/index.ts'
import { isAboutTool, isAsking, isLeftToPerson, verdictOf } from './permission.ts'

const asks = (parts: Partial<HookEvent> = {}): HookEvent =>
  eventOf({
    type: 'PermissionRequest',
    native: 'PermissionRequest',
    tool: { name: 'Bash', input: { command: 'ls' } },
    ...parts,
  })

describe('a yes or no is enough', () => {
  test('for a tool, not for a question, a plan, a cut payload, a stranger, or over HTTP', () => {
    expect(isAboutTool(asks())).toBe(true)
    for (const name of ['AskUserQuestion', 'ExitPlanMode', 'ask_user', 'exit_plan_mode', ''])
      expect(isAboutTool(asks({ tool: { name, input: {} } }))).toBe(false)
    expect(isAboutTool(asks({ tool: { name: 'constructor', input: {} } }))).toBe(true)
    expect(isAboutTool(asks({ cutFrom: 9 }))).toBe(false)
    expect(isAboutTool(asks({ agent: 'stranger' }))).toBe(false)
    expect(isAboutTool(asks({ hidden: 'title-thread' }))).toBe(false)
    for (const transport of ['http', 'spool', 'replay', 'emit', 'healer'] as const)
      expect(isAboutTool(asks({ transport }))).toBe(false)
  })

  test('when nobody decided, or somebody wants a person and the agent has no words for that', () => {
    expect(isLeftToPerson(asks(), { decision: 'none', context: ['x'] })).toBe(true)
    expect(isLeftToPerson(asks(), { decision: 'ask' })).toBe(true)
    expect(isLeftToPerson(asks(), { decision: 'deny' })).toBe(false)
    expect(isLeftToPerson(asks(), { decision: 'allow' })).toBe(false)
    const before = (agent: string) => asks({ agent, type: 'PreToolUse', native: 'PreToolUse' })
    expect(isLeftToPerson(before('codex'), { decision: 'ask' })).toBe(true)
    expect(isLeftToPerson(before('codex'), { decision: 'none' })).toBe(false)
    expect(isLeftToPerson(before('claude'), { decision: 'ask' })).toBe(false)
  })
})

describe('a session asks', () => {
  const after = (...events: HookEvent[]) => {
    const fleet = new SessionMap()
    for (const [i, event] of events.entries()) fleet.apply({ ...event, seq: i + 1, id: `e${i}` })
    return fleet.get('claude:s1')
  }
  const stillAsks = (event: HookEvent, ...later: HookEvent[]) => {
    const session = after(event, ...later)
    return session !== undefined && isAsking(session, event, printOf(event))
  }
  const done = (command: string) =>
    eventOf({
      type: 'PostToolUse',
      native: 'PostToolUse',
      at: asks().at + 5,
      tool: { name: 'Bash', input: { command }, useId: 'u1' },
    })

  test('until its own tool call has ended, also beside another one of the same moment', () => {
    const other = asks({ tool: { name: 'Bash', input: { command: 'pwd' } } })
    expect(stillAsks(asks())).toBe(true)
    expect(stillAsks(asks(), other)).toBe(true)
    expect(stillAsks(asks(), other, done('pwd'))).toBe(true)
    expect(stillAsks(asks(), other, done('ls'))).toBe(false)
  })

  test('also when its call is heard of later', () => {
    const call = eventOf({
      type: 'PreToolUse',
      native: 'PreToolUse',
      at: asks().at - 1,
      tool: { name: 'Bash', input: { command: 'ls' }, useId: 'u1' },
    })
    expect(stillAsks(asks(), call)).toBe(true)
    expect(stillAsks(asks(), call, done('ls'))).toBe(false)
  })

  test('not after its turn or its session has ended', () => {
    const at = asks().at + 9
    for (const type of ['Stop', 'Interrupt', 'SessionEnd', 'StopFailure'])
      expect(stillAsks(asks(), eventOf({ type, native: type, at }))).toBe(false)
  })
})

describe('what a person says', () => {
  const said = { id: 'riko7', message: undefined }

  test('is the verdict on a permission; of a tool that a rule wants asked, a yes leaves the rest to the agent', () => {
    const ruled = { decision: 'ask', reason: 'sure?', by: 'rule', context: ['x'] } as const
    expect(verdictOf(asks(), { decision: 'none' }, { ...said, said: 'allow' })).toEqual({
      decision: 'allow',
      by: 'approval:riko7',
    })
    expect(verdictOf(asks({ type: 'PreToolUse' }), ruled, { ...said, said: 'allow' })).toEqual({
      decision: 'none',
      by: 'approval:riko7',
      context: ['x'],
    })
  })

  test('a no always has a reason, and drops another input', () => {
    const rewritten = { decision: 'none', input: { command: 'x' } } as const
    expect(verdictOf(asks(), rewritten, { ...said, said: 'deny' })).toEqual({
      decision: 'deny',
      by: 'approval:riko7',
      reason: 'A person was asked, and said no.',
    })
    expect(verdictOf(asks(), rewritten, { ...said, said: 'deny', message: ' ' }).reason).toContain('said no')
    expect(verdictOf(asks(), rewritten, { ...said, said: 'allow' }).input).toEqual({ command: 'x' })
  })
})
