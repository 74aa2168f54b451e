/**
 * What the truth suites of all agents have in common: a stage, a play on it, and the verdict at the end.
 *
 *   testTruth({ driver: gemini, argv, works: /esc to cancel/, rightPct: 98 }, (play) => {
 *     test('/quit', () => quits(play()))
 *   })
 */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { SessionView } from '../../src/client/index.ts'
import type { Driver } from '../agents/driver.ts'
import { expectAllCovered, expectNothingStrange } from '../agents/expect.ts'
import type { ToolCall, Turn } from '../agents/mock/model.ts'
import { gantry, install, openStage, type Stage, settled } from '../agents/stage.ts'
import { READY } from '../agents/terminal.ts'
import { GANTRY, journal } from '../kit.ts'
import { figuresOf, isJudged, leave } from './figures.ts'
import type { Pane } from './pane.ts'
import { openPlay, type Play, REST_MS, type Signs } from './play.ts'
import { table, total } from './report.ts'
import { now } from './timeline.ts'

const SAMPLED_PCT = 80 // on a busy machine a timer comes late
const MOST_STOLEN_PCT = 2 // the host's pauses are as long as the lag that is judged
const EXCLUDED_PCT = 25 // 3 to 8 are usual; a script that knows less than that proves nothing
const LAG_P95_MS = 250 // lag people notice begins at a quarter of a second
const SETTLE_MS = 1_500 // after its first screen, a terminal is busy for a while

export interface Subject extends Signs {
  readonly driver: Driver
  readonly argv: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  /** Whatever it takes until gantry can know that it is there. */
  readonly wake?: (stage: Stage, pane: Pane) => Promise<void>
  readonly rightPct: number
  /** From the agent's word until it is shown, where its word bears a time long before it is written. */
  readonly ownP95Ms?: number
  /** For an agent whose hooks come that late by themselves; what gantry itself takes is limited all the same. */
  readonly lagP95Ms?: number
  /** The daemon, too, has the whole environment, which it gets only in the foreground. */
  readonly isForeground?: true
  /** False where another file plays what every agent is asked first. */
  readonly basics?: false
}

/** 2.1.325 of Claude holds a dialog back until half a second after the last key; a model takes longer than that to ask. */
export const think = (call: ToolCall): Turn => ({ calls: [call], waitMs: 1500 })
export const DONE: Turn = { text: 'Done.', waitMs: 500 }

async function startForeground({ env }: Stage): Promise<void> {
  const child = Bun.spawn([GANTRY, 'up', '--foreground'], {
    env: { ...env, GANTRY_READY: '1' },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  await child.stdout.getReader().read() // it says when it listens
}

export function testTruth(subject: Subject, scenarios: (play: () => Play, stage: () => Stage) => void): void {
  const { driver, argv, env, wake, works, rightPct, basics = true } = subject
  const { lagP95Ms = LAG_P95_MS, ownP95Ms = LAG_P95_MS } = subject
  const title = `${driver.release.agent} ${driver.release.version}`
  const file = truthFile()
  describe(title, () => {
    let stage: Stage
    let play: Play
    const startTimes = processorTimes()

    beforeAll(async () => {
      stage = await openStage(driver)
      await install(stage)
      await (subject.isForeground ? startForeground(stage) : gantry(stage, 'up'))
      play = openPlay(stage, 'truth', subject)
      const pane = await play.open(argv, env)
      await pane.sees(READY)
      await wake?.(stage, pane)
      await Bun.sleep(SETTLE_MS)
    })
    afterAll(async () => {
      await play.close()
      await stage.close()
    })

    if (basics) {
      test('a prompt and its answer', () =>
        play.scenario('plain answer', async (act) => {
          await act.rest()
          await act.prompt('plain', [{ text: 'Hello again.', waitMs: 2000 }])
          await act.answered('plain', 1)
          await act.rest()
        }))

      test('no hook holds up the screen, which the marks rest on', () => theScreenIsFirst(stage, play, works))

      test('a turn that nobody heard is found in the transcript', () => unheard(stage, play))
    }

    scenarios(
      () => play,
      () => stage,
    )

    test('nothing in all of this was strange to the schema watch', () => expectNothingStrange(stage))

    test('every call in a transcript was announced by a hook', () => expectAllCovered(stage))

    test('in total', () => {
      console.log(table(title, play.results))
      const figures = figuresOf(driver.release, file, play.results)
      leave(figures)
      if (!isJudged(figures))
        return console.log(`NOT JUDGED: ${title}, ${file}: the load average is ${figures.load}`)
      const all = total(play.results)
      const isLate =
        all.sampledPct <= SAMPLED_PCT ||
        all.rightPct < rightPct ||
        all.lagP95Ms > lagP95Ms ||
        all.ownP95Ms > ownP95Ms
      const stolen = stolenPct(startTimes, processorTimes())
      if (isLate && stolen > MOST_STOLEN_PCT)
        return console.log(
          `NOT JUDGED: ${title}, ${file}: the host took ${stolen.toFixed(0)} % of the processors`,
        )
      expect(all.sampledPct).toBeGreaterThan(SAMPLED_PCT)
      expect(all.excludedPct).toBeLessThan(EXCLUDED_PCT)
      expect(all.rightPct).toBeGreaterThanOrEqual(rightPct)
      expect(all.lagP95Ms).toBeLessThanOrEqual(lagP95Ms)
      expect(all.ownP95Ms).toBeLessThanOrEqual(ownP95Ms)
    })
  })
}

/** On a virtual machine: all processor time so far, and what the host gave to others although somebody here wanted it. */
function processorTimes(): readonly [all: number, stolen: number] {
  const times =
    readFileSync('/proc/stat', 'utf8').split('\n', 1)[0]?.trim().split(/\s+/).slice(1).map(Number) ?? []
  return [times.slice(0, 8).reduce((sum, one) => sum + one, 0), times[7] ?? 0]
}

function stolenPct(before: readonly [number, number], after: readonly [number, number]): number {
  return (100 * (after[1] - before[1])) / Math.max(1, after[0] - before[0])
}

/** For agents that show their first screen while they still start (Gemini CLI 0.61.0 on a busy machine): not a session yet. */
export async function begun({ places }: Stage): Promise<void> {
  const heard = () => journal(places, "SELECT 1 FROM events WHERE type = 'SessionStart'").length
  await settled(heard, (count) => count > 0, FOUND_MS)
}

/** Of the file that this is called in. */
function truthFile(): string {
  return /([\w.-]+)\.truth\.ts/.exec(new Error().stack ?? '')?.[1] ?? 'unknown'
}

/** A call that may run. */
export function runs(play: Play, call: ToolCall): Promise<void> {
  return play.scenario('tool', async (act) => {
    await act.prompt('tool', [think(call), DONE])
    await act.answered('tool', 2)
    await act.rest()
  })
}

/** A call that needs a permission, and the key that answers. */
export interface Asked {
  readonly title: string
  readonly call: ToolCall
  readonly dialog: RegExp
  readonly key: string
  /** What it is then: it works on, or its turn is over. */
  readonly next: 'working' | 'idle'
}

export function asks(play: Play, { title, call, dialog, key, next }: Asked): Promise<void> {
  const script = title.replaceAll(' ', '-')
  return play.scenario(title, async (act) => {
    await act.prompt(script, [think(call), DONE])
    await act.asks(script, 1, dialog)
    await act.reply(dialog, key, next)
    if (next === 'working') await act.answered(script, 2)
    await act.rest()
  })
}

export function quits(play: Play, command = '/quit'): Promise<void> {
  return play.scenario(command, async (act) => {
    await act.rest()
    await act.pane.type(command)
    const { from } = await act.pane.key('Enter')
    const { to } = await act.pane.ends()
    act.truth.mark('ended', { from, to })
    await act.rest()
  })
}

const HELD_S = 4

/**
 * An agent shows that it took a key, and the words of an answer, while its hooks still run. So a gantry that answers late,
 * or hears late, stays late against the marks, whatever the screen does.
 */
async function theScreenIsFirst(stage: Stage, play: Play, works: RegExp): Promise<void> {
  const isOver = (event: string) => existsSync(join(stage.places.state, `over-${event}`))
  const command = `sleep ${HELD_S}; touch over-$GANTRY_EVENT_TYPE`
  await gantry(
    stage,
    'bus',
    'register',
    '--id',
    'slow',
    '--events',
    'UserPromptSubmit,Stop',
    '--command',
    command,
  )
  stage.model.play('held', [{ text: 'Held up.' }])
  await play.pane().type('please [[s:held]]')
  await play.pane().enter('Enter', works)
  expect(isOver('UserPromptSubmit')).toBe(false)
  await play.pane().sees(/Held up\./)
  expect([isOver('UserPromptSubmit'), isOver('Stop')]).toEqual([true, false])
  expect(await settled(() => isOver('Stop'), Boolean, FOUND_MS)).toBe(true)
  await gantry(stage, 'bus', 'unregister', 'slow')
  await Bun.sleep(REST_MS)
}

const MISSED = "SELECT type FROM events WHERE transport = 'healer' AND raw LIKE '%\"missed: %' ORDER BY seq"
const HEARD_BY_NOBODY = 'Nobody hears it.'
const FOUND_MS = 15_000 // of Gemini's answers, only what comes after them tells the last one

/** No daemon, and a hook client that does nothing: whatever the agent says is lost. Not measured: nobody could be right. */
async function unheard(stage: Stage, play: Play): Promise<void> {
  const client = join(stage.places.home ?? '', 'bin/gantry-hook')
  renameSync(client, `${client}.kept`)
  writeFileSync(client, '#!/bin/sh\nexec cat >/dev/null\n', { mode: 0o755 })
  process.kill(Number(readFileSync(stage.places.pid, 'utf8')), 'SIGKILL')
  stage.model.play('unheard', [{ text: HEARD_BY_NOBODY }])
  // No question mark: in an empty line it is a key of Gemini's.
  await play.pane().type('is anybody there [[s:unheard]]')
  await play.pane().key('Enter')
  await settled(
    () => stage.model.seen('unheard')[0]?.answered,
    (answered) => answered !== undefined,
  )
  await Bun.sleep(REST_MS)
  renameSync(`${client}.kept`, client)
  await gantry(stage, 'up')
  const missed = () => journal<{ type: string }>(stage.places, MISSED).map(({ type }) => type)
  const found = await settled(missed, (types) => types.includes('Stop'), FOUND_MS)
  expect(found).toEqual(['UserPromptSubmit', 'Stop'])
  // The journal has it a moment before whoever subscribed is told.
  const isTold = (shown: SessionView | undefined) => shown?.lastMessage === HEARD_BY_NOBODY
  expect(await settled(() => play.watch.current(), isTold)).toMatchObject({
    phase: 'idle',
    lastPrompt: 'is anybody there [[s:unheard]]',
    lastMessage: HEARD_BY_NOBODY,
  })
}

/** It is killed while it works. */
export function isKilled(play: Play, call: ToolCall): Promise<void> {
  return play.scenario('kill -9', async (act) => {
    await act.prompt('kill', [think(call), DONE])
    await act.rest(3000)
    const pid = await act.pane.pid()
    const from = now()
    process.kill(pid, 'SIGKILL')
    act.truth.mark('ended', { from, to: now() })
    await act.rest(3000)
  })
}

/** For an agent that nothing is heard of before its first prompt. */
export async function firstPrompt(stage: Stage, pane: Pane): Promise<void> {
  stage.model.play('first', [{ text: 'Hello.' }])
  await pane.type('please [[s:first]]')
  await pane.key('Enter')
  await pane.sees(/Hello\./)
}
