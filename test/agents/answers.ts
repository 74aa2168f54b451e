/**
 * What gantry answers, tried on one agent: guards, rules and a warm handler in one conversation, a required hook, a budget, a
 * collision, and a run whose hooks are cut off.
 */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { WireEvent } from '../../src/client/index.ts'
import type { Driver } from './driver.ts'
import { expectNothingStrange } from './expect.ts'
import { type Obedience, prepareObedience, testObedience } from './obeys.ts'
import { gantry, install, openStage, type Stage, settled } from './stage.ts'

const COLLISION_LIMIT_MS = 30_000 // for the first session to write, beside other agents

export interface Answering extends Obedience {
  readonly driver: Driver
  /** A denial can end its turn. */
  readonly endsTurn?: true
  /** How its hooks are cut off for one run. */
  readonly hooksOff: {
    readonly args?: readonly string[]
    /** Files in the folder of the run. */
    readonly files?: Readonly<Record<string, string>>
  }
}

export function testAnswers(subject: Answering, more: (stage: () => Stage) => void = () => {}): void {
  const { agent, version } = subject.driver.release
  describe(`answers to ${agent} ${version}`, () => testAll(subject, more))
}

function testAll(subject: Answering, more: (stage: () => Stage) => void): void {
  const { driver, shell, args, endsTurn, hooksOff } = subject
  let stage: Stage

  beforeAll(async () => {
    stage = await openStage(driver)
    await install(stage)
    prepareObedience(stage)
    const budget = `id = "few"\nper = "project"\ntool_calls = 1\nthen = "stop"\n`
    appendFileSync(stage.places.configFile, `[[budgets]]\n${budget}project = "${stage.project('budget')}"\n`)
    await gantry(stage, 'up')
  })
  afterAll(() => stage.close())

  test('the installed hook reaches gantry, as the installer tries it', async () => {
    const tried = JSON.parse(await gantry(stage, 'install', driver.release.agent, '--verify', '--json'))
    expect(tried).toMatchObject([{ agent: driver.release.agent }])
    expect(tried[0].kind).not.toBe('failed')
  })

  testObedience(subject, () => stage)

  test('at its start and when it writes, a session is told of another one', async () => {
    const root = stage.project('collision')
    mkdirSync(join(root, '.git'))
    stage.project('collision/second')
    // Gemini CLI refuses a command with $( ).
    const wait = 'timeout 30 sh -c "until test -e done; do sleep 0.1; done"'
    const first = stage.ask(
      'collision',
      [{ calls: [shell('echo one > second/shared')] }, { calls: [shell(wait)] }, { text: 'Done.' }],
      { args },
    )
    const hasWritten = (all: readonly WireEvent[]) =>
      all.filter(({ type }) => type === 'PreToolUse').length === 2
    await settled(() => stage.events('collision'), hasWritten, COLLISION_LIMIT_MS)
    const turns = [{ calls: [shell('echo two >> shared')] }, { text: 'Done.' }]
    const run = await stage.ask('collision/second', turns, { args })
    writeFileSync(join(root, 'done'), '')
    expect((await first).exit).toBe(0)
    expect(readFileSync(join(run.project, 'shared'), 'utf8')).toBe('one\ntwo\n')
    expect(run.seen[0]?.text).toContain('Another agent session works in this worktree')
    expect(run.seen[1]?.text).toContain(`(${driver.release.agent}) wrote second/shared`)
  })

  test('the next call after the cap of a budget is denied; raised, the agent goes on', async () => {
    const turns = [{ calls: [shell('touch one')] }, { calls: [shell('touch two')] }, { text: 'Done.' }]
    const run = await stage.ask('budget', turns, { args })
    expect(existsSync(join(run.project, 'one'))).toBe(true)
    expect(existsSync(join(run.project, 'two'))).toBe(false)
    if (endsTurn) expect(run.seen).toHaveLength(2)
    else expect(run.seen[2]?.text).toContain('1 tool call of 1 tool call used')
    await gantry(stage, 'budgets', 'raise', 'few')
    const again = await stage.ask('budget', [{ calls: [shell('touch three')] }, { text: 'Done.' }], { args })
    expect(existsSync(join(again.project, 'three'))).toBe(true)
  })

  more(() => stage)

  test('a run with hooks cut off is shown as uncovered within 2 s, and no other call was', async () => {
    for (const [path, text] of Object.entries(hooksOff.files ?? {})) {
      mkdirSync(dirname(join(stage.project('hooks-off'), path)), { recursive: true })
      writeFileSync(join(stage.project('hooks-off'), path), text)
    }
    const off = { args: hooksOff.args ?? [], journal: false } as const
    const run = await stage.ask('hooks-off', [{ calls: [shell('echo hi > made')] }, { text: 'Made.' }], off)
    expect(run.exit, run.stderr).toBe(0)
    expect(existsSync(join(run.project, 'made'))).toBe(true)
    const uncovered = async (): Promise<WireEvent[]> =>
      JSON.parse(await gantry(stage, 'rpc', 'events.list', '{"type":"ToolCallUncovered"}'))
    const found = await settled(uncovered, (events) => events.length > 0)
    expect(found.map(({ cwd, tool }) => [cwd, tool?.name])).toEqual([[run.project, expect.any(String)]])
    const [event] = found
    const took = (event?.at ?? 0) - Number(event?.fields?.called_at)
    console.log(`  ${driver.release.agent}: uncovered ${took} ms after its call`)
    expect(took).toBeLessThan(2_000)
    expect((await stage.gantry('sessions', '--all')).stdout).toContain('no hooks, 1 call not seen by hooks')
    expect((await stage.gantry('doctor')).stdout).toContain('no hook announced the call')
  })

  test('nothing in all of this was strange to the schema watch', () => expectNothingStrange(stage))
}
