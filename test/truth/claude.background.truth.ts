/** Claude Code 2.1.325: sub-agents in the background, where it sends them by default, and what they ask. */
import { expect, test } from 'bun:test'
import { bash, claude } from '../agents/claude.ts'
import type { ToolCall } from '../agents/mock/model.ts'
import { DONE, testTruth, think } from './suite.ts'

const agent = (script: string): ToolCall => ({
  name: 'Agent',
  input: { description: 'a job', prompt: `do it [[s:${script}]]`, subagent_type: 'general-purpose' },
})
const argv = claude.interactive({ guarded: true, args: ['--allowedTools', 'Bash(./free.sh:*)'] })
const PERMISSION = /Do you want to proceed/
const WORKS = /^[·✢✳✶✻✽*] \S+…/mu
const RUNS = { text: 'It runs.' }

const subject = { driver: claude, argv, works: WORKS, rightPct: 99, basics: false } as const

testTruth(subject, (play, stage) => {
  // Approvals are on, as they are by default: the dialog comes all the same.
  test.each([
    ['yes', '1'],
    ['no', '4'],
  ])('a permission after the turn, answered %s', (answer, key) =>
    play().scenario(`background, ${answer}`, async (act) => {
      const [near, far] = [`near-${answer}`, `far-${answer}`]
      stage().model.play(far, [think(bash('./ask.sh 2')), { text: 'The far one is done.', waitMs: 1500 }])
      await act.prompt(near, [{ calls: [agent(far)] }, RUNS, DONE])
      await act.asks(far, 1, PERMISSION)
      await act.reply(PERMISSION, key, 'working')
      await act.answered(near, 3)
      await act.rest()
    }),
  )

  test('two at once: a whole turn of the main thread passes while one asks', () =>
    play().scenario('background, two ask', async (act) => {
      stage().model.play('first', [think(bash('./ask.sh 1')), { text: 'The first is done.' }])
      stage().model.play('second', [
        { calls: [bash('./ask.sh 2')], waitMs: 2500 },
        { text: 'The second is done.', waitMs: 1500 },
      ])
      const asked = () =>
        play()
          .watch.current()
          ?.attention.map(({ agentId, kind }) => [agentId, kind])
      await act.prompt('both', [{ calls: [agent('first'), agent('second')] }, RUNS, RUNS, DONE])
      await act.asks('first', 1, PERMISSION)
      await act.rest(3000)
      const [first, second] = asked() ?? []
      expect([first?.[1], second?.[1]]).toEqual(['permission', 'permission'])
      await act.pane.dismiss(/\.\/ask\.sh 1$/m, '1')
      await act.pane.sees(/both\/3/) // the main thread was told that the first is done, and has answered
      await act.rest()
      expect(asked()).toEqual([second as typeof first & {}])
      await act.reply(PERMISSION, '4', 'working')
      await act.answered('both', 4)
      await act.rest()
    }))

  test('Esc leaves it at work', () =>
    play().scenario('background, Esc', async (act) => {
      stage().model.play('far', [think(bash('./free.sh 6')), { text: 'The far one is done.' }])
      await act.prompt('near', [{ calls: [agent('far')] }, think(bash('./free.sh 9')), DONE])
      await act.rest(3500)
      await act.pane.key('Escape')
      await act.pane.sees(/Interrupted/)
      await act.answered('near', 3)
      await act.rest()
    }))
})
