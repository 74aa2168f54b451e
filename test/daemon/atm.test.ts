/** A client of agent-tmux-monitor finds its own protocol on gantry's socket. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { execFileSync } from 'node:child_process'
import { realpathSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { journal, makeHome, type RunningDaemon, sendFrame, startDaemon, tempDir, until } from '../kit.ts'

const home = makeHome()
const protocol_version = { major: 1, minor: 0 }
let daemon: RunningDaemon
let socket: Socket
const lines: Record<string, unknown>[] = []

beforeAll(async () => {
  daemon = await startDaemon(home)
  socket = connect(home.socket)
  let rest = ''
  socket.on('data', (chunk) => {
    const parts = (rest + chunk.toString()).split('\n')
    rest = parts.pop() ?? ''
    lines.push(...parts.map((part) => JSON.parse(part) as Record<string, unknown>))
  })
})
afterAll(async () => {
  socket.destroy()
  await daemon.kill('SIGTERM')
})

const ask = (message: object) => socket.write(`${JSON.stringify({ protocol_version, ...message })}\n`)
const hook = (name: string, fields: object = {}) =>
  sendFrame(home, { payload: JSON.stringify({ hook_event_name: name, session_id: 's1', ...fields }) })

async function next(type: string): Promise<Record<string, unknown>> {
  const until = Date.now() + 10_000
  for (;;) {
    const at = lines.findIndex((one) => one.type === type)
    if (at >= 0) return lines.splice(0, at + 1).at(-1) ?? {}
    if (Date.now() > until) throw new Error(`no ${type} among ${JSON.stringify(lines)}`)
    await Bun.sleep(10)
  }
}

test('connect, ping, list, subscribe, updated, removed', async () => {
  ask({ type: 'connect', client_id: 'me' })
  expect(await next('connected')).toEqual({ type: 'connected', protocol_version, client_id: 'me' })
  ask({ type: 'ping', seq: 7 })
  expect(await next('pong')).toEqual({ type: 'pong', seq: 7 })

  await hook('SessionStart', { source: 'startup' })
  await hook('UserPromptSubmit', { prompt: 'go' })
  ask({ type: 'list_sessions' })
  expect(await next('session_list')).toMatchObject({ sessions: [{ id: 's1', status: 'working' }] })

  ask({ type: 'subscribe' })
  ask({ type: 'ping', seq: 8 }) // answered in order, so the subscription is there
  await next('pong')
  await hook('PreToolUse', { tool_name: 'AskUserQuestion', tool_use_id: 't1', tool_input: {} })
  expect(await next('session_updated')).toMatchObject({
    session: { id: 's1', status: 'attention_needed', activity_detail: 'AskUserQuestion' },
  })
  await hook('SubagentStart', { agent_id: 'a1', agent_type: 'Explore' })
  await next('session_updated')
  expect(await next('session_updated')).toMatchObject({ session: { id: 's1/a1', parent_session_id: 's1' } })
  await hook('SubagentStop', { agent_id: 'a1', agent_type: 'Explore' })
  expect(await next('session_removed')).toEqual({ type: 'session_removed', session_id: 's1/a1' })

  await hook('SubagentStart', { agent_id: 'a2', agent_type: 'Plan' })
  await next('session_updated')
  expect(await next('session_updated')).toMatchObject({ session: { id: 's1/a2' } })
  await hook('SessionEnd', { reason: 'other' })
  expect(await next('session_removed')).toEqual({ type: 'session_removed', session_id: 's1/a2' })
  expect(await next('session_removed')).toEqual({ type: 'session_removed', session_id: 's1' })
})

test('a child that was listed before is removed for whoever subscribes after, each id once', async () => {
  const started = { session_id: 's2' }
  await hook('UserPromptSubmit', { ...started, prompt: 'go' })
  await hook('SubagentStart', { ...started, agent_id: 'a1', agent_type: 'Explore' })
  ask({ type: 'list_sessions' })
  expect(await next('session_list')).toMatchObject({ sessions: [{ id: 's2' }, { id: 's2/a1' }] })
  ask({ type: 'subscribe' })
  ask({ type: 'ping', seq: 1 }) // answered in order, so the subscription is there
  await next('pong')
  await hook('SessionEnd', { ...started, reason: 'other' })
  expect(await next('session_removed')).toEqual({ type: 'session_removed', session_id: 's2/a1' })
  expect(await next('session_removed')).toEqual({ type: 'session_removed', session_id: 's2' })
  await hook('SessionEnd', { ...started, reason: 'other' })
  ask({ type: 'ping', seq: 2 })
  await next('pong')
  expect(lines).toEqual([])
})

test('another major version is rejected, an unknown request answered', async () => {
  socket.write(`${JSON.stringify({ protocol_version: { major: 2, minor: 0 }, type: 'connect' })}\n`)
  expect(await next('rejected')).toMatchObject({ protocol_version })
  ask({ type: 'dance' })
  expect(await next('error')).toMatchObject({ code: 'unsupported' })
})

/** The fields of its SessionView as its published source has them; `?` are those that may be missing or null. */
const SESSION_VIEW: Readonly<Record<string, string>> = {
  id: 'string',
  id_short: 'string',
  agent_type: 'string',
  harness: 'string',
  model: 'string',
  status: 'string',
  status_label: 'string',
  activity_detail: 'string?',
  should_blink: 'boolean',
  status_icon: 'string',
  context_percentage: 'number',
  context_display: 'string',
  context_warning: 'boolean',
  context_critical: 'boolean',
  cost_display: 'string',
  cost_usd: 'number',
  duration_display: 'string',
  duration_seconds: 'number',
  lines_display: 'string',
  working_directory: 'string?',
  needs_attention: 'boolean',
  last_activity_display: 'string',
  age_display: 'string',
  started_at: 'string',
  last_activity: 'string',
  tmux_pane: 'string?',
  project_root: 'string?',
  worktree_path: 'string?',
  worktree_branch: 'string?',
  parent_session_id: 'string?',
  child_session_ids: 'strings',
  first_prompt: 'string?',
}

const isOf = (type: string, value: unknown): boolean => {
  if (type === 'strings') return Array.isArray(value) && value.every((one) => typeof one === 'string')
  if (type.endsWith('?') && (value === undefined || value === null)) return true
  return typeof value === type.replace('?', '')
}

type View = Readonly<Record<string, unknown>>
const wrongIn = (view: View) =>
  Object.entries(SESSION_VIEW)
    .filter(([field, type]) => !isOf(type, view[field]))
    .map(([field]) => field)

const list = async () => {
  ask({ type: 'list_sessions' })
  return (await next('session_list')).sessions as View[]
}

test('what its hook script passes on makes a session, and every field of a view is there', async () => {
  const repo = realpathSync(tempDir())
  execFileSync('git', ['init', '-q', '-b', 'trunk', repo])
  const session_id = '8e11bfb5-7dc2-432b-9206-928fa5c35731'
  const said = { session_id, cwd: repo, pid: process.pid, tmux_pane: '%5' }
  const relayed = (name: string, more: object = {}) =>
    ask({ type: 'hook_event', data: { ...said, hook_event_name: name, ...more } })
  relayed('SessionStart', { source: 'startup' })
  relayed('UserPromptSubmit', { prompt: 'count the beans' })
  relayed('PreToolUse', { tool_name: 'Bash', tool_use_id: 'toolu_1', tool_input: { command: 'wc' } })
  relayed('SubagentStart', { agent_id: 'a1', agent_type: 'Explore' })
  ask({
    type: 'status_update',
    data: {
      ...said,
      model: { id: 'claude-opus-4-5-20251101', display_name: 'Opus 4.5' },
      version: '2.1.0',
      cost: {
        total_cost_usd: 12.34,
        total_duration_ms: 35_000,
        total_lines_added: 150,
        total_lines_removed: 30,
      },
      context_window: {
        context_window_size: 200_000,
        used_percentage: 81,
        current_usage: { input_tokens: 2_000, cache_read_input_tokens: 160_000 },
      },
    },
  })
  const found = await until(async () => {
    const views = (await list()).filter(({ id }) => String(id).startsWith(session_id))
    return views.length === 2 && views[0]?.cost_usd === 12.34 && views[0].worktree_branch ? views : undefined
  }, 'both views')
  for (const view of found) expect(wrongIn(view)).toEqual([])
  const [main, child] = found
  expect(main).toMatchObject({
    id: session_id,
    id_short: '8e11bfb5',
    agent_type: 'main',
    harness: 'claude',
    model: 'Opus 4.5',
    status: 'working',
    status_label: 'working',
    activity_detail: 'Explore',
    should_blink: false,
    status_icon: '>',
    context_percentage: 81,
    context_display: '81.0% (162K/200K)',
    context_warning: true,
    context_critical: false,
    cost_display: '$12.3',
    lines_display: '+150 -30',
    working_directory: repo.length > 30 ? `...${repo.slice(-27)}` : repo,
    needs_attention: true,
    tmux_pane: '%5',
    pid: process.pid,
    project_root: repo,
    worktree_path: repo,
    worktree_branch: 'trunk',
    child_session_ids: [`${session_id}/a1`],
    first_prompt: 'count the beans',
  })
  expect(main?.duration_display).toMatch(/^\d+s$/)
  expect(main?.age_display).toMatch(/^\d+s ago$/)
  // Nothing of it is its parent's.
  expect(child).toMatchObject({
    id: `${session_id}/a1`,
    agent_type: 'explore',
    parent_session_id: session_id,
    context_percentage: 0,
    context_display: '0.0% (0/200K)',
    cost_usd: 0,
    cost_display: '$0.00',
    lines_display: '+0 -0',
    needs_attention: false,
    child_session_ids: [],
  })
  expect(Date.parse(String(child?.started_at))).toBeGreaterThanOrEqual(Date.parse(String(main?.started_at)))
  expect(child).not.toHaveProperty('first_prompt')

  relayed('Notification', { notification_type: 'permission_prompt', message: 'May I?' })
  await until(async () => (await list()).find(({ id }) => id === session_id)?.should_blink, 'the question')
  expect((await list()).find(({ id }) => id === session_id)).toMatchObject({
    status: 'attention_needed',
    status_label: 'needs input',
    status_icon: '!',
    activity_detail: 'Permission for Bash',
  })
})

test('the same hook from its script and from the agent counts once', async () => {
  const payload = { session_id: 'twice', hook_event_name: 'UserPromptSubmit', prompt: 'once' }
  await sendFrame(home, { payload: JSON.stringify(payload) })
  ask({ type: 'hook_event', data: { ...payload, pid: 4711, tmux_pane: '%1' } })
  await list()
  await sendFrame(home, { payload: JSON.stringify({ ...payload, hook_event_name: 'Stop' }) })
  expect(journal(home, "SELECT type FROM events WHERE session_id = 'twice' ORDER BY seq")).toEqual([
    { type: 'UserPromptSubmit' },
    { type: 'Stop' },
  ])
})

test('what cannot be an event is answered with an error, and the next one is heard', async () => {
  ask({ type: 'hook_event', data: { hook_event_name: 'Stop' } })
  expect(await next('error')).toMatchObject({ message: 'Missing session_id in data' })
  ask({ type: 'status_update', data: null })
  expect(await next('error')).toMatchObject({ message: 'Missing session_id in data' })
  ask({ type: 'hook_event', data: { session_id: 'x' } })
  expect(await next('error')).toMatchObject({ message: 'Missing hook_event_name in data' })
})

test('whoever subscribes gets the list first', async () => {
  lines.length = 0
  ask({ type: 'subscribe' })
  const first = await next('session_list')
  expect((first.sessions as View[]).length).toBeGreaterThan(0)
})

test('a tool response of a megabyte is heard, as from any hook', async () => {
  const tool = { tool_name: 'Read', tool_use_id: 't1', tool_input: {}, tool_response: 'x'.repeat(1_000_000) }
  ask({ type: 'hook_event', data: { session_id: 'large', hook_event_name: 'PostToolUse', ...tool } })
  await until(
    () => journal(home, "SELECT 1 FROM events WHERE session_id = 'large' AND type = 'PostToolUse'").length,
    'the event',
  )
})
