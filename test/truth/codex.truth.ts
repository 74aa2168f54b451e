/** Codex 0.166.0 in its terminal: is what gantry shows what is? */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { codex, TRUST_HOOKS } from '../agents/codex.ts'
import type { ToolCall, Turn } from '../agents/mock/model.ts'
import { gantry, install, openStage, type Stage } from '../agents/stage.ts'
import { READY } from '../agents/terminal.ts'
import { openPlay, type Play } from './play.ts'
import { table, total } from './report.ts'

const RIGHT_PCT = 98
const SAMPLED_PCT = 80 // on a busy machine a timer comes late

const APPROVAL = /Would you like to run the following command/
const DONE: Turn = { text: 'Done.', waitMs: 500 }
const think = (call: ToolCall): Turn => ({ calls: [call], waitMs: 1500 })
const shell = (cmd: string): ToolCall => ({ name: 'exec_command', input: { cmd } })
const escalated = (cmd: string): ToolCall => ({
  name: 'exec_command',
  input: { cmd, sandbox_permissions: 'require_escalated', justification: 'May I?' },
})

describe('codex 0.166.0', () => {
  let stage: Stage
  let play: Play

  beforeAll(async () => {
    stage = await openStage(codex)
    await install(stage)
    await gantry(stage, 'up')
    play = openPlay(stage, 'truth')
    const args = [TRUST_HOOKS, '--ask-for-approval', 'on-request', '--sandbox', 'workspace-write']
    const pane = await play.open(codex.interactive({ args }))
    await pane.sees(READY)
    // Before its first prompt the terminal of 0.166.0 runs no hook: nobody can know that it is there.
    stage.model.play('first', [{ text: 'Hello.' }])
    await pane.type('please [[s:first]]')
    await pane.key('Enter')
    await pane.sees(/Hello\./)
    await Bun.sleep(1500)
  })
  afterAll(async () => {
    await play.close()
    await stage.close()
  })

  test('a prompt and its answer', () =>
    play.scenario('plain answer', async (act) => {
      await act.rest()
      await act.prompt('plain', [{ text: 'Hello again.', waitMs: 2000 }])
      await act.answered('plain', 1)
      await act.rest()
    }))

  test('a tool that may run', () =>
    play.scenario('tool', async (act) => {
      await act.prompt('tool', [think(shell('./free.sh 2')), DONE])
      await act.answered('tool', 2)
      await act.rest()
    }))

  test('an approval, answered yes', () =>
    play.scenario('approval yes', async (act) => {
      await act.prompt('yes', [think(escalated('./ask.sh 2')), DONE])
      await act.asks(APPROVAL)
      await act.reply(APPROVAL, 'Enter', 'working')
      await act.answered('yes', 2)
      await act.rest()
    }))

  test('an approval, answered no', () =>
    play.scenario('approval no', async (act) => {
      await act.prompt('no', [think(escalated('./ask.sh 1')), DONE])
      await act.asks(APPROVAL)
      await act.reply(APPROVAL, 'Escape', 'idle')
      await act.rest()
    }))

  test('Esc while it thinks', () =>
    play.scenario('Esc in an answer', async (act) => {
      await act.prompt('long', [{ text: 'never', waitMs: 8000 }])
      await act.rest(3000)
      act.truth.mark('idle', await act.pane.key('Escape'))
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
    console.log(table('codex 0.166.0', play.results))
    const { rightPct, sampledPct } = total(play.results)
    expect(sampledPct).toBeGreaterThan(SAMPLED_PCT)
    expect(rightPct).toBeGreaterThanOrEqual(RIGHT_PCT)
  })
})
