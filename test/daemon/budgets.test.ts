/** Budgets through the real client and a real daemon: counted, reached, raised, and the same after a kill. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { appendFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { call, type SessionView } from '../../src/client/index.ts'
import type { Places } from '../../src/core/files/paths.ts'
import { raiseBudgets } from '../../src/tui/actions.ts'
import {
  GANTRY,
  gantry,
  HOOK,
  journal,
  makeHome,
  type RunningDaemon,
  run,
  startDaemon,
  tempDir,
  until,
} from '../kit.ts'
import { sessionWhen } from './session-kit.ts'

setDefaultTimeout(120_000)

const FEW = '[[budgets]]\nid = "few"\nper = "session"\ntool_calls = 2\nthen = "stop"\n'

describe('a budget of a session', () => {
  const home = makeHome(FEW)
  let daemon: RunningDaemon
  beforeAll(async () => {
    daemon = await startDaemon(home)
  })
  afterAll(() => daemon.kill('SIGKILL'))

  test('at the next call after the cap the agent is stopped, until the owner raises it', async () => {
    for (const id of ['one', 'two']) expect(await callOf(home, 's1', id)).toBe('')
    const denied = await pre(home, 's1', 'three')
    expect(denied).toMatchObject({ hookSpecificOutput: { permissionDecision: 'deny' } })
    const { permissionDecisionReason: reason } = denied.hookSpecificOutput
    expect(reason).toContain('2 tool calls of 2 tool calls used')
    expect(reason).toMatch(/gantry budgets raise few [a-z]+-[a-z]+/)
    expect(await hook(home, 's1', 'UserPromptSubmit', { prompt: 'go on' })).toContain('"decision":"block"')
    expect(await hook(home, 's1', 'Stop', {})).toBe('')
    expect(await callOf(home, 's2', 'other')).toBe('') // another session has its own

    const [budget] = JSON.parse((await gantry(home, 'budgets', '--json')).stdout)
    const use = budget.uses.find(({ scope }: { scope: string }) => scope === 'claude:s1')
    expect(use.caps).toEqual([{ cap: 'tool_calls', used: 2, limit: 2, extra: 0 }]) // what was refused does not count
    expect((await gantry(home, 'budgets')).stdout).toContain('▮▮▮▮▮▮▮▮▮▮  100%')

    const inside = await run([GANTRY, 'budgets', 'raise', 'few'], home, '', { CLAUDECODE: '1' })
    expect(inside.exit).not.toBe(0)
    const forged = { id: 'few', scope: 'claude:s1', cap: 'tool_calls', limit: 9, proof: 'x' } as const
    await expect(call(home, 'budgets.raise', forged)).rejects.toThrow('not proved with the approval key')
    expect(await pre(home, 's1', 'three')).toMatchObject({
      hookSpecificOutput: { permissionDecision: 'deny' },
    })

    const raised = await gantry(home, 'budgets', 'raise', 'few', '--by', '1')
    expect(raised).toMatchObject({ exit: 0 })
    expect(raised.stdout).toContain('2 tool calls → 3 tool calls')
    expect(await callOf(home, 's1', 'three')).toBe('')
    expect(await pre(home, 's1', 'four')).toMatchObject({
      hookSpecificOutput: { permissionDecision: 'deny' },
    })
    const [session] = await call(home, 'sessions.list').then((all) => all.filter(({ id }) => id === 's1'))
    if (!session) throw new Error('There is no session.')
    expect(await raiseBudgets(home, session)).toEqual({ ok: true, says: 'Raised few.' })
    expect(await callOf(home, 's1', 'four')).toBe('')
    expect(await raiseBudgets(home, session)).toMatchObject({ ok: false })
    await until(
      () => types(home).filter((type) => type === 'BudgetReached').length === 2,
      'each limit is reported once',
    )
    expect(types(home)).toContain('BudgetRaised')
  })

  test('where the answer can end the turn, it does, and the session is at rest', async () => {
    const gemini = async (event: string, more: object = {}) => {
      const payload = { session_id: 'g1', cwd: '/tmp/project', hook_event_name: event, ...more }
      return (await run([HOOK, 'gemini', event], home, JSON.stringify(payload))).stdout
    }
    await gemini('BeforeAgent', { prompt: 'go' })
    for (const command of ['echo one', 'echo two']) {
      const tool = { tool_name: 'run_shell_command', tool_input: { command } }
      await gemini('BeforeTool', tool)
      await gemini('AfterTool', { ...tool, tool_response: { llmContent: command } })
    }
    const tool = { tool_name: 'run_shell_command', tool_input: { command: 'echo three' } }
    expect(JSON.parse(await gemini('BeforeTool', tool))).toMatchObject({ decision: 'deny', continue: false })
    const isAtRest = ({ phase, openTools }: SessionView) => phase === 'idle' && openTools.length === 0
    await sessionWhen(home, 'g1', isAtRest, 'the end of a turn')
  })
})

test('sums of a day outlive a killed daemon: nothing is forgotten, nothing counts twice', async () => {
  const home = makeHome('[[budgets]]\nid = "day"\nper = "day"\ntool_calls = 10\n')
  for (let round = 0; round < 3; round++) {
    const daemon = await startDaemon(home)
    for (const session of ['s1', 's2', `new${round}`]) await callOf(home, session, `${round}`)
    const written = () => journal(home, 'SELECT sum(tool_calls) AS sum FROM usage_days')[0]?.sum === 6
    if (round === 1) await until(written, 'the sums are written') // else the kill may come first
    await daemon.kill('SIGKILL')
  }
  await using _daemon = await startDaemon(home)
  await until(
    async () => (await call(home, 'budgets.list'))[0]?.uses[0]?.caps[0]?.used === 9,
    'all nine calls count once',
  )
  expect(await callOf(home, 's9', 'tenth')).toBe('')
  expect(await pre(home, 's9', 'eleventh')).toMatchObject({
    hookSpecificOutput: { permissionDecision: 'ask' },
  })
})

test('a cap on the cost counts what the transcript says while the turn runs, sub-agents included', async () => {
  const project = tempDir()
  const cheap = `[[budgets]]\nid = "cheap"\nper = "project"\ncost_usd = 1\nproject = "${project}"\nthen = "stop"\n`
  const home = makeHome(cheap)
  const folder = join(home.state, '.claude/projects/p')
  const transcript = join(folder, 's1.jsonl')
  mkdirSync(join(folder, 's1/subagents'), { recursive: true })
  await using _daemon = await startDaemon(home)
  const more = { transcript_path: transcript, cwd: project }
  const spend = (file: string, id: string, output: number, isSidechain = false) =>
    appendFileSync(file, `${JSON.stringify({ ...requestOf(id, output), isSidechain })}\n`)
  spend(transcript, 'm1', 10_000) // 15 cents
  expect(await callOf(home, 's1', 'one', more)).toBe('')
  spend(join(folder, 's1/subagents/agent-a1.jsonl'), 'm2', 100_000, true)
  await callOf(home, 's1', 'two', more) // the hook that lets gantry look
  await until(async () => {
    const denied = await pre(home, 's1', 'three', more)
    return denied?.hookSpecificOutput?.permissionDecisionReason?.includes('$1.65 of $1.00') === true
  }, 'the next call after the cap is denied')
  expect(await callOf(home, 's2', 'elsewhere', { cwd: tempDir() })).toBe('')
})

test('the same call with the same result is told to the model at the third time, then asked', async () => {
  const home = makeHome('[loops]\nmode = "ask"\n')
  await using _daemon = await startDaemon(home)
  const tool = { tool_name: 'Bash', tool_input: { command: 'npm test' } }
  const said: string[] = []
  for (const id of ['a', 'b', 'c']) {
    said.push(await hook(home, 's1', 'PreToolUse', { ...tool, tool_use_id: id }))
    const ended = { ...tool, tool_use_id: id, tool_response: { stdout: 'failed' } }
    said.push(await hook(home, 's1', 'PostToolUse', ended))
  }
  expect(said.slice(0, 5)).toEqual(['', '', '', '', ''])
  expect(JSON.parse(said[5] ?? '').hookSpecificOutput.additionalContext).toContain(
    'three times with the same result',
  )
  const asked = await hook(home, 's1', 'PreToolUse', { ...tool, tool_use_id: 'd' })
  expect(JSON.parse(asked)).toMatchObject({ hookSpecificOutput: { permissionDecision: 'ask' } })
  await until(() => types(home).includes('LoopDetected'), 'an event tells of it')
})

function requestOf(id: string, output: number) {
  return {
    type: 'assistant',
    sessionId: 's1',
    timestamp: new Date().toISOString(),
    requestId: id,
    message: {
      id,
      role: 'assistant',
      model: 'claude-sonnet-4-5',
      content: [],
      usage: { input_tokens: 0, output_tokens: output },
    },
  }
}

async function hook(home: Places, session: string, event: string, more: object): Promise<string> {
  const payload = { session_id: session, cwd: '/tmp/project', hook_event_name: event, ...more }
  const { stdout } = await run([HOOK, 'claude', event], home, JSON.stringify(payload), {
    CLAUDE_CONFIG_DIR: join(home.state, '.claude'),
  })
  return stdout
}

async function pre(home: Places, session: string, id: string, more: object = {}) {
  const said = await hook(home, session, 'PreToolUse', { ...toolOf(id), ...more })
  return said === '' ? undefined : JSON.parse(said)
}

/** A whole call; what was said before it. */
async function callOf(home: Places, session: string, id: string, more: object = {}): Promise<string> {
  const said = await hook(home, session, 'PreToolUse', { ...toolOf(id), ...more })
  await hook(home, session, 'PostToolUse', { ...toolOf(id), ...more, tool_response: { stdout: id } })
  return said
}

function toolOf(id: string) {
  return { tool_name: 'Bash', tool_input: { command: `echo ${id}` }, tool_use_id: id }
}

function types(home: Places): unknown[] {
  return journal(home, 'SELECT type FROM events ORDER BY seq').map(({ type }) => type)
}
