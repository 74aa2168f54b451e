/**
 * What every agent must do with gantry on its hooks: send its events, and obey. One suite, run with each real
 * program; what differs between them is in the `Subject`.
 */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { WireEvent } from '../../src/client/index.ts'
import type { Driver } from './driver.ts'
import { expectAllCovered, expectClean, expectNothingStrange, without } from './expect.ts'
import type { ToolCall, Turn } from './mock/model.ts'
import { gantry, install, openStage, type Run, readSettings, type Stage, settled } from './stage.ts'

const SCENARIOS = ['plain', 'failing', 'denied'] as const

export interface Subject {
  readonly driver: Driver
  /** A call of the tool that runs commands. */
  shell(command: string): ToolCall
  /** A call that fails. */
  readonly failing: ToolCall
  /** The events of each scenario, in order; the last two are absent for one that cannot be kept going, or from asking. */
  readonly orders: Readonly<Record<(typeof SCENARIOS)[number], readonly string[]>> & {
    readonly 'stop-block'?: readonly string[]
    readonly 'prompt-block'?: readonly string[]
  }
  /** Its last event in a headless run, if not SessionEnd. */
  readonly last?: string
  /** Events with no fixed place in the order. */
  readonly anywhere: readonly string[]
  /** It takes no new input at all. */
  readonly rewrites?: false
  /** It takes a rewrite that comes with no decision; otherwise the tool runs as it was. */
  readonly rewritesAlone: boolean
  /** Which contexts of rules.yaml the agent can be given. */
  readonly contexts: readonly string[]
  /** Of a headless run whose prompt was refused, where it is not 0. */
  readonly refusedExit?: number
  /** Events around each request to the model. */
  readonly request?: readonly string[]
  /** It is built on an agent that is tested, too, with the same plugin: what the plugin does by itself is not tried again. */
  readonly isFork?: true
  /** Arguments of every headless run. */
  readonly args?: readonly string[]
}

export function testRealAgent(subject: Subject, more: (stage: () => Stage) => void): void {
  const { agent, version } = subject.driver.release
  describe(`${agent} ${version}`, () => testAll(subject, more))
}

function testAll(subject: Subject, more: (stage: () => Stage) => void): void {
  const { driver, shell } = subject
  const { args = [], last = 'SessionEnd', rewrites = true, rewritesAlone } = subject
  const isDone = (events: readonly WireEvent[]) => events.some((event) => event.type === last)
  let stage: Stage
  let untouched: Settings

  beforeAll(async () => {
    stage = await openStage(driver)
    untouched = readSettings(stage)
    await install(stage)
    mkdirSync(stage.places.rules, { recursive: true })
    copyFileSync(join(import.meta.dir, 'rules.yaml'), join(stage.places.rules, 'agents.yaml'))
    await gantry(stage, 'up')
  })
  afterAll(() => stage.close())

  const ask = async (scenario: string, turns: readonly Turn[], exit = 0): Promise<Run> => {
    const run = await stage.ask(scenario, turns, { args, until: isDone })
    expect(run.exit, run.stderr).toBe(exit)
    expectClean(run.events, driver)
    return run
  }
  const order = (run: Run) => without(run.types, subject.anywhere)

  // An agent takes a second to ten to start, so what can be in one conversation is in one.
  describe('one conversation', () => {
    const calls = [
      ...[shell('echo hi > made'), shell('touch original'), shell('touch original-alone')],
      ...[shell('touch ran'), subject.failing],
    ]
    let run: Run
    const isThere = (file: string) => existsSync(join(run.project, file))

    test('with tools that run, are rewritten, are denied, and fail', async () => {
      const turns = [...calls.map((call) => ({ text: 'Let me see.', calls: [call] })), { text: 'Done.' }]
      run = await ask('all-at-once', turns)
      expect(readFileSync(join(run.project, 'made'), 'utf8')).toBe('hi\n')
      expect(run.seen).toHaveLength(turns.length)
      expect(order(run)).toEqual(wholeOrder(subject))
    })

    test('hooks of others still run', () => {
      expect(existsSync(join(stage.home, 'foreign-hook'))).toBe(true)
    })

    test('deny: the tool does not run and the model is told why', () => {
      expect(isThere('ran')).toBe(false)
      expect(run.seen[3]?.text).not.toContain('gantry says no to this one')
      expect(run.seen[4]?.text).toContain('gantry says no to this one')
    })

    test('rewrite: the rewritten command runs, the original does not', () => {
      expect([isThere('rewritten'), isThere('original')]).toEqual([rewrites, !rewrites])
      const [, call] = run.events.filter(({ type }) => type === 'PreToolUse')
      expect(call?.tool?.input).toMatchObject({ command: 'touch original' })
    })

    test('rewrite without a decision', () => {
      expect([isThere('rewritten-alone'), isThere('original-alone')]).toEqual([rewritesAlone, !rewritesAlone])
    })

    test('context: the model reads it at the next request', () => {
      expect(contextsIn(run, 1)).toEqual([...subject.contexts].sort())
      expect(contextsIn(run, 0)).toEqual(subject.contexts.filter((one) => one.includes('with-the')).sort())
    })
  })

  describe('answers', () => {
    const { 'stop-block': kept } = subject.orders
    const testKept = kept === undefined ? test.skip : test

    testKept('stop-block: the agent goes on once with the reason, then stops', async () => {
      const run = await ask('stop-block', [{ text: 'First answer.' }, { text: 'Second answer.' }])
      expect(run.seen).toHaveLength(2)
      expect(run.seen[0]?.text).not.toContain('gantry wants one more thing')
      expect(run.seen[1]?.text).toContain('gantry wants one more thing')
      expect(order(run)).toEqual([...(kept ?? [])])
      const stops = run.events.filter((event) => event.type === 'Stop')
      expect(stops.map((event) => event.stopHookActive)).toEqual([false, true])
    })

    testKept('a rule that never lets go is overruled after three times', async () => {
      const run = await ask('stop-loop', [{ text: 'First answer.' }])
      expect(run.seen).toHaveLength(4)
      expect(run.types.filter((type) => type === 'Stop')).toHaveLength(4)
    })

    const { 'prompt-block': refused } = subject.orders
    const testRefused = refused === undefined ? test.skip : test

    testRefused('prompt block: the model never hears of it', async () => {
      const run = await ask('prompt-block', [{ text: 'never' }], subject.refusedExit)
      expect(run.seen).toHaveLength(0)
      expect(order(run)).toEqual([...(refused ?? [])])
    })
  })

  more(() => stage)

  test('nothing in all of this was strange to the schema watch', () => expectNothingStrange(stage))

  test('every call in a transcript was announced by a hook', () => expectAllCovered(stage))

  describe('without gantry', () => {
    test('a killed daemon: the turn goes on, and every event is found later', async () => {
      process.kill(Number(readFileSync(stage.places.pid, 'utf8')), 'SIGKILL')
      const run = await stage.ask('daemon-away', [{ calls: [shell('touch ran')] }, { text: 'Done.' }], {
        args,
        journal: false,
      })
      expect(run.exit, run.stderr).toBe(0)
      expect(existsSync(join(run.project, 'ran'))).toBe(true)
      expect(run.seen).toHaveLength(2)
      await gantry(stage, 'up') // where no hook has started it again yet
      const found = await settled(() => stage.events('daemon-away'), isDone)
      const types = found.toSorted((a, b) => a.at - b.at).map((event) => event.type)
      expect(without(types, subject.anywhere)).toEqual([...subject.orders.plain])
    })

    test.skipIf(subject.isFork === true)('gantry removed from the disk: the turn goes on', async () => {
      const installed = readSettings(stage)
      await gantry(stage, 'down')
      rmSync(join(stage.places.home ?? '', 'bin'), { recursive: true })
      const run = await stage.ask('removed', [{ calls: [shell('touch ran')] }, { text: 'Done.' }], {
        args,
        journal: false,
      })
      expect(run.exit, run.stderr).toBe(0)
      expect(existsSync(join(run.project, 'ran'))).toBe(true)
      expect(run.seen).toHaveLength(2)
      await install(stage)
      expect(changed(installed, readSettings(stage))).toEqual([])
    })

    test('uninstall leaves the settings as they were, byte for byte', async () => {
      expect(changed(untouched, readSettings(stage))).not.toEqual([])
      await gantry(stage, 'uninstall', '--yes')
      expect(changed(untouched, readSettings(stage))).toEqual([])
      if (subject.isFork) return
      const run = await stage.ask('uninstalled', [{ text: 'Hello.' }], { args, journal: false })
      expect(run.exit, run.stderr).toBe(0)
    })
  })
}

type Settings = Readonly<Record<string, string | undefined>>

/** The events of a conversation of all kinds of calls, from the orders of conversations with one call. */
function wholeOrder({ orders: { plain, denied, failing }, request = [] }: Subject): string[] {
  const first = plain.indexOf('PreToolUse') - request.length
  const last = plain.lastIndexOf('Stop')
  const ofTheCall = (order: readonly string[]) =>
    order.slice(first + request.length, order.lastIndexOf('Stop') - request.length)
  const calls = [plain, plain, plain, denied, failing].flatMap((one) => [...request, ...ofTheCall(one)])
  return [...plain.slice(0, first), ...calls, ...request, ...plain.slice(last)]
}

/** The contexts of rules.yaml in one of a run's requests. */
function contextsIn({ seen }: Run, request: number): string[] {
  return [...new Set(seen[request]?.text.match(/context-(?:with|before|after)-the-\w+/g))].sort()
}

/** The files that differ. */
function changed(before: Settings, after: Settings): string[] {
  return Object.keys(before).filter((path) => before[path] !== after[path])
}
