/** Claude Code 2.1.325: tokens, context and cost of a session are what the model reported. */
import { afterAll, beforeAll, describe, test } from 'bun:test'
import { bash, claude } from './claude.ts'
import type { ToolCall } from './mock/model.ts'
import { gantry, install, openStage, type Stage } from './stage.ts'
import { CHILD_FIRST, CHILD_LAST, expectUsage, FIRST, LAST } from './usage.ts'

const WINDOW = 200_000
const args = ['--model', 'claude-sonnet-4-5']

const agent = (script: string): ToolCall => ({
  name: 'Agent',
  input: { description: 'a job', prompt: `do it [[s:${script}]]`, subagent_type: 'general-purpose' },
})

describe('what Claude used', () => {
  let stage: Stage
  beforeAll(async () => {
    stage = await openStage(claude)
    await install(stage)
    await gantry(stage, 'up')
  })
  afterAll(() => stage.close())

  test('in a plain session', async () => {
    await stage.ask(
      'used',
      [
        { calls: [bash('echo hi')], ...FIRST },
        { text: 'Done.', ...LAST },
      ],
      { args },
    )
    await expectUsage(stage, 'used', { scripts: ['used'], window: WINDOW })
  })

  test('with two sub-agents, whose last requests are written down after their end', async () => {
    for (const child of ['used-a', 'used-b'])
      stage.model.play(child, [
        { calls: [bash('echo hi')], ...CHILD_FIRST },
        { text: 'Done.', ...CHILD_LAST },
      ])
    const turns = [
      { calls: [agent('used-a'), agent('used-b')], ...FIRST },
      { text: 'Done.', ...LAST },
    ]
    await stage.ask('used-family', turns, { args })
    await expectUsage(stage, 'used-family', { scripts: ['used-family', 'used-a', 'used-b'], window: WINDOW })
  })
})
