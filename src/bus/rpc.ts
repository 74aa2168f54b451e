/** Calls about the bus: its streams and consumers, NATS, webhooks, and the messages that these would not take. */
import { GantryError } from '../core/errors.ts'
import { newId } from '../events/index.ts'
import type { CallHandlers, DeadLetter, Finding } from '../rpc/index.ts'
import type { Letter, Store } from '../store/index.ts'
import type { Outgoing, Subscriptions } from './index.ts'

interface RemoteOutgoing {
  status(): ReturnType<Outgoing['status']>
  info(): Promise<ReturnType<Outgoing['info']>>
  requeued(): Promise<void>
  test: Outgoing['test']
}

interface BusCallParts {
  readonly subscriptions: Subscriptions
  /** Answered by the thread that sends messages. */
  readonly outgoing: RemoteOutgoing
  readonly store: Store
  /** What is wrong with the parts of the bus. */
  readonly problems: () => Promise<Finding[]>
}

export function busCalls({ subscriptions, outgoing, store, problems }: BusCallParts) {
  return {
    'bus.status': async () => {
      const streams = await subscriptions.status()
      const consumers = streams.reduce((sum, stream) => sum + stream.consumers, 0)
      return { streams, consumers, ...(await outgoing.status()), problems: await problems() }
    },
    'bus.consumers': () => subscriptions.consumers.list(),
    'bus.consumers.delete': ({ name, stream }) => {
      subscriptions.consumers.delete(stream, name)
      return { deleted: name }
    },
    'bus.natsInfo': () => outgoing.info(),
    'bus.deadLetters': ({ limit }) => store.outbox.dead(limit).map(shown),
    'bus.deadLetters.requeue': async ({ id }) => {
      const requeue = () => store.outbox.requeue(wanted(id), Date.now())
      const requeued = some(store.journal.commit(requeue), id)
      await outgoing.requeued()
      return { requeued }
    },
    'bus.deadLetters.drop': ({ id }) => {
      const drop = () => store.outbox.drop(wanted(id))
      return { dropped: some(store.journal.commit(drop), id) }
    },
    'bus.webhooks': async () => (await outgoing.status()).webhooks,
    'bus.webhooks.test': ({ name }) => outgoing.test(name, newId()),
  } satisfies Partial<CallHandlers>
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
