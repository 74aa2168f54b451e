/** Claude Code 2.1.325: a `!` command has no hook, and the agent is busy all the same. */
import { test } from 'bun:test'
import { claude } from '../agents/claude.ts'
import { testTruth } from './suite.ts'

const argv = claude.interactive({ guarded: true })
const WORKS = /^[·✢✳✶✻✽*] \S+…/mu

testTruth({ driver: claude, argv, works: WORKS, rightPct: 98, basics: false }, (play, stage) => {
  test('a ! command, and the answer to it', () =>
    play().scenario('! command', async (act) => {
      stage().model.onPrompt('<bash-input>', 'bang')
      stage().model.play('bang', [{ text: 'I see.', waitMs: 1500 }])
      await act.rest()
      await act.pane.key('!')
      await act.pane.type('sleep 4')
      act.truth.mark('working', await act.pane.enter('Enter', /Running…/))
      await act.answered('bang', 1, /I see\./) // 2.1.325 tells the model at once
      await act.rest()
    }))
})
