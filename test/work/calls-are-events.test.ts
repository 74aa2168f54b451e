/** A `hooks.*` call goes the way of every event: journal, bus, sessions, rules; the same hook by two roads counts once. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { GANTRY, gantry, gantryJson, makeHome, run, sendFrame, startDaemon } from '../kit.ts'
import { base, type Desk, deskAt, type Fields, newSession, toolCall } from './kit.ts'

let desk: Desk
beforeAll(async () => {
  const home = makeHome()
  mkdirSync(join(home.config, 'rules'), { recursive: true })
  const rules = `rules:
  - id: no-force
    on: PreToolUse
    tool: Bash
    match: { tool.input.command: push --force }
    decision: deny
    reason: No force.
`
  writeFileSync(join(home.config, 'rules/rules.yaml'), rules)
  desk = deskAt(home, await startDaemon(home))
})
afterAll(async () => void (await desk.daemon.kill('SIGTERM')))

const sessions = async () => (await gantryJson(desk.home, 'sessions', '--json', '--all')) as Fields[]
const shown = async (id: string) => (await sessions()).find((one) => one.id === id)
const events = (id: string) =>
  desk.rows<{ type: string; transport: string }>(
    `SELECT type, transport FROM events WHERE session_id = '${id}' ORDER BY seq`,
  )
const agent = (id: string) => desk.rows(`SELECT * FROM agents WHERE id = '${id}'`)[0]

describe('a session that comes by calls alone', () => {
  test('is in the journal, in the sessions and on the bus, with an effort or without one', async () => {
    const id = newSession()
    const cwd = '/srv/nowhere'
    await desk.hook('sessionStart', { ...base(cwd, 'SessionStart', id), source: 'startup' })
    await desk.hook('userPrompt', { ...base(cwd, 'UserPromptSubmit', id), prompt: 'sort the mail' })
    expect(await desk.hook('preToolUse', toolCall(cwd, id, 'Bash', { command: 'ls' }))).toMatchObject({
      allow: true,
      heartbeatCount: 0,
    })
    expect(events(id)).toEqual([
      { type: 'SessionStart', transport: 'rpc' },
      { type: 'UserPromptSubmit', transport: 'rpc' },
      { type: 'PreToolUse', transport: 'rpc' },
    ])
    expect(await shown(id)).toMatchObject({
      phase: 'working',
      detail: 'Bash',
      lastPrompt: 'sort the mail',
      cwd,
    })
    const [told] = desk.rows<{ seq: number }>(`SELECT min(seq) AS seq FROM events WHERE session_id = '${id}'`)
    const since = String((told?.seq ?? 0) - 1)
    const heard = await gantry(desk.home, 'bus', 'subscribe', '--since', since, '--count', '3', '--json')
    const subjects = heard.stdout
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as Fields).subject)
    expect(subjects).toEqual(['hooks.SessionStart', 'hooks.UserPromptSubmit', 'hooks.PreToolUse'])
    await desk.hook('stop', { ...base(cwd, 'Stop', id), last_assistant_message: 'Sorted.' })
    expect(await shown(id)).toMatchObject({ phase: 'idle', lastMessage: 'Sorted.' })
    await desk.hook('sessionEnd', { ...base(cwd, 'SessionEnd', id), reason: 'other' })
    expect(await shown(id)).toMatchObject({ phase: 'ended' })
  })

  test('in camelCase is the same event', async () => {
    const id = newSession()
    await desk.hook('preToolUse', {
      sessionId: id,
      cwd: '/x',
      toolName: 'Read',
      toolInput: { file_path: '/x/a' },
    })
    expect(await shown(id)).toMatchObject({ phase: 'working', detail: 'Read' })
    expect(desk.rows(`SELECT raw ->> '$.tool_name' AS tool FROM events WHERE session_id = '${id}'`)).toEqual([
      { tool: 'Read' },
    ])
  })

  test('has its pane and its agent from the environment of the caller', async () => {
    const id = newSession()
    await desk.hook(
      'userPrompt',
      { ...base('/x', 'UserPromptSubmit', id), prompt: 'go' },
      { TMUX_PANE: '%7' },
    )
    expect(await shown(id)).toMatchObject({ pane: '%7' })
    const other = newSession()
    const args = JSON.stringify({ session_id: other, prompt: 'go' })
    const env = { TMUX_PANE: '%8', TMUX: '/tmp/t,1,0', ANTHROPIC_API_KEY: 'kept' }
    expect(await run([GANTRY, 'rpc', 'hooks.userPrompt', args], desk.home, '', env)).toMatchObject({
      exit: 0,
    })
    expect(await shown(other)).toMatchObject({ pane: '%8', tmux: '/tmp/t,1,0' })
    expect(desk.rows(`SELECT client FROM events WHERE session_id = '${other}'`).toString()).not.toContain(
      'kept',
    )
  })

  test('a rule refuses its tool call', async () => {
    const command = 'git push --force'
    expect(await desk.hook('preToolUse', toolCall('/x', newSession(), 'Bash', { command }))).toMatchObject({
      allow: false,
      decision: 'deny',
      reason: 'No force.',
    })
  })

  test('what is wrong with a call is said, and nothing is stored', async () => {
    const id = newSession()
    expect(await desk.raw('hooks.preToolUse', { session_id: id, tool_input: {} })).toMatchObject({
      ok: false,
      error: 'VALIDATION_ERROR',
    })
    const asGantry = { agent: 'gantry', session_id: id, tool_name: 'Bash', tool_input: {} }
    expect(await desk.raw('hooks.preToolUse', asGantry)).toMatchObject({
      ok: false,
      message: '"gantry" is not the name of an agent.',
    })
    expect(events(id)).toEqual([])
  })
})

describe('the status of an agent', () => {
  const opened = async (name: string) => {
    const { cwd } = await desk.effort({ agentId: name })
    const id = newSession()
    const env = { AGENT_ID: name }
    const hook = (call: string, more: Fields) => desk.hook(call, { ...toolCall(cwd, id), ...more }, env)
    await hook('userPrompt', { hook_event_name: 'UserPromptSubmit', prompt: 'go' })
    return { hook, id }
  }

  test('error ends with the next tool that works, attention with the answer', async () => {
    const { hook } = await opened('mended')
    await hook('preToolUse', {})
    expect(await hook('postToolUseFailure', { error: 'exit code 1' })).toMatchObject({ status: 'error' })
    expect(agent('mended')).toMatchObject({ status: 'error', detail: 'exit code 1' })
    await hook('preToolUse', { tool_use_id: 'toolu_2' })
    await hook('postToolUse', { tool_use_id: 'toolu_2', tool_response: {} })
    expect(agent('mended')?.status).toBe('working')

    await hook('preToolUse', { tool_use_id: 'toolu_3' })
    expect(await hook('permissionRequest', { tool_use_id: 'toolu_3' })).toEqual({ status: 'attention' })
    expect(agent('mended')).toMatchObject({ status: 'attention', detail: 'Permission for Bash' })
    await hook('postToolUse', { tool_use_id: 'toolu_3', tool_response: {} })
    expect(agent('mended')?.status).toBe('working')
  })

  test('idle_prompt is the same by call and by hook', async () => {
    const called = await opened('idle-call')
    const notice = { hook_event_name: 'Notification', notification_type: 'idle_prompt', message: 'waits' }
    await called.hook('stop', { hook_event_name: 'Stop' })
    expect(await called.hook('notification', notice)).toEqual({ status: 'done' })
    expect(agent('idle-call')?.status).toBe('done')

    const { cwd } = await desk.effort({ agentId: 'idle-hook' })
    const id = newSession()
    for (const payload of [
      { ...base(cwd, 'UserPromptSubmit', id), prompt: 'go' },
      base(cwd, 'Stop', id),
      { ...base(cwd, 'Notification', id), ...notice },
    ])
      await sendFrame(desk.home, {
        payload: JSON.stringify(payload),
        header: { env: { AGENT_ID: 'idle-hook' } },
      })
    expect(agent('idle-hook')?.status).toBe('done')
    const strip = ({ attention }: Fields) => (attention as Fields[]).map(({ kind }) => kind)
    expect(strip((await shown(called.id)) ?? {})).toEqual(strip((await shown(id)) ?? {}))
  })
})

describe('the same hook by call and as a command', () => {
  const both = async (id: string, cwd: string, order: 'call first' | 'hook first') => {
    const payload = toolCall(cwd, id, 'Bash', { command: 'make' })
    const hook = () => sendFrame(desk.home, { event: 'PreToolUse', payload: JSON.stringify(payload) })
    const call = () => desk.hook('preToolUse', payload)
    if (order === 'call first') {
      const result = await call()
      await hook()
      return result
    }
    await hook()
    return call()
  }

  test.each(['call first', 'hook first'] as const)('counts once, %s', async (order) => {
    const { cwd } = await desk.effort()
    const id = newSession()
    for (let i = 1; i <= 3; i++) expect(await both(id, cwd, order)).toMatchObject({ heartbeatCount: i })
    expect(events(id)).toHaveLength(3)
    const { heartbeat } = await desk.hook('userPrompt', { ...base(cwd, 'UserPromptSubmit', id), prompt: 'x' })
    expect(heartbeat).toBe(3)
  })
})
