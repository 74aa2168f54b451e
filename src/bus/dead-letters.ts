/** Messages that NATS or a webhook would not take: listed, tried again, given up. */
import { z } from 'zod'
import type { DeadLetter } from '../client/protocol.ts'
import { GantryError } from '../core/errors.ts'
import { defineRpc, type Rpc } from '../rpc/index.ts'
import type { Letter, Store } from '../store/index.ts'

const MAX_LISTED = 10_000
const which = z.strictObject({
  /** An event's id, or `all`. */
  id: z.string().min(1),
})

export interface DeadLetterParts {
  readonly store: Store
  /** Told that letters got another chance. */
  readonly requeued: () => void
}

export function deadLetterCalls({ store, requeued }: DeadLetterParts): Rpc[] {
  return [
    defineRpc({
      name: 'bus.deadLetters',
      summary: 'Messages that NATS or a webhook would not take, newest first',
      args: z.strictObject({ limit: z.int().min(1).max(MAX_LISTED).default(100) }),
      example: { limit: 10 },
      handle: ({ limit }) => store.outbox.dead(limit).map(shown),
    }),
    defineRpc({
      name: 'bus.deadLetters.requeue',
      summary: 'Sends a dead letter again, or all of them',
      args: which,
      example: { id: 'all' },
      handle: ({ id }) => {
        const requeue = () => store.outbox.requeue(wanted(id), Date.now())
        const count = some(store.journal.commit(requeue), id)
        requeued()
        return { requeued: count }
      },
    }),
    defineRpc({
      name: 'bus.deadLetters.drop',
      summary: 'Gives a dead letter up for good, or all of them; the events stay in the journal',
      args: which,
      example: { id: '01KA2Z5V3C7Q9M0XW4T8R6Y1BN' },
      handle: ({ id }) => ({
        dropped: some(
          store.journal.commit(() => store.outbox.drop(wanted(id))),
          id,
        ),
      }),
    }),
  ]
}

function wanted(id: string): string | undefined {
  return id === 'all' ? undefined : id
}

function some(count: number, id: string): number {
  if (count > 0 || id === 'all') return count
  throw new GantryError(
    'VALIDATION_ERROR',
    `There is no dead letter ${id}. "gantry bus dead-letters" lists them.`,
  )
}

function shown({ target, stream, seq, id, sessionId, attemptCount, lastError, deadAt }: Letter): DeadLetter {
  return {
    id,
    target,
    stream,
    seq,
    session: sessionId,
    attempts: attemptCount,
    error: lastError ?? '',
    deadAt: deadAt ?? 0,
  }
}
