/** Codex 0.166.0, the real program, held for a person where the configuration says so. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { appendFileSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import type { ApprovalList, ApprovalView } from '../../src/client/index.ts'
import { codex, TRUST_HOOKS } from './codex.ts'
import { gantry, install, openStage, type Stage, settled } from './stage.ts'
import { inTerminal } from './terminal.ts'

const escalated = {
  name: 'exec_command',
  input: { cmd: 'touch ran', sandbox_permissions: 'require_escalated', justification: 'May I?' },
}
const turns = [{ calls: [escalated] }]
const options = { args: [TRUST_HOOKS, '--ask-for-approval', 'on-request', '--sandbox', 'workspace-write'] }
const ASKED_LIMIT_MS = 20_000

describe('codex 0.166.0, approvals', () => {
  let stage: Stage
  beforeAll(async () => {
    stage = await openStage(codex)
    appendFileSync(stage.places.configFile, '[approvals]\nhold = ["codex"]\n')
    await install(stage)
    await gantry(stage, 'up')
  })
  afterAll(() => stage.close())

  const asked = async () => {
    const held = async (): Promise<readonly ApprovalView[]> =>
      (JSON.parse(await gantry(stage, 'approvals', '--json')) as ApprovalList).approvals
    const [one] = await settled(held, (found) => found.length > 0, ASKED_LIMIT_MS)
    expect(one).toMatchObject({ agent: 'codex', line: 'touch ran' })
    return one?.id ?? ''
  }

  test('approved: the tool runs, and no dialog was shown', async () => {
    const run = await inTerminal(stage, 'approved', turns, options, async () => {
      await gantry(stage, 'approve', await asked())
    })
    expect(existsSync(join(run.project, 'ran'))).toBe(true)
  })

  test('denied: it does not run, and the model is told why', async () => {
    const run = await inTerminal(stage, 'denied', turns, options, async () => {
      await gantry(stage, 'deny', await asked(), '--message', 'not in this house')
    })
    expect(existsSync(join(run.project, 'ran'))).toBe(false)
    expect(run.seen[1]?.text).toContain('not in this house')
  })
})
