/** Whom messages go to now, and how that goes, as rows: `hook_outbox` is read by programs that cannot ask the daemon. */

import type { WebhookStatus } from '../../rpc/index.ts'
import type { OutboxTarget, Store } from '../../store/index.ts'
import type { NatsBus } from '../index.ts'

export interface OutboxTargetsParts {
  readonly store: Store
  readonly nats: () => Pick<NatsBus, 'targets'>
  readonly webhooks: () => readonly WebhookStatus[]
}

export class OutboxTargets {
  readonly #parts: OutboxTargetsParts
  #written = ''

  constructor(parts: OutboxTargetsParts) {
    this.#parts = parts
  }

  /** Off the hook path; nothing where nothing changed. */
  write(): void {
    const { store, nats, webhooks } = this.#parts
    const targets = [...nats().targets(), ...webhooks().flatMap(webhookTarget)]
    const text = JSON.stringify(targets)
    if (text === this.#written) return
    store.journal.relaxed(() => store.outbox.setTargets(targets))
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
