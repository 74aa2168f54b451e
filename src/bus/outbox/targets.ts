/** Whom messages go to now, and how that goes, as rows: `hook_outbox` is read by programs that cannot ask the daemon. */
import type { WebhookStatus } from '../../rpc/index.ts'
import type { FollowerStore, OutboxTarget } from '../../store/index.ts'
import type { NatsBus } from '../index.ts'

interface Webhooks {
  status(): readonly WebhookStatus[]
}

export class OutboxTargets {
  readonly #store: FollowerStore
  readonly #nats: Pick<NatsBus, 'targets'>
  readonly #webhooks: Webhooks
  #written = ''

  constructor(store: FollowerStore, nats: Pick<NatsBus, 'targets'>, webhooks: Webhooks) {
    this.#store = store
    this.#nats = nats
    this.#webhooks = webhooks
  }

  /** Off the hook path; nothing where nothing changed. */
  write(): void {
    const targets = [...this.#nats.targets(), ...this.#webhooks.status().flatMap(webhookTarget)]
    const text = JSON.stringify(targets)
    if (text === this.#written) return
    this.#store.journal.relaxed(() => this.#store.outbox.setTargets(targets))
    this.#written = text
  }
}

function webhookTarget({
  name,
  stream,
  state,
  problem,
  lastError,
  nextAttemptAt,
}: WebhookStatus): OutboxTarget[] {
  if (state === 'off') return []
  const isFailing = state !== 'ok'
  return [
    {
      target: `webhook:${name}`,
      stream,
      attempts: isFailing ? 1 : 0,
      nextAttemptAt,
      lastError: isFailing ? (problem ?? lastError) : null,
      lockedAt: null,
      locked: [],
    },
  ]
}
