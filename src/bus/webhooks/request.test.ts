/** One request against servers that are slow, silent, endless or strangers. */
import { afterEach, describe, expect, test } from 'bun:test'
import type { Socket } from 'node:net'
import { endlessly, openRawServer, openReceiver } from '../../../test/receiver.ts'
import { isLoopback } from '../../core/post.ts'
import type { BusMessage } from '../streams/index.ts'
import { bodyOf, post, shownUrl } from './request.ts'

const SECRET = 'a secret for the tests of webhooks'
const closing: (() => unknown)[] = []
afterEach(() => {
  for (const close of closing.splice(0)) close()
})

function endpoint(url: string, timeoutMs = 5_000) {
  return { url, secret: SECRET, timeoutMs }
}

async function raw(act: (socket: Socket) => void) {
  const server = await openRawServer(act)
  closing.push(server.stop)
  return server
}

function receiver(...args: Parameters<typeof openReceiver>) {
  const opened = openReceiver(...args)
  closing.push(opened.stop)
  return opened
}

const answers = (status: number, headers: Record<string, string> = {}) =>
  receiver(() => new Response('because', { status, headers }))

describe('a message', () => {
  test('arrives whole, signed, with its id and the time', async () => {
    const to = receiver()
    const body = '{"id":"e1","data":{"text":"grüße \\u2028"}}'
    const before = Math.floor(Date.now() / 1000)
    expect(await post(endpoint(to.url), 'e1', body)).toMatchObject({
      kind: 'delivered',
      status: 200,
      answer: 'ok',
    })
    const [got] = to.got
    if (!got) throw new Error('nothing came')
    expect(got.text).toBe(body)
    expect(to.isSigned(got, SECRET)).toBe(true)
    expect(to.isSigned(got, 'another secret')).toBe(false)
    expect(got.headers.get('gantry-id')).toBe('e1')
    expect(got.headers.get('content-type')).toBe('application/json')
    expect(Number(got.headers.get('gantry-timestamp'))).toBeWithin(before, before + 10)
  })

  test.each([200, 201, 202, 204])('is delivered by %i', async (status) => {
    expect(await post(endpoint(answers(status).url), 'e', '{}')).toMatchObject({ kind: 'delivered', status })
  })

  test.each([400, 401, 403, 404, 409, 410, 413, 422])('is rejected by %i', async (status) => {
    const outcome = await post(endpoint(answers(status).url), 'e', '{}')
    expect(outcome).toMatchObject({ kind: 'rejected', status, error: `HTTP ${status}`, answer: 'because' })
  })

  test.each([408, 425, 429, 500, 502, 503, 504])('failed for now with %i', async (status) => {
    expect(await post(endpoint(answers(status).url), 'e', '{}')).toMatchObject({ kind: 'failed', status })
  })

  test('with a user in the address takes a password along, and no log gets to see it', async () => {
    const to = receiver(() => new Response(null, { status: 500 }))
    const url = to.url.replace('//', '//me:p%40ss@')
    const outcome = await post(endpoint(url), 'e', '{}')
    expect(to.got[0]?.headers.get('authorization')).toBe(`Basic ${btoa('me:p@ss')}`)
    expect(JSON.stringify(outcome)).not.toContain('ss')
    expect(shownUrl(url)).not.toContain('me')
  })
})

describe('Retry-After', () => {
  test.each([
    ['7', 7_000],
    ['999999999', 3_600_000],
    ['0', undefined],
    ['soon', undefined],
    ['-5', undefined],
    [new Date(Date.now() + 86_400_000).toUTCString(), 3_600_000],
    [new Date(Date.now() - 1000).toUTCString(), undefined],
  ])('of %j waits %p ms', async (header, expected) => {
    const { url } = answers(503, { 'retry-after': header })
    expect((await post(endpoint(url), 'e', '{}')).retryAfterMs).toBe(expected as number)
  })
})

describe('the other side', () => {
  test('that sends elsewhere is not followed', async () => {
    const elsewhere = receiver()
    const to = receiver(() => Response.redirect(elsewhere.url, 307))
    expect(await post(endpoint(to.url), 'e', '{}')).toMatchObject({
      kind: 'failed',
      status: 307,
      error: expect.stringContaining('redirects are not followed'),
    })
    expect(elsewhere.got).toEqual([])
  })

  test.each<[string, (socket: Socket) => void]>([
    ['never answers', () => {}],
    ['stops in the middle of its headers', (socket) => socket.write('HTTP/1.1 200 OK\r\nx: ')],
    ['says "continue" for ever', (socket) => endlessly(socket, 'HTTP/1.1 100 Continue\r\n\r\n'.repeat(100))],
  ])('that %s is given up after the time limit', async (_name, act) => {
    const { url } = await raw(act)
    const start = performance.now()
    const outcome = await post(endpoint(url, 300), 'e', '{}')
    expect(outcome).toMatchObject({ kind: 'failed', error: 'no answer within 0.3 s' })
    expect(performance.now() - start).toBeWithin(250, 3_000)
  })

  test('with headers that never end fails, without much memory', async () => {
    const { url } = await raw((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n')
      endlessly(socket, `x-a: ${'y'.repeat(8_000)}\r\n`)
    })
    const before = process.memoryUsage.rss()
    expect(await post(endpoint(url), 'e', '{}')).toMatchObject({ kind: 'failed' })
    expect(process.memoryUsage.rss() - before).toBeLessThan(64 * 1024 * 1024)
  })

  test.each([
    ['a length of a hundred gigabytes', 'content-length: 99999999999\r\n\r\n', 'y'.repeat(50_000)],
    ['chunks that never end', 'transfer-encoding: chunked\r\n\r\n', `c350\r\n${'y'.repeat(50_000)}\r\n`],
  ])('with a body of %s has said enough with its status', async (_name, head, chunk) => {
    const { url } = await raw((socket) => {
      socket.write(`HTTP/1.1 200 OK\r\n${head}`)
      endlessly(socket, chunk)
    })
    const before = process.memoryUsage.rss()
    const outcome = await post(endpoint(url), 'e', '{}')
    expect(outcome).toMatchObject({ kind: 'delivered', status: 200 })
    expect(outcome.answer.length).toBeLessThanOrEqual(4096)
    expect(process.memoryUsage.rss() - before).toBeLessThan(64 * 1024 * 1024)
  })

  test('with a body that does not come has said enough, too', async () => {
    const { url } = await raw((socket) => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nabc'))
    const outcome = await post(endpoint(url, 10_000), 'e', '{}')
    expect(outcome).toMatchObject({ kind: 'delivered', status: 200, answer: 'abc' })
    expect(outcome.tookMs).toBeLessThan(9_000)
  })

  test('that answers with a small thing that would become a large one is not unpacked', async () => {
    const bomb = Bun.gzipSync(new Uint8Array(20 * 1024 * 1024))
    const to = receiver(() => new Response(bomb, { headers: { 'content-encoding': 'gzip' } }))
    expect((await post(endpoint(to.url), 'e', '{}')).answer.length).toBeLessThanOrEqual(4096)
    expect(to.got[0]?.headers.get('accept-encoding')).toBe('identity')
  })

  test.each<[string, (socket: Socket) => void]>([
    ['hangs up', (socket) => socket.destroy()],
    ['talks nonsense', (socket) => socket.end('nonsense\r\n\r\n')],
  ])('that %s failed', async (_name, act) => {
    const { url } = await raw(act)
    expect(await post(endpoint(url), 'e', '{}')).toMatchObject({ kind: 'failed', error: expect.any(String) })
  })

  test('that is not there is unreachable, and the error has nothing of the address', async () => {
    const to = openReceiver()
    await to.stop()
    const outcome = await post(endpoint(`${to.url}/token-in-the-path?key=secret`), 'e', '{}')
    expect(outcome).toMatchObject({ kind: 'unreachable', error: 'ECONNREFUSED' })
    expect(JSON.stringify(outcome)).not.toMatch(/token|secret|127\.0/)
  })
})

test('what was ended before it began is not sent', async () => {
  const to = receiver()
  await post(endpoint(to.url), 'e', '{}', AbortSignal.abort())
  expect(to.got).toEqual([])
})

test('a proxy does not get what stays on this machine', async () => {
  const proxy = receiver()
  const to = receiver()
  const before = process.env.HTTP_PROXY
  process.env.HTTP_PROXY = proxy.url
  try {
    await post(endpoint(to.url), 'e', '{}')
  } finally {
    if (before === undefined) delete process.env.HTTP_PROXY
    else process.env.HTTP_PROXY = before
  }
  expect(to.got).toHaveLength(1)
  expect(proxy.got).toHaveLength(0)
})

describe('the body', () => {
  const message: BusMessage = {
    stream: 'HOOK_EVENTS',
    seq: 7,
    id: 'e7',
    at: 5,
    subject: 'hooks.Stop',
    type: 'Stop',
    agent: 'claude',
    native: 'Stop',
    session: 's1',
    data: '{"a": 1.0, "b": 12345678901234567890}',
  }
  const { data: _, native: __, ...head } = message

  test('says what it is about, and has the payload as it came', () => {
    const body = bodyOf(message)
    expect(JSON.parse(body)).toMatchObject({ ...head, data: { a: 1 } })
    expect(body).toContain('{"a": 1.0, "b": 12345678901234567890}')
  })

  test.each(['', 'nonsense', '{"a":', '{"a":1}}', '"},"data":{"x":1'])(
    'is JSON when the payload %j is not',
    (data) => {
      expect(JSON.parse(bodyOf({ ...message, data }))).toEqual({ ...head, data: { raw: data } })
    },
  )

  test('has bytes that are no text in base64', () => {
    const data = new Uint8Array([0, 255, 1])
    expect(JSON.parse(bodyOf({ ...message, data }))).toEqual({ ...head, data: { rawBase64: 'AP8B' } })
  })
})

test.each([
  ['http://localhost:1/', true],
  ['http://127.0.0.1/', true],
  ['http://127.1/', true],
  ['http://[::1]:8/', true],
  ['http://0x7f000001/', true],
  ['http://localhost.example.com/', false],
  ['http://127.0.0.1.example.com/', false],
  ['http://10.0.0.1/', false],
  ['http://user@example.com#127.0.0.1', false],
])('%s is on this machine: %p', (url, expected) => {
  expect(isLoopback(url)).toBe(expected)
})

test('people see the host of an address, and nothing that could be a secret', () => {
  expect(shownUrl('https://me:pw@hooks.example.com/services/T0/B0/XXXX?key=1')).toBe(
    'https://hooks.example.com/…',
  )
  expect(shownUrl('http://127.0.0.1:8080/')).toBe('http://127.0.0.1:8080')
})
