import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseRules } from './index.ts'

const warnings = async (rule: string) =>
  (await parseRules(`rules:\n  - { id: a, ${rule} }`, 'a.yaml')).flatMap((one) => one.warnings ?? [])

test.each([
  [
    'on: PreToolUze, then: { deny: x }',
    'rules.0.on: there is no event "PreToolUze". Did you mean PreToolUse?',
  ],
  ['on: Stop, agent: cluade', 'rules.0.agent: there is no agent "cluade". Did you mean claude?'],
  [
    'on: PreToolUse, when: { agent: [codx] }',
    'rules.0.when.agent: there is no agent "codx". Did you mean codex?',
  ],
  ['on: PreToolUse, tool: bash', 'claude calls this tool "Bash", not "bash". "/^(?i:bash)$/" is both'],
  ['on: PreToolUse, tool: Bsh', 'there is no tool "Bsh". Did you mean Bash?'],
  [
    'on: Stop, when: { any: [{ phase: wrking }] }',
    'rules.0.when.any.0.phase: "wrking" is none of starting, idle,',
  ],
  [
    'on: Stop, when: { permissionMode: yolo }',
    'rules.0.when.permissionMode: "yolo" is none of default, plan,',
  ],
  [
    'on: [PreToolUse, Stop], then: { deny: x }',
    'no agent can be told "deny" at Stop. block-stop keeps a turn going',
  ],
  ['on: PreToolUse, then: { block-stop: x }', 'no agent can be told "block-stop" at PreToolUse'],
  ['on: DeployDone, then: { deny: x }', 'no agent can be told "deny" at DeployDone'],
  ['on: SessionEnd, agent: claude, then: { context: x }', 'claude cannot be told "context" at SessionEnd'],
  ['on: Stop, examples: { noMatch: [{ type: Stpo }] }', 'there is no event "Stpo". Did you mean Stop?'],
  [
    'on: PreToolUse, when: { branch: main }, examples: { match: [{ command: ls, facts: { brnch: dev } }] }',
    'rules.0.examples.match.0.facts.brnch: there is no fact "brnch". Did you mean branch?',
  ],
])('what cannot work is named with file and line: %s', async (rule, said) => {
  const [first, ...others] = await warnings(rule)
  expect(first).toStartWith('a.yaml:2: rules.0.')
  expect(first).toContain(said)
  expect(others).toEqual([])
})

test.each([
  'on: DeployDone, then: { notify: x }',
  "on: '*', then: { deny: x }",
  'on: PermissionRequest, then: { ask: x }',
  'on: UserPromptSubmit, then: { ask: x }',
  'on: PreToolUse, tool: mcp__github__push, then: { rewrite: { a: 1 } }',
  'on: PreToolUse, tool: bash, agent: opencode, then: { deny: x }',
  'on: PreToolUse, agent: homemade, when: { phase: [work*, idle] }, then: { deny: x }',
  'on: Stop, then: { block-stop: x, context: y }',
])('what can work is not: %s', async (rule) => {
  expect(await warnings(rule)).toEqual([])
})

test('the example of the docs has none', async () => {
  const text = readFileSync(join(import.meta.dir, '../../../examples/rules.yaml'), 'utf8')
  const rules = await parseRules(text, 'rules.yaml')
  expect(rules.flatMap((rule) => rule.warnings ?? [])).toEqual([])
})
