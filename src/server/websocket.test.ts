import { afterAll, expect, test } from 'bun:test'
import { connect } from 'node:net'
import { until } from '../../test/kit.ts'
import type { HookEvent } from '../events/index.ts'
import { SessionFeed } from '../sessions/feed.ts'
import { SessionMap } from '../sessions/state/index.ts'
import type { SessionTracker } from '../sessions/tracker.ts'
import { type SendMessage, type SocketReader, sessionSocket } from './websocket.ts'

const fleet = new SessionMap()
const feed = new SessionFeed({ sessions: fleet, isWhole: true, whole: Promise.resolve() } as SessionTracker, {
  locationOf: () => ({ host: 'here' }),
  see: async () => {},
})
/** One that goes on sending to whoever reads nothing. */
const stubborn = {
  send: undefined as SendMessage | undefined,
  isOver: false,
  open: (send: SendMessage) => {
    stubborn.send = send
  },
  message: () => {},
  resume: () => {},
  close: () => {
    stubborn.isOver = true
  },
}
const server = Bun.serve<SocketReader>({
  hostname: '127.0.0.1',
  port: 0,
  fetch: (request, own) => {
    const data = new URL(request.url).pathname === '/stubborn' ? { handler: stubborn } : {}
    return own.upgrade(request, { data }) ? undefined : new Response('no')
  },
  websocket: sessionSocket(feed),
})
afterAll(() => server.stop(true))

const SESSIONS = 20
let count = 0

/** One change of a session, some four thousand characters long. */
function change(): void {
  count += 1
  const event: HookEvent = {
    id: `e${count}`,
    seq: count,
    at: count,
    receivedAt: count,
    agent: 'claude',
    type: 'Stop',
    native: 'Stop',
    sessionId: `s${count % SESSIONS}`,
    message: `${count} ${'x'.repeat(4000)}`,
    client: { env: {} },
    transport: 'socket',
    raw: '{}',
  }
  const changed = fleet.apply(event)
  if (changed) feed.committed([changed])
}

const handshake = (path: string) =>
  `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==\r\n\r\n`

test('a message that is dropped does not count as sent: the connection ends, and the reader begins anew', async () => {
  const socket = connect(server.port ?? 0, '127.0.0.1')
  let isOver = false
  socket.on('close', () => {
    isOver = true
  })
  socket.on('error', () => {})
  socket.write(handshake('/stubborn'))
  socket.pause()
  await until(() => stubborn.send !== undefined, 'a connection')
  const message = 'x'.repeat(1_000_000)
  let told = true
  for (let n = 0; n < 200 && !stubborn.isOver; n++) {
    told = stubborn.send?.(message) ?? true
    await Bun.sleep(0)
  }
  expect(stubborn.isOver).toBe(true)
  expect(told).toBe(false)
  socket.resume()
  await until(() => isOver, 'the end of the connection')
})

test('a paused reader gets the newest state of each session when it resumes, and nothing is buffered for it', async () => {
  const socket = connect(server.port ?? 0, '127.0.0.1')
  const chunks: Buffer[] = []
  socket.on('data', (chunk: Buffer) => chunks.push(chunk))
  socket.write(handshake('/'))
  const text = () => Buffer.concat(chunks).toString('latin1')
  await until(() => text().includes('{"snapshot"'), 'a snapshot')
  socket.pause()
  Bun.gc(true) // what other tests of this process left
  const before = process.memoryUsage().rss
  const CHANGES = 30_000 // 120 MB, far more than the kernel takes on its own
  for (let n = 0; n < CHANGES; n++) {
    change()
    if (n % 100 === 0) await Bun.sleep(0)
  }
  Bun.gc(true)
  expect(process.memoryUsage().rss - before).toBeLessThan(100_000_000)
  socket.resume()
  const newest = Array.from({ length: SESSIONS }, (_, n) => `"lastMessage":"${CHANGES - n} `)
  await until(() => newest.every((one) => text().includes(one)), 'the newest of each session')
  const numbers = [...text().matchAll(/\{"seq":(\d+),"session"/g)].map(([, seq]) => Number(seq))
  expect(numbers).toEqual(numbers.toSorted((a, b) => a - b))
  expect(numbers.at(-1)).toBe(CHANGES)
  expect(numbers.length).toBeLessThan(CHANGES)
  change()
  await until(() => text().includes(`{"seq":${CHANGES + 1},"session"`), 'what comes after')
  socket.destroy()
  await until(() => feed.size === 0, 'the end of the subscription')
}, 120_000)

test('a snapshot larger than a reader’s room is followed by changes', async () => {
  for (let n = 0; n < 1_000; n++) change()
  const socket = new WebSocket(`ws://127.0.0.1:${server.port}/`)
  const got: string[] = []
  socket.onmessage = ({ data }) => got.push(String(data))
  await until(() => got.length === 1, 'a snapshot')
  expect(got[0]?.length).toBeGreaterThan(64 * 1024)
  change()
  await until(() => got.length === 2, 'a change')
  socket.close()
  await until(() => feed.size === 0, 'the end of the subscription')
})
