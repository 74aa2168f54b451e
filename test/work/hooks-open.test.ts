/** All fifteen hooks where something is missing: they fail open, and what cannot be read is refused in one envelope. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { WORK_HOOKS } from '../../src/work/index.ts'
import { base, type Desk, type Fields, newSession, openDesk, project } from './kit.ts'

let desk: Desk
beforeAll(async () => {
  desk = await openDesk()
})
afterAll(async () => {
  await desk.daemon.kill('SIGKILL')
})

const tool = { tool_name: 'Bash', tool_input: { command: 'ls' }, tool_use_id: 't1' }
const NO_PLACE: Fields = {
  effortId: null,
  sessionId: null,
  taskDir: null,
  skill: null,
  phase: null,
  heartbeat: 0,
}

/** Name, fields besides the five common ones, and the answer when the chain is broken. */
const HOOKS: readonly [name: string, fields: Fields, open: Fields][] = [
  [
    'sessionStart',
    { source: 'startup', model: 'm', agent_type: 'x' },
    {
      found: false,
      effortId: null,
      sessionId: null,
      skill: null,
      phase: null,
      filesToPreload: [],
      dehydratedContext: null,
      skillConfig: null,
    },
  ],
  ['sessionEnd', { reason: 'other' }, { ended: false, sessionId: null, status: null }],
  [
    'preCompact',
    { trigger: 'auto', custom_instructions: '' },
    { kill: false, sessionId: null, restartPrompt: null },
  ],
  [
    'preToolUse',
    tool,
    {
      allow: true,
      heartbeatCount: 0,
      contextUsage: 0,
      overflowWarning: false,
      pendingPreloads: [],
      firedRules: [],
    },
  ],
  [
    'postToolUse',
    { ...tool, tool_response: {} },
    { heartbeatCount: 0, pendingInjections: [], dialogueEntry: null },
  ],
  ['postToolUseFailure', { ...tool, error: 'x', is_interrupt: false }, { logged: false, status: null }],
  [
    'stop',
    { stop_hook_active: false, last_assistant_message: 'x' },
    { status: null, rateLimited: false, contextExhausted: false },
  ],
  ['userPrompt', { prompt: 'x' }, { sessionContext: null, ...NO_PLACE }],
  ['userPromptSubmit', { prompt: 'x' }, { sessionContext: null, ...NO_PLACE }],
  ['notification', { message: 'x', notification_type: 'permission_prompt', title: 't' }, { status: null }],
  ['permissionRequest', { ...tool, permission_suggestions: [] }, { status: null }],
  ['teammateIdle', { teammate_name: 'a', team_name: 'b' }, { status: null, signalled: false }],
  [
    'taskCompleted',
    { task_id: '1', task_subject: 's', task_description: 'd', teammate_name: 'a', team_name: 'b' },
    { effortId: null, signalled: false },
  ],
  ['subagentStart', { agent_id: 'a', agent_type: 'x' }, { sessionId: null, effortId: null, context: null }],
  [
    'subagentStop',
    {
      stop_hook_active: false,
      agent_id: 'a',
      agent_type: 'x',
      agent_transcript_path: '/x',
      last_assistant_message: 'x',
    },
    { ended: false, sessionId: null, loadedFiles: [] },
  ],
  ['configChange', { source: 'x', file_path: '/x' }, { invalidated: false }],
]

const tables = () =>
  ['projects', 'efforts', 'effort_windows', 'messages', 'agents'].map((name) =>
    desk.rows(`SELECT * FROM ${name}`),
  )

describe('a broken chain', () => {
  test('there are fifteen hooks, and one has two names', () => {
    const names = [...WORK_HOOKS.values()].flatMap(({ name, aliases = [] }) => [name, ...aliases])
    expect(HOOKS.map(([name]) => name).sort()).toEqual(names.sort())
    expect(WORK_HOOKS.size).toBe(15)
  })

  for (const [name, fields, open] of HOOKS)
    test(`hooks.${name} fails open without a project, an effort, or the agent’s effort`, async () => {
      const { effort: over, cwd: finished } = await desk.effort()
      await desk.call('effort.finish', { effort: over })
      const { cwd: others } = await desk.effort({ agentId: 'somebody-else' })
      const before = tables()
      const chains: [cwd: string | undefined, env?: Record<string, string>][] = [
        [project()],
        [undefined],
        ['relative/../path'],
        ['/nonexistent/\u0000/x'],
        [finished],
        [others, { AGENT_ID: 'me' }],
      ]
      for (const [cwd, env] of chains) {
        const args = { ...base(cwd ?? '', name), ...fields }
        if (cwd === undefined) delete args.cwd
        expect(await desk.hook(name, args, env)).toEqual(open)
      }
      expect(tables()).toEqual(before)
    })

  test('without a session, what would end one says so, and tool calls are allowed', async () => {
    const { cwd } = await desk.effort()
    expect(await desk.hook('sessionEnd', base(cwd, 'SessionEnd'))).toMatchObject({ ended: false })
    expect(await desk.hook('subagentStop', { ...base(cwd, 'SubagentStop'), agent_id: 'a' })).toMatchObject({
      ended: false,
    })
    expect(await desk.hook('preToolUse', { ...base(cwd, 'PreToolUse'), ...tool })).toMatchObject({
      allow: true,
    })
    expect(
      await desk.hook('postToolUse', { ...base(cwd, 'PostToolUse'), ...tool, tool_response: 1 }),
    ).toMatchObject({
      heartbeatCount: 0,
    })
  })
})

describe('one envelope for all', () => {
  for (const [name] of HOOKS)
    test(`hooks.${name} without a session id is a VALIDATION_ERROR that names it`, async () => {
      const envelope = await desk.raw(`hooks.${name}`, { cwd: '/x' })
      expect(envelope).toMatchObject({ ok: false, error: 'VALIDATION_ERROR' })
      expect(envelope.message).toContain(`hooks.${name}`)
      expect(envelope.message).toContain('sessionId')
      expect(envelope.details).toBeArray()
    })

  const session_id = 's'
  const wrong: [name: string, args: unknown][] = [
    ['preToolUse', { session_id, tool_input: {} }],
    ['preToolUse', { session_id, tool_name: 'Bash' }],
    ['preToolUse', { session_id, tool_name: 'Bash', tool_input: 'text' }],
    ['postToolUse', { session_id, tool_name: 7, tool_input: {} }],
    ['subagentStart', { session_id }],
    ['teammateIdle', { session_id }],
    ['taskCompleted', { session_id }],
    ['stop', { session_id, stop_hook_active: 'yes' }],
    ['sessionStart', { session_id, cwd: 7 }],
    ['sessionStart', 'text'],
    ['sessionStart', [1]],
    ['sessionStart', null],
  ]
  for (const [name, args] of wrong)
    test(`hooks.${name} ${JSON.stringify(args)} is a VALIDATION_ERROR`, async () => {
      const envelope = await desk.raw(`hooks.${name}`, args)
      expect(envelope).toMatchObject({ ok: false, error: 'VALIDATION_ERROR', message: expect.any(String) })
    })

  test('a hook that nobody knows is an UNKNOWN_COMMAND', async () => {
    for (const name of ['hooks.nope', 'hooks.', 'hooks.constructor', 'hooks.preToolUse '])
      expect(await desk.raw(name, base('/x', 'x'))).toMatchObject({ ok: false, error: 'UNKNOWN_COMMAND' })
  })

  test('camelCase is taken as well, and snake_case only of the payload itself', async () => {
    const { cwd } = await desk.effort({
      metadata: {
        guards: [
          {
            ruleId: 'g',
            condition: { field: 'tool', op: '==', value: 'Bash' },
            payload: { snake_case: { a_b: 1 } },
            urgency: 'allow',
          },
        ],
      },
    })
    const args = { sessionId: newSession(), cwd, toolName: 'Bash', toolInput: { some_key: { deep_key: 1 } } }
    expect((await desk.hook('preToolUse', args)).firedRules).toEqual([
      { ruleId: 'g', payload: { snake_case: { a_b: 1 } }, urgency: 'allow' },
    ])
  })

  test('secrets in a call are not kept', async () => {
    const { cwd } = await desk.effort()
    const token = `ghp_${'b'.repeat(36)}`
    await desk.hook('userPrompt', { ...base(cwd, 'UserPromptSubmit'), prompt: `use ${token}` })
    expect(desk.rows(`SELECT content FROM messages WHERE content LIKE 'use %'`)).toEqual([
      { content: 'use [redacted]' },
    ])
  })
})
