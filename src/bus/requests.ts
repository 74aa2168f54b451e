/** What a subscription to the bus may ask for, and what a consumer may say of its messages. */
import { z } from 'zod'
import { checked } from '../core/text/issue-words.ts'
import { DAY_MS } from '../core/time/days.ts'
import { STREAMS } from './index.ts'

const seq = z.int().nonnegative()
const seqs = z.array(seq).max(5_000) // as many as may be open; a line has at most 64 KB

const requestSchema = z.strictObject({
  sub: z.literal('bus'),
  stream: z.enum(STREAMS).default('HOOK_EVENTS'),
  filter: z.string().max(500).optional(),
  durable: z.string().optional(),
  deliver: z
    .union([z.enum(['new', 'all']), z.strictObject({ seq }), z.strictObject({ time: z.number() })])
    .default('new'),
  ackWaitMs: z.int().min(10).max(DAY_MS).optional(),
  maxInFlight: z.int().min(1).max(5_000).optional(),
  coalesce: z.boolean().optional(),
  /** Of all hosts on the same NATS. */
  fleet: z.boolean().optional(),
})

const sync = z.boolean().optional() // asks for an answer, as a sign that it was heard
const controlSchema = z.union([
  z.strictObject({ ack: seqs, sync }),
  z.strictObject({ nak: z.strictObject({ seq, delayMs: z.int().min(0).max(DAY_MS).default(0) }), sync }),
  z.strictObject({ term: seqs, sync }),
])

export function requestOf(value: unknown): z.infer<typeof requestSchema> {
  return checked(requestSchema, value)
}

export function orderOf(value: unknown): z.infer<typeof controlSchema> {
  return checked(controlSchema, value)
}
