/**
 * All webhooks, as the configuration has them. One that changes goes on from where it was; one that is taken out keeps
 * its place for a day, so that a mistake in an editor costs nothing.
 *
 *   const webhooks = new Webhooks({ store, sources, warn })
 *   webhooks.apply([{ key: '…', spec }])
 */
import { GantryError } from '../../core/errors.ts'
import { DAY_MS } from '../../core/time/days.ts'
import type { WebhookOutcome, WebhookStatus } from '../../rpc/index.ts'
import { KEPT } from '../../store/kept.ts'
import { PREFIX } from '../streams/index.ts'
import { bodyOf } from './request.ts'
import type { WebhookParts, WebhookSpec } from './spec.ts'
import { Webhook } from './webhook.ts'

interface ConfiguredWebhook {
  /** The same as long as nothing about it changed. */
  readonly key: string
  readonly spec: WebhookSpec
}

const keyOf = ({ target, stream }: { target: string; stream: string }) => `${target} ${stream}`

export class Webhooks {
  readonly #parts: WebhookParts
  #running = new Map<string, { key: string; spec: WebhookSpec; webhook: Webhook }>()
  /** When they were first seen to be out of the configuration. */
  #outSince: ReadonlyMap<string, number> = new Map()

  constructor(parts: WebhookParts) {
    this.#parts = parts
  }

  apply(configured: readonly ConfiguredWebhook[]): void {
    const before = this.#running
    const kept = new Map<string, { key: string; spec: WebhookSpec; webhook: Webhook }>()
    for (const { key, spec } of configured) {
      const known = before.get(spec.name)
      if (known?.key === key) {
        kept.set(spec.name, known)
        before.delete(spec.name)
      }
    }
    this.#running = kept
    for (const { webhook } of before.values()) void webhook.close() // its place is written at once
    for (const { key, spec } of configured) {
      if (!kept.has(spec.name)) kept.set(spec.name, { key, spec, webhook: new Webhook(spec, this.#parts) })
    }
    this.tidy()
  }

  status(): WebhookStatus[] {
    return [...this.#running.values()].map(({ webhook }) => webhook.status())
  }

  /** Dead letters got another chance. */
  requeued(): void {
    for (const { webhook } of this.#running.values()) webhook.requeued()
  }

  /** One message that says it is a test; also to a webhook that is off. */
  async test(name: string, id: string): Promise<WebhookOutcome> {
    const found = this.#running.get(name)
    if (!found) {
      const known = [...this.#running.keys()].join(', ') || 'none'
      const message = `There is no webhook "${name}" in gantry.toml; there is: ${known}. See docs/webhooks.md.`
      throw new GantryError('VALIDATION_ERROR', message)
    }
    const { stream } = found.spec
    const body = bodyOf({
      stream,
      seq: 0,
      id,
      at: this.#now(),
      subject: `${PREFIX[stream]}.Test`,
      type: 'Test',
      agent: 'gantry',
      native: 'Test',
      session: '',
      data: JSON.stringify({ message: `A test of the webhook ${name}.` }),
    })
    return found.webhook.send(id, body)
  }

  /** Forgets those that have been out of the configuration for a day, as far as this process knows. */
  tidy(): void {
    const { store } = this.#parts
    const now = this.#now()
    const out = store.deliveries
      .targets('webhook:')
      .filter(({ target, stream }) => !this.#has(target, stream))
    const since = new Map(out.map((one) => [keyOf(one), this.#outSince.get(keyOf(one)) ?? now]))
    this.#outSince = since // one that is back begins anew when it is taken out again
    const past = out.filter(
      (one) => (since.get(keyOf(one)) ?? now) < now - KEPT.unconfiguredWebhookDays * DAY_MS,
    )
    if (past.length === 0) return
    store.journal.commit(() => {
      for (const { target, stream } of past) store.deliveries.forget(target, stream)
    })
  }

  async close(graceMs: number): Promise<void> {
    await Promise.all([...this.#running.values()].map(({ webhook }) => webhook.close(graceMs)))
  }

  #has(target: string, stream: string): boolean {
    const running = this.#running.get(target.slice('webhook:'.length))
    return running?.spec.stream === stream
  }

  #now(): number {
    return this.#parts.now?.() ?? Date.now()
  }
}
