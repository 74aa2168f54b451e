/** The hooks of the agent layer, of sub-agents and of the infrastructure, sentence by sentence. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { until } from '../kit.ts'
import { base, type Desk, type Fields, newSession, openDesk, project, toolCall } from './kit.ts'

let desk: Desk
beforeAll(async () => {
  desk = await openDesk()
})
afterAll(async () => {
  await desk.daemon.kill('SIGKILL')
})

const agent = (id: string) => desk.rows(`SELECT * FROM agents WHERE id = '${id}'`)[0]
const session = (id: unknown) => desk.rows(`SELECT * FROM effort_windows WHERE id = ${Number(id)}`)[0]
const signals = async () => {
  const { signals } = await desk.call('fleet.await', { timeoutMs: 0 })
  return (signals as { kind: string; about: string; detail: string }[]).map(
    ({ kind, about, detail }) => `${kind} ${about} ${detail}`,
  )
}

describe('hooks.userPrompt', () => {
  for (const name of ['userPrompt', 'userPromptSubmit'])
    test(`as ${name}: assembles the session context (time, session, skill, phase, heartbeat), status working`, async () => {
      const { effort, cwd, taskDir } = await desk.effort({ agentId: name, phase: 'build' })
      const env = { AGENT_ID: name }
      const id = newSession()
      for (let i = 0; i < 2; i++) await desk.hook('preToolUse', toolCall(cwd, id), env)
      const found = await desk.hook(name, { ...base(cwd, 'UserPromptSubmit', id), prompt: 'go on' }, env)
      expect(found).toEqual({
        sessionContext: expect.any(String),
        effortId: effort,
        sessionId: expect.any(Number),
        taskDir,
        skill: 'implement',
        phase: 'build',
        heartbeat: 2,
      })
      const words = String(found.sessionContext)
      expect(Date.parse(words.split(' ')[0] ?? '')).toBeGreaterThan(Date.now() - 60_000)
      for (const part of [`session ${found.sessionId}`, 'implement', 'phase build', '2 tool calls'])
        expect(words).toContain(part)
      expect(agent(name)?.status).toBe('working')
      expect(desk.rows(`SELECT role, content FROM messages WHERE session_id = ${found.sessionId}`)).toEqual([
        { role: 'user', content: 'go on' },
      ])
      expect(session(found.sessionId)?.heartbeat_counter).toBe(2)
    })
})

describe('hooks.notification', () => {
  test('on permission_prompt and elicitation_dialog: status attention; idle_prompt is done; on others nothing', async () => {
    for (const [notification_type, status, detail] of [
      ['permission_prompt', 'attention', 'Permission'],
      ['idle_prompt', 'done', null],
      ['elicitation_dialog', 'attention', 'MCP input'],
      ['auth_success', null, null],
    ] as const) {
      const id = `notified-${notification_type}`
      const { cwd } = await desk.effort({ agentId: id })
      const args = { ...base(cwd, 'Notification'), message: 'Claude waits', notification_type, title: 'T' }
      expect(await desk.hook('notification', args, { AGENT_ID: id })).toEqual({ status })
      expect(agent(id)).toEqual(status === null ? undefined : expect.objectContaining({ status, detail }))
    }
  })
})

describe('hooks.permissionRequest', () => {
  test('status attention', async () => {
    const { cwd } = await desk.effort({ agentId: 'asking' })
    const args = { ...toolCall(cwd, newSession()), permission_suggestions: [{ type: 'addRules' }] }
    expect(await desk.hook('permissionRequest', args, { AGENT_ID: 'asking' })).toEqual({
      status: 'attention',
    })
    expect(agent('asking')).toMatchObject({ status: 'attention', detail: 'Permission for Bash' })
  })
})

describe('hooks.teammateIdle', () => {
  test('updates the teammate’s status to done, and signals the coordinator', async () => {
    const { effort, cwd } = await desk.effort({ agentId: 'lead' })
    await signals()
    const args = { ...base(cwd, 'TeammateIdle'), teammate_name: 'tester', team_name: 'release' }
    expect(await desk.hook('teammateIdle', args, { AGENT_ID: 'lead' })).toEqual({
      status: 'done',
      signalled: true,
    })
    expect(agent('tester')).toMatchObject({ status: 'done', effort_id: effort })
    expect(agent('lead')).toBeUndefined()
    expect(await signals()).toEqual(['CHILD tester TeammateIdle'])
  })
})

describe('hooks.taskCompleted', () => {
  test('is noted with the effort, and signals the coordinator', async () => {
    const { effort, cwd } = await desk.effort()
    const id = newSession()
    const { sessionId } = await desk.hook('sessionStart', base(cwd, 'SessionStart', id))
    await signals()
    const args = { ...base(cwd, 'TaskCompleted', id), task_id: '7', task_subject: 'Write tests' }
    expect(await desk.hook('taskCompleted', args)).toEqual({ effortId: effort, signalled: true })
    expect(await signals()).toEqual(['CHILD Write tests TaskCompleted'])
    expect(desk.rows(`SELECT content FROM messages WHERE session_id = ${sessionId}`)).toEqual([
      { content: 'completed: Write tests' },
    ])
  })
})

describe('hooks.subagentStart and hooks.subagentStop', () => {
  const child = (cwd: string, id: string, event: string, more: Fields = {}) => ({
    ...base(cwd, event, id),
    agent_id: 'child-1',
    agent_type: 'Explore',
    ...more,
  })

  test('creates a session on the parent’s effort, and returns log template, directives and metadata', async () => {
    const { effort, cwd } = await desk.effort({ phase: 'build', metadata: { ticket: 42 } })
    const id = newSession()
    const parent = await desk.hook('sessionStart', base(cwd, 'SessionStart', id))
    const begun = await desk.hook('subagentStart', child(cwd, id, 'SubagentStart'))
    expect(begun).toEqual({
      sessionId: expect.any(Number),
      effortId: effort,
      context: {
        logTemplate: expect.stringContaining('gantry effort log'),
        directives: [],
        skill: 'implement',
        phase: 'build',
        metadata: { ticket: 42 },
      },
    })
    expect(session(begun.sessionId)).toMatchObject({
      effort_id: effort,
      agent_id: 'child-1',
      prev_session_id: Number(parent.sessionId),
    })
  })

  test('the sub-agent runs a session of its own: its calls are not its parent’s', async () => {
    const { cwd } = await desk.effort()
    const id = newSession()
    const { sessionId: parent } = await desk.hook('sessionStart', base(cwd, 'SessionStart', id))
    const { sessionId } = await desk.hook('subagentStart', child(cwd, id, 'SubagentStart'))
    for (let i = 1; i <= 3; i++) {
      const call = { ...toolCall(cwd, id), agent_id: 'child-1' }
      expect((await desk.hook('preToolUse', call)).heartbeatCount).toBe(i)
    }
    expect((await desk.hook('preToolUse', toolCall(cwd, id))).heartbeatCount).toBe(1)
    expect([session(sessionId)?.heartbeat_counter, session(parent)?.heartbeat_counter]).toEqual([3, 1])
  })

  test('a sub-agent is never stopped for its silence: it may have no shell to log with', async () => {
    const { cwd } = await desk.effort()
    const id = newSession()
    await desk.hook('subagentStart', child(cwd, id, 'SubagentStart'))
    const call = { ...toolCall(cwd, id), agent_id: 'child-1' }
    for (let i = 1; i <= 12; i++) expect((await desk.hook('preToolUse', call)).allow).toBe(true)
    for (let i = 1; i < 10; i++) await desk.hook('preToolUse', toolCall(cwd, id))
    expect((await desk.hook('preToolUse', toolCall(cwd, id))).allow).toBe(false)
  })

  test('its end ends its own session, merges its loaded files to the effort, and leaves the parent’s open', async () => {
    const cwd = project()
    writeFileSync(join(cwd, 'AGENTS.md'), 'use tabs')
    const { effort } = await desk.effort({ cwd })
    const id = newSession()
    const { sessionId: parent } = await desk.hook('sessionStart', base(cwd, 'SessionStart', id))
    const { sessionId } = await desk.hook('subagentStart', child(cwd, id, 'SubagentStart'))
    const call = { ...toolCall(cwd, id, 'Read', { file_path: join(cwd, 'x.ts') }), agent_id: 'child-1' }
    const file = join(cwd, 'AGENTS.md')
    await desk.hook('preToolUse', call)
    await until(
      async () => ((await desk.hook('preToolUse', call)).pendingPreloads as string[]).includes(file),
      'the directive',
    )
    const stopped = await desk.hook(
      'subagentStop',
      child(cwd, id, 'SubagentStop', {
        stop_hook_active: false,
        agent_transcript_path: '/x',
        last_assistant_message: 'ok',
      }),
    )
    expect(stopped).toEqual({ ended: true, sessionId, loadedFiles: [file] })
    expect(session(sessionId)?.ended_at).toBeNumber()
    expect(session(parent)?.ended_at).toBeNull()
    const [row] = desk.rows(`SELECT discovered_directives FROM efforts WHERE id = ${effort}`)
    expect(row).toEqual({ discovered_directives: JSON.stringify([file]) })
    expect((await desk.hook('preToolUse', toolCall(cwd, id))).pendingPreloads).toEqual([file])
    const again = await desk.hook('subagentStop', child(cwd, id, 'SubagentStop'))
    expect(again).toEqual({ ended: false, sessionId: null, loadedFiles: [] })
  })
})

describe('hooks.configChange', () => {
  test('is a no-op', async () => {
    const { cwd } = await desk.effort()
    const tables = () =>
      ['effort_windows', 'efforts', 'messages', 'agents'].map((name) =>
        desk.rows(`SELECT * FROM ${name} ORDER BY id`),
      )
    const before = tables()
    const args = {
      ...base(cwd, 'ConfigChange'),
      source: 'user_settings',
      file_path: '/home/dev/.claude/settings.json',
    }
    expect(await desk.hook('configChange', args)).toEqual({ invalidated: false })
    expect(tables()).toEqual(before)
  })
})

describe('status priority', () => {
  test('error > attention > working > checked > done', async () => {
    const alone = await openDesk()
    try {
      const { cwd } = await alone.effort()
      const steps: [agent: string, hook: string, more: Fields][] = [
        ['a-done', 'stop', {}],
        ['b-working', 'userPrompt', { prompt: 'x' }],
        ['c-attention', 'notification', { notification_type: 'permission_prompt' }],
        ['d-error', 'postToolUseFailure', { tool_name: 'Bash', tool_input: {}, error: 'x' }],
      ]
      const seen: unknown[] = []
      for (const [id, hook, more] of steps) {
        await alone.effort({ cwd, agentId: id })
        await alone.hook(hook, { ...base(cwd, hook), ...more }, { AGENT_ID: id })
        seen.push((await alone.call('fleet.status', {})).status)
      }
      expect(seen).toEqual(['done', 'working', 'attention', 'error'])
      const { agents } = await alone.call('fleet.status', {})
      expect((agents as { id: string }[]).map(({ id }) => id)).toEqual([
        'd-error',
        'c-attention',
        'b-working',
        'a-done',
      ])
    } finally {
      await alone.daemon.kill('SIGKILL')
    }
  })
})
