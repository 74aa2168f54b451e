/**
 * Subscriptions to the bus on the socket: the reply, then messages on the same connection.
 *
 *   → {"sub":"bus","stream":"HOOK_EVENTS","filter":"Stop","durable":"x","deliver":"all"}
 *   ← {"ok":true,"data":{"stream":"HOOK_EVENTS","filter":"hooks.Stop","after":0,…}}
 *   ← {"msg":{"stream":"HOOK_EVENTS","seq":7,…,"deliveries":1}}
 *   → {"ack":[7]}
 */
import type { Consuming, HostsBus, HostsLink, Reading, Subscriptions } from '../bus/index.ts'
import { GantryError, messageOf } from '../core/errors.ts'
import { lazy } from '../core/lazy.ts'
import type { Sink } from '../journal/index.ts'

/** Loaded with the first subscription: a start does not need its schemas. */
const requests = lazy(() => require('../bus/requests.ts') as typeof import('../bus/requests.ts'))

export interface BusSubscription {
  readonly welcome: unknown
  resume(): void
  close(): void
  /** Handles a consumer's acks; true if it expects an answer. Throws if the line is invalid. */
  control(said: unknown): boolean
}

export function isControl(request: object): boolean {
  return 'ack' in request || 'nak' in request || 'term' in request
}

/** Begins with the first `resume`, so that the answer can leave before the messages. */
export function subscribeToBus(request: unknown, subscriptions: Subscriptions, sink: Sink): BusSubscription {
  const { stream, durable, fleet: _, ...wishes } = requests().requestOf(request)
  if (durable === undefined) {
    if (wishes.ackWaitMs !== undefined || wishes.maxInFlight !== undefined)
      throw refusal('ackWaitMs and maxInFlight are for durable consumers; add "durable": "<name>".')
    return without(subscriptions.read({ stream, ...wishes }, sink, 'line'), stream)
  }
  if (wishes.coalesce) throw refusal('A durable consumer gets every message; leave "coalesce" out.')
  return withPlace(subscriptions.consume(stream, { name: durable, ...wishes }, sink), stream, durable)
}

/** A stream of all hosts, read from NATS. It has no checkpoint here, and finding its start takes a moment. */
export async function subscribeToFleet(
  request: unknown,
  { hosts, hostsLink }: { readonly hosts: HostsBus; readonly hostsLink: HostsLink },
  sink: Sink,
): Promise<BusSubscription> {
  const { stream, durable, filter, deliver, ackWaitMs, maxInFlight, coalesce } = requests().requestOf(request)
  if (durable !== undefined || ackWaitMs !== undefined || maxInFlight !== undefined)
    throw refusal(
      'NATS keeps the checkpoints of fleet streams: create a durable consumer there, or leave "fleet" out.',
    )
  if (coalesce) throw refusal('A fleet stream delivers every message; leave "coalesce" out.')
  const reader = await hosts.follow({ stream, filter, deliver }, sink, () => hostsLink.reach())
  const after = await reader.open()
  const close = () => reader.close()
  return without({ after, filter: reader.filter, resume: () => reader.resume(), close }, stream)
}

function without(reading: Reading, stream: string): BusSubscription {
  return {
    welcome: { stream, filter: reading.filter, after: reading.after },
    resume: reading.resume,
    close: reading.close,
    control: () => {
      throw refusal('Only a durable consumer acknowledges; subscribe with "durable": "<name>".')
    },
  }
}

function withPlace(consuming: Consuming, stream: string, durable: string): BusSubscription {
  const { filter, after, ackWaitMs, maxInFlight } = consuming
  return {
    welcome: { stream, filter, after, durable, ackWaitMs, maxInFlight },
    resume: consuming.resume,
    close: consuming.close,
    control: (said) => {
      const order = requests().orderOf(said)
      if ('ack' in order) consuming.settle(order.ack)
      else if ('term' in order) consuming.settle(order.term)
      else consuming.refuse(order.nak.seq, order.nak.delayMs)
      return order.sync === true
    },
  }
}

export function refusal(message: string): GantryError {
  return new GantryError('VALIDATION_ERROR', message)
}

/** The error reply. */
export function refusalOf(error: unknown): { ok: false; error: string; message: string } {
  const code = error instanceof GantryError ? error.code : 'HANDLER_ERROR'
  return { ok: false, error: code, message: messageOf(error) }
}
