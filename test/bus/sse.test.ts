/** Streams over HTTP: server-sent events with a place to come back to. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { range } from '../../src/bus/testkit.ts'
import { call, type WireMessage } from '../../src/client/index.ts'
import { makeHome, type RunningDaemon, sendFrame, startDaemon, until } from '../kit.ts'
import { isLong, rounds } from '../long.ts'
import { AGENTS_ONLY, flood } from './bus-kit.ts'

const FLOOD = rounds(4_000, 20_000)
/** The flood alone leaves 60 MB in the engine's heap; what it carried is another 100 MB. */
const GROWTH_BYTES = (isLong ? 110 : 55) * 1024 * 1024

const at = makeHome(AGENTS_ONLY)
let daemon: RunningDaemon
let url = ''
let headers: Record<string, string> = {}
beforeAll(async () => {
  daemon = await startDaemon(at)
  url = (JSON.parse(readFileSync(at.http, 'utf8')) as { url: string }).url
  headers = { authorization: `Bearer ${readFileSync(at.token, 'utf8').trim()}` }
})
afterAll(async () => {
  expect(await daemon.kill('SIGTERM')).toBe(0)
})

const status = () => call(at, 'status')
const hook = (session: string, name: string) =>
  sendFrame(at, { payload: JSON.stringify({ session_id: session, hook_event_name: name }) })

interface Event {
  readonly id: number
  readonly message: WireMessage
}

/** As a browser reads it: events with their ids, until it is closed. */
async function open(path: string, more: Record<string, string> = {}) {
  const abort = new AbortController()
  const response = await fetch(url + path, { headers: { ...headers, ...more }, signal: abort.signal })
  expect(response.headers.get('content-type')).toBe('text/event-stream')
  const events: Event[] = []
  void (async () => {
    let text = ''
    const decoder = new TextDecoder()
    try {
      for await (const bytes of response.body as ReadableStream<Uint8Array>) {
        const chunk = decoder.decode(bytes, { stream: true })
        const parts = (text + chunk).split('\n\n')
        text = parts.pop() ?? ''
        for (const part of parts) {
          const found = /^id: (\d+)\ndata: (.*)$/.exec(part)
          if (found) events.push({ id: Number(found[1]), message: JSON.parse(found[2] ?? '') as WireMessage })
        }
      }
    } catch {
      // closed
    }
  })()
  return { events, ids: () => events.map(({ id }) => id), close: () => abort.abort() }
}

describe('a stream over HTTP', () => {
  test('says what comes, with the sequence as the id', async () => {
    const stream = await open('/bus/events?stream=HOOK_EVENTS&filter=Stop')
    await hook('s1', 'PreToolUse')
    await hook('s1', 'Stop')
    await until(() => stream.events.length === 1, 'the stop')
    const { lastSeq } = await status()
    expect(stream.events[0]).toMatchObject({ id: lastSeq, message: { seq: lastSeq, subject: 'hooks.Stop' } })
    stream.close()
    await until(async () => (await status()).subscribers === 0, 'gone')
  })

  test('goes on after the last event that the reader saw, whatever the address says', async () => {
    const { lastSeq } = await status()
    await flood(at, 50, (n) => ({ session_id: 's1', hook_event_name: 'Stop', n }))
    const first = await open(`/bus/events?since=${lastSeq + 1}`)
    await until(() => first.events.length === 50, 'the first time')
    first.close()
    await flood(at, 30, (n) => ({ session_id: 's1', hook_event_name: 'Stop', n }))
    const seen = first.events[19]?.id ?? 0
    const again = await open('/bus/events?since=1', { 'last-event-id': String(seen) })
    await until(() => again.events.length === 60, 'the rest')
    expect(again.ids()).toEqual(range(seen + 1, lastSeq + 80))
    again.close()
  })

  test('has the other streams, too', async () => {
    await hook('sse-session', 'SessionStart')
    const stream = await open('/bus/events?stream=SESSION_EVENTS&since=all&filter=starting')
    await until(() => stream.events.some(({ message }) => message.session === 'sse-session'), 'the session')
    stream.close()
  })

  test.each([
    ['/bus/events?stream=NOPE', 400, 'There is no stream'],
    ['/bus/events?filter=a..b', 400, 'Invalid subject'],
    ['/bus/events?since=tomorrowish', 400, 'neither a sequence nor a time'],
    ['/bus/events?sincee=1', 400, 'Unknown parameter "sincee"'],
  ])('at %s is refused', async (path, code, reason) => {
    const response = await fetch(url + path, { headers })
    expect(response.status).toBe(code)
    expect(((await response.json()) as { message: string }).message).toContain(reason)
  })

  test('asks for the token, the method, the host and the origin', async () => {
    expect((await fetch(`${url}/bus/events`)).status).toBe(401)
    expect((await fetch(`${url}/bus/events`, { headers, method: 'POST' })).status).toBe(405)
    for (const more of [{ origin: 'http://evil.example' }, { host: 'evil.example' }])
      expect((await fetch(`${url}/bus/events`, { headers: { ...headers, ...more } })).status).toBe(403)
    expect((await status()).subscribers).toBe(0)
  })

  test('to somebody who never read and went away is over', async () => {
    const { port } = JSON.parse(readFileSync(at.http, 'utf8')) as { port: number }
    await flood(at, 200, (n) => ({ session_id: 's1', hook_event_name: 'Stop', n, text: 'x'.repeat(20_000) }))
    const socket = connect(port, '127.0.0.1')
    socket.pause()
    const auth = `Authorization: ${headers.authorization}`
    socket.write(`GET /bus/events?since=1 HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n${auth}\r\n\r\n`)
    await until(async () => (await status()).subscribers === 1, 'subscribed')
    socket.destroy()
    await until(async () => (await status()).subscribers === 0, 'gone')
  })

  test('to somebody who stops reading costs nothing, and hooks are answered', async () => {
    const { port } = JSON.parse(readFileSync(at.http, 'utf8')) as { port: number }
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => {})
    const auth = `Authorization: ${headers.authorization}`
    socket.write(`GET /bus/events?since=1 HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n${auth}\r\n\r\n`)
    socket.pause()
    await until(async () => (await status()).subscribers === 1, 'subscribed')
    const before = (await status()).memoryBytes
    await flood(at, FLOOD, (n) => ({
      session_id: `s${n % 5}`,
      hook_event_name: 'PostToolUse',
      tool_name: 'Bash',
      tool_input: { command: 'x'.repeat(5_000) },
    }))
    expect((await status()).memoryBytes - before).toBeLessThan(GROWTH_BYTES)
    expect((await hook('s1', 'Stop'))?.exit).toBe(0)
    let got = 0
    socket.on('data', (chunk) => {
      got += chunk.length
    })
    socket.resume()
    await until(() => got > FLOOD * 5_000, 'everything, once it reads again')
    socket.destroy()
    await until(async () => (await status()).subscribers === 0, 'gone')
  }, 120_000)
})
