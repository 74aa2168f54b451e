/** Collectors that are broken or hostile, as sockets on loopback: each send ends soon, and nothing goes elsewhere. */
import { expect, test } from 'bun:test'
import { createServer, type Server, type Socket } from 'node:net'
import { Exporter } from './exporter.ts'

const LIMIT_MS = 400
const HEAD = 'HTTP/1.1 200 OK\r\ncontent-type: application/x-protobuf\r\n'

async function sentTo(answer: (socket: Socket) => unknown) {
  const { server, url, ended } = await serving(answer)
  const exporter = new Exporter({ url, headers: { authorization: 'Bearer mine' }, host: 'here' }, LIMIT_MS)
  const began = performance.now()
  try {
    const sent = await exporter.send([SPAN])
    return { ...sent, ms: performance.now() - began, ended }
  } finally {
    server.close()
  }
}

const SPAN = {
  traceId: '1'.repeat(32),
  spanId: '2'.repeat(16),
  name: '\ud800"\n',
  from: 1,
  to: 2,
  attributes: {},
}

async function serving(
  answer: (socket: Socket) => unknown,
): Promise<{ server: Server; url: string; ended: Promise<void> }> {
  const { promise: ended, resolve: end } = Promise.withResolvers<void>()
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.on('close', () => end())
    socket.once('data', () => answer(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  return { server, ended, url: `http://127.0.0.1:${port}/v1/traces` }
}

function drip(socket: Socket): void {
  socket.write(`${HEAD}content-length: 4000000\r\n\r\n`)
  const timer = setInterval(() => socket.write('x'), 50)
  socket.on('close', () => clearInterval(timer))
}

const STUCK: [string, (socket: Socket) => unknown][] = [
  ['that says nothing', () => {}],
  ['that never ends its answer', (socket) => socket.write(`${HEAD}content-length: 9\r\n\r\n`)],
  ['that lets its answer drip', drip],
]

test.each(STUCK)('a collector %s is given up', async (_, answer) => {
  const { ok, ms, ended } = await sentTo(answer)
  expect(ok).toBe(false)
  await ended // and it does not keep the connection
  expect(ms).toBeLessThan(10 * LIMIT_MS)
})

test('a collector that has recovered gets the next ones', async () => {
  let count = 0
  const { server, url } = await serving((socket) => {
    if (count++ > 0) return socket.end(`${HEAD}content-length: 0\r\n\r\n`)
    return drip(socket)
  })
  const exporter = new Exporter({ url, headers: {}, host: 'here' }, LIMIT_MS)
  expect(await exporter.send([SPAN])).toMatchObject({ ok: false })
  expect(await exporter.send([SPAN])).toEqual({ ok: true })
  server.close()
})

test('an answer without end is not read to its end', async () => {
  const sent = await sentTo((socket) => {
    socket.write(`${HEAD}transfer-encoding: chunked\r\n\r\n`)
    const chunk = `100000\r\n${'x'.repeat(0x100000)}\r\n`
    const more = () => {
      while (!socket.destroyed && socket.write(chunk));
    }
    socket.on('drain', more)
    more()
  })
  expect(sent).toMatchObject({ ok: false, isHopeless: false })
  expect(process.memoryUsage.rss()).toBeLessThan(1024 * 1024 * 1024)
})

test('no redirect is followed: the headers are for this collector alone', async () => {
  let asked = 0
  const other = await serving((socket) => {
    asked += 1
    socket.end(`${HEAD}content-length: 0\r\n\r\n`)
  })
  const sent = await sentTo(
    (socket) =>
      void socket.end(`HTTP/1.1 307 Elsewhere\r\nlocation: ${other.url}\r\ncontent-length: 0\r\n\r\n`),
  )
  other.server.close()
  expect(sent).toMatchObject({ ok: false, why: expect.stringContaining('307') })
  expect(asked).toBe(0)
})
