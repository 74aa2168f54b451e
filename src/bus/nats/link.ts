/**
 * Keeps a connection to NATS: connect, use until it breaks, reconnect with a backoff from one second to one minute.
 * Every connection is a new one, so its users first check what became of messages in flight.
 */
import { readFileSync } from 'node:fs'
import { type JetStreamClient, type JetStreamManager, jetstream, jetstreamManager } from '@nats-io/jetstream'
import {
  type ConnectionOptions,
  connect,
  credsAuthenticator,
  type NatsConnection,
  nkeyAuthenticator,
} from '@nats-io/transport-node'
import { messageOf } from '../../core/errors.ts'
import { backoff, pause, within } from '../../core/time/waits.ts'
import type { NatsAuth, NatsTls } from './address.ts'
import { type BusLog, type BusProblem, connectionProblem, unusable, type Where } from './problem.ts'

export interface Endpoint {
  /** `host:port` each. */
  readonly servers: readonly string[]
  readonly auth: NatsAuth
  readonly tls: NatsTls | undefined
  readonly where: Where
}

export interface Connection {
  readonly nc: NatsConnection
  readonly js: JetStreamClient
  readonly jsm: JetStreamManager
  readonly where: Where
  /** How others reach the same server. */
  readonly endpoint: Endpoint
  /** Aborted when the connection is gone, or about to be. */
  readonly ended: AbortSignal
}

/** Somebody else who uses the connections, each until its `ended`. */
export type OnConnection = (connection: Connection) => void

interface LinkParts {
  /** Where to connect; starts the server if it is ours. */
  readonly endpoint: () => Promise<Endpoint>
  /** Uses a connection until it ends. */
  readonly use: (connection: Connection, server: string) => Promise<void>
  /** Called with the reason if there is no connection. */
  readonly failed: (error: unknown) => Promise<void>
  readonly name: string
  readonly log: BusLog
}

interface LinkStatus {
  readonly connected: boolean
  readonly server: string | undefined
  readonly version: string | undefined
  readonly problem: BusProblem | undefined
  /** Consecutive failures. */
  readonly failures: number
  readonly nextAttemptAt: number | undefined
}

const CONNECT_DEADLINE_MS = 5_000
const PING_MS = 10_000 // a hanging server is noticed after two unanswered pings
const LAST_WAIT_MS = 60_000
const STABLE_MS = 10_000 // a connection that lasted this long resets the failures
const FIRST_WAIT_MS = 250
const MAX_SERVERS = 32 // of a cluster that announces its other servers

export class NatsLink {
  readonly #parts: LinkParts
  readonly #stopped = new AbortController()
  #loop: Promise<void> = Promise.resolve()
  #nc: NatsConnection | undefined
  #leave: AbortController | undefined
  #known: readonly string[] = []
  #problem: BusProblem | undefined
  #failures = 0
  #nextAttemptAt: number | undefined

  constructor(parts: LinkParts) {
    this.#parts = parts
  }

  start(): void {
    this.#loop = this.#run()
  }

  /** Lets users of the connection finish, then closes it. Does not wait for a connection that is being made. */
  async stop(graceMs: number): Promise<void> {
    this.#stopped.abort()
    this.#leave?.abort()
    await within(this.#loop, graceMs)
  }

  /** Drops this connection; the next one follows at once. */
  drop(): void {
    void this.#nc?.close()
  }

  status(): LinkStatus {
    const info = this.#nc?.info
    return {
      connected: info !== undefined,
      server: this.#nc?.getServer(),
      version: info?.version,
      problem: info ? undefined : this.#problem,
      failures: info ? 0 : this.#failures,
      nextAttemptAt: info ? undefined : this.#nextAttemptAt,
    }
  }

  async #run(): Promise<void> {
    while (!this.#stopped.signal.aborted) {
      let connectedAt = Number.POSITIVE_INFINITY
      let where: Where = { url: '', managed: false, log: '' }
      try {
        const endpoint = await this.#parts.endpoint()
        where = endpoint.where
        this.#nc = await connect(optionsOf(endpoint, this.#known, this.#parts.name))
        connectedAt = performance.now()
        await this.#use(this.#nc, endpoint)
      } catch (error) {
        this.#problem = connectionProblem(error, where)
        if (!this.#stopped.signal.aborted) {
          this.#parts.log.warn('nats', this.#problem.message)
          await this.#parts.failed(error)
        }
      }
      this.#nc = undefined
      this.#failures = performance.now() - connectedAt > STABLE_MS ? 0 : this.#failures + 1
      const wait =
        this.#failures === 0 ? FIRST_WAIT_MS * Math.random() : backoff(this.#failures, LAST_WAIT_MS)
      this.#nextAttemptAt = Math.round(Date.now() + wait)
      await pause(wait, this.#stopped.signal)
    }
  }

  async #use(nc: NatsConnection, endpoint: Endpoint): Promise<void> {
    const { where } = endpoint
    const leave = new AbortController()
    this.#leave = leave
    if (this.#stopped.signal.aborted) leave.abort()
    const closed = nc.closed().then((error) => {
      leave.abort()
      return error
    })
    try {
      const problem = nc.info && unusable(nc.info, where)
      if (problem) throw problem
      const jsm = await jetstreamManager(nc, { checkAPI: false })
      const server = nc.getServer()
      this.#parts.log.info('nats', `connected to ${server} (nats-server ${nc.info?.version})`)
      await this.#parts.use({ nc, js: jetstream(nc), jsm, where, endpoint, ended: leave.signal }, server)
    } finally {
      // A cluster announces its other servers. Our own has none, and its port may be somebody else's tomorrow.
      const others = where.managed ? [] : nc.getServers().slice(0, MAX_SERVERS)
      this.#known = others.map(({ listen }) => listen)
      await nc.close()
    }
    const error = await closed
    if (!this.#stopped.signal.aborted) throw error ?? new Error('it was closed')
  }
}

function optionsOf(
  { servers, auth, tls }: Endpoint,
  known: readonly string[],
  name: string,
): ConnectionOptions {
  return {
    servers: [...new Set([...servers, ...known])],
    name,
    reconnect: false,
    timeout: CONNECT_DEADLINE_MS,
    pingInterval: PING_MS,
    noAsyncTraces: true,
    ...(tls ? { tls: { ...tls } } : {}),
    ...signIn(auth),
  }
}

/** Files are read for every connection, because keys are rotated. */
function signIn(auth: NatsAuth): Partial<ConnectionOptions> {
  switch (auth.kind) {
    case 'none':
      return {}
    case 'token':
      return { token: auth.token }
    case 'user':
      return { user: auth.user, pass: auth.password }
    case 'user-file':
      return { user: auth.user, pass: fileOf(auth.file).toString().trim() }
    case 'creds':
      return { authenticator: credsAuthenticator(fileOf(auth.file)) }
    case 'nkey':
      return {
        authenticator: nkeyAuthenticator(new TextEncoder().encode(fileOf(auth.file).toString().trim())),
      }
  }
}

function fileOf(path: string): Buffer {
  try {
    return readFileSync(path)
  } catch (cause) {
    throw new Error(`${path} cannot be read: ${messageOf(cause)}`, { cause })
  }
}
