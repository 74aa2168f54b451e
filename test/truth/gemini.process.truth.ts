/** Gemini CLI 0.61.0, killed while no daemon is there and resumed: is what gantry shows what is? */
import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { gemini } from '../agents/gemini.ts'
import { gantry, settled } from '../agents/stage.ts'
import { READY } from '../agents/terminal.ts'
import { testTruth } from './suite.ts'
import { now } from './timeline.ts'

const argv = gemini.interactive({ guarded: true })
const subject = { driver: gemini, argv, works: /esc to cancel/, rightPct: 98, basics: false as const }

testTruth(subject, (play, stage) => {
  async function bothKilled(): Promise<void> {
    process.kill(Number(readFileSync(stage().places.pid, 'utf8')), 'SIGKILL')
    process.kill(await play().pane().pid(), 'SIGKILL')
    await play().pane().ends()
  }

  /** Its first process is long known to be gone by then. */
  async function resumed(name: string): Promise<void> {
    const pane = await play().open([...argv, '--resume', 'latest'])
    await pane.sees(READY)
    const pid = await pane.pid()
    await settled(
      () => play().watch.current(),
      (shown) => shown?.phase === 'starting',
    )
    await play().scenario(name, async (act) => {
      await act.rest(3000)
      await act.prompt(name, [{ text: 'Hello again.', waitMs: 1500 }])
      await act.answered(name, 1)
      await act.rest()
      expect(play().watch.current()?.pid).toBe(pid)
      const from = now()
      process.kill(pid, 'SIGKILL')
      act.truth.mark('ended', { from, to: now() })
      await act.rest()
    })
  }

  test('a turn, so that there is something to resume', () =>
    play().scenario('a turn', async (act) => {
      await act.prompt('first', [{ text: 'Hello.', waitMs: 1500 }])
      await act.answered('first', 1)
      await act.rest()
    }))

  test('its new start is heard', async () => {
    await bothKilled()
    await gantry(stage(), 'up')
    await resumed('heard')
  })

  test('its new start is spooled, by the hook that starts the daemon', async () => {
    await play().open([...argv, '--resume', 'latest'])
    await play().pane().sees(READY)
    await bothKilled()
    await resumed('spooled')
  })
})
