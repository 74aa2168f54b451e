/** What is generated for the SDK is what the baselines and recordings say. */
import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { generatedSdk } from '../../scripts/generate/sdk-types.ts'
import { AGENT_NAMES } from '../../src/agents/facts.ts'
import type * as sdk from '../../src/sdk/index.ts'
import { payloadOf } from '../../src/sdk/index.ts'
import { event } from '../../src/sdk/testing/index.ts'
import { ROOT } from '../kit.ts'

test('types and samples are up to date (npm run sdk:types)', () => {
  const files = Object.entries(generatedSdk())
  expect(files).toHaveLength(AGENT_NAMES.length + 3)
  for (const [file, text] of files) expect(readFileSync(join(ROOT, file), 'utf8') === text, file).toBe(true)
})

test('the types of all agents are exported', () => {
  const event: sdk.QwenPayloads['PreToolUse']['hook_event_name'] &
    sdk.DroidPayloads['PreToolUse']['hook_event_name'] = 'PreToolUse'
  const types: (keyof sdk.KiloPayloads | keyof sdk.PiPayloads)[] = ['permission.asked', 'UserPromptSubmit']
  expect([event, ...types]).toHaveLength(3)
})

test('a payload has the type of its agent, event and tool', () => {
  const built = event.preToolUse({ tool: 'Bash', input: { command: 'ls' } }).event
  const command: string | undefined = payloadOf(built, 'claude', 'PreToolUse', 'Bash')?.tool_input.command
  expect(command).toBe('ls')
  const mode: 'default' | 'plan' | 'acceptEdits' | 'dontAsk' | 'auto' | 'bypassPermissions' | undefined =
    payloadOf(built, 'claude', 'PreToolUse')?.permission_mode
  expect(mode).toBeDefined()
  expect(payloadOf(built, 'codex', 'PreToolUse')).toBeUndefined()
  expect(payloadOf(built, 'claude', 'Stop')).toBeUndefined()
  expect(payloadOf(built, 'claude', 'PreToolUse', 'Write')).toBeUndefined()
  expect(payloadOf({ ...built, raw: '[1]' })).toBeUndefined()
  expect(payloadOf({ ...built, raw: 'no JSON' }, 'claude', 'PreToolUse')).toBeUndefined()
  // @ts-expect-error: Claude sends no such event
  payloadOf(built, 'claude', 'BeforeTool')
})
