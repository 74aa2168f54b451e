/** Gemini CLI 0.61.0: tokens, context and cost of a session are what the model reported, with its sub-agents. */
import { afterAll, beforeAll, describe, test } from 'bun:test'
import { completeTask, gemini, invokeAgent } from './gemini.ts'
import type { ToolCall } from './mock/model.ts'
import { gantry, install, openStage, type Stage } from './stage.ts'
import { CHILD_FIRST, CHILD_LAST, expectUsage, FIRST, LAST } from './usage.ts'

const WINDOW = 1_048_576
const look: ToolCall = { name: 'list_directory', input: { dir_path: '.' } }

describe('what Gemini used', () => {
  let stage: Stage
  beforeAll(async () => {
    stage = await openStage(gemini)
    await install(stage)
    await gantry(stage, 'up')
  })
  afterAll(() => stage.close())

  test('in a plain session', async () => {
    const turns = [
      { calls: [look], ...FIRST },
      { text: 'Done.', ...LAST },
    ]
    await stage.ask('used', turns)
    await expectUsage(stage, 'used', { scripts: ['used'], window: WINDOW })
  })

  test('with two sub-agents, which have chat files of their own', async () => {
    const kinds = ['codebase_investigator', 'generalist'] as const
    for (const kind of kinds)
      stage.model.play(`used-${kind}`, [
        { calls: [look], ...CHILD_FIRST },
        { calls: [completeTask(kind)], ...CHILD_LAST },
      ])
    const turns = [
      { calls: kinds.map((kind) => invokeAgent(kind, `used-${kind}`)), ...FIRST },
      { text: 'Done.', ...LAST },
    ]
    await stage.ask('used-family', turns)
    await expectUsage(stage, 'used-family', {
      scripts: ['used-family', 'used-codebase_investigator', 'used-generalist'],
      window: WINDOW,
    })
  })
})
