/**
 * Real nats-servers for tests, on free ports and with folders of their own, and what is in their streams.
 *
 *   const server = await startServer({ token: 't' })
 *   await server.kill('SIGKILL'); await server.start()
 *   const messages = await contentOf(server, 'HOOK_EVENTS')
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createConnection, createServer } from 'node:net'
import { join } from 'node:path'
import { AckPolicy, DeliverPolicy, jetstream, jetstreamManager } from '@nats-io/jetstream'
import { type ConnectionOptions, connect, type NatsConnection } from '@nats-io/transport-node'
import type { Subprocess } from 'bun'
import { tempDir, until } from './kit.ts'
import { processes } from './litter.ts'

export interface ServerOptions {
  readonly token?: string
  readonly jetstream?: boolean
  /** More lines for its configuration. */
  readonly extra?: string
  /** How tests sign in where a token is not it. */
  readonly signIn?: Partial<ConnectionOptions>
}

export interface TestServer {
  readonly port: number
  readonly url: string
  readonly dir: string
  readonly signIn: Partial<ConnectionOptions>
  readonly pid: number
  kill(signal: NodeJS.Signals): Promise<void>
  /** Starts it again, with other lines in its configuration if there are any. */
  start(extra?: string): Promise<void>
}

/** A port nobody has right now. */
export async function anyPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as { port: number }
  await new Promise((resolve) => server.close(resolve))
  return port
}

export async function startServer(options: ServerOptions = {}): Promise<TestServer> {
  let port = await anyPort()
  const dir = tempDir()
  const config = join(dir, 'test.conf')
  const signIn = options.signIn ?? (options.token === undefined ? {} : { token: options.token })
  let child: Subprocess | undefined
  const start = async (extra = options.extra ?? '') => {
    mkdirSync(join(dir, 'js'), { recursive: true })
    const lines = [
      'host: 127.0.0.1',
      `port: ${port}`,
      `log_file: ${JSON.stringify(join(dir, 'log'))}`,
      options.token === undefined ? '' : `authorization { token: ${JSON.stringify(options.token)} }`,
      options.jetstream === false
        ? ''
        : `jetstream { store_dir: ${JSON.stringify(join(dir, 'js'))}, max_file_store: 1GB }`,
      extra,
    ]
    writeFileSync(config, lines.join('\n'))
    const started = Bun.spawn(['nats-server', '-c', config], { stdio: ['ignore', 'ignore', 'ignore'] })
    child = started
    processes.add(started)
    void started.exited.then(() => processes.delete(started))
    const isUp = async () => {
      if (started.exitCode !== null) throw new Error(readFileSync(join(dir, 'log'), 'utf8').slice(-500))
      return answers(port)
    }
    await until(isUp, `nats-server on ${port}`)
  }
  for (;;) {
    try {
      await start()
      break
    } catch (error) {
      if (!String(error).includes('address already in use')) throw error
      port = await anyPort() // another test was quicker
    }
  }
  return {
    port,
    url: `nats://127.0.0.1:${port}`,
    dir,
    signIn,
    get pid() {
      return child?.pid ?? 0
    },
    start,
    kill: async (signal) => {
      child?.kill(signal)
      await child?.exited
    },
  }
}

export interface Line {
  readonly port: number
  /** From now on, nothing that the server says arrives. */
  mute(): void
  /** Ends all connections; new ones are whole again. */
  cut(): void
}

/** A line to a server that can be made to fail: a proxy on a port of its own. */
export function lineTo(server: TestServer): Line {
  let isMute = false
  const ends = new Set<() => void>()
  const proxy = createServer((client) => {
    const upstream = createConnection(server.port, '127.0.0.1')
    const end = () => {
      ends.delete(end)
      client.destroy()
      upstream.destroy()
    }
    ends.add(end)
    client.on('data', (bytes) => upstream.write(bytes))
    upstream.on('data', (bytes) => !isMute && client.write(bytes))
    for (const side of [client, upstream]) side.on('close', end).on('error', end)
  })
  proxy.listen(0, '127.0.0.1').unref()
  return {
    get port() {
      return (proxy.address() as { port: number }).port
    },
    mute: () => {
      isMute = true
    },
    cut: () => {
      for (const end of [...ends]) end()
      isMute = false
    },
  }
}

async function answers(port: number): Promise<boolean> {
  try {
    const socket = await Bun.connect({ hostname: '127.0.0.1', port, socket: { data() {} } })
    socket.end()
    return true
  } catch {
    return false
  }
}

export function connectTo(server: Address): Promise<NatsConnection> {
  return connect({ servers: server.url, reconnect: false, ...server.signIn })
}

export interface Stored {
  readonly seq: number
  readonly id: string
  readonly subject: string
  readonly session: string
  readonly headers: Readonly<Record<string, string>>
  readonly data: string
}

type Address = Pick<TestServer, 'url' | 'signIn'>

/** One connection for each server, which whoever asks again and again shares. */
const shared = new Map<string, NatsConnection>()

export async function managerOf(server: Address) {
  const key = server.url + JSON.stringify(server.signIn)
  let nc = shared.get(key)
  if (!nc || nc.isClosed()) {
    nc = await connectTo(server)
    shared.set(key, nc)
  }
  return { nc, jsm: await jetstreamManager(nc, { checkAPI: false }) }
}

/** Everything that a stream holds, read by a plain client. */
export async function contentOf(server: Address, stream: string): Promise<Stored[]> {
  const { nc, jsm } = await managerOf(server)
  const { state } = await jsm.streams.info(stream)
  const found: Stored[] = []
  if (state.messages === 0) return found
  const { name } = await jsm.consumers.add(stream, {
    ack_policy: AckPolicy.None,
    deliver_policy: DeliverPolicy.All,
    mem_storage: true,
  })
  const consumer = await jetstream(nc).consumers.get(stream, name)
  while (found.length < state.messages) {
    const got = await consumer.fetch({ max_messages: state.messages - found.length, expires: 2_000 })
    for await (const { seq, subject, headers, data } of got) {
      const all = Object.fromEntries([...(headers ?? [])].map(([key, values]) => [key, values[0] ?? '']))
      found.push({
        seq,
        subject,
        id: all['Nats-Msg-Id'] ?? '',
        session: all['Gantry-Session'] ?? '',
        headers: all,
        data: new TextDecoder().decode(data),
      })
    }
  }
  await jsm.consumers.delete(stream, name).catch(() => {}) // on a slow machine it is gone by itself
  return found
}

/** How many messages a stream holds; -1 when it is not there, or the server is not. */
export async function countOf(server: Address, stream: string): Promise<number> {
  try {
    return (await (await managerOf(server)).jsm.streams.info(stream)).state.messages
  } catch {
    return -1
  }
}
