/**
 * All that takes messages off this machine: NATS and webhooks. It follows the streams in a thread of its own, where it may
 * take its time.
 */
import type { Places } from '../core/files/paths.ts'
import type { Log } from '../core/log.ts'
import { Alarm } from '../core/time/alarm.ts'
import type { Finding, NatsInfo, NatsStatus, WebhookOutcome, WebhookStatus } from '../rpc/index.ts'
import type { FollowerStore } from '../store/index.ts'
import type { Endpoint } from './nats/index.ts'
import type { NatsBus } from './nats-bus.ts'
import { OutboxTargets } from './outbox/targets.ts'
import { applyNats, type NatsConfigs, natsFindings, natsProblems, openNats } from './service.ts'
import { STREAMS, type Streams } from './streams/index.ts'
import { applyWebhooks, openWebhooks, type WebhookConfigs, webhookFindings } from './webhooks/service.ts'
import type { Webhooks } from './webhooks/webhooks.ts'

type OutgoingConfig = NatsConfigs & WebhookConfigs

interface OutgoingParts {
  readonly store: FollowerStore
  readonly streams: Streams
  readonly log: Log
  readonly places: Places
  /** Called with the number of sent messages when none is left. */
  readonly rested: (count: number) => void
  /** Called with whether anybody gets messages. */
  readonly delivers: (isOn: boolean) => void
  /** Called with each connection to NATS, and with undefined when it is turned off. */
  readonly connected: (endpoint: Endpoint | undefined) => void
}

/** Without asking a server. */
export interface OutgoingGlance {
  readonly nats: NatsStatus
  /** The nats-server that gantry runs itself. */
  readonly natsServer: string | null
  readonly problems: readonly Finding[]
}

const TARGETS_EVERY_MS = 1_000
const TIDY_EVERY_MS = 10 * 60_000
const WEBHOOKS_ON_STOP_MS = 500 // for requests in flight; unfinished ones are sent again

export class Outgoing {
  readonly #parts: OutgoingParts
  readonly #nats: NatsBus
  readonly #webhooks: Webhooks
  readonly #targets: OutboxTargets
  readonly #writeTargets = new Alarm(() => this.#targets.write())
  readonly #tidy: ReturnType<typeof setInterval>
  #config: OutgoingConfig | undefined

  constructor(parts: OutgoingParts) {
    const { store, streams, log, places, connected } = parts
    this.#parts = parts
    const rested = (count: number) => {
      this.#writeTargets.within(TARGETS_EVERY_MS)
      parts.rested(count)
    }
    this.#nats = openNats({ store, streams, log, places, rested })
    this.#nats.listen(({ endpoint }) => connected(endpoint))
    this.#webhooks = openWebhooks(store, streams, log)
    this.#targets = new OutboxTargets(store, this.#nats, this.#webhooks)
    for (const name of STREAMS) streams.listen(name, () => this.#writeTargets.within(TARGETS_EVERY_MS))
    this.#tidy = setInterval(() => this.#webhooks.tidy(), TIDY_EVERY_MS)
  }

  apply(config: OutgoingConfig): void {
    const { places, log, connected, delivers } = this.#parts
    this.#config = config
    applyWebhooks(this.#webhooks, config, places.config, log)
    applyNats(this.#nats, config, places)
    const isOff = this.#nats.glance().mode === 'off'
    if (isOff) connected(undefined)
    delivers(!isOff || config.webhooks.some(({ enabled }) => enabled))
    this.#writeTargets.within(TARGETS_EVERY_MS)
  }

  glance(): OutgoingGlance {
    const natsServer = this.#nats.ownServer ?? null
    return { nats: this.#nats.glance(), natsServer, problems: natsProblems(this.#nats) }
  }

  async status(): Promise<{ nats: NatsStatus; webhooks: WebhookStatus[] }> {
    return { nats: await this.#nats.status(), webhooks: this.#webhooks.status() }
  }

  async problems(): Promise<Finding[]> {
    const config = this.#config
    const webhooks = config ? webhookFindings(this.#webhooks, config, this.#parts.places.config) : []
    return [...(await natsFindings(this.#nats)), ...webhooks]
  }

  info(): NatsInfo {
    return this.#nats.info()
  }

  /** Dead letters got another chance. */
  requeued(): void {
    this.#webhooks.requeued()
    this.#nats.requeued()
  }

  /** Sends a message that says it is a test. */
  test(name: string, id: string): Promise<WebhookOutcome> {
    return this.#webhooks.test(name, id)
  }

  /** Writes nats-info.json again after somebody removed it. */
  writeInfoFile(): void {
    this.#nats.writeInfoFile()
  }

  async close(): Promise<void> {
    clearInterval(this.#tidy)
    this.#writeTargets.clear()
    await Promise.all([this.#webhooks.close(WEBHOOKS_ON_STOP_MS), this.#nats.stop()])
    this.#targets.write()
  }
}
