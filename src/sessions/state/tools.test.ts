import { describe, expect, test } from 'bun:test'
import type { HookEvent } from '../../events/index.ts'
import { phaseOf } from './phase.ts'
import { SessionMap } from './session-map.ts'
import { ev, inTurn, note, prompt, run as runAt, tool } from './testkit.ts'
import { printOf } from './tools.ts'

const run = (...events: HookEvent[]) => runAt(...inTurn(...events))

describe("a permission whose input differs from its call's", () => {
  const codex = { agent: 'codex' }
  const command = { command: 'touch x' }
  // As Codex 0.166.0 sends them: only the request has the reason.
  const asked = { ...command, description: 'May I create x?' }

  test('Codex gives the reason in the request alone: it still belongs to its call', () => {
    const sessions = new SessionMap()
    const events = [
      ev('UserPromptSubmit', codex),
      ev('PreToolUse', { ...codex, ...tool('Bash', 'c1', command) }),
      ev('PreToolUse', { ...codex, ...tool('Bash', 'c2', { command: 'ls' }) }),
      ev('PermissionRequest', { ...codex, ...tool('Bash', undefined, asked) }),
    ]
    for (const event of events) sessions.apply(event)
    expect(sessions.find('codex:s1')?.attention.map(({ call }) => call)).toEqual(['c1'])
    sessions.apply(ev('PostToolUse', { ...codex, ...tool('Bash', 'c2', { command: 'ls' }) }))
    expect(sessions.find('codex:s1')?.attention).toHaveLength(1)
    sessions.apply(ev('PostToolUse', { ...codex, ...tool('Bash', 'c1', command) }))
    const after = sessions.find('codex:s1')
    expect([after && phaseOf(after), after?.attention]).toEqual(['working', []])
  })

  test('Codex may call a tool with a value that is not an object: that value identifies it', () => {
    const print = (input: unknown) => printOf(ev('PreToolUse', { ...codex, ...tool('Bash', 'c1', input) }))
    const none = printOf(ev('PreToolUse', { ...codex, tool: { name: 'Bash', input: undefined } }))
    const all = [none, print('ls'), print('pwd'), print(null), print({}), print(['ls'])]
    expect(new Set(all).size).toBe(all.length)
    expect(print(asked)).toBe(print(command))
  })

  test('of a long input its beginning, end and length count', () => {
    const print = (text: string) => printOf(ev('PreToolUse', tool('Write', 't1', { text })))
    const long = (middle: string) => `${'a'.repeat(400)}${middle}${'z'.repeat(400)}`
    expect(print(long('1'))).toBe(print(long('2')))
    for (const other of [`${long('1')}z`, `b${long('1').slice(1)}`, `${long('1').slice(1)}y`])
      expect(print(other)).not.toBe(print(long('1')))
    expect(print(`${'a'.repeat(200)}1${'z'.repeat(200)}`)).not.toBe(
      print(`${'a'.repeat(200)}2${'z'.repeat(200)}`),
    )
  })

  const call = ev('PreToolUse', tool('Bash', 't1', { command: 'make' }))
  const request = ev('PermissionRequest', tool('Bash', undefined, { command: 'make -j1' }))

  test('rewritten in between: it belongs to the only open call of that tool', () => {
    const blocked = run(prompt(), call, request)
    expect(blocked.attention).toMatchObject([{ kind: 'permission', call: 't1' }])
    const ended = run(prompt(), call, request, ev('PostToolUse', tool('Bash', 't1', { command: 'make -j1' })))
    expect([phaseOf(ended), ended.attention]).toEqual(['working', []])
  })

  test('with two such calls, or one of another agent, none is guessed', () => {
    const other = ev('PreToolUse', tool('Bash', 't2', { command: 'ls' }))
    expect(run(prompt(), call, other, request).attention[0]?.call).toStartWith('=')
    const childs = { ...call, agentId: 'a1' }
    expect(run(prompt(), childs, request).attention[0]?.call).toStartWith('=')
  })

  test('a call with exactly that input takes it over, and the end of the other one leaves it', () => {
    const own = ev('PreToolUse', tool('Bash', 't2', { command: 'make -j1' }))
    const done = ev('PostToolUse', tool('Bash', 't1', { command: 'make' }))
    const session = run(prompt(), call, request, own, done)
    expect(session.attention.map(({ call, print }) => [call, print])).toEqual([['t2', undefined]])
    expect(phaseOf(session)).toBe('blocked')
  })
})

describe('a request known only from a notification', () => {
  const mcp = () => ev('PreToolUse', tool('mcp__forms__ask', 'm1'))
  const bash = (id: string) => ev('PreToolUse', tool('Bash', id))
  const end = (name: string, id: string) => ev('PostToolUse', tool(name, id))

  test('input for an MCP server ends with the call of that server, not with another', () => {
    const begun = [prompt(), mcp(), bash('b1'), note('elicitation_dialog')]
    expect(run(...begun).attention).toMatchObject([{ kind: 'elicitation', call: 'm1' }])
    expect(phaseOf(run(...begun, end('Bash', 'b1')))).toBe('blocked')
    expect(phaseOf(run(...begun, end('mcp__forms__ask', 'm1')))).toBe('working')
  })

  test('a permission with two open calls stays until both have ended', () => {
    const begun = [prompt(), bash('b1'), bash('b2'), note('permission_prompt')]
    expect(phaseOf(run(...begun, end('Bash', 'b1')))).toBe('blocked')
    expect(phaseOf(run(...begun, end('Bash', 'b1'), end('Bash', 'b2')))).toBe('working')
  })

  test('a call that waits for its sub-agent does not ask: the sub-agent does', () => {
    const child = { agentId: 'a1', agentType: 'Explore' }
    const inner = ev('PreToolUse', { ...tool('Bash', 'b1'), ...child })
    const begun = [prompt(), ev('PreToolUse', tool('Agent', 't1')), ev('SubagentStart', child), inner]
    const asked = run(...begun, note('permission_prompt'))
    expect(asked.attention).toMatchObject([{ call: 'b1', agentId: 'a1', reason: 'Permission for Bash' }])
    const done = ev('PostToolUse', { ...tool('Bash', 'b1'), ...child })
    expect(phaseOf(run(...begun, note('permission_prompt'), done))).toBe('working')
  })
})

describe('a request', () => {
  const bash = (id: string) => ev('PreToolUse', tool('Bash', id))
  const request = (id: string, name = 'Bash') => ev('PermissionRequest', tool(name, undefined, { of: id }))
  const asks = (...events: HookEvent[]) => run(prompt(), ...events).attention

  test('repeated for one call counts once, since the last time', () => {
    expect(asks(bash('b1'), request('b1'), request('b1'))).toMatchObject([{ call: 'b1', since: 4000 }])
  })

  test('from a hook is not repeated by the following notification, whichever calls are open', () => {
    const both = [bash('b1'), bash('b2'), request('b1'), note('permission_prompt')]
    expect(asks(...both)).toMatchObject([{ kind: 'permission', call: 'b1' }])
    const question = ev('PreToolUse', tool('AskUserQuestion', 'q1'))
    expect(asks(question, note('permission_prompt'))).toMatchObject([{ kind: 'question', call: 'q1' }])
  })

  test('from a question with rewritten input is that question, beside other open calls', () => {
    const question = ev('PreToolUse', tool('AskUserQuestion', 'q1'))
    const rewritten = request('rewritten', 'AskUserQuestion')
    const ofChild = ev('PreToolUse', { ...tool('AskUserQuestion', 'q2'), agentId: 'a1' })
    expect(asks(bash('b1'), question, rewritten)).toMatchObject([{ kind: 'question', call: 'q1' }])
    expect(asks(question, ofChild, rewritten).map(({ call }) => call)).toEqual(['q2', 'q1'])
  })

  test("without a call is not answered by another agent's progress", () => {
    const child = { agentId: 'a1', agentType: 'Explore' }
    const begun = [ev('SubagentStart', child), note('permission_prompt')]
    const done = (whose: object) => ev('PostToolUse', { ...tool('Read', 'r1'), ...whose })
    expect(asks(...begun, done(child))).toMatchObject([{ kind: 'permission' }])
    expect(asks(...begun, done({}))).toEqual([])
  })

  test('of a failed turn is not answered by a late end of one of its calls', () => {
    const failed = ev('StopFailure', { error: { kind: 'rate_limit' } })
    const session = run(prompt(), bash('b1'), failed, ev('PostToolUse', tool('Bash', 'b1')))
    expect([phaseOf(session), session.attention.map(({ kind }) => kind)]).toEqual(['idle', ['error']])
  })
})

describe('a failed tool', () => {
  const child = { agentId: 'a1', agentType: 'Explore' }
  const failed = (whose: object, id: string) =>
    ev('PostToolUseFailure', { tool: { name: 'Bash', input: {}, useId: id, error: 'exit 1' }, ...whose })
  const done = (whose: object) => ev('PostToolUse', { ...tool('Read', 'r1'), ...whose })
  const begun = [prompt(), ev('SubagentStart', child)]

  test('of a sub-agent: until its next success, its end, or a success of the session itself', () => {
    const error = { tool: 'Bash', message: 'exit 1', agentId: 'a1' }
    expect(run(...begun, failed(child, 'b1')).error).toEqual(error)
    expect(run(...begun, failed(child, 'b1'), done({ agentId: 'a2' })).error).toEqual(error)
    for (const end of [done(child), done({}), ev('SubagentStop', child), prompt()])
      expect(run(...begun, failed(child, 'b1'), end).error).toBeUndefined()
  })

  test('of the session: a sub-agent’s success does not clear it', () => {
    expect(run(...begun, failed({}, 'b1'), done(child)).error).toBeDefined()
  })
})
