/** Gemini CLI 0.61.0 where its hooks say too little: failed turns, refused prompts, sub-agents, Esc that nobody heard. */
import { expect, test } from 'bun:test'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { SessionView } from '../../src/client/index.ts'
import { completeTask, gemini, invokeAgent } from '../agents/gemini.ts'
import type { ToolCall } from '../agents/mock/model.ts'
import { gantry, type Stage, settled } from '../agents/stage.ts'
import { journal } from '../kit.ts'
import type { Play } from './play.ts'
import { begun, DONE, testTruth } from './suite.ts'

const CONFIRMATION = /Allow execution/
const SHOWN_MS = 250 // people notice what takes longer
const RULE = `rules:
  - id: no-secrets
    on: UserPromptSubmit
    match: { prompt: keep-out }
    decision: deny
    reason: not that one
`

const look: ToolCall = { name: 'list_directory', input: { dir_path: '.' } }
const argv = gemini.interactive({ guarded: true })
const subject = { driver: gemini, argv, wake: begun, works: /esc to cancel/, rightPct: 98 }

testTruth({ ...subject, basics: false }, (play, stage) => {
  test('a turn that fails keeps its error', () => fails(play(), stage()))
  test('a prompt that a rule refuses', () => refused(play(), stage()))
  test('two sub-agents at once', () => twoAtOnce(play(), stage()))
  test('a dialog that was cancelled while nobody listened', () => cancelledUnheard(play(), stage()))
})

interface Told {
  readonly type: string
  readonly at: number
  readonly receivedAt: number
}

const ENDS = `SELECT type, at, received_at AS receivedAt FROM events
  WHERE type IN ('Stop', 'StopFailure') ORDER BY seq`

async function fails(play: Play, stage: Stage): Promise<void> {
  await play.scenario('API error', async (act) => {
    await act.prompt('before', [{ text: 'Well.', waitMs: 1000 }])
    await act.answered('before', 1)
    await act.rest()
    await act.prompt('failing', [{ status: 400, error: 'no such thing', waitMs: 1500 }])
    await act.answered('failing', 1, /API Error/)
    await act.rest()
  })
  expect(play.watch.current()).toMatchObject({
    phase: 'idle',
    attention: [{ kind: 'error', reason: 'invalid_request' }],
    error: { message: expect.stringContaining('no such thing') },
  })
  const ends = journal<Told>(stage.places, ENDS)
  expect(ends.map(({ type }) => type).toSorted()).toEqual(['Stop', 'Stop', 'StopFailure'])
  const failure = ends.find(({ type }) => type === 'StopFailure')
  expect((failure?.receivedAt ?? 0) - (failure?.at ?? 0)).toBeLessThan(SHOWN_MS)
}

async function refused(play: Play, stage: Stage): Promise<void> {
  mkdirSync(stage.places.rules, { recursive: true })
  writeFileSync(join(stage.places.rules, 'truth.yaml'), RULE)
  await settled(
    () => gantry(stage, 'rules', 'list'),
    (listed) => listed.includes('no-secrets'),
  )
  await play.scenario('refused prompt', async ({ pane, truth, rest }) => {
    await rest()
    await pane.type('keep-out, please')
    const { from } = await pane.key('Enter')
    const { to } = await pane.sees(/Agent execution blocked/)
    truth.mark('idle', { from, to, by: 'working' })
    await rest()
  })
  expect(play.watch.current()).toMatchObject({ phase: 'idle', attention: [], lastPrompt: 'keep-out, please' })
}

async function twoAtOnce(play: Play, stage: Stage): Promise<void> {
  const kin = () =>
    (play.watch.current()?.children ?? []).map(({ type, phase }) => `${type} ${phase}`).toSorted()
  stage.model.play('kid-a', [
    { calls: [look], waitMs: 1500 },
    { calls: [completeTask('codebase_investigator')], waitMs: 1000 },
  ])
  stage.model.play('kid-b', [
    { calls: [look], waitMs: 3000 },
    { calls: [completeTask('generalist')], waitMs: 2000 },
  ])
  await play.scenario('two sub-agents', async (act) => {
    const calls = [invokeAgent('codebase_investigator', 'kid-a'), invokeAgent('generalist', 'kid-b')]
    await act.prompt('family', [{ calls, waitMs: 1000 }, DONE])
    const both = ['codebase_investigator working', 'generalist working']
    expect(await settled(kin, (found) => found.length === 2)).toEqual(both)
    const one = await settled(kin, (found) => found.some((child) => child.endsWith('ended')), 10_000)
    expect(one).toEqual(['codebase_investigator ended', 'generalist working'])
    await act.answered('family', 2)
    await act.rest()
  })
  expect(kin()).toEqual(['codebase_investigator ended', 'generalist ended'])
}

const MISSED = "SELECT type FROM events WHERE transport = 'healer' AND raw LIKE '%\"missed: %' ORDER BY seq"
const LOOKED_MS = 3_000 // a daemon that starts looks after half a second

/** Gemini writes its whole conversation anew after Esc, as if it were said now. Not measured: nobody could be right. */
async function cancelledUnheard(play: Play, stage: Stage): Promise<void> {
  const pane = play.pane()
  for (const script of ['again', 'and-again']) {
    stage.model.play(script, [{ text: `Well, ${script}.` }])
    await pane.type(`please [[s:${script}]]`)
    await pane.key('Enter')
    await pane.sees(new RegExp(`Well, ${script}\\.`))
    await settled(
      () => play.watch.current()?.phase,
      (phase) => phase === 'idle',
    )
  }
  stage.model.play('asked', [{ calls: [{ name: 'run_shell_command', input: { command: './ask.sh 2' } }] }])
  await pane.type('please [[s:asked]]')
  await pane.key('Enter')
  await pane.sees(CONFIRMATION)
  await settled(
    () => play.watch.current()?.phase,
    (phase) => phase === 'blocked',
  )
  process.kill(Number(readFileSync(stage.places.pid, 'utf8')), 'SIGKILL')
  await pane.dismiss(CONFIRMATION, 'Escape')
  await pane.sees(/Request cancelled/)
  await gantry(stage, 'up')
  const isOver = (shown: SessionView | undefined) => shown?.phase === 'idle'
  expect(await settled(() => play.watch.current(), isOver)).toMatchObject({ phase: 'idle', attention: [] })
  await Bun.sleep(LOOKED_MS)
  expect(journal<{ type: string }>(stage.places, MISSED).map(({ type }) => type)).toEqual(['Interrupt'])
  expect(play.watch.current()).toMatchObject({ phase: 'idle', lastPrompt: 'please [[s:asked]]' })
}
