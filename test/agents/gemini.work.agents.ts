/** Work that survives the context window, with the real Gemini CLI 0.61.0: it forgets, and goes on where it is. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { RESTART_PROMPT } from '../../src/work/index.ts'
import type { Driver } from './driver.ts'
import { gemini, shell } from './gemini.ts'
import type { Turn } from './mock/model.ts'
import type { Stage } from './stage.ts'
import { DEHYDRATE, openWorkStage, PAYLOAD, startEffort, supervised, windowsOf } from './work.ts'

const WINDOW_TOKENS = 1_048_576
const SLOWLY_MS = 500 // the chat log is read along
const LAST_WORDS = 'I went on.'

const full = (share: number): Turn => ({ tokens: Math.ceil(share * WINDOW_TOKENS), waitMs: SLOWLY_MS })

// Under gantry run, which puts gantry on the PATH and otherwise leaves Gemini alone.
const driver: Driver = supervised(gemini)

describe('gemini 0.61.0', () => {
  let stage: Stage
  beforeAll(async () => {
    stage = await openWorkStage(driver)
  })
  afterAll(() => stage.close())

  test('a full context is written down, the conversation is cleared, and the next request begins with it', async () => {
    const effort = startEffort(stage, 'clear')
    stage.model.play('clear-fresh', [{ calls: [shell('echo fresh')] }, { text: LAST_WORDS }])
    stage.model.onPrompt(RESTART_PROMPT, 'clear-fresh')
    const run = await stage.ask('clear', [
      { ...full(0.2), calls: [shell('echo a-thing-of-the-past')] },
      { ...full(0.91), calls: [shell('echo two')] },
      { ...full(0.92), calls: [shell('echo three')] },
      { ...full(0.93), calls: [shell(DEHYDRATE)] },
      { ...full(0.94), text: 'Written down.' },
    ])
    expect(run.exit, run.stderr).toBe(0)
    expect(run.stdout).toEndWith(`${LAST_WORDS}\n`)
    expect(run.seen[1]?.text).not.toContain('gantry effort dehydrate')
    expect(run.seen[3]?.text).toMatch(/The context is 9\d% full[\s\S]*gantry effort dehydrate/)

    const fresh = stage.model.seen('clear-fresh')
    expect(fresh).toHaveLength(2)
    for (const text of [PAYLOAD.task, ...PAYLOAD.decisions, ...PAYLOAD.files, ...PAYLOAD.nextSteps])
      expect(fresh[0]?.text).toContain(text)
    for (const { text } of fresh) {
      expect(text).not.toContain('[[s:clear]]')
      expect(text).not.toContain('a-thing-of-the-past')
    }
    expect(fresh[1]?.text).toContain('echo fresh')
    expect(fresh[1]?.text).not.toContain('The context is')

    const [first, second, ...more] = windowsOf(stage, effort)
    expect(more).toEqual([])
    expect(first).toMatchObject({ endReason: 'dehydrated', agent: 'gemini' })
    expect(second).toMatchObject({
      prevSessionId: first?.id,
      nativeId: first?.nativeId,
      dehydrationPayload: null,
    })
  })
})
