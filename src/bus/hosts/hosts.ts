/**
 * This host among others on the same NATS: it publishes its presence and its sessions, and reads those of the others on
 * request. Nothing happens without a connection, or when the fleet is off.
 *
 *   const hosts = new HostsBus({ settings, instance, about, keys, view, log })
 *   await hosts.use(connection)       // until it ends
 *   hosts.changed(['claude:5d1c…'])   // after each commit
 *   await hosts.read(link.where)      // { hosts: […], sessions: […] }
 */
import { GantryError, messageOf } from '../../core/errors.ts'
import { isObject } from '../../core/is-object.ts'
import { backoff, pause } from '../../core/time/waits.ts'
import type { Sink } from '../../journal/index.ts'
import {
  type BusLog,
  type BusProblem,
  type Connection,
  isDisconnect,
  isSilence,
  isUnattended,
} from '../nats/index.ts'
import type { FleetReader, FleetRequest } from './reader.ts'
import type { HostShare } from './share.ts'

export interface HostsSettings {
  /** auto: on unless the server is gantry's own, which has no other hosts. */
  readonly mode: 'auto' | 'on' | 'off'
  readonly host: string
  readonly replicas: number
  /** JetStream domain of the hub, if the hosts meet there. */
  readonly hub?: string | undefined
}

export interface HostsParts {
  readonly settings: () => HostsSettings
  /** Distinguishes this gantry from another one with the same host name. */
  readonly instance: string
  /** What others see of this host besides its name. */
  readonly about: () => Record<string, unknown>
  /** The live sessions. */
  readonly keys: () => Iterable<string>
  /** What others see of a session, below 60 KB as JSON; undefined if it is no longer live. */
  readonly view: (key: string) => unknown
  /** The files that a session wrote lately; undefined if there are none, or if it is no longer live. */
  readonly writes?: (key: string) => unknown
  /** Told of those of another host's session by its id there; undefined if there are none any more. */
  readonly heardWrites?: (host: string, id: string, value: unknown) => void
  readonly log: BusLog
}

interface HostRecord {
  readonly host: string
  readonly instance: string
  /** It announced its stop. */
  readonly left: boolean
  /** When it was last seen, by the server's clock. */
  readonly at: number
  readonly about: Readonly<Record<string, unknown>>
}

export interface HostRecords {
  readonly hosts: readonly HostRecord[]
  readonly sessions: readonly { readonly host: string; readonly view: unknown }[]
}

const LAST_WAIT_MS = 60_000
const HUB_WAIT_MS = 5_000 // the connection does not tell of a hub that is back

export class HostsBus {
  readonly #parts: HostsParts
  #connection: Connection | undefined
  #stop: AbortController | undefined
  #share: HostShare | undefined
  #sharing: Promise<void> = Promise.resolve()
  #settings: HostsSettings | undefined
  #problem: BusProblem | undefined
  /** Its hub is away, which the hub's member reports. */
  #isAway = false

  constructor(parts: HostsParts) {
    this.#parts = parts
  }

  /** Uses a connection until it ends, and says goodbye on it. */
  async use(connection: Connection): Promise<void> {
    this.#connection = connection
    const ended = new Promise<void>((resolve) => {
      connection.ended.addEventListener('abort', () => resolve(), { once: true })
    })
    this.#begin(connection)
    await ended
    if (this.#connection === connection) this.#connection = undefined
    await this.#sharing
  }

  /** The configuration has changed. */
  apply(): void {
    if (!this.#connection || Bun.deepEquals(this.#settings, this.#parts.settings())) return
    this.#begin(this.#connection)
  }

  get isSharing(): boolean {
    return this.#share !== undefined
  }

  changed(keys: Iterable<string>): void {
    this.#share?.changed(keys)
  }

  wrote(key: string): void {
    this.#share?.wrote(key)
  }

  /** Whether this host shares its sessions on that server. */
  isOn(where: Connection['where']): boolean {
    return isOn(this.#parts.settings(), { where })
  }

  problems(): BusProblem[] {
    if (!this.#share?.isDuplicate) return this.#problem && !this.#isAway ? [this.#problem] : []
    const message = `another gantry on this NATS also calls itself "${this.#settings?.host}"`
    return [
      { level: 'warn', message, fix: 'Set nats.host in gantry.toml to another name on one of the two.' },
    ]
  }

  /** The records of all hosts, including this one. Throws if they cannot be read; `where` is the server, if there is one. */
  async read(where?: Connection['where']): Promise<HostRecords> {
    const buckets = this.#share?.buckets
    if (!buckets) throw new GantryError('VALIDATION_ERROR', this.#whyNot(where))
    const [hosts, sessions] = await Promise.all([buckets.hosts.all(), buckets.sessions.all()])
    const known = hosts.flatMap(({ value, at }) => hostOf(value, at))
    const instances = new Map(known.map(({ host, instance }) => [host, instance]))
    return {
      hosts: known,
      sessions: sessions.flatMap(({ value }) => {
        const { host, instance, view }: Record<string, unknown> = isObject(value) ? value : {}
        // Records of an older installation under the same name are ignored.
        return typeof host === 'string' && instances.get(host) === instance ? [{ host, view }] : []
      }),
    }
  }

  /** Reads a stream of all hosts from JetStream; call `open`, then `resume`. `reach` makes a connection if there is none. */
  async follow(request: FleetRequest, sink: Sink, reach: () => Promise<void>): Promise<FleetReader> {
    const { mode } = this.#parts.settings()
    if (mode !== 'off' && !this.#connection) await reach()
    if (mode === 'off' || !this.#connection) throw new GantryError('VALIDATION_ERROR', this.#whyNot())
    const { FleetReader } = await import('./reader.ts')
    return new FleetReader(request, () => this.#meeting(), sink)
  }

  /** Where the hosts meet: on the hub, or on the server itself. */
  async #meeting(): Promise<Connection | undefined> {
    const { hub } = this.#parts.settings()
    if (hub === undefined || !this.#connection) return this.#connection
    const { throughHub } = await import('../hub/through.ts')
    return throughHub(this.#connection, hub)
  }

  #begin(connection: Connection): void {
    this.#stop?.abort()
    this.#share = undefined
    this.#problem = undefined
    this.#settings = this.#parts.settings()
    if (connection.ended.aborted || !isOn(this.#settings, connection)) return
    const stop = new AbortController()
    this.#stop = stop
    connection.ended.addEventListener('abort', () => stop.abort())
    this.#sharing = this.#keepOn(connection, this.#settings, stop.signal)
  }

  async #keepOn(connection: Connection, settings: HostsSettings, stop: AbortSignal): Promise<void> {
    let share: HostShare | undefined
    for (let failures = 0; !stop.aborted; ) {
      try {
        const { openShare } = await import('./share.ts')
        share = await openShare((await this.#meeting()) ?? connection, settings, this.#parts)
        if (stop.aborted) break
        this.#share = share
        await share.run(stop, () => {
          failures = 0
          this.#problem = undefined
        })
      } catch (error) {
        if (stop.aborted || isDisconnect(error)) break
        this.#share = undefined
        this.#noteProblem(error, settings)
        failures += 1
        await pause(backoff(failures, settings.hub === undefined ? LAST_WAIT_MS : HUB_WAIT_MS), stop)
      }
    }
    await share?.leave()
    if (this.#share === share) this.#share = undefined
  }

  #noteProblem(error: unknown, { hub }: HostsSettings): void {
    const before = this.#problem?.message
    const isAway = hub !== undefined && (isSilence(error) || isUnattended(error))
    this.#problem = isAway
      ? {
          level: 'warn',
          message: 'the hub of the fleet does not answer, so other hosts cannot be seen',
          fix: 'See: gantry fleet hosts. This host works on, and the hub catches up.',
        }
      : {
          level: 'warn',
          message: `this host cannot share its sessions with the fleet: ${messageOf(error)}`,
          fix: 'See "The fleet" in docs/bus-nats.md for what it needs, or set nats.fleet to "off".',
        }
    this.#isAway = isAway
    if (!isAway && this.#problem.message !== before) this.#parts.log.warn('fleet', this.#problem.message)
  }

  /** On a server that hosts share nothing on, they have no connection. */
  #whyNot(where = this.#connection?.where): string {
    const { mode, hub } = this.#parts.settings()
    if (mode === 'off') return 'The fleet is off. Set nats.fleet = "auto" or "on" in gantry.toml.'
    if (where && !isOn({ mode, hub }, { where }))
      return "The nats-server is this gantry's own, so there are no other hosts. Join a fleet (gantry fleet join), or set nats.url to a server that all of them use."
    if (!this.#connection)
      return 'NATS is not connected, so the other hosts cannot be seen. See: gantry bus status'
    return this.#problem ? `${this.#problem.message}.` : 'This host is still joining the fleet. Try again.'
  }
}

function isOn(
  { mode, hub }: Pick<HostsSettings, 'mode' | 'hub'>,
  { where }: Pick<Connection, 'where'>,
): boolean {
  return mode === 'on' || (mode === 'auto' && (!where.managed || hub !== undefined))
}

function hostOf(value: unknown, at: number): HostRecord[] {
  const { host, instance, left, ...about }: Record<string, unknown> = isObject(value) ? value : {}
  if (typeof host !== 'string' || typeof instance !== 'string') return []
  return [{ host, instance, left: left === true, at, about }]
}
