/** Sub-agents that exist only as a call: Gemini CLI reports no other start and end. */
import { describe, expect, test } from 'bun:test'
import type { HookEvent } from '../../events/index.ts'
import { childPhase, phaseOf } from './phase.ts'
import type { Session } from './session.ts'
import { ev, run, tool } from './testkit.ts'

const invoke = (type: string, agent: string, of: string, rest: Partial<HookEvent> = {}) =>
  ev(type, { tool: { name: 'invoke_agent', input: { agent_name: agent, prompt: of }, agent }, ...rest })
const kids = (session: Session) =>
  session.children.map(({ type, agentId }) => `${type} ${childPhase(session, agentId)}`)

const prompt = ev('UserPromptSubmit')
const first = invoke('PreToolUse', 'codebase_investigator', 'look')
const second = invoke('PreToolUse', 'generalist', 'do')

describe('a sub-agent within a call', () => {
  test("starts with it, is the session's detail, and ends with it", () => {
    const working = run(prompt, first)
    expect(kids(working)).toEqual(['codebase_investigator working'])
    expect(working.detail).toBe('codebase_investigator')
    expect(working.children[0]).toMatchObject({ startedAt: first.at, inferred: false })
    const done = run(prompt, first, invoke('PostToolUse', 'codebase_investigator', 'look'))
    expect(kids(done)).toEqual(['codebase_investigator ended'])
    expect(phaseOf(done)).toBe('working')
  })

  test('two at once are separate, also of one kind; each ends with its own call', () => {
    const other = invoke('PreToolUse', 'generalist', 'do something else', { at: second.at })
    const both = run(prompt, first, second, other)
    expect(kids(both)).toEqual(['codebase_investigator working', 'generalist working', 'generalist working'])
    const done = run(prompt, first, second, other, invoke('PostToolUse', 'generalist', 'do'))
    expect(kids(done)).toEqual(['codebase_investigator working', 'generalist ended', 'generalist working'])
  })

  test('other calls end none of them', () => {
    const call = tool('list_directory')
    const session = run(prompt, first, ev('PreToolUse', call), ev('PostToolUse', call))
    expect(kids(session)).toEqual(['codebase_investigator working'])
  })

  test('the same input again is another one', () => {
    const over = invoke('PostToolUse', 'generalist', 'do')
    expect(kids(run(prompt, second, over, invoke('PreToolUse', 'generalist', 'do')))).toEqual([
      'generalist ended',
      'generalist working',
    ])
  })

  test.each([
    ['failed', invoke('PostToolUseFailure', 'codebase_investigator', 'look')],
    ['was not let run', invoke('PermissionDenied', 'codebase_investigator', 'look')],
    ['was broken off', ev('Interrupt')],
    ['has lost its end, and the turn ends', ev('Stop')],
    ['has lost its end, and the turn fails', ev('StopFailure', { error: { kind: 'x' } })],
  ])('is over when it %s', (_, event) => {
    expect(kids(run(prompt, first, event))).toEqual(['codebase_investigator ended'])
  })

  test('that ended before it started never existed', () => {
    const late = { ...first, at: first.at + 10 }
    expect(
      kids(run(prompt, invoke('PostToolUse', 'codebase_investigator', 'look', { at: first.at + 20 }), late)),
    ).toEqual([])
  })
})
