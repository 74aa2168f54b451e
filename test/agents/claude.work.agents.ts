/** Work that survives the context window, with the real Claude Code 2.1.325. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { RESTART_PROMPT } from '../../src/work/index.ts'
import { claude } from './claude.ts'
import type { Turn } from './mock/model.ts'
import type { Stage } from './stage.ts'
import { READY } from './terminal.ts'
import { openScreen, type Screen } from './tmux.ts'
import { bash, DEHYDRATE, openWorkStage, PAYLOAD, request, startEffort, supervised, windows } from './work.ts'

const WINDOW = 200_000 // tokens of this model's context
const MODEL = ['--model', 'claude-haiku-4-5']
const SLOWLY_MS = 700 // the status line is drawn at most three times a second

const full = (share: number): Pick<Turn, 'tokens' | 'waitMs'> => ({
  tokens: share * WINDOW,
  waitMs: SLOWLY_MS,
})

describe('claude 2.1.325 under gantry run', () => {
  let stage: Stage
  beforeAll(async () => {
    stage = await openWorkStage(supervised(claude))
  })
  afterAll(() => stage.close())

  /** One prompt in a terminal, with whatever happens then; ends with the agent's own goodbye. */
  async function inTerminal(
    scenario: string,
    turns: readonly Turn[],
    meanwhile: (screen: Screen) => Promise<void>,
    args: readonly string[] = [],
  ): Promise<void> {
    stage.model.play(scenario, turns)
    const screen = openScreen(stage.driver.interactive({ args: [...MODEL, ...args] }), {
      name: scenario,
      cwd: stage.project(scenario),
      env: { ...stage.env, TMUX_TMPDIR: stage.home },
    })
    try {
      await screen.shows(READY)
      await screen.press(`please [[s:${scenario}]]`, 'Enter')
      await meanwhile(screen)
      await screen.end(...stage.driver.goodbye)
    } finally {
      screen.close()
    }
  }

  test('a full context is written down, a fresh session goes on with it', async () => {
    const effort = startEffort(stage, 'overflow')
    const turns = [
      { ...full(0.5), calls: [bash('echo one')] },
      { ...full(0.91), calls: [bash('echo two')] },
      { ...full(0.92), calls: [bash('echo three')] },
      { ...full(0.93), calls: [bash(DEHYDRATE)] },
      { ...full(0.94), text: 'Written down.' },
    ]
    await inTerminal('overflow', turns, async (screen) => {
      const asked = await request(stage, 'The context is 9')
      expect(asked?.text).toContain('gantry effort dehydrate')
      await screen.shows(/gantry: effort \d+ is written down/)
      await screen.shows(READY)
      await request(stage, RESTART_PROMPT)
      await screen.shows(/ok/)
    })
    const [first, second, ...more] = await windows(stage, effort, 2)
    expect(more).toEqual([])
    expect(second).toMatchObject({ prevSessionId: first?.id, agent: 'claude' })
    expect(second?.nativeId).not.toBe(first?.nativeId)
    expect(first).toMatchObject({ prevSessionId: null, endReason: 'other' })
    expect(JSON.parse(first?.dehydrationPayload ?? '{}')).toEqual(PAYLOAD)
    expect(first?.contextUsage).toBeGreaterThanOrEqual(0.9)

    const fresh = stage.model.requests.filter(({ text }) => text.includes(RESTART_PROMPT))
    expect(fresh[0]?.text).toContain(PAYLOAD.task)
    expect(fresh[0]?.text).toContain(PAYLOAD.decisions[0] ?? '')
    expect(fresh[0]?.text).toContain(PAYLOAD.nextSteps[0] ?? '')
    expect(fresh[0]?.text).not.toContain('[[s:overflow]]')
  })
})
