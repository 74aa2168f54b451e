/** A client of agent-tmux-monitor finds its own protocol on gantry's socket. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { connect, type Socket } from 'node:net'
import { makeHome, type RunningDaemon, sendFrame, startDaemon } from '../kit.ts'

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
