/** Claude Code 2.1.325, the real program: its dialog is answered from another terminal, or first in its own. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { ApprovalList, ApprovalView } from '../../src/client/index.ts'
import { claude } from './claude.ts'
import { gantry, install, openStage, type Stage, settled } from './stage.ts'
import { inTerminal } from './terminal.ts'

const turns = [{ calls: [{ name: 'Bash', input: { command: 'touch ran', description: 'a command' } }] }]
const DIALOG = /Do you want to proceed/
const ASKED_LIMIT_MS = 20_000

describe('claude 2.1.325, approvals', () => {
  let stage: Stage
  beforeAll(async () => {
    stage = await openStage(claude)
    await install(stage)
    await gantry(stage, 'up')
  })
  afterAll(() => stage.close())

  const held = async (): Promise<readonly ApprovalView[]> =>
    (JSON.parse(await gantry(stage, 'approvals', '--json')) as ApprovalList).approvals
  const asked = async () => {
    const [one] = await settled(held, (found) => found.length > 0, ASKED_LIMIT_MS)
    expect(one).toMatchObject({ agent: 'claude', tool: 'Bash', line: 'touch ran' })
    return one?.id ?? ''
  }

  test('approved elsewhere while the dialog is shown: the tool runs and the dialog closes', async () => {
    const run = await inTerminal(stage, 'tui/approved', turns, { guarded: true }, async (screen) => {
      await screen.shows(DIALOG)
      expect(await gantry(stage, 'approve', await asked())).toContain('Approved')
    })
    expect(existsSync(join(run.project, 'ran'))).toBe(true)
    expect(run.types).toContain('PostToolUse')
    expect(await held()).toEqual([])
  })

  test('denied elsewhere: it does not run, and the model is told why', async () => {
    const run = await inTerminal(stage, 'tui/denied', turns, { guarded: true }, async (screen) => {
      await screen.shows(DIALOG)
      await gantry(stage, 'deny', await asked(), '--message', 'not in this house')
    })
    expect(existsSync(join(run.project, 'ran'))).toBe(false)
    expect(run.seen[1]?.text).toContain('not in this house')
  })

  test('answered in its own terminal first: the tool runs, and the approval is withdrawn', async () => {
    let id = ''
    const run = await inTerminal(stage, 'tui/first', turns, { guarded: true }, async (screen) => {
      await screen.shows(DIALOG)
      id = await asked()
      await screen.answer(DIALOG, 'Enter')
      expect(await settled(held, (found) => found.length === 0, ASKED_LIMIT_MS)).toEqual([])
    })
    expect(existsSync(join(run.project, 'ran'))).toBe(true)
    const late = await stage.gantry('deny', id)
    expect(late.exit).toBe(1)
    expect(late.stderr).toContain(`${id} is over: it was withdrawn`)
  })

  test('headless nobody is waited for', async () => {
    const run = await stage.ask('headless', turns, { guarded: true })
    expect(run.exit).toBe(0)
    expect(run.types).toContain('PermissionRequest')
    expect(existsSync(join(run.project, 'ran'))).toBe(false)
  })
})
