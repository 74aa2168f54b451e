/** Codex 0.166.0: tokens, context and cost of a session are what the model reported. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { codex, shell, TRUST_HOOKS } from './codex.ts'
import type { ToolCall } from './mock/model.ts'
import { gantry, install, openStage, type Stage } from './stage.ts'
import { CHILD_FIRST, CHILD_LAST, expectUsage, FIRST, LAST } from './usage.ts'

const WINDOW = 190_000 // 0.166.0 counts 95 % of what it is told
const args = [TRUST_HOOKS, '-c', 'model_context_window=200000', '-c', 'model="gpt-5.2"']

const spawn = (script: string): ToolCall => ({
  name: 'multi_agent_v1.spawn_agent',
  input: { message: `do it [[s:${script}]]`, agent_type: 'default' },
})
const WAIT: ToolCall = {
  name: 'multi_agent_v1.wait_agent',
  input: { targets: ['$AGENT_ID'], timeout_ms: 10_000 },
}

describe('what Codex used', () => {
  let stage: Stage
  beforeAll(async () => {
    stage = await openStage(codex)
    await install(stage)
    await gantry(stage, 'up')
  })
  afterAll(() => stage.close())

  test('in a plain session', async () => {
    await stage.ask(
      'used',
      [
        { calls: [shell('echo hi')], ...FIRST },
        { text: 'Done.', ...LAST },
      ],
      { args },
    )
    await expectUsage(stage, 'used', { scripts: ['used'], window: WINDOW })
  })

  test('and its version, which only its transcript tells', async () => {
    const [session] = JSON.parse(await gantry(stage, 'sessions', '--json', '--all')) as object[]
    expect(session).toMatchObject({ agentVersion: codex.release.version })
  })

  test('with a sub-agent', async () => {
    stage.model.play('used-a', [
      { calls: [shell('echo hi')], ...CHILD_FIRST },
      { text: 'Done.', ...CHILD_LAST },
    ])
    const turns = [
      { calls: [spawn('used-a')], ...FIRST },
      { calls: [WAIT], ...FIRST },
      { text: 'Done.', ...LAST },
    ]
    await stage.ask('used-family', turns, { args })
    await expectUsage(stage, 'used-family', { scripts: ['used-family', 'used-a'], window: WINDOW })
  })
})
