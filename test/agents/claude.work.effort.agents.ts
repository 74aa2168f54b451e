/** Efforts as the real Claude Code 2.1.325 works on them: heartbeat, agents side by side, sub-agents. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { MessageView } from '../../src/client/index.ts'
import { GANTRY } from '../kit.ts'
import { claude } from './claude.ts'
import type { ToolCall, Turn } from './mock/model.ts'
import { type Stage, settled } from './stage.ts'
import { bash, effortOf, openWorkStage, startEffort, supervised, windowsOf } from './work.ts'

const LONG_MS = 30_000

let stage: Stage
beforeAll(async () => {
  stage = await openWorkStage(claude)
})
afterAll(() => stage.close())

describe('claude 2.1.325 on an effort', () => {
  test('the tenth call without a word is denied; a word is enough', async () => {
    const effort = startEffort(stage, 'heartbeat')
    const calls = Array.from({ length: 10 }, (_, i): Turn => ({ calls: [bash(`touch call-${i + 1}`)] }))
    const run = await stage.ask('heartbeat', [
      ...calls,
      { calls: [bash(`${GANTRY} effort log "ten files, one missing"`)] },
      { calls: [bash('touch call-11')] },
      { text: 'Done.' },
    ])
    expect(run.exit, run.stderr).toBe(0)
    const made = (n: number) => existsSync(join(run.project, `call-${n}`))
    expect([made(9), made(10), made(11)]).toEqual([true, false, true])
    expect(run.seen[3]?.text).toContain('3 tool calls since the last log')
    expect(run.seen[10]?.text).toContain('10 tool calls without a word about progress')
    expect(run.seen[10]?.text).toContain('gantry effort log')
    const { sessions, messages } = effortOf(stage, effort)
    expect(sessions.map(({ heartbeatCounter }) => heartbeatCounter)).toEqual([1])
    expect(logsIn(messages)).toEqual(['ten files, one missing'])
  })

  test('two agents in one folder keep their own efforts', async () => {
    const scenario = 'two-agents'
    const [ada, bob] = ['ada', 'bob'].map((name) => startEffort(stage, scenario, '--agent-id', name))
    if (!ada || !bob) throw new Error('no efforts')
    for (const name of ['ada', 'bob'])
      stage.model.play(name, [
        { calls: [bash(`gantry effort log "${name} was here"`), bash('echo more')] },
        { text: 'Done.' },
      ])
    const ends = ['ada', 'bob'].map(async (name) => {
      const argv = supervised(claude, '--agent-id', name).headless(`please [[s:${name}]]`, {})
      const child = Bun.spawn(argv, {
        cwd: stage.project(scenario),
        env: stage.env,
        stdio: ['ignore', 'ignore', 'ignore'],
      })
      return child.exited
    })
    expect(await Promise.all(ends)).toEqual([0, 0])
    expect(logsIn(effortOf(stage, ada).messages)).toEqual(['ada was here'])
    expect(logsIn(effortOf(stage, bob).messages)).toEqual(['bob was here'])
    const sessions = [ada, bob].map((effort) => windowsOf(stage, effort).map(({ nativeId }) => nativeId))
    expect(sessions.map(({ length }) => length)).toEqual([1, 1])
    expect(new Set(sessions.flat()).size).toBe(2)
  })

  test('a sub-agent has its own session, and its end leaves the parent’s open', async () => {
    const effort = startEffort(stage, 'child')
    const spawn: ToolCall = {
      name: 'Agent',
      input: {
        description: 'a job',
        prompt: 'do it [[s:work-child]]',
        subagent_type: 'general-purpose',
        run_in_background: false,
      },
    }
    stage.model.play('work-child', [{ calls: [bash('touch by-child')] }, { text: 'Child done.' }])
    stage.model.play('child', [{ calls: [spawn] }, { waitMs: 4_000, text: 'Parent done.' }])
    const child = Bun.spawn(claude.headless('please [[s:child]]', {}), {
      cwd: stage.project('child'),
      env: stage.env,
      stdio: ['ignore', 'ignore', 'ignore'],
    })
    const sessions = await settled(
      () => effortOf(stage, effort).sessions,
      (found) => found.some(({ agentId, endedAt }) => agentId !== '' && endedAt !== null),
      LONG_MS,
    )
    const [parent, below, ...more] = sessions
    expect(more).toEqual([])
    expect(parent).toMatchObject({ agentId: '', endedAt: null })
    expect(below).toMatchObject({
      effortId: effort.id,
      nativeId: parent?.nativeId,
      prevSessionId: parent?.id,
    })
    expect(below?.endReason).toBe('subagent stop')
    expect(await child.exited).toBe(0)
    expect(effortOf(stage, effort).openSessions).toBe(0)
  })
})

function logsIn(messages: readonly MessageView[]): string[] {
  return messages.filter(({ role }) => role === 'log').map(({ content }) => content)
}
