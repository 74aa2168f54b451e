/** Coop hears `waiting_for_input` when the grace after a turn is over, and how long that is, is a setting. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import type { Places } from '../../src/core/files/paths.ts'
import { gantryJson, journal, makeHome, type RunningDaemon, sendFrame, startDaemon, until } from '../kit.ts'

type Line = { snapshot?: { sessions: Coop[] }; session?: Coop; ok?: boolean; message?: string }
type Coop = { id: string; state: string }

const home = makeHome('[sessions]\ngrace_s = 0.4\n')
let daemon: RunningDaemon
beforeAll(async () => {
  daemon = await startDaemon(home)
})
afterAll(async () => void (await daemon.kill('SIGTERM')))

const hook = (at: Places, session_id: string, hook_event_name: string, more: object = {}) =>
  sendFrame(at, { payload: JSON.stringify({ session_id, hook_event_name, cwd: '/w', ...more }) })

function listen(at: Places, request: object): { lines: Line[]; close(): void } {
  const lines: Line[] = []
  const socket = connect(at.socket)
  let rest = ''
  socket.on('data', (chunk) => {
    const parts = (rest + chunk.toString()).split('\n')
    rest = parts.pop() ?? ''
    lines.push(...parts.map((part) => JSON.parse(part) as Line))
  })
  socket.write(`${JSON.stringify(request)}\n`)
  return { lines, close: () => socket.destroy() }
}

const states = (lines: readonly Line[], id: string) =>
  lines.flatMap(({ session }) => (session?.id === id ? session.state : []))

test('the socket feed in the words of Coop: each state once, the last when the grace is over', async () => {
  const feed = listen(home, { sub: 'sessions', dialect: 'coop' })
  await until(() => feed.lines.some(({ snapshot }) => snapshot), 'the snapshot')
  await hook(home, 's1', 'SessionStart', { source: 'startup' })
  await hook(home, 's1', 'UserPromptSubmit', { prompt: 'go' })
  await hook(home, 's1', 'PreToolUse', { tool_name: 'Bash', tool_use_id: 't', tool_input: {} })
  await hook(home, 's1', 'Stop')
  expect(await gantryJson(home, 'sessions', '--dialect', 'coop', '--json')).toMatchObject([
    { id: 's1', state: expect.stringMatching(/^(working|waiting_for_input)$/) },
  ])
  await until(() => states(feed.lines, 's1').includes('waiting_for_input'), 'the end of the grace')
  expect(states(feed.lines, 's1')).toEqual(['starting', 'working', 'waiting_for_input'])
  await hook(home, 's1', 'UserPromptSubmit', { prompt: 'again' })
  await until(() => states(feed.lines, 's1').length === 4, 'work again')
  expect(states(feed.lines, 's1').at(-1)).toBe('working')
  feed.close()
})

test('the stream of sessions and its server-sent events have it, too', async () => {
  const { url } = JSON.parse(readFileSync(home.http, 'utf8')) as { url: string }
  const headers = { authorization: `Bearer ${readFileSync(home.token, 'utf8').trim()}` }
  const over = new AbortController()
  let text = ''
  const response = await fetch(`${url}/sessions/stream?dialect=coop`, { headers, signal: over.signal })
  void (async () => {
    for await (const chunk of response.body ?? []) text += Buffer.from(chunk).toString()
  })().catch(() => {})
  await until(() => text.includes('snapshot'), 'the snapshot')
  await hook(home, 's2', 'UserPromptSubmit', { prompt: 'go' })
  await hook(home, 's2', 'Stop')
  await until(() => /"id":"s2"[^\n]*"state":"waiting_for_input"/.test(text), 'the event')
  over.abort()
  const told = () =>
    journal<{ data: string }>(
      home,
      "SELECT data FROM bus_messages WHERE stream = 'SESSION_EVENTS' AND session_id = 's2' ORDER BY seq",
    ).map(({ data }) => (JSON.parse(data) as { coop: string }).coop)
  await until(() => told().at(-1) === 'waiting_for_input', 'the message')
  expect(told()[0]).toBe('working')
  const refused = await fetch(`${url}/sessions/stream?dialect=klingon`, { headers })
  expect(refused.status).toBe(400)
  expect(await refused.text()).toContain('There is no dialect')
})

test('a grace that nobody waited for is over after a restart, and a longer one is kept by a rebuild', async () => {
  const at = makeHome('[sessions]\ngrace_s = 3600\n')
  const first = await startDaemon(at)
  await hook(at, 's3', 'UserPromptSubmit', { prompt: 'go' })
  await hook(at, 's3', 'Stop')
  const turn = async () => {
    const [session] = (await gantryJson(at, 'sessions', '--json')) as {
      turn: { stoppedAt: number; graceUntil: number }
    }[]
    return session?.turn
  }
  const lasts = (one: Awaited<ReturnType<typeof turn>>) => (one?.graceUntil ?? 0) - (one?.stoppedAt ?? 0)
  await until(async () => lasts(await turn()) === 3_600_000, 'the grace as it is set')
  await first.kill('SIGKILL')
  const second = await startDaemon(at)
  expect(lasts(await turn())).toBe(3_600_000)
  await second.kill('SIGTERM')
})

test('a dialect that there is not is refused on the socket', async () => {
  const feed = listen(home, { sub: 'sessions', dialect: 'klingon' })
  await until(() => feed.lines.length > 0, 'an answer')
  expect(feed.lines[0]).toMatchObject({ ok: false, error: 'VALIDATION_ERROR' })
  feed.close()
})
