/** Work that survives the context window, with the real Claude Code 2.1.325. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { RESTART_PROMPT } from '../../src/work/index.ts'
import { GANTRY, type Ran } from '../kit.ts'
import { claude } from './claude.ts'
import type { Turn } from './mock/model.ts'
import { type Stage, settled } from './stage.ts'
import { READY } from './terminal.ts'
import { openScreen, type Screen } from './tmux.ts'
import {
  bash,
  DEHYDRATE,
  openWorkStage,
  PAYLOAD,
  startEffort,
  supervised,
  windows,
  windowsOf,
} from './work.ts'

const WINDOW_TOKENS = 200_000 // of this model
const MODEL = ['--model', 'claude-haiku-4-5']
const SLOWLY_MS = 700 // the status line is drawn at most three times a second
const LONG_MS = 30_000
const LAST_WORDS = 'I went on.'

const full = (share: number): Turn => ({ tokens: share * WINDOW_TOKENS, waitMs: SLOWLY_MS })

/** On which Claude compacts. */
const TOO_LONG: Turn = { status: 400, error: `prompt is too long: 205000 tokens > ${WINDOW_TOKENS} maximum` }

let stage: Stage
beforeAll(async () => {
  stage = await openWorkStage(claude)
})
afterAll(() => stage.close())

describe('claude 2.1.325 under gantry run, in a terminal', () => {
  /** One prompt, until a fresh session has said its last words; then a person's goodbye. */
  async function goesOn(
    scenario: string,
    turns: readonly Turn[],
    meanwhile: (screen: Screen) => Promise<void>,
    ...args: string[]
  ): Promise<void> {
    const { model, driver } = stage
    model.play(scenario, turns)
    model.play(`${scenario}-fresh`, [{ calls: [bash('touch by-the-fresh-one')] }, { text: LAST_WORDS }])
    model.onPrompt(RESTART_PROMPT, `${scenario}-fresh`)
    const argv = supervised(driver).interactive({ args: [...MODEL, ...args] })
    const screen = terminal(scenario, argv)
    try {
      await ask(screen, scenario)
      await meanwhile(screen)
      await screen.shows(new RegExp(LAST_WORDS))
      await screen.end(...driver.goodbye)
    } finally {
      screen.close()
    }
  }

  test('a full context is written down, and a fresh session goes on from there', async () => {
    const effort = startEffort(stage, 'overflow')
    const turns = [
      { ...full(0.5), calls: [bash('echo one')] },
      { ...full(0.91), calls: [bash('echo two')] },
      { ...full(0.92), calls: [bash('echo three')] },
      { ...full(0.93), calls: [bash(DEHYDRATE)] },
      { ...full(0.94), text: 'Written down.' },
    ]
    await goesOn('overflow', turns, (screen) =>
      screen.shows(new RegExp(`gantry: effort ${effort.id} is written down: claude starts afresh`)),
    )
    const seen = stage.model.seen('overflow')
    expect(seen[1]?.text).not.toContain('gantry effort dehydrate')
    expect(seen[3]?.text).toMatch(/The context is 9\d% full[\s\S]*gantry effort dehydrate/)

    const [first, second, ...more] = await windows(stage, effort, 2)
    expect(more).toEqual([])
    expect(second).toMatchObject({ prevSessionId: first?.id, agent: 'claude' })
    expect(second?.nativeId).not.toBe(first?.nativeId)
    expect(first).toMatchObject({ prevSessionId: null, endReason: 'other' })
    expect(first?.contextUsage).toBeGreaterThanOrEqual(0.9)
    expect(JSON.parse(first?.dehydrationPayload ?? '{}')).toEqual(PAYLOAD)

    const [fresh] = stage.model.seen('overflow-fresh')
    for (const text of [PAYLOAD.task, ...PAYLOAD.decisions, ...PAYLOAD.files, ...PAYLOAD.nextSteps])
      expect(fresh?.text).toContain(text)
    expect(fresh?.text).not.toContain('[[s:overflow]]')
    expect(existsSync(join(stage.project('overflow'), 'by-the-fresh-one'))).toBe(true)
  })

  test('a compaction does not happen: a fresh session reads what the effort has', async () => {
    const effort = startEffort(stage, 'compaction')
    const turns = [{ ...full(0.2), calls: [bash('gantry effort log "The parrot says seven"')] }, TOO_LONG]
    await goesOn('compaction', turns, (screen) =>
      screen.shows(new RegExp(`gantry: the context of effort ${effort.id} is full: claude starts afresh`)),
    )
    const types = (await stage.events('compaction')).map(({ type }) => type)
    expect(types.filter((type) => type === 'PreCompact')).toHaveLength(1)
    expect(types).not.toContain('PostCompact')

    const [first, second] = await windows(stage, effort, 2)
    expect(first).toMatchObject({ endReason: 'compaction', dehydrationPayload: null })
    expect(second?.prevSessionId).toBe(first?.id ?? 0)
    const [fresh] = stage.model.seen('compaction-fresh')
    expect(fresh?.text).toContain('1_IMPLEMENT_LOG.md')
    expect(fresh?.text).toContain('The parrot says seven')
  })
})

describe('claude 2.1.325 under gantry run', () => {
  /** To its end, without a terminal. */
  async function headless(scenario: string, turns: readonly Turn[]): Promise<Ran> {
    stage.model.play(scenario, turns)
    stage.model.play(`${scenario}-fresh`, [{ text: LAST_WORDS }])
    stage.model.onPrompt(RESTART_PROMPT, `${scenario}-fresh`)
    const child = Bun.spawn(supervised(claude).headless(`please [[s:${scenario}]]`, { args: MODEL }), {
      cwd: stage.project(scenario),
      env: stage.env,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const [stdout, stderr] = [new Response(child.stdout).text(), new Response(child.stderr).text()]
    return { stdout: await stdout, stderr: await stderr, exit: await child.exited }
  }

  test('without a terminal: a fresh one goes on when the first has said its last word', async () => {
    const effort = startEffort(stage, 'print')
    const ran = await headless('print', [{ calls: [bash(DEHYDRATE)] }, { text: 'Written down.' }])
    expect(ran.stdout).toEndWith(`${LAST_WORDS}\n`)
    expect(ran.stderr).toContain(`gantry: effort ${effort.id} is written down`)
    expect(ran.exit).toBe(0)
    const [first, second] = windowsOf(stage, effort)
    expect(second?.prevSessionId).toBe(first?.id ?? 0)
    expect(stage.model.seen('print-fresh')[0]?.text).toContain(PAYLOAD.task)
  })

  test('without a terminal: a fresh one goes on when the first was not to compact', async () => {
    const effort = startEffort(stage, 'print-full')
    // Nothing was written down or logged, so the fresh one hears the last words; the first prompt plays its script on.
    const ran = await headless('print-full', [{ calls: [bash('echo one')] }, TOO_LONG, { text: LAST_WORDS }])
    expect(ran.stdout).toEndWith(`${LAST_WORDS}\n`)
    expect(ran.stderr).toContain(`gantry: the context of effort ${effort.id} is full`)
    expect(ran.exit).toBe(0)
    expect(windowsOf(stage, effort).map(({ endReason }) => endReason)).toEqual(['compaction', 'other'])
    const fresh = stage.model.seen('print-full').at(-1)?.text
    for (const part of [RESTART_PROMPT, 'left no dehydration payload', '- user: please [[s:print-full]]'])
      expect(fresh).toContain(part)
  })

  test('Ctrl-Z gives the shell back, fg brings Claude back', async () => {
    const screen = terminal('pause', ['bash', '--norc', '--noprofile', '-i'])
    try {
      await screen.shows(/bash-/)
      await screen.press(supervised(claude).interactive({}).join(' '), 'Enter')
      await screen.shows(READY)
      await screen.press('C-z')
      await screen.shows(/Stopped/)
      await screen.press('fg', 'Enter')
      await screen.shows(READY)
      await screen.reach(/gave 0/, ...claude.goodbye, 'echo gave $?', 'Enter')
    } finally {
      screen.close()
    }
  })
})

describe('claude 2.1.325 without gantry run', () => {
  test('the person is told that the effort is written down', async () => {
    startEffort(stage, 'plain')
    stage.model.play('plain', [
      { calls: [bash(DEHYDRATE.replace('gantry', GANTRY))] },
      { text: 'Written down.' },
    ])
    const screen = terminal('plain', stage.driver.interactive({}))
    try {
      await ask(screen, 'plain')
      await screen.shows(/is dehydrated\. Start a fresh session \(\/clear\)/)
      stage.model.play('plain-fresh', [{ text: LAST_WORDS }])
      await screen.press('/clear', 'Enter')
      await screen.press('and now? [[s:plain-fresh]]', 'Enter')
      await screen.shows(new RegExp(LAST_WORDS))
      await screen.end(...stage.driver.goodbye)
    } finally {
      screen.close()
    }
    expect(stage.model.seen('plain-fresh')[0]?.text).toContain(PAYLOAD.task)
  })

  test('a compaction happens as ever: nobody would start it again', async () => {
    startEffort(stage, 'compacts')
    stage.model.play('compacts', [{ calls: [bash('echo one')] }, TOO_LONG, { text: 'A summary.' }])
    const screen = terminal('compacts', stage.driver.interactive({}))
    try {
      await ask(screen, 'compacts')
      const types = await settled(
        async () => (await stage.events('compacts')).map(({ type }) => type),
        (found) => found.includes('Stop'),
        LONG_MS,
      )
      expect(types).toContain('PostCompact')
      await screen.end(...stage.driver.goodbye)
    } finally {
      screen.close()
    }
  })
})

function terminal(scenario: string, argv: readonly string[]): Screen {
  const env = { ...stage.env, TMUX_TMPDIR: stage.home }
  return openScreen(argv, { name: scenario, cwd: stage.project(scenario), env })
}

async function ask(screen: Screen, scenario: string): Promise<void> {
  await screen.shows(READY)
  await screen.press(`please [[s:${scenario}]]`, 'Enter')
}
