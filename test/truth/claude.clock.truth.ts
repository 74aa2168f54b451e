/** Claude Code 2.1.325 on a machine whose clock is set back: is what gantry shows what is? */
import { expect, test } from 'bun:test'
import { bash, claude } from '../agents/claude.ts'
import type { Driver } from '../agents/driver.ts'
import { settableClock } from '../clock/clock.ts'
import { journal } from '../kit.ts'
import { asks, DONE, testTruth, think } from './suite.ts'
import { now } from './timeline.ts'

const WORKS = /^[·✢✳✶✻✽*] \S+…/mu // ✻ Dilly-dallying… (3s)
const PERMISSION = /Do you want to proceed/

/** Of the agent, its hooks and the daemon; the script keeps its own. */
const clock = settableClock()
const driver: Driver = { ...claude, env: (place) => ({ ...claude.env(place), ...clock.env }) }
const argv = claude.interactive({ guarded: true, args: ['--allowedTools', 'Bash(./free.sh:*)'] })

testTruth(
  {
    driver,
    argv,
    works: WORKS,
    rightPct: 97,
    lagP95Ms: 400,
    ownP95Ms: 500,
    basics: false,
    isForeground: true,
  },
  (play, stage) => {
    const permission = { call: bash('./ask.sh 2'), dialog: PERMISSION }
    const count = () => journal(stage().places, "SELECT id FROM events WHERE type = 'ClockSetBack'").length

    test('half a minute back after a turn: the next dialog, answered yes', async () => {
      await play().scenario('a turn', async (act) => {
        await act.prompt('before', [{ text: 'Hello.', waitMs: 1000 }])
        await act.answered('before', 1)
        await act.rest()
      })
      clock.set(-30_000)
      await asks(play(), { ...permission, title: '30 s back and yes', key: '1', next: 'working' })
      expect(count()).toBe(1)
    })

    test('a minute back in a turn: Esc', () =>
      play().scenario('1 min back and Esc', async (act) => {
        await act.prompt('drip', [{ text: 'one two three four '.repeat(20), dripMs: 150 }])
        await act.rest(2000)
        clock.set(-90_000)
        await act.rest(1000)
        await act.breakOff()
        await act.rest()
      }))

    test('three hours back in a turn: kill -9', () =>
      play().scenario('3 h back and kill -9', async (act) => {
        await act.prompt('kill', [think(bash('./free.sh 9')), DONE])
        await act.rest(3000)
        clock.set(-3 * 3_600_000)
        const pid = await act.pane.pid()
        const from = now()
        process.kill(pid, 'SIGKILL')
        act.truth.mark('ended', { from, to: now() })
        await act.rest()
        expect(count()).toBe(3)
      }))
  },
)
