/**
 * The hosts' own connection to NATS. Messages go out in another thread, with a connection there; this one follows it to the
 * same server. It is made only if hosts share something, or when somebody asks for what they share.
 *
 *   const link = new HostsLink({ isOn, use, name, log })
 *   link.at(endpoint)      // where the server is, or undefined when NATS is off
 *   await link.reach()     // connected now, if that is possible
 */
import { lazy } from '../../core/lazy.ts'
import { within } from '../../core/time/waits.ts'
import type { BusLog, Connection, Endpoint } from '../nats/index.ts'
import type { NatsLink } from '../nats/link.ts'

interface HostsLinkParts {
  /** Whether hosts share something on this server. */
  readonly isOn: (where: Endpoint['where']) => boolean
  /** Resolves after the connection has ended. */
  readonly use: (connection: Connection) => Promise<void>
  readonly name: string
  readonly log: BusLog
}

const links = lazy(() => import('../nats/link.ts'))

const REACH_MS = 2_000
const STOP_GRACE_MS = 500

export class HostsLink {
  readonly #parts: HostsLinkParts
  #endpoint: Endpoint | undefined
  #link: Promise<NatsLink> | undefined
  #connected = Promise.withResolvers<void>()

  constructor(parts: HostsLinkParts) {
    this.#parts = parts
  }

  /** The server that NATS is at; undefined while it is off. */
  get where(): Endpoint['where'] | undefined {
    return this.#endpoint?.where
  }

  at(endpoint: Endpoint | undefined): void {
    if (Bun.deepEquals(endpoint, this.#endpoint)) return
    const wasThere = this.#link !== undefined
    this.#endpoint = endpoint
    void this.close()
    if (endpoint && (wasThere || this.#parts.isOn(endpoint.where))) this.#open()
  }

  /** The configuration has changed. */
  apply(): void {
    if (this.#endpoint && this.#parts.isOn(this.#endpoint.where)) this.#open()
  }

  /** Resolves when there is a connection, or when waiting for one is of no use. */
  async reach(): Promise<void> {
    if (!this.#endpoint) return
    this.#open()
    await within(this.#connected.promise, REACH_MS)
  }

  async close(): Promise<void> {
    const link = this.#link
    this.#link = undefined
    this.#connected = Promise.withResolvers()
    await (await link)?.stop(STOP_GRACE_MS)
  }

  #open(): void {
    const { use, name, log } = this.#parts
    this.#link ??= links().then(({ NatsLink }) => {
      const link = new NatsLink({
        endpoint: () =>
          this.#endpoint ? Promise.resolve(this.#endpoint) : Promise.reject(new Error('NATS is off')),
        use: (connection) => {
          this.#connected.resolve()
          return use(connection)
        },
        failed: async () => {},
        name,
        log: { ...log, info: () => {}, warn: () => {} }, // the other thread reports the same
      })
      link.start()
      return link
    })
  }
}
