/**
 * A web server that webhooks are sent to: it keeps what comes and answers as the test says.
 *
 *   const receiver = openReceiver(() => new Response('ok'))
 *   receiver.got[0]?.body.type
 */
import { createHmac } from 'node:crypto'
import { createServer, type Socket } from 'node:net'

export interface Received {
  readonly headers: Headers
  readonly text: string
  readonly body: {
    readonly [key: string]: unknown
    readonly id: string
    readonly type: string
    readonly session: string
  }
  readonly at: number
}

export interface Receiver {
  readonly url: string
  readonly port: number
  readonly got: Received[]
  /** As the docs tell a receiver to check it, written once more and differently. */
  isSigned(received: Received, secret: string): boolean
  stop(): Promise<void>
}

type Answer = (received: Received, nth: number) => Response | Promise<Response>

export function openReceiver(answer: Answer = () => new Response('ok'), port = 0): Receiver {
  const got: Received[] = []
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port,
    idleTimeout: 60,
    fetch: async (request) => {
      const text = await request.text()
      const received = { headers: request.headers, text, body: JSON.parse(text), at: Date.now() }
      got.push(received)
      return answer(received, got.length)
    },
  })
  return {
    url: `http://127.0.0.1:${server.port}/in`,
    port: server.port ?? 0,
    got,
    isSigned: ({ headers, text }, secret) => {
      const hex = createHmac('sha256', secret)
        .update(`${headers.get('gantry-timestamp')}.${text}`)
        .digest('hex')
      return headers.get('gantry-signature') === `v1=${hex}`
    },
    stop: () => server.stop(true),
  }
}

export interface RawServer {
  readonly url: string
  /** Requests whose head came whole. */
  readonly requests: string[]
  stop(): void
}

/** A server that says whatever bytes the test wants, after the first bytes of a request. */
export async function openRawServer(act: (socket: Socket) => void): Promise<RawServer> {
  const sockets = new Set<Socket>()
  const requests: string[] = []
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
    socket.once('data', (bytes) => {
      requests.push(bytes.toString('latin1'))
      act(socket)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  return {
    url: `http://127.0.0.1:${port}/`,
    requests,
    stop: () => {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}

/** Writes the same again and again for as long as the other side takes it. */
export function endlessly(socket: Socket, chunk: string): void {
  const more = () => {
    if (socket.destroyed) return
    // The other side may take it as fast as it comes; this process has more to do.
    if (socket.write(chunk)) setImmediate(more)
    else socket.once('drain', more)
  }
  more()
}
