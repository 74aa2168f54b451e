/** Claude Code 2.0.77, which does not name its process: is what gantry shows what is? */
import { expect, test } from 'bun:test'
import type { SessionView } from '../../src/client/index.ts'
import { bash, oldClaude } from '../agents/claude.ts'
import { gantry, type Stage } from '../agents/stage.ts'
import { READY } from '../agents/terminal.ts'
import type { Pane } from './pane.ts'
import { REST_MS } from './play.ts'
import { asks, isKilled, runs, testTruth } from './suite.ts'
import { now } from './timeline.ts'

const argv = oldClaude.interactive({ guarded: true, args: ['--allowedTools', 'Bash(./free.sh:*)'] })
const PERMISSION = /Do you want to proceed/
const WORKS = /^[·✢✳✶✻✽*] \S+…/mu

/** The first hook of a turn comes a third of a second late, the first time, and a tenth ever after. */
async function wake(stage: Stage, pane: Pane): Promise<void> {
  stage.model.play('first', [{ text: 'That was the first.' }])
  await Bun.sleep(REST_MS) // right after its first screen it takes a text, and no Enter
  await pane.type('please [[s:first]]')
  await pane.key('Enter')
  await pane.sees(/That was the first/)
}

const subject = { driver: oldClaude, argv, wake, works: WORKS, rightPct: 95, lagP95Ms: 400 }

testTruth(subject, (play, stage) => {
  const permission = { call: bash('./ask.sh 2'), dialog: PERMISSION }

  test('a tool that may run', () => runs(play(), bash('./free.sh 2')))

  test('a permission, answered yes', () =>
    asks(play(), { ...permission, title: 'permission yes', key: '1', next: 'working' }))

  test('a permission, left by Esc', () =>
    asks(play(), { ...permission, title: 'permission Esc', key: 'Escape', next: 'idle' }))

  test('kill -9', () => isKilled(play(), bash('./free.sh 9')))

  test('goes on with --continue', () =>
    play().scenario(
      '--continue',
      async (act) => {
        const from = now()
        const pane = await play().open([...argv, '--continue'])
        const { to } = await pane.sees(READY)
        act.truth.mark('idle', { from, to })
        await act.rest()
        await act.prompt('goes-on', [{ text: 'Hello again.', waitMs: 2000 }])
        await act.answered('goes-on', 1)
        await act.rest()
        // Its sub-agents were warmed up under an id that is no session's.
        const shown = JSON.parse(await gantry(stage(), 'sessions', '--all', '--json')) as SessionView[]
        expect(shown).toMatchObject([{ phase: 'idle', pid: await pane.pid() }])
      },
      'ended',
    ))
})
