/** A message as it is on NATS: its subjects, its ids, its headers. */
import { type MsgHdrs, MsgHdrsImpl } from '@nats-io/transport-node'
import type { PublishForm } from '../nats/index.ts'
import { type BusMessage, subjectOf } from '../streams/index.ts'
import type { Copy } from './in-flight.ts'

const MAX_HEADER_CHARS = 256

/** Under its type, under host and type, or under both; none of what is for no reader. */
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
