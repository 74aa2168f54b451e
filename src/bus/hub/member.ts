/**
 * This host as a member of a fleet with a hub: as long as the hub answers, the hub's streams have this host as a source. The
 * servers do the rest by themselves, and nothing here waits for the hub.
 *
 *   const hub = new HubMember({ settings, whyNot, log })
 *   hub.onConnection(connection)   // with each connection to this host's own server
 *   await hub.status()   // { connected: true, streams: […], … }
 */
import { GantryError, messageOf } from '../../core/errors.ts'
import { backoff, pause } from '../../core/time/waits.ts'
import type { HubStatus } from '../../rpc/index.ts'
import type { BusLog, BusProblem, Connection } from '../nats/index.ts'

export interface HubSettings {
  /** JetStream domain of this host. */
  readonly domain: string
  /** JetStream domain of the hub. */
  readonly hub: string
  readonly url: string
  /** Of the streams on the hub. */
  readonly replicas: number
}

interface HubMemberParts {
  /** Undefined without a hub. */
  readonly settings: () => HubSettings | undefined
  /** What keeps this host from the hub, tried anew; undefined if nothing does. */
  readonly whyNot: () => Promise<BusProblem | undefined>
  readonly log: BusLog
}

const CHECK_MS = 10_000 // a hub that lost its streams gets them back so soon
const LAST_WAIT_MS = 10_000
const LOOKS = 4 // that fail although the hub lets this host in, before it is worth a line

export class HubMember {
  readonly #parts: HubMemberParts
  #connection: Connection | undefined
  #settings: HubSettings | undefined
  #stop: AbortController | undefined
  #problem: BusProblem | undefined
  #reachedAt: number | undefined

  constructor(parts: HubMemberParts) {
    this.#parts = parts
  }

  /** Whether it has something to do on that server. */
  isOn({ managed }: Connection['where']): boolean {
    return managed && this.#parts.settings() !== undefined
  }

  onConnection(connection: Connection): void {
    this.#connection = connection
    connection.ended.addEventListener('abort', () => {
      if (this.#connection === connection) this.#connection = undefined
    })
    this.#begin(connection)
  }

  /** The configuration has changed. */
  apply(): void {
    if (!this.#connection || Bun.deepEquals(this.#settings, this.#parts.settings())) return
    this.#begin(this.#connection)
  }

  problems(): BusProblem[] {
    return this.#problem ? [this.#problem] : []
  }

  /** The hub as it is now. Never throws: a hub that is away is a status, too. */
  async status(): Promise<HubStatus> {
    const settings = this.#parts.settings()
    const common = {
      url: settings?.url ?? null,
      domain: settings?.domain ?? null,
      hub: settings?.hub ?? null,
    }
    const none = { ...common, connected: false, reachedAt: this.#reachedAt ?? null, streams: [] }
    if (!settings) return { ...none, problem: null }
    try {
      const { look } = await import('./streams.ts')
      const streams = await look(await this.#throughHub())
      return {
        ...none,
        connected: true,
        reachedAt: Date.now(),
        problem: this.#problem?.message ?? null,
        streams,
      }
    } catch (error) {
      return { ...none, problem: this.#problem?.message ?? messageOf(error) }
    }
  }

  /** Takes a host out of the fleet. This one stays out until its configuration changes. */
  async forget(domain: string): Promise<void> {
    const settings = this.#parts.settings()
    const [{ leave }, hub] = [await import('./streams.ts'), await this.#throughHub()]
    if (domain === settings?.domain) this.#stop?.abort()
    await leave(hub, domain)
  }

  async #throughHub(): Promise<Connection> {
    const settings = this.#parts.settings()
    if (!settings)
      throw new GantryError(
        'VALIDATION_ERROR',
        'This host is in no fleet with a hub. Join one: gantry fleet join.',
      )
    if (!this.#connection)
      throw new GantryError(
        'VALIDATION_ERROR',
        'The nats-server of this host is not there yet. See: gantry bus status',
      )
    const { throughHub } = await import('./through.ts')
    return throughHub(this.#connection, settings.hub)
  }

  #begin(connection: Connection): void {
    this.#stop?.abort()
    this.#problem = undefined
    this.#reachedAt = undefined
    this.#settings = this.#parts.settings()
    if (connection.ended.aborted || !connection.where.managed) return
    const stop = new AbortController()
    this.#stop = stop
    connection.ended.addEventListener('abort', () => stop.abort())
    void this.#keepOn(connection, this.#settings, stop.signal)
  }

  async #keepOn(connection: Connection, settings: HubSettings | undefined, stop: AbortSignal): Promise<void> {
    for (let failures = 0; !stop.aborted; ) {
      try {
        const { fitOwn, join } = await import('./streams.ts')
        await fitOwn(connection, settings !== undefined)
        if (!settings) return
        const hub = { ...(await this.#throughHub()), ended: stop }
        await join(hub, settings.domain, settings.replicas)
        if (failures > 0 || this.#reachedAt === undefined)
          this.#parts.log.info('fleet', `joined the hub at ${settings.url} as ${settings.domain}`)
        this.#problem = undefined
        this.#reachedAt = Date.now()
        failures = 0
        await pause(CHECK_MS * (0.75 + Math.random() / 2), stop)
      } catch (error) {
        if (stop.aborted) return
        failures += 1
        await this.#tell(error, settings, failures)
        await pause(backoff(failures, LAST_WAIT_MS), stop)
      }
    }
  }

  async #tell(error: unknown, settings: HubSettings | undefined, failures: number): Promise<void> {
    const before = this.#problem?.message
    const known = settings && (await this.#parts.whyNot())
    if (settings && !known && failures < LOOKS) return // the line is just being made
    this.#problem = settings
      ? (known ?? {
          level: 'warn',
          message: `the hub at ${settings.url} lets this host in, but its JetStream does not answer: ${messageOf(error)}`,
          fix: `See whether its JetStream has the domain "${settings.hub}" (nats.hub_domain) and this login may use it.`,
        })
      : { level: 'warn', message: `the streams cannot be made smaller again: ${messageOf(error)}` }
    if (this.#problem.message !== before) this.#parts.log.warn('fleet', this.#problem.message)
  }
}
