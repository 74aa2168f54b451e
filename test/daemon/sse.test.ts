/** Sessions over HTTP: a list, and a stream that says what changes. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { makeHome, type RunningDaemon, sendFrame, startDaemon } from '../kit.ts'

const home = makeHome()
let daemon: RunningDaemon
let url = ''
let headers = {}

beforeAll(async () => {
  daemon = await startDaemon(home)
  url = (JSON.parse(readFileSync(home.http, 'utf8')) as { url: string }).url
  headers = { authorization: `Bearer ${readFileSync(home.token, 'utf8').trim()}` }
})
afterAll(() => daemon.kill('SIGTERM'))

const hook = (name: string) =>
  sendFrame(home, { payload: JSON.stringify({ hook_event_name: name, session_id: 's1', cwd: '/' }) })

test('a snapshot first, then each session whose state is another', async () => {
  await hook('SessionStart')
  const stream = await fetch(`${url}/sessions/stream`, { headers })
  expect(stream.headers.get('content-type')).toBe('text/event-stream')
  const reader = (stream.body as ReadableStream<Uint8Array>).getReader()
  let text = ''
  const next = async (event: string): Promise<Record<string, unknown>> => {
    for (;;) {
      const found = new RegExp(`^event: ${event}\ndata: (.*)\n\n`, 'm').exec(text)
      if (found) {
        text = text.slice(found.index + found[0].length)
        return JSON.parse(found[1] ?? '') as Record<string, unknown>
      }
      const { value, done } = await reader.read()
      if (done) throw new Error(`the stream ended without ${event}`)
      text += new TextDecoder().decode(value)
    }
  }
  expect(await next('snapshot')).toMatchObject({ seq: 1, sessions: [{ id: 's1', phase: 'starting' }] })
  await hook('UserPromptSubmit')
  expect(await next('session')).toMatchObject({
    id: 's1',
    phase: 'working',
    cause: { type: 'UserPromptSubmit' },
  })
  await hook('MessageDisplay') // changes nothing that anyone sees
  await hook('Stop')
  expect(await next('session')).toMatchObject({ id: 's1', phase: 'idle' })
  await reader.cancel()
  expect(await (await fetch(`${url}/sessions`, { headers })).json()).toMatchObject([
    { id: 's1', phase: 'idle' },
  ])
})

test('the token, the method and the origin are asked for here, too', async () => {
  for (const path of ['/sessions', '/sessions/stream']) {
    expect((await fetch(url + path)).status).toBe(401)
    expect((await fetch(url + path, { headers, method: 'POST' })).status).toBe(405)
    expect((await fetch(url + path, { headers: { ...headers, origin: 'http://evil.example' } })).status).toBe(
      403,
    )
  }
})
