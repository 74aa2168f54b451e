/**
 * A daemon that does exactly what a test tells it to, on a real socket.
 *
 *   using daemon = listen(box.socket, (talk) => talk.say('0 0 0\n'))
 */
import { chmodSync, linkSync, rmSync } from 'node:fs'
import { parseFrame } from './clients.ts'

export interface Talk {
  readonly header: Record<string, unknown>
  /** The header line as it came. */
  readonly text: string
  readonly payload: Buffer
  readonly frame: Buffer
  say(bytes: string | Uint8Array): void
  /** Closes once everything said has gone out. */
  hangUp(): void
}

interface Peer {
  parts: Buffer[]
  size: number
  need: number
  outbox: Buffer
  closing: boolean
}

type Script = (talk: Talk) => void | Promise<void>

export interface FakeDaemon extends Disposable {
  readonly talks: Talk[]
  connections: number
}

/** `greet` runs when a client connects, before it has sent anything. */
export function listen(path: string, script: Script, greet?: (say: Talk['say'], hangUp: () => void) => void) {
  const server = Bun.listen<Peer>({
    unix: path,
    socket: {
      open(socket) {
        daemon.connections++
        socket.data = {
          parts: [],
          size: 0,
          need: Number.POSITIVE_INFINITY,
          outbox: Buffer.alloc(0),
          closing: false,
        }
        greet?.(
          (bytes) => send(socket, bytes),
          () => close(socket),
        )
      },
      data(socket, chunk) {
        const peer = socket.data
        peer.parts.push(Buffer.from(chunk))
        peer.size += chunk.length
        for (;;) {
          if (peer.need === Number.POSITIVE_INFINITY) peer.need = wholeSize(Buffer.concat(peer.parts))
          if (peer.size < peer.need) return
          const all = Buffer.concat(peer.parts)
          const frame = all.subarray(0, peer.need)
          peer.parts = [all.subarray(peer.need)]
          peer.size = all.length - peer.need
          peer.need = Number.POSITIVE_INFINITY
          const talk: Talk = {
            ...parseFrame(frame),
            frame,
            say: (bytes) => send(socket, bytes),
            hangUp: () => close(socket),
          }
          daemon.talks.push(talk)
          void script(talk)
        }
      },
      drain: flush,
      error() {},
    },
  })
  const daemon: FakeDaemon = {
    talks: [],
    connections: 0,
    [Symbol.dispose]: () => server.stop(true),
  }
  chmodSync(path, 0o600)
  return daemon
}

function wholeSize(sofar: Buffer): number {
  const end = sofar.indexOf('\n')
  return end < 0 ? Number.POSITIVE_INFINITY : end + 1 + Number(JSON.parse(sofar.toString('utf8', 0, end)).len)
}

function send(socket: Bun.Socket<Peer>, bytes: string | Uint8Array): void {
  socket.data.outbox = Buffer.concat([socket.data.outbox, Buffer.from(bytes)])
  flush(socket)
}

function close(socket: Bun.Socket<Peer>): void {
  socket.data.closing = true
  flush(socket)
}

function flush(socket: Bun.Socket<Peer>): void {
  const peer = socket.data
  if (peer.outbox.length > 0) peer.outbox = peer.outbox.subarray(Math.max(0, socket.write(peer.outbox)))
  if (peer.closing && peer.outbox.length === 0) socket.end()
}

/** A socket file that nobody listens on any more, as a daemon leaves it when it is killed. */
export function leaveStaleSocket(path: string) {
  const alive = listen(`${path}.alive`, () => {})
  linkSync(`${path}.alive`, path)
  alive[Symbol.dispose]()
  rmSync(`${path}.alive`, { force: true })
}

/** A daemon that was stopped: the kernel still takes connections for it, until the backlog is full. */
export async function listenDeaf(path: string) {
  const program = `
    Bun.listen({ unix: process.argv.at(-1), socket: { data: (socket) => { socket.write('7 0 0\\n') } } })
    console.log('ready')`
  const child = Bun.spawn([process.execPath, '-e', program, path], { stdout: 'pipe' })
  await child.stdout.getReader().read()
  child.kill('SIGSTOP')
  return {
    wakeUp: () => child.kill('SIGCONT'),
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL')
      await child.exited
    },
  }
}

/** Connects until the kernel takes no more. */
export async function fillBacklog(path: string): Promise<Disposable> {
  const sockets: Bun.Socket[] = []
  try {
    for (;;) sockets.push(await Bun.connect({ unix: path, socket: { data() {}, connectError() {} } }))
  } catch {
    return { [Symbol.dispose]: () => sockets.forEach((socket) => void socket.terminate()) }
  }
}
