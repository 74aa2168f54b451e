/** The same hooks through the real hook client: recorded payloads of the real agents in, their own words out. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fixtureLines, HOOK, run, until } from '../kit.ts'
import { type Desk, type Fields, newSession, openDesk, project } from './kit.ts'

let desk: Desk
beforeAll(async () => {
  desk = await openDesk()
})
afterAll(async () => {
  await desk.daemon.kill('SIGKILL')
})

const FILES = {
  claude: 'claude/2.1.325/basic.jsonl',
  codex: 'codex/0.166.0/basic.jsonl',
  gemini: 'gemini/0.61.0/basic.jsonl',
} as const
type AgentName = keyof typeof FILES
const AGENTS = Object.keys(FILES) as AgentName[]

interface Said {
  readonly event: string
  readonly payload: Fields
}

/** What an agent said when it was recorded, moved into this project and this session. */
function recorded(file: string, cwd: string, session = newSession()): Said[] {
  return fixtureLines(file).map(({ event, payload }) => {
    const moved = JSON.stringify(payload).replaceAll('/home/dev/acme', cwd)
    return { event, payload: { ...(JSON.parse(moved) as Fields), session_id: session } }
  })
}

/** As the agent runs it: the client's output is what the agent reads. */
async function hook(agent: string, { event, payload }: Said, env = {}): Promise<Fields> {
  const { exit, stdout, stderr } = await run([HOOK, agent, event], desk.home, JSON.stringify(payload), env)
  if (exit !== 0) return { exit, stderr }
  return stdout === '' ? {} : (JSON.parse(stdout) as Fields)
}

const firstOf = (agent: AgentName, cwd: string, session: string, ...events: string[]): Said => {
  const found = recorded(FILES[agent], cwd, session).find(({ event }) => events.includes(event))
  if (!found) throw new Error(`${agent} was not recorded with ${events}`)
  return found
}
const BEFORE = ['PreToolUse', 'BeforeTool']
const AFTER = ['PostToolUse', 'AfterTool']
const PROMPT = ['UserPromptSubmit', 'BeforeAgent']

const contextOf = (answer: Fields) =>
  String((answer.hookSpecificOutput as Fields | undefined)?.additionalContext ?? '')
const status = (id: string) => desk.rows(`SELECT status FROM agents WHERE id = '${id}'`)[0]?.status
const windows = (session: string) =>
  desk.rows(`SELECT * FROM effort_windows WHERE native_id = '${session}' ORDER BY id`)

describe.each(AGENTS)('%s', (agent) => {
  test('the call at the limit is denied in its own words; after a log it goes on', async () => {
    const { effort, cwd } = await desk.effort({ metadata: { settings: { heartbeat_block: 2 } } })
    const id = newSession()
    const call = firstOf(agent, cwd, id, ...BEFORE)
    expect(await hook(agent, call)).toEqual({})
    const denied = await hook(agent, call)
    const said =
      agent === 'gemini'
        ? { decision: denied.decision, reason: denied.reason }
        : {
            decision: (denied.hookSpecificOutput as Fields).permissionDecision,
            reason: (denied.hookSpecificOutput as Fields).permissionDecisionReason,
          }
    expect(said).toEqual({ decision: 'deny', reason: expect.stringContaining('gantry effort log') })
    expect(windows(id)).toMatchObject([{ agent, heartbeat_counter: 2 }])
    await desk.call('effort.log', { effort, text: 'going on' })
    expect(await hook(agent, call)).toEqual({})
    expect(windows(id)).toMatchObject([{ heartbeat_counter: 1 }])
  })

  test('what waits is told after a call, once', async () => {
    const { effort, cwd } = await desk.effort()
    const id = newSession()
    await desk.call('effort.inject', { effort, text: 'the API changed' })
    await hook(agent, firstOf(agent, cwd, id, ...BEFORE))
    const after = firstOf(agent, cwd, id, ...AFTER)
    expect(contextOf(await hook(agent, after))).toBe('the API changed')
    expect(await hook(agent, after)).toEqual({})
  })

  test('a fresh session hears what the last one wrote down', async () => {
    const { effort, cwd } = await desk.effort()
    const [one, two] = [newSession(), newSession()]
    await hook(agent, firstOf(agent, cwd, one, ...PROMPT))
    const payload = { task: 'Search', decisions: [], files: [], nextSteps: ['rank the hits'] }
    await desk.call('effort.dehydrate', { effort, payload })
    const start = firstOf(agent, cwd, two, 'SessionStart')
    expect(contextOf(await hook(agent, start))).toContain('rank the hits')
    const [before] = windows(one)
    expect(windows(two)).toMatchObject([{ prev_session_id: before?.id, agent }])
    expect(contextOf(await hook(agent, firstOf(agent, cwd, two, ...PROMPT)))).toMatch(
      /effort \d+ \(implement\)/,
    )
  })

  test('directives near what it touches come after the call', async () => {
    const cwd = project()
    for (const name of ['AGENTS.md', 'CLAUDE.md', 'GEMINI.md'])
      writeFileSync(join(cwd, name), `words of ${name}`)
    const { effort } = await desk.effort({ cwd })
    const id = newSession()
    const before = recorded(FILES[agent], cwd, id).find(
      ({ event, payload }) =>
        BEFORE.includes(event) && JSON.stringify(payload.tool_input ?? {}).includes('file_path'),
    )
    const patch = { command: '*** Begin Patch\n*** Add File: src/new.txt\n+x\n*** End Patch\n' }
    const call = before ?? {
      event: 'PreToolUse',
      payload: {
        ...firstOf('codex', cwd, id, 'PreToolUse').payload,
        tool_name: 'apply_patch',
        tool_input: patch,
      },
    }
    await hook(agent, call)
    const expected = { claude: ['AGENTS'], codex: ['CLAUDE'], gemini: ['AGENTS', 'CLAUDE'] }[agent]
    const paths = JSON.stringify(expected.map((name) => join(cwd, `${name}.md`)))
    await until(
      () =>
        desk.rows(`SELECT discovered_directives AS found FROM efforts WHERE id = ${effort}`)[0]?.found ===
        paths,
      `the directives ${paths}`,
    )
    const context = contextOf(await hook(agent, firstOf(agent, cwd, id, ...AFTER)))
    for (const name of ['AGENTS', 'CLAUDE', 'GEMINI'])
      expect(context.includes(`words of ${name}.md`)).toBe(expected.includes(name))
    expect(windows(id)).toMatchObject([{ loaded_files: paths }])
  })

  test('a whole recorded session: every call counted, its words kept, its window ended', async () => {
    const { cwd } = await desk.effort({ metadata: { settings: { heartbeat_block: 0 } } })
    const id = newSession()
    const all = recorded(FILES[agent], cwd, id)
    for (const one of all) expect(await hook(agent, one)).not.toHaveProperty('exit')
    const [window, ...others] = windows(id).filter((one) => one.agent_id === '')
    expect(others).toEqual([])
    const calls = all.filter(({ event, payload }) => BEFORE.includes(event) && payload.agent_id === undefined)
    expect(window?.heartbeat_counter).toBe(calls.length)
    if (all.some(({ event }) => event === 'SessionEnd')) expect(window?.ended_at).toBeNumber()
    const roles = desk.rows(`SELECT DISTINCT role FROM messages WHERE session_id = ${window?.id}`)
    // Gemini's last words come garbled, so they are not taken for its words.
    const words = agent === 'gemini' ? ['user', 'failure'] : ['user', 'assistant']
    expect(roles.map(({ role }) => role)).toEqual(expect.arrayContaining(words))
  })
})

describe('claude', () => {
  const claude = (payload: Fields, env = {}) =>
    hook('claude', { event: String(payload.hook_event_name), payload }, env)
  const said = (cwd: string, session_id: string, hook_event_name: string, more: Fields = {}): Fields => ({
    session_id,
    cwd,
    prompt_id: 'p1',
    hook_event_name,
    ...more,
  })

  test('a reminder at the third call, and the request to write things down at 90 %', async () => {
    const { cwd } = await desk.effort()
    const id = newSession()
    const call = async () => {
      await claude(said(cwd, id, 'PreToolUse', { tool_name: 'Bash', tool_input: { command: 'ls' } }))
      return contextOf(
        await claude(
          said(cwd, id, 'PostToolUse', {
            tool_name: 'Bash',
            tool_input: { command: 'ls' },
            tool_response: {},
          }),
        ),
      )
    }
    expect([await call(), await call()]).toEqual(['', ''])
    expect(await call()).toStartWith('3 tool calls since the last log')
    await desk.usage(id, cwd, 92)
    expect(await call()).toContain('92% full and will be closed')
  })

  test('a question and its answer, as recorded, are in the messages', async () => {
    const { cwd } = await desk.effort()
    const id = newSession()
    for (const one of recorded('claude/2.1.325/i-ask.jsonl', cwd, id)) await hook('claude', one)
    const [window] = windows(id)
    expect(
      desk.rows(`SELECT content FROM messages WHERE session_id = ${window?.id} AND role = 'dialogue'`),
    ).toEqual([{ content: 'Q: Which colour?\nOptions: Red | Blue\nA: Red' }])
  })

  test('a sub-agent has a window of its own, and its end leaves its parent’s open', async () => {
    const { cwd } = await desk.effort()
    const id = newSession()
    const all = recorded('claude/2.1.325/subagent-sync.jsonl', cwd, id)
    const stop = all.findIndex(({ event }) => event === 'SubagentStop')
    for (const one of all.slice(0, stop + 1)) await hook('claude', one)
    const open = () =>
      Object.fromEntries(
        windows(id).map(({ agent_id, ended_at }) => [agent_id === '' ? 'own' : 'child', ended_at === null]),
      )
    expect(open()).toEqual({ own: true, child: false })
    expect(windows(id).map(({ heartbeat_counter }) => heartbeat_counter)).toEqual([1, 2])
    for (const one of all.slice(stop + 1)) await hook('claude', one)
    expect(open()).toEqual({ own: false, child: false })
  })

  test('two agents in one project keep their own efforts', async () => {
    const { effort: one, cwd } = await desk.effort({ agentId: 'w1', skill: 'fix' })
    const { effort: two } = await desk.effort({ cwd, agentId: 'w2', skill: 'review' })
    const call = (id: string, AGENT_ID: string) =>
      claude(said(cwd, id, 'PreToolUse', { tool_name: 'Bash', tool_input: {} }), { AGENT_ID })
    const ids = [newSession(), newSession()]
    for (let i = 0; i < 2; i++) await call(ids[0] ?? '', 'w1')
    await call(ids[1] ?? '', 'w2')
    expect(ids.map((id) => windows(id)[0])).toMatchObject([
      { effort_id: one, heartbeat_counter: 2 },
      { effort_id: two, heartbeat_counter: 1 },
    ])
  })

  test('the agent’s status follows its session: working, attention, error, done', async () => {
    const { cwd } = await desk.effort({ agentId: 'seen' })
    const id = newSession()
    const env = { AGENT_ID: 'seen' }
    const tool = { tool_name: 'Bash', tool_input: { command: 'x' }, tool_use_id: 't1' }
    const steps: [event: string, more: Fields, status: string][] = [
      ['UserPromptSubmit', { prompt: 'go' }, 'working'],
      ['PreToolUse', tool, 'working'],
      ['PermissionRequest', tool, 'attention'],
      ['PostToolUse', { ...tool, tool_response: {} }, 'working'],
      ['PostToolUseFailure', { ...tool, error: 'exit 1' }, 'error'],
      ['UserPromptSubmit', { prompt: 'again' }, 'working'],
      ['StopFailure', { error: 'rate_limit', last_assistant_message: 'limited' }, 'error'],
      ['UserPromptSubmit', { prompt: 'once more' }, 'working'],
      ['Stop', { last_assistant_message: 'done' }, 'done'],
    ]
    for (const [event, more, expected] of steps) {
      await claude(said(cwd, id, event, more), env)
      await until(() => status('seen') === expected, `${event} to show ${expected}`)
    }
    await desk.call('fleet.await', { timeoutMs: 0 })
    await claude(said(cwd, id, 'UserPromptSubmit', { prompt: 'last' }), env)
    await claude(said(cwd, id, 'Stop', { last_assistant_message: 'done' }), env)
    expect(await desk.call('fleet.await', { timeoutMs: 5_000 })).toMatchObject({
      result: 'CHILD',
      signals: [{ about: 'seen', detail: 'done' }],
    })
  })

  test('an automatic compaction goes on when nobody would start the agent again', async () => {
    const { cwd } = await desk.effort()
    const id = newSession()
    await claude(said(cwd, id, 'UserPromptSubmit', { prompt: 'go' }))
    expect(await claude(said(cwd, id, 'PreCompact', { trigger: 'auto' }), { GANTRY_RUN_ID: 'gone' })).toEqual(
      {},
    )
    expect(windows(id)).toMatchObject([{ ended_at: null }])
  })

  test('a teammate that idles wakes the coordinator', async () => {
    const { cwd } = await desk.effort()
    await desk.call('fleet.await', { timeoutMs: 0 })
    await claude(said(cwd, newSession(), 'TeammateIdle', { teammate_name: 'mate', team_name: 't' }))
    expect(await desk.call('fleet.await', { timeoutMs: 5_000 })).toMatchObject({
      signals: [{ about: 'mate', detail: 'TeammateIdle' }],
    })
    expect(status('mate')).toBe('done')
  })
})

test('the share of the context that an effort shows is that of its session, also after the last tool call', async () => {
  const { effort, cwd } = await desk.effort()
  const id = newSession()
  await hook('claude', firstOf('claude', cwd, id, ...PROMPT))
  await desk.usage(id, cwd, 50)
  await hook('claude', firstOf('claude', cwd, id, ...BEFORE))
  expect(await desk.call('effort.get', { effort })).toMatchObject({ contextUsage: 0.5 })
  await desk.usage(id, cwd, 99)
  const shown = await until(
    async () => {
      const found = await desk.call('effort.get', { effort })
      return found.contextUsage === 0.99 ? found : undefined
    },
    'the share of the last request',
    5_000,
  )
  expect(shown).toMatchObject({ contextUsage: 0.99, sessions: [{ contextUsage: 0.99 }] })
})
