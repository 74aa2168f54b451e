/** A message on its way to NATS: its subjects, its ids, its headers. */
import { type MsgHdrs, MsgHdrsImpl } from '@nats-io/transport-node'
import { type Entry, entryOf } from '../delivery/index.ts'
import type { PublishForm } from '../nats/index.ts'
import { type BusMessage, subjectOf } from '../streams/index.ts'

/** One message under one subject. */
export interface Copy {
  readonly subject: string
  readonly id: string
}

export interface Sending extends Entry {
  readonly message: BusMessage
  /** Those that are not in the stream yet. */
  copies: readonly Copy[]
  /** When it was sent last, UTC milliseconds. */
  sentAt: number
  /** It can only be in the stream after this sequence of the stream. */
  floor: number
  /** How many others were settled when the stream first refused it. */
  settledBefore: number
}

const NEVER_SENT = Number.POSITIVE_INFINITY
const MAX_HEADER_CHARS = 256

/** Without copies it is in the stream already, somewhere after `floor`. */
export function sendingOf(message: BusMessage, copies: readonly Copy[], floor = NEVER_SENT): Sending {
  const state = copies.length > 0 ? 'waiting' : 'done'
  return { ...entryOf(message), state, message, copies, sentAt: 0, floor, settledBefore: 0 }
}

/** None of these that was sent is in the stream at or before this sequence. */
export function floorOf(sendings: readonly Sending[]): number {
  return sendings.reduce((least, { floor }) => Math.min(least, floor), NEVER_SENT)
}

/** It is sent; `acked` is the last sequence that the stream is known to have. */
export function leave(sending: Sending, acked: number): void {
  sending.sentAt = Date.now()
  sending.floor = Math.min(sending.floor, acked)
}

/** The stream refused it. How often, while it took others: if it takes nothing, it is not the message. */
export function refuse(sending: Sending, settled: number): number {
  if (sending.attempts === 0) sending.settledBefore = settled
  sending.attempts += 1
  return settled > sending.settledBefore ? sending.attempts : 0
}

/** Takes out the copies that are in the stream already; true when none is left. */
export function strike(sending: Sending, found: ReadonlySet<string>): boolean {
  sending.copies = sending.copies.filter(({ id }) => !found.has(id))
  return sending.copies.length === 0
}

/** Under its type, under host and type, or under both; none if no reader gets it. */
export function copiesOf(message: BusMessage, { subjects, host }: PublishForm): Copy[] {
  const { stream, subject, type, id, isAside } = message
  if (isAside) return []
  if (subjects === 'plain') return [{ subject, id }]
  const scoped = subjectOf(stream, type, host)
  if (subjects === 'scoped') return [{ subject: scoped, id }]
  return [
    { subject, id },
    { subject: scoped, id: scopedId(id) },
  ]
}

/** The second copy needs an id of its own, or the stream would take it for the first one. */
export function scopedId(id: string): string {
  return `${id}:h`
}

/** Made in one go: put in one by one, they cost more than everything else about a message. */
export function headersFor(message: BusMessage, id: string, { host }: PublishForm): MsgHdrs {
  return MsgHdrsImpl.fromRecord({
    'Gantry-Agent': [oneLine(message.agent)],
    'Gantry-Native-Event': [oneLine(message.native)],
    'Gantry-Session': [oneLine(message.session)],
    'Gantry-Host': [oneLine(host)],
    'Nats-Msg-Id': [id],
    // Somebody else's stream may have the subject.
    'Nats-Expected-Stream': [message.stream],
  })
}

/** Names and sessions are whatever an agent says. */
function oneLine(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this removes
  return text.slice(0, MAX_HEADER_CHARS).replace(/[\u0000-\u001f\u007f]/g, '_')
}
