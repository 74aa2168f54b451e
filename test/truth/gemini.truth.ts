/** Gemini CLI 0.61.0 in its terminal: is what gantry shows what is? */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { gemini } from '../agents/gemini.ts'
import type { ToolCall, Turn } from '../agents/mock/model.ts'
import { gantry, install, openStage, type Stage } from '../agents/stage.ts'
import { READY } from '../agents/terminal.ts'
import { openPlay, type Play } from './play.ts'
import { table, total } from './report.ts'

const RIGHT_PCT = 98
const SAMPLED_PCT = 80 // on a busy machine a timer comes late

const CONFIRMATION = /Allow execution/
const DONE: Turn = { text: 'Done.', waitMs: 500 }
const think = (call: ToolCall): Turn => ({ calls: [call], waitMs: 1500 })
const shell = (command: string): ToolCall => ({ name: 'run_shell_command', input: { command } })

describe('gemini 0.61.0', () => {
  let stage: Stage
  let play: Play

  beforeAll(async () => {
    stage = await openStage(gemini)
    await install(stage)
    await gantry(stage, 'up')
    play = openPlay(stage, 'truth')
    const pane = await play.open(gemini.interactive({ guarded: true }))
    await pane.sees(READY)
    await Bun.sleep(1500)
  })
  afterAll(async () => {
    await play.close()
    await stage.close()
  })

  test('a prompt and its answer', () =>
    play.scenario('plain answer', async (act) => {
      await act.rest()
      await act.prompt('plain', [{ text: 'Hello.', waitMs: 2000 }])
      await act.answered('plain', 1)
      await act.rest()
    }))

  test('a confirmation, answered yes', () =>
    play.scenario('confirmation yes', async (act) => {
      await act.prompt('yes', [think(shell('./ask.sh 2')), DONE])
      await act.asks(CONFIRMATION)
      await act.reply(CONFIRMATION, 'Enter', 'working')
      await act.answered('yes', 2)
      await act.rest()
    }))

  test('a confirmation, left by Esc', () =>
    play.scenario('confirmation Esc', async (act) => {
      await act.prompt('no', [think(shell('./ask.sh 1')), DONE])
      await act.asks(CONFIRMATION)
      await act.reply(CONFIRMATION, 'Escape', 'idle')
      await act.rest()
    }))

  test('/quit', () =>
    play.scenario('/quit', async (act) => {
      await act.rest()
      await act.pane.type('/quit')
      const { from } = await act.pane.key('Enter')
      const { to } = await act.pane.ends()
      act.truth.mark('ended', { from, to })
      await act.rest()
    }))

  test('in total', () => {
    console.log(table('gemini 0.61.0', play.results))
    const { rightPct, sampledPct } = total(play.results)
    expect(sampledPct).toBeGreaterThan(SAMPLED_PCT)
    expect(rightPct).toBeGreaterThanOrEqual(RIGHT_PCT)
  })
})
