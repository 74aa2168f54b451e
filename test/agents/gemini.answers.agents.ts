/** Gemini CLI 0.61.0 obeys. */
import { expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { ApprovalList } from '../../src/client/index.ts'
import { testAnswers } from './answers.ts'
import { gemini, shell } from './gemini.ts'
import { gantry } from './stage.ts'
import { inTerminal } from './terminal.ts'

testAnswers(
  {
    driver: gemini,
    shell,
    args: [],
    before: 'BeforeTool', // headless, an `ask` would end the run
    endsTurn: true,
    hooksOff: { files: { '.gemini/settings.json': '{"hooksConfig": {"enabled": false}}' } },
  },
  (stage) => {
    test('a rule that wants a person asked gets a real dialog, also with --yolo', async () => {
      const turns = [{ calls: [shell('touch asked')] }]
      const run = await inTerminal(stage(), 'obey', turns, {}, async (screen) => {
        await screen.shows(/Allow execution/)
        const waiting = JSON.parse(await gantry(stage(), 'approvals', '--json')) as ApprovalList
        expect(waiting).toMatchObject({ approvals: [], elsewhere: [{ agent: 'gemini' }] })
        await screen.answer(/Allow execution/, 'Enter')
      })
      expect(existsSync(join(run.project, 'asked'))).toBe(true)
      expect(run.types).toContain('Notification')
    })
  },
)
