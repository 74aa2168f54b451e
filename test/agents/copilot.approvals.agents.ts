/** GitHub Copilot CLI 1.0.102, the real program, held for a person where the configuration says so. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { appendFileSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { type ApprovalList, type ApprovalView, call } from '../../src/client/index.ts'
import { copilot, shell } from './copilot.ts'
import { gantry, install, openStage, type Stage, settled } from './stage.ts'
import { inTerminal } from './terminal.ts'

const turns = [{ calls: [shell('touch ran')] }]
const ASKED_LIMIT_MS = 20_000

describe('copilot 1.0.102, approvals', () => {
  let stage: Stage
  beforeAll(async () => {
    stage = await openStage(copilot)
    appendFileSync(stage.places.configFile, '[approvals]\nhold = ["copilot"]\n')
    await install(stage)
    await gantry(stage, 'up')
  })
  afterAll(() => stage.close())

  const asked = async () => {
    const held = async (): Promise<readonly ApprovalView[]> =>
      (JSON.parse(await gantry(stage, 'approvals', '--json')) as ApprovalList).approvals
    const [one] = await settled(held, (found) => found.length > 0, ASKED_LIMIT_MS)
    expect(one).toMatchObject({ agent: 'copilot', line: 'touch ran' })
    return one?.id ?? ''
  }
  const phaseIn = async (scenario: string) => {
    const listed = await call(stage.places, 'sessions.list')
    return listed.find(({ cwd }) => cwd === stage.project(scenario))?.phase
  }

  // Its own rules would ask nobody: the hook comes before them.
  test.each([
    ['approved', { guarded: true }],
    ['approved-allow-all', {}],
  ])('%s: blocked until then, the tool runs, and no dialog was shown', async (scenario, options) => {
    const run = await inTerminal(stage, scenario, turns, options, async (screen) => {
      const id = await asked()
      expect(
        await settled(
          () => phaseIn(scenario),
          (phase) => phase === 'blocked',
        ),
      ).toBe('blocked')
      expect(screen.text()).not.toContain('Do you want')
      await gantry(stage, 'approve', id)
    })
    expect(existsSync(join(run.project, 'ran'))).toBe(true)
  })

  test('denied: it does not run, and the model is told why', async () => {
    const run = await inTerminal(stage, 'denied', turns, { guarded: true }, async () => {
      await gantry(stage, 'deny', await asked(), '--message', 'not in this house')
    })
    expect(existsSync(join(run.project, 'ran'))).toBe(false)
    expect(run.seen[1]?.text).toContain('not in this house')
  })
})
