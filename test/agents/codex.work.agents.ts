/** Work that survives the context window, with the real Codex 0.166.0: by a fresh start under gantry run. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { EffortView } from '../../src/client/index.ts'
import { RESTART_PROMPT } from '../../src/work/index.ts'
import { GANTRY } from '../kit.ts'
import { codex, shell, TRUST_HOOKS } from './codex.ts'
import type { Turn } from './mock/model.ts'
import type { Stage } from './stage.ts'
import { READY } from './terminal.ts'
import { openScreen } from './tmux.ts'
import { DEHYDRATE, openWorkStage, PAYLOAD, startEffort, supervised, windows } from './work.ts'

const WINDOW_TOKENS = 200_000 // of which 0.166.0 counts 95 %, and compacts at 90 %
const ARGS = [TRUST_HOOKS, '-c', `model_context_window=${WINDOW_TOKENS}`]
const SLOWLY_MS = 500 // the rollout is read along
const LAST_WORDS = 'I went on.'

const full = (share: number): Turn => ({ tokens: Math.ceil(share * WINDOW_TOKENS), waitMs: SLOWLY_MS })

const turns: readonly Turn[] = [
  { ...full(0.5), calls: [shell('echo one')] },
  { ...full(0.87), calls: [shell('echo two')] },
  { ...full(0.875), calls: [shell('echo three')] },
  { ...full(0.88), calls: [shell(DEHYDRATE.replace('gantry', GANTRY))] }, // in a login shell, with a PATH of its own
  { ...full(0.885), text: 'Written down.' },
]

describe('codex 0.166.0 under gantry run', () => {
  let stage: Stage
  beforeAll(async () => {
    stage = await openWorkStage(supervised(codex))
  })
  afterAll(() => stage.close())

  function play(scenario: string): EffortView {
    stage.model.play(scenario, turns)
    stage.model.play(`${scenario}-fresh`, [{ text: LAST_WORDS }])
    stage.model.onPrompt(RESTART_PROMPT, `${scenario}-fresh`)
    return startEffort(stage, scenario)
  }

  async function expectFresh(scenario: string, effort: EffortView): Promise<void> {
    const seen = stage.model.seen(scenario)
    expect(seen[1]?.text).not.toContain('gantry effort dehydrate')
    expect(seen[3]?.text).toMatch(/The context is 9\d% full[\s\S]*gantry effort dehydrate/)
    const [first, second, ...more] = await windows(stage, effort, 2)
    expect(more).toEqual([])
    expect(second).toMatchObject({ prevSessionId: first?.id, agent: 'codex' })
    expect(JSON.parse(first?.dehydrationPayload ?? '{}')).toEqual(PAYLOAD)
    const [fresh] = stage.model.seen(`${scenario}-fresh`)
    for (const text of [PAYLOAD.task, ...PAYLOAD.decisions, ...PAYLOAD.nextSteps])
      expect(fresh?.text).toContain(text)
    expect(fresh?.text).not.toContain(`[[s:${scenario}]]`)
  }

  test('exec: a full context is written down, and a fresh one goes on from there', async () => {
    const effort = play('exec')
    const run = await stage.ask('exec', turns, { args: ARGS })
    expect(run.exit, run.stderr).toBe(0)
    expect(run.stdout).toContain(LAST_WORDS)
    await expectFresh('exec', effort)
  })

  test('in a terminal likewise', async () => {
    const effort = play('tui')
    const args = [...ARGS, '--dangerously-bypass-approvals-and-sandbox']
    const env = { ...stage.env, TMUX_TMPDIR: stage.home }
    const screen = openScreen(stage.driver.interactive({ args }), {
      name: 'tui',
      cwd: stage.project('tui'),
      env,
    })
    try {
      await screen.shows(READY)
      await screen.press('please [[s:tui]]', 'Enter')
      await screen.shows(new RegExp(LAST_WORDS))
      await screen.end(...stage.driver.goodbye)
    } finally {
      screen.close()
    }
    await expectFresh('tui', effort)
  })
})
