import { afterEach, describe, expect, test } from 'bun:test'
import { jetstreamManager } from '@nats-io/jetstream'
import { MsgHdrsImpl, type NatsConnection } from '@nats-io/transport-node'
import { until } from '../../../test/kit.ts'
import {
  connectTo,
  lineTo,
  type ServerOptions,
  startServer,
  type TestServer,
} from '../../../test/nats-kit.ts'
import { isDenied, isDisconnect, isHopeless, isRefusal } from '../nats/index.ts'
import { Acks } from './acks.ts'

const open: NatsConnection[] = []
afterEach(async () => {
  for (const nc of open.splice(0)) await nc.close()
})

async function connected(options: ServerOptions = {}): Promise<{ server: TestServer; nc: NatsConnection }> {
  const server = await startServer(options)
  const nc = await connectTo(server)
  open.push(nc)
  return { server, nc }
}

async function withStream(options?: ServerOptions) {
  const { server, nc } = await connected(options)
  await (await jetstreamManager(nc)).streams.add({ name: 'S', subjects: ['s.>'] })
  return { server, nc, acks: new Acks(nc) }
}

const headers = (id: string, stream = 'S') =>
  MsgHdrsImpl.fromRecord({ 'Nats-Msg-Id': [id], 'Nats-Expected-Stream': [stream] })

const errorOf = (answer: Promise<number>): Promise<unknown> =>
  answer.then(
    (seq) => `it was answered with ${seq}`,
    (error) => error,
  )

describe('an answer', () => {
  test('is the sequence of its own message, however many are under way', async () => {
    const { nc, acks } = await withStream()
    const ids = Array.from({ length: 500 }, (_, n) => `id-${n}`)
    const seqs = await Promise.all(ids.map((id) => acks.publish('s.x', id, headers(id))))
    expect([...seqs].sort((a, b) => a - b)).toEqual(ids.map((_, n) => n + 1))
    const jsm = await jetstreamManager(nc)
    const stored = await jsm.streams.getMessage('S', { seq: seqs[123] ?? 0 })
    expect(stored?.string()).toBe('id-123')
  })

  test('to what is there already is where it is', async () => {
    const { acks } = await withStream()
    const first = await acks.publish('s.x', '1', headers('same'))
    await acks.publish('s.x', '2', headers('other'))
    expect(await acks.publish('s.x', '1', headers('same'))).toBe(first)
  })

  test('that refuses one message says why, and leaves the others alone', async () => {
    const { acks } = await withStream()
    const [refused, taken] = await Promise.all([
      errorOf(acks.publish('s.x', '1', headers('a', 'ANOTHER'))),
      acks.publish('s.x', '2', headers('b')),
    ])
    expect(isRefusal(refused)).toBe(true)
    expect(refused).toMatchObject({ code: 10060 })
    expect(taken).toBe(1)
  })

  test('that is none is an error of that message', async () => {
    const { server, nc, acks } = await withStream()
    const other = await connectTo(server)
    open.push(other)
    other.subscribe('odd', { callback: (_, message) => void message.respond('{"what":') })
    other.subscribe('empty', { callback: (_, message) => void message.respond('{}') })
    await other.flush()
    expect(await errorOf(acks.publish('odd', '1', headers('a')))).toBeInstanceOf(SyntaxError)
    expect(String(await errorOf(acks.publish('empty', '1', headers('b'))))).toContain('not an answer')
    expect(await acks.publish('s.x', '2', headers('c'))).toBe(1)
    expect(nc.isClosed()).toBe(false)
  })
})

describe('no answer', () => {
  test('because nobody listens is told at once', async () => {
    const { nc } = await connected()
    const error = await errorOf(new Acks(nc).publish('nobody.here', '1', headers('a')))
    expect(String(error)).toContain("NoResponders: no responders: 'nobody.here'")
  })

  test('because it is not allowed is told at once, and only of that subject', async () => {
    const user =
      '{ user: a, password: a, permissions: { publish: ["s.yes", "$JS.API.>"], subscribe: "_INBOX.>" } }'
    const { acks } = await withStream({
      extra: `authorization { users: [${user}] }`,
      signIn: { user: 'a', pass: 'a' },
    })
    const [denied, taken] = await Promise.all([
      errorOf(acks.publish('s.no', '1', headers('a'))),
      acks.publish('s.yes', '2', headers('b')),
    ])
    expect(isDenied(denied)).toBe(true)
    expect(taken).toBe(1)
  })

  test('because it is too large for the server is told without sending it', async () => {
    const { acks } = await withStream({ extra: 'max_payload: 1000' })
    const error = await errorOf(acks.publish('s.x', 'x'.repeat(2_000), headers('a')))
    expect(isHopeless(error)).toBe(true)
    expect(await acks.publish('s.x', 'x', headers('b'))).toBe(1)
  })

  test('for too long is given up, each message at its time; what was answered before is not', async () => {
    const { server } = await withStream()
    const line = lineTo(server)
    const nc = await connectTo({ url: `nats://127.0.0.1:${line.port}`, signIn: {} })
    open.push(nc)
    const acks = new Acks(nc, 200)
    expect(await acks.publish('s.x', '1', headers('a'))).toBe(1)
    line.mute()
    const given: string[] = []
    const late = ['b', 'c'].map((id) =>
      errorOf(acks.publish('s.x', '1', headers(id))).then((error) => {
        given.push(id)
        return error
      }),
    )
    for (const error of await Promise.all(late)) expect(error).toMatchObject({ name: 'TimeoutError' })
    expect(given).toEqual(['b', 'c'])
  })

  test('because the connection ends is told of all that are under way, and of the next', async () => {
    const { server } = await withStream()
    const line = lineTo(server)
    const nc = await connectTo({ url: `nats://127.0.0.1:${line.port}`, signIn: {} })
    open.push(nc)
    const acks = new Acks(nc)
    line.mute()
    const errors = ['a', 'b'].map((id) => errorOf(acks.publish('s.x', '1', headers(id))))
    await until(() => nc.stats().outMsgs >= 2, 'both to be sent')
    line.cut()
    for (const error of await Promise.all(errors)) expect(isDisconnect(error)).toBe(true)
    expect(isDisconnect(await errorOf(acks.publish('s.x', '1', headers('c'))))).toBe(true)
  })
})
