/** Prompts that name a skill: `/implement …` begins an effort or goes on with it, by the hook client and by the call. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import type { EffortView, TaskView } from '../../src/client/index.ts'
import { gantry, HOOK, makeHome, run, startDaemon } from '../kit.ts'
import { base, type Desk, type Fields, newSession, openDesk, project } from './kit.ts'
import { placeIn } from './places.ts'

setDefaultTimeout(120_000)

const CONFIG = `
[work.skills.brainstorm]
[work.skills.implement]
modes = ["fast", "careful"]
phases = ["plan", "build", "test"]
[work.skills.fix]
phases = ["reproduce", "mend"]
[work.skills.fix.limits]
heartbeat_block = 20
overflow_warn = 0.5
`

let desk: Desk
beforeAll(async () => {
  desk = await openDesk(CONFIG)
})
afterAll(async () => {
  await desk.daemon.kill('SIGKILL')
})

/** As the agent runs it; what it reads. */
async function hook(agent: string, event: string, payload: Fields, env = {}, at = desk): Promise<Fields> {
  const { exit, stdout } = await run([HOOK, agent, event], at.home, JSON.stringify(payload), env)
  expect(exit).toBe(0)
  return stdout === '' ? {} : (JSON.parse(stdout) as Fields)
}
const say = (cwd: string, session: string, prompt: string, env = {}, at = desk) =>
  hook('claude', 'UserPromptSubmit', { ...base(cwd, 'UserPromptSubmit', session), prompt }, env, at)
const contextOf = (answer: Fields) =>
  String((answer.hookSpecificOutput as Fields | undefined)?.additionalContext ?? '')
/** Those of a project, oldest first. */
const efforts = async (cwd: string) => {
  const known = desk.rows<{ id: number }>(
    `SELECT e.id FROM efforts e JOIN tasks t ON t.dir_path = e.task_id JOIN projects p ON p.id = t.project_id
     WHERE p.path = '${cwd}'`,
  )
  const all = (await desk.call('effort.list', { all: true })) as unknown as EffortView[]
  return all.filter(({ id }) => known.some((one) => one.id === id)).reverse()
}
const current = (cwd: string, env = {}) => desk.call('effort.get', { cwd }, env)

describe('a prompt that names a skill', () => {
  test.each([
    ['claude', 'UserPromptSubmit', '/implement the search'],
    ['codex', 'UserPromptSubmit', '$implement the search'],
    ['gemini', 'BeforeAgent', '/implement the search'],
    ['claude', 'UserPromptSubmit', '  /engine:implement'],
  ])('begins an effort: %s %s', async (agent, event, prompt) => {
    const cwd = project()
    const id = newSession()
    const answer = await hook(agent, event, { ...base(cwd, event, id), prompt })
    const [effort, ...rest] = await efforts(cwd)
    expect(rest).toEqual([])
    expect(effort).toMatchObject({
      skill: 'implement',
      currentPhase: 'plan',
      lifecycle: 'active',
      windows: 1,
    })
    expect(contextOf(answer)).toContain(`effort ${effort?.id} (implement)`)
    expect(contextOf(answer)).toContain('10th tool call without a log is denied')
    expect(contextOf(answer)).toMatch(/\/gantry effort log/)
  })

  test('goes on with the active effort of that skill, from any session, and begins one for another skill', async () => {
    const cwd = project()
    const [one, two] = [newSession(), newSession()]
    await say(cwd, one, '/implement the search')
    await say(cwd, one, '/implement and the ranking')
    await say(cwd, two, '/implement')
    expect(await efforts(cwd)).toMatchObject([{ skill: 'implement', windows: 2 }])
    await say(cwd, one, '/fix the build')
    expect(await efforts(cwd)).toMatchObject([
      { skill: 'implement' },
      { skill: 'fix', currentPhase: 'reproduce' },
    ])
  })

  test('leaves a session on what it asked for, whatever others ask for beside it', async () => {
    const cwd = project()
    const [one, two] = [newSession(), newSession()]
    await say(cwd, one, '/implement the search')
    await say(cwd, two, '/fix the build')
    expect(contextOf(await say(cwd, one, 'go on'))).toContain('(implement)')
    expect(contextOf(await say(cwd, two, 'go on'))).toContain('(fix)')
    expect(contextOf(await say(cwd, one, '/fix it, too'))).toContain('(fix)')
    expect(contextOf(await say(cwd, one, 'go on'))).toContain('(fix)')
    // The one that was asked for last is the folder's.
    await say(cwd, two, '/implement')
    expect(await current(cwd)).toMatchObject({ skill: 'implement' })
    expect(await efforts(cwd)).toHaveLength(2)
  })

  test('belongs to the agent that is named, and goes on with that agent’s own', async () => {
    const cwd = project()
    const named = { AGENT_ID: 'tester' }
    await say(cwd, newSession(), '/fix', named)
    await say(cwd, newSession(), '/implement', named)
    await say(cwd, newSession(), '/fix', named)
    expect(await efforts(cwd)).toMatchObject([{ agentId: 'tester' }, { agentId: 'tester' }])
    expect(await current(cwd, named)).toMatchObject({ skill: 'fix' })
    await say(cwd, newSession(), '/fix')
    expect(await efforts(cwd)).toHaveLength(3)
  })

  test('may name a mode; after the end of an effort another begins in the same task', async () => {
    const cwd = project()
    const id = newSession()
    await say(cwd, id, '/implement careful with the index')
    const first = await current(cwd)
    expect(first).toMatchObject({ mode: 'careful', ordinal: 1 })
    await desk.call('effort.finish', { effort: first.id })
    await say(cwd, id, '/implement fast')
    expect(await current(cwd)).toMatchObject({ mode: 'fast', ordinal: 2, taskId: first.taskId })
  })

  test('has the numbers of its skill', async () => {
    const cwd = project()
    await say(cwd, newSession(), '/fix it')
    expect((await current(cwd)).settings).toMatchObject({
      heartbeat_block: 20,
      overflow_warn: 0.5,
      heartbeat_warn: 3,
    })
  })

  test.each([
    'implement the search',
    'see /implement',
    '/implementation',
    '/implement-fast',
    '/deploy it',
    '/',
    '<system-reminder>/implement</system-reminder>',
  ])('is none: %s', async (prompt) => {
    const cwd = project()
    expect(contextOf(await say(cwd, newSession(), prompt))).toBe('')
    expect(await efforts(cwd)).toEqual([])
  })

  test('of a sub-agent begins nothing', async () => {
    const cwd = project()
    await hook('claude', 'UserPromptSubmit', {
      ...base(cwd, 'UserPromptSubmit'),
      agent_id: 'a1',
      prompt: '/implement',
    })
    expect(await efforts(cwd)).toEqual([])
  })
})

describe('the call of a client', () => {
  test('does the same, and a session that starts gets the skill’s configuration', async () => {
    const cwd = project()
    const id = newSession()
    const said = await desk.hook('userPrompt', {
      ...base(cwd, 'UserPromptSubmit', id),
      prompt: '/implement fast',
    })
    expect(said).toMatchObject({ skill: 'implement', phase: 'plan', heartbeat: 0 })
    const again = await desk.hook('userPrompt', {
      ...base(cwd, 'UserPromptSubmit', id),
      prompt: '/implement',
    })
    expect(again.effortId).toBe(said.effortId)
    const start = await desk.hook('sessionStart', { ...base(cwd, 'SessionStart'), source: 'startup' })
    expect(start).toMatchObject({
      found: true,
      effortId: said.effortId,
      skill: 'implement',
      skillConfig: { modes: ['fast', 'careful'], phases: ['plan', 'build', 'test'], limits: {} },
    })
  })
})

describe('without a list of skills', () => {
  test('a prompt is a prompt, and no call is denied', async () => {
    const plain = await openDesk()
    const cwd = project()
    const id = newSession()
    for (const skill of ['brainstorm', 'implement', 'fix'])
      expect(await say(cwd, id, `/${skill} x`, {}, plain)).toEqual({})
    expect(await plain.call('effort.list', { all: true })).toEqual([] as unknown as Fields)
    const call = { ...base(cwd, 'PreToolUse', id), tool_name: 'Bash', tool_input: { command: 'ls' } }
    for (let i = 0; i < 15; i++)
      expect(await hook('claude', 'PreToolUse', { ...call, tool_use_id: `t${i}` }, {}, plain)).toEqual({})
    await plain.daemon.kill('SIGKILL')
  })
})

describe('the daemon', () => {
  test('killed and started again, goes on with what a prompt began', async () => {
    const one = await openDesk(CONFIG)
    const cwd = project()
    const id = newSession()
    await say(cwd, id, '/fix it', {}, one)
    await one.daemon.kill('SIGKILL')
    const daemon = await startDaemon(one.home)
    expect(contextOf(await say(cwd, id, 'go on', {}, one))).toContain('(fix)')
    await daemon.kill('SIGKILL')
  })
})

describe('on the command line', () => {
  test('a task that exists keeps its name, and gets keywords', async () => {
    const here = placeIn(desk.home)
    const dir = `${project()}/search`
    const start = (...more: string[]) => here.gantry('effort', 'start', 'brainstorm', '--task', dir, ...more)
    expect((await start('--title', 'Search', '--keywords', 'fts,rank')).exit).toBe(0)
    expect((await start('--keywords', 'rank, sqlite')).exit).toBe(0)
    const other = await start('--title', 'Something else')
    expect(other.stdout).toContain('is called "Search"')
    const tasks = await here.json<TaskView[]>('task', 'list')
    expect(tasks.filter(({ dirPath }) => dirPath === dir)).toMatchObject([
      { title: 'Search', keywords: ['fts', 'rank', 'sqlite'] },
    ])
    expect((await here.gantry('task', 'list')).stdout).toContain('#fts #rank #sqlite')
  })

  test('a skill of the list has its first phase, and takes only its own modes and phases', async () => {
    const here = placeIn(desk.home)
    expect(await here.json<EffortView>('effort', 'start', 'implement')).toMatchObject({
      currentPhase: 'plan',
    })
    const wrong = await here.gantry('effort', 'start', 'implement', '--mode', 'slow')
    expect(wrong).toMatchObject({ exit: 1 })
    expect(wrong.stderr).toContain('fast, careful')
    expect((await here.gantry('effort', 'phase', 'biuld')).stderr).toContain('plan, build, test')
    expect((await here.gantry('effort', 'phase', 'build')).exit).toBe(0)
  })

  test('a list that cannot be is refused with its key', async () => {
    const at = makeHome('[work.skills.fix]\nphase = "plan"\n')
    const daemon = await startDaemon(at)
    expect((await gantry(at, 'doctor')).stdout).toMatch(/work\.skills\.fix.*phase/)
    await daemon.kill('SIGKILL')
  })
})
