/** GitHub Copilot CLI 1.0.102: tokens, context and cost of a session are what the model reported, with its sub-agents. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { call } from '../../src/client/index.ts'
import { copilot, shell, task } from './copilot.ts'
import { gantry, install, openStage, type Stage } from './stage.ts'
import { CHILD_FIRST, CHILD_LAST, expectUsage, FIRST, LAST } from './usage.ts'

const WINDOW = 922_000 // of a prompt, as 1.0.102 counts it for this model

describe('what Copilot used', () => {
  let stage: Stage
  beforeAll(async () => {
    stage = await openStage(copilot)
    await install(stage)
    await gantry(stage, 'up')
  })
  afterAll(() => stage.close())

  test('in a plain session, whose model is known, too', async () => {
    const turns = [
      { calls: [shell('echo hi')], ...FIRST },
      { text: 'Done.', ...LAST },
    ]
    await stage.ask('used', turns)
    await expectUsage(stage, 'used', { scripts: ['used'], window: WINDOW })
    const [session] = await call(stage.places, 'sessions.list', { all: true })
    expect(session?.model).toBe('gpt-5.5')
  })

  test('with a sub-agent, whose requests are in the same file', async () => {
    stage.model.play('used-child', [
      { calls: [shell('echo hi')], ...CHILD_FIRST },
      { text: 'Looked.', ...CHILD_LAST },
    ])
    const turns = [
      { calls: [task('used-child')], ...FIRST },
      { text: 'Done.', ...LAST },
    ]
    await stage.ask('used-family', turns)
    await expectUsage(stage, 'used-family', { scripts: ['used-family', 'used-child'], window: WINDOW })
  })
})
