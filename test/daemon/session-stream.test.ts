/** Sessions as they change, from the real daemon: over the socket, server-sent events and a WebSocket. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { request } from 'node:http'
import { type SessionChange, subscribeSessions } from '../../src/client/index.ts'
import { newId } from '../../src/events/index.ts'
import { makeHome, type RunningDaemon, sendFrame, startDaemon, until } from '../kit.ts'

const home = makeHome()
let daemon: RunningDaemon
let url = ''
let token = ''

beforeAll(async () => {
  daemon = await startDaemon(home)
  url = (JSON.parse(readFileSync(home.http, 'utf8')) as { url: string }).url
  token = readFileSync(home.token, 'utf8').trim()
})
afterAll(async () => {
  expect(await daemon.kill('SIGTERM')).toBe(0)
})

type Delta = Extract<SessionChange, { session: unknown }>

const hook = (session: string, name: string, fields: object = {}) =>
  sendFrame(home, {
    payload: JSON.stringify({ hook_event_name: name, session_id: session, cwd: '/', ...fields }),
  })
const statusLine = (session: string, pct: number, cost: number) =>
  sendFrame(home, {
    event: 'statusLine',
    payload: JSON.stringify({
      session_id: session,
      context_window: { used_percentage: pct },
      cost: { total_cost_usd: cost },
    }),
  })

/** What is told from now on. */
async function listen(): Promise<{ all: Delta[]; of(session: string): Delta[]; leave(): void }> {
  const leaving = new AbortController()
  const all: Delta[] = []
  const { promise: here, resolve } = Promise.withResolvers<void>()
  void (async () => {
    for await (const change of subscribeSessions(home, leaving.signal)) {
      if ('snapshot' in change) resolve()
      else all.push(change)
    }
  })()
  await here
  const of = (session: string) => all.filter((one) => one.session.id === session)
  return { all, of, leave: () => leaving.abort() }
}

describe('everything that is shown of a session is told', () => {
  test('use, a second prompt and another mode, though its state is the same', async () => {
    const session = newId()
    await hook(session, 'SessionStart')
    await hook(session, 'UserPromptSubmit', { prompt: 'first' })
    const heard = await listen()
    await statusLine(session, 85, 1.5)
    await until(() => heard.of(session).length === 1, 'the use')
    expect(heard.of(session)[0]?.session).toMatchObject({
      phase: 'working',
      usage: { contextPct: 85, costUsd: 1.5, near: 'warn' },
      cause: { type: 'UserPromptSubmit' },
    })
    await hook(session, 'UserPromptSubmit', { prompt: 'second', permission_mode: 'plan' })
    await until(() => heard.of(session).length === 2, 'the prompt')
    expect(heard.of(session)[1]?.session).toMatchObject({ lastPrompt: 'second', permissionMode: 'plan' })
    heard.leave()
  })

  test('use that changes all the time is told now and then, and the last of it always', async () => {
    const session = newId()
    await hook(session, 'SessionStart')
    const heard = await listen()
    const began = performance.now()
    for (let n = 1; n <= 60; n++) await statusLine(session, n, n / 100)
    const last = () => heard.of(session).at(-1)?.session.usage.contextPct === 60
    await until(last, 'the last use')
    const windows = (performance.now() - began) / 250
    expect(heard.of(session).length).toBeLessThanOrEqual(Math.ceil(windows) + 2)
    heard.leave()
  })

  test('each change has the next number', async () => {
    const heard = await listen()
    const session = newId()
    for (const name of ['SessionStart', 'UserPromptSubmit', 'Stop']) await hook(session, name)
    await until(() => heard.of(session).length === 3, 'three changes')
    const numbers = heard.all.map(({ seq }) => seq)
    expect(numbers).toEqual(numbers.map((_, n) => (numbers[0] ?? 0) + n))
    heard.leave()
  })
})

describe('server-sent events', () => {
  test('carry the number as their id; whoever comes again gets a snapshot of that number', async () => {
    const session = newId()
    await hook(session, 'SessionStart')
    const headers = { authorization: `Bearer ${token}` }
    const read = async (extra: object, wanted: RegExp) => {
      const stream = await fetch(`${url}/sessions/stream`, { headers: { ...headers, ...extra } })
      const reader = (stream.body as ReadableStream<Uint8Array>).getReader()
      let text = ''
      const next = async (pattern: RegExp): Promise<string[]> => {
        for (;;) {
          const found = pattern.exec(text)
          if (found) return found
          text += new TextDecoder().decode((await reader.read()).value)
        }
      }
      return { first: await next(wanted), next, leave: () => reader.cancel() }
    }
    const SNAPSHOT = /^id: (\d+)\nevent: snapshot\ndata: (\{.*\})\n\n/m
    const stream = await read({}, SNAPSHOT)
    const seq = Number(stream.first[1])
    expect(JSON.parse(stream.first[2] ?? '')).toMatchObject({ seq })
    await hook(session, 'UserPromptSubmit', { prompt: 'x' })
    const [, id, data] = await stream.next(/^id: (\d+)\nevent: session\ndata: (\{.*\})\n\n/m)
    expect(Number(id)).toBe(seq + 1)
    expect(JSON.parse(data ?? '')).toMatchObject({ id: session, phase: 'working' })
    await stream.leave()
    const again = await read({ 'last-event-id': id ?? '' }, SNAPSHOT)
    expect(Number(again.first[1])).toBe(seq + 1)
    await again.leave()
  })
})

describe('a WebSocket', () => {
  const open = () => {
    const socket = new WebSocket(`${url.replace('http', 'ws')}/sessions/stream`, {
      headers: { authorization: `Bearer ${token}` },
    } as unknown as string[])
    const got: SessionChange[] = []
    socket.onmessage = ({ data }) => got.push(JSON.parse(String(data)) as SessionChange)
    return { socket, got }
  }

  test('says a snapshot, then each change with the next number', async () => {
    const session = newId()
    await hook(session, 'SessionStart')
    const { socket, got } = open()
    const [first] = await until(() => got.length > 0 && got, 'a snapshot')
    if (!first || !('snapshot' in first)) throw new Error('no snapshot first')
    expect(first.snapshot.sessions.some(({ id }) => id === session)).toBe(true)
    await hook(session, 'UserPromptSubmit', { prompt: 'x' })
    await until(() => got.length === 2, 'a change')
    expect(got[1]).toMatchObject({ seq: first.snapshot.seq + 1, session: { id: session, phase: 'working' } })
    socket.send('what is said to it is not listened to')
    await hook(session, 'Stop')
    await until(() => got.length === 3, 'another change')
    socket.close()
  })

  /** The answer to a handshake, as any program could send it. */
  const handshake = (headers: Record<string, string>, path = '/sessions/stream') =>
    new Promise<number>((resolve, reject) => {
      const asked = request(`${url}${path}`, {
        headers: {
          connection: 'Upgrade',
          upgrade: 'websocket',
          'sec-websocket-version': '13',
          'sec-websocket-key': Buffer.from('0123456789abcdef').toString('base64'),
          authorization: `Bearer ${token}`,
          ...headers,
        },
      })
      asked.on('response', (answer) => resolve(answer.statusCode ?? 0))
      asked.on('upgrade', (_, socket) => {
        socket.destroy()
        resolve(101)
      })
      asked.on('error', reject)
      asked.end()
    })

  test('is opened with the token, to this address and from no other page', async () => {
    expect(await handshake({})).toBe(101)
    expect(await handshake({ origin: url })).toBe(101)
    expect(await handshake({ origin: 'http://evil.example' })).toBe(403)
    expect(await handshake({ host: 'evil.example' })).toBe(403)
    expect(await handshake({ authorization: '' })).toBe(401)
    expect(await handshake({ authorization: `Bearer ${token}x` })).toBe(401)
    expect(await handshake({ 'sec-websocket-key': '' })).toBe(400)
  })

  test('is nowhere else', async () => {
    expect(await handshake({}, '/sessions')).not.toBe(101)
    expect(await handshake({}, '/nowhere')).toBe(404)
  })
})
