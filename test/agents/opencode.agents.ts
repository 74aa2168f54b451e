/** opencode 1.18.33, the real program. */
import { describe, expect, test } from 'bun:test'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { WireEvent } from '../../src/client/index.ts'
import { expectClean } from './expect.ts'
import type { ToolCall } from './mock/model.ts'
import { MODEL, opencode } from './opencode.ts'
import { shell, subjectOf } from './opencode-family.ts'
import { gantry, type Stage, settled } from './stage.ts'
import { testRealAgent } from './suite.ts'
import { CHILD_FIRST, CHILD_LAST, expectUsage, FIRST, LAST } from './usage.ts'

const task = (script: string): ToolCall => ({
  name: 'task',
  input: { description: 'a job', prompt: `do it [[s:${script}]]`, subagent_type: 'general' },
})

testRealAgent(subjectOf(opencode), (stage) => {
  test('tokens, context and cost are what the model reported, sub-agents included', async () => {
    const scripts = ['usage', 'usage-child'] as const
    stage().model.play('usage-child', [
      { calls: [shell('echo hi')], ...CHILD_FIRST },
      { text: 'The child is done.', ...CHILD_LAST },
    ])
    const turns = [
      { calls: [task('usage-child')], ...FIRST },
      { text: 'Done.', ...LAST },
    ]
    const run = await stage().ask('usage', turns)
    expectClean(run.events, opencode)
    const costUsd = [FIRST, LAST, CHILD_FIRST, CHILD_LAST].reduce((sum, one) => sum + costOf(one), 0)
    await expectUsage(stage(), 'usage', { scripts, window: MODEL.context, costUsd })
  })

  test('a turn that failed is marked, though its end follows', async () => {
    const turns = Array.from({ length: 8 }, () => ({ status: 400 }))
    await stage().ask('failed', turns)
    const events = await stage().events('failed')
    expect(events.filter(({ type }) => type === 'StopFailure').length).toBeGreaterThan(0)
    const listed = JSON.parse(await gantry(stage(), 'sessions', '--all', '--json')) as {
      cwd: string
      error?: { kind: string }
    }[]
    expect(listed.find(({ cwd }) => cwd === stage().project('failed'))?.error).toMatchObject({
      kind: 'APIError',
    })
  })

  describe('with the daemon away', () => {
    test('the plugin has it started', async () => {
      await endDaemon(stage())
      const run = await stage().ask('starts', [{ text: 'Hello.' }])
      expect(run.exit, run.stderr).toBe(0)
      expectClean(run.events, opencode)
      expect(existsSync(stage().places.pid)).toBe(true)
    })

    test('a call that a person was asked about does not run when nobody can answer any more', async () => {
      writeFileSync(stage().places.configFile, '[http]\nport = 0\n\n[approvals]\nhold = ["opencode"]\n')
      const rules = join(stage().places.rules, 'held.yaml')
      writeFileSync(
        rules,
        'rules:\n  - id: held\n    on: PreToolUse\n    match: { cwd: "/held$" }\n    decision: ask\n    reason: ask me\n',
      )
      await gantry(stage(), 'down')
      await gantry(stage(), 'up')
      const asking = stage().ask('held', [{ calls: [shell('touch ran')] }, { text: 'All right.' }], {
        until: (found: readonly WireEvent[]) => found.some(({ type }) => type === 'SessionEnd'),
      })
      const waits = async () => (await stage().gantry('approvals', '--json')).stdout.includes('touch ran')
      expect(await settled(waits, Boolean, 60_000)).toBe(true)
      await endDaemon(stage())
      const run = await asking
      expect(existsSync(join(run.project, 'ran'))).toBe(false)
      expect(run.seen[1]?.text).toContain('went away before it was')
      rmSync(rules)
      writeFileSync(stage().places.configFile, '[http]\nport = 0\n')
    })
  })
})

function costOf({
  tokens,
  cached,
  output,
}: typeof FIRST | typeof LAST | typeof CHILD_FIRST | typeof CHILD_LAST): number {
  const { inputPrice, cachedPrice, outputPrice } = MODEL
  return ((tokens - cached) * inputPrice + cached * cachedPrice + output * outputPrice) / 1e6
}

async function endDaemon({ places }: Stage): Promise<void> {
  const pid = Number(readFileSync(places.pid, 'utf8'))
  process.kill(pid, 'SIGKILL')
  await settled(
    () => existsSync(`/proc/${pid}`),
    (lives) => !lives,
  )
}
