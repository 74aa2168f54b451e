/** A server asks for input during one of its calls: the person is needed at once, and only until it ends. */
import { expect, test } from 'bun:test'
import type { HookEvent } from '../../events/index.ts'
import { phaseOf } from './phase.ts'
import { ev, note, run, tool } from './testkit.ts'

const prompt = () => ev('UserPromptSubmit', { prompt: 'go' })
const begins = (server: string, id: string, whose: Partial<HookEvent> = {}) =>
  ev('PreToolUse', { ...tool(`mcp__${server}__ask`, id), ...whose })
const asks = (server: string, whose: Partial<HookEvent> = {}) =>
  ev('Elicitation', { fields: { mcp_server_name: server, message: 'Which one?' }, ...whose })
const answers = (server: string) =>
  ev('ElicitationResult', { fields: { mcp_server_name: server, action: 'decline' } })

test('blocks with the hook; the notification six seconds later adds nothing', () => {
  const asked = run(prompt(), begins('forms', 'm1'), asks('forms'))
  expect(phaseOf(asked)).toBe('blocked')
  expect(asked.attention).toMatchObject([{ kind: 'elicitation', reason: 'MCP input', call: 'm1' }])
  const noted = run(prompt(), begins('forms', 'm1'), asks('forms'), note('elicitation_dialog'))
  expect(noted.attention).toHaveLength(1)
})

test('any answer clears it, and so do the end of the call and of the turn', () => {
  const asked = () => [prompt(), begins('forms', 'm1'), asks('forms')]
  expect(phaseOf(run(...asked(), answers('forms')))).toBe('working')
  expect(phaseOf(run(...asked(), note('elicitation_dialog'), note('elicitation_response')))).toBe('working')
  expect(phaseOf(run(...asked(), ev('PostToolUse', tool('mcp__forms__ask', 'm1'))))).toBe('working')
  expect(phaseOf(run(...asked(), ev('Interrupt')))).toBe('idle')
})

test('two asking servers are answered separately; server names are written as in tool names', () => {
  const both = () => [
    prompt(),
    begins('my_forms', 'm1'),
    begins('other', 'm2'),
    asks('my.forms'),
    asks('other'),
  ]
  expect(run(...both()).attention.map(({ call }) => call)).toEqual(['m1', 'm2'])
  expect(run(...both(), answers('my.forms')).attention).toMatchObject([{ call: 'm2' }])
})

test("a sub-agent's server blocks on behalf of the sub-agent", () => {
  const child = { agentId: 'a1', agentType: 'Explore' }
  const begun = [prompt(), ev('SubagentStart', child), begins('forms', 'm0'), begins('forms', 'm1', child)]
  expect(run(...begun, asks('forms', child)).attention).toMatchObject([{ call: 'm1', agentId: 'a1' }])
})

test('an opencode question, raised by a notification, ends with its answer', () => {
  const asked = () => ({ ...note('elicitation_dialog'), ...tool('question', 'q1') })
  const begun = [prompt(), ev('PreToolUse', tool('question', 'q1')), asked()]
  expect(phaseOf(run(...begun))).toBe('blocked')
  expect(phaseOf(run(...begun, ev('ElicitationResult', { fields: { requestID: 'r' } })))).toBe('working')
})
