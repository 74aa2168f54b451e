/** The engine's hooks as its documentation has them: frames through the socket, its flows, its tables. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { gantry, journal } from '../kit.ts'
import { base, type Desk, type Fields, newSession, openDesk, project } from '../work/kit.ts'

setDefaultTimeout(120_000)

const CONFIG = `
[work.skills.brainstorm]
phases = ["explore", "converge"]
[work.skills.implement]
[work.skills.fix]
`

let desk: Desk
beforeAll(async () => {
  desk = await openDesk(CONFIG)
})
afterAll(async () => {
  await desk.daemon.kill('SIGKILL')
})

const CALL = { tool_name: 'Bash', tool_input: { command: 'ls' }, tool_use_id: 'toolu_1' }

/** Call, what it takes besides the five common fields, and what it answers, as documented. */
const CALLS: readonly [string, Fields, readonly string[]][] = [
  [
    'sessionStart',
    { source: 'startup', model: 'opus', agent_type: 'main' },
    [
      'found',
      'effortId',
      'sessionId',
      'skill',
      'phase',
      'filesToPreload',
      'dehydratedContext',
      'skillConfig',
    ],
  ],
  [
    'userPrompt',
    { prompt: 'go on' },
    ['sessionContext', 'effortId', 'sessionId', 'taskDir', 'skill', 'phase', 'heartbeat'],
  ],
  [
    'preToolUse',
    CALL,
    ['allow', 'heartbeatCount', 'contextUsage', 'overflowWarning', 'pendingPreloads', 'firedRules'],
  ],
  [
    'postToolUse',
    { ...CALL, tool_response: { stdout: '' } },
    ['heartbeatCount', 'pendingInjections', 'dialogueEntry'],
  ],
  ['postToolUseFailure', { ...CALL, error: 'exit code 1', is_interrupt: false }, ['status']],
  ['notification', { message: 'm', notification_type: 'permission_prompt', title: 't' }, ['status']],
  ['permissionRequest', { tool_name: 'Bash', tool_input: {}, permission_suggestions: [] }, ['status']],
  ['subagentStart', { agent_id: 'a1', agent_type: 'Explore' }, ['sessionId', 'effortId', 'context']],
  [
    'subagentStop',
    {
      agent_id: 'a1',
      agent_type: 'Explore',
      stop_hook_active: false,
      agent_transcript_path: '/x',
      last_assistant_message: 'done',
    },
    ['sessionId'],
  ],
  ['teammateIdle', { teammate_name: 'tester', team_name: 'release' }, ['status']],
  ['taskCompleted', { task_id: '1', task_subject: 's', task_description: 'd' }, ['effortId']],
  ['configChange', { source: 'user_settings', file_path: '/x' }, []],
  ['stop', { stop_hook_active: false, last_assistant_message: 'Done.' }, ['status']],
  ['preCompact', { trigger: 'manual', custom_instructions: '' }, ['kill']],
  ['sessionEnd', { reason: 'exit' }, ['status']],
]

describe('the fifteen calls', () => {
  test('take the fields of the documentation and answer its fields, with an effort and without one', async () => {
    expect(CALLS).toHaveLength(15)
    const { cwd } = await desk.effort({ skill: 'fix' })
    for (const where of [cwd, project()]) {
      const session = newSession()
      for (const [name, fields, answers] of CALLS) {
        const event = `${name[0]?.toUpperCase()}${name.slice(1)}`
        const envelope = await desk.raw(`hooks.${name}`, { ...base(where, event, session), ...fields })
        expect([name, envelope.ok]).toEqual([name, true])
        for (const field of answers) expect([name, field in (envelope.data ?? {})]).toEqual([name, true])
      }
    }
  })

  test('are open where no link is known: nothing is denied, nothing found', async () => {
    const call = base(project(), 'PreToolUse')
    expect(await desk.hook('preToolUse', { ...call, ...CALL })).toMatchObject({ allow: true })
    expect(await desk.hook('sessionStart', { ...call, source: 'startup' })).toMatchObject({
      found: false,
      effortId: null,
      sessionId: null,
    })
  })
})

describe('flows', () => {
  test('a skill begins an effort; the tenth call is blocked; a log lets it go on', async () => {
    const cwd = project()
    const session = newSession()
    const begun = await desk.hook('userPrompt', {
      ...base(cwd, 'UserPromptSubmit', session),
      prompt: '/brainstorm names for it',
    })
    expect(begun).toMatchObject({ skill: 'brainstorm', phase: 'explore', heartbeat: 0 })
    const before = () => desk.hook('preToolUse', { ...base(cwd, 'PreToolUse', session), ...CALL })
    const allowed = []
    for (let i = 0; i < 10; i++) allowed.push((await before()).allow)
    expect(allowed).toEqual([...Array(9).fill(true), false])
    await desk.call('effort.log', { cwd, text: 'three names' })
    expect(await before()).toMatchObject({ allow: true, heartbeatCount: 1 })
    await desk.usage(session, cwd, 91)
    expect(await before()).toMatchObject({ overflowWarning: true, contextUsage: 0.91 })
  })

  test('overflow: written down, a new session is linked, and gets it; its configuration comes with it', async () => {
    const cwd = project()
    const [one, two] = [newSession(), newSession()]
    const prompt = { ...base(cwd, 'UserPromptSubmit', one), prompt: '/brainstorm' }
    const { effortId, sessionId } = await desk.hook('userPrompt', prompt)
    const payload = { task: 'Names', decisions: ['short'], files: [], nextSteps: ['choose'] }
    await desk.call('effort.dehydrate', { cwd, payload })
    const killed = await desk.hook('preCompact', { ...base(cwd, 'PreCompact', one), trigger: 'auto' })
    expect(killed).toMatchObject({ kill: true })
    const fresh = await desk.hook('sessionStart', { ...base(cwd, 'SessionStart', two), source: 'startup' })
    expect(fresh).toMatchObject({
      found: true,
      effortId,
      skill: 'brainstorm',
      phase: 'explore',
      skillConfig: { phases: ['explore', 'converge'] },
    })
    expect(String(fresh.dehydratedContext)).toContain('choose')
    expect(fresh.sessionId).not.toBe(sessionId)
  })

  test('AGENT_ID picks the agent’s own effort, in the env of the frame', async () => {
    const cwd = project()
    const say = (id: string, prompt: string) =>
      desk.hook('userPrompt', { ...base(cwd, 'UserPromptSubmit', id), prompt }, { AGENT_ID: id })
    const [one, two] = [await say('pane-1', '/implement'), await say('pane-2', '/fix')]
    expect(one.effortId).not.toBe(two.effortId)
    expect(await say('pane-1', 'go on')).toMatchObject({ effortId: one.effortId, skill: 'implement' })
  })
})

describe('tables', () => {
  test('have the documented columns, also for gantry query', async () => {
    const columns = (table: string) =>
      journal<{ name: string }>(desk.home, `PRAGMA table_info(${table})`).map(({ name }) => name)
    expect(columns('tasks')).toEqual(expect.arrayContaining(['dir_path', 'project_id', 'title', 'keywords']))
    expect(columns('efforts')).toEqual(
      expect.arrayContaining([
        ...['id', 'task_id', 'skill', 'mode', 'ordinal', 'lifecycle', 'current_phase'],
        ...['discovered_directives', 'metadata'],
      ]),
    )
    const windows = columns('engine_sessions')
    expect(windows).toEqual(
      expect.arrayContaining([
        ...['id', 'effort_id', 'prev_session_id', 'heartbeat_counter', 'context_usage', 'loaded_files'],
        'dehydration_payload',
      ]),
    )
    const sql = "SELECT skill, lifecycle, current_phase FROM efforts WHERE lifecycle = 'active'"
    expect((await gantry(desk.home, 'query', sql)).exit).toBe(0)
    expect((await gantry(desk.home, 'query', 'SELECT id, status FROM agents')).exit).toBe(0)
  })
})
