/** A message as it is on NATS: its subjects, its ids, its headers. */
import { headers, type MsgHdrs } from '@nats-io/transport-node'
import type { Copy } from './flight.ts'
import { type BusMessage, headersOf } from './message.ts'
import type { PublishForm } from './nats-options.ts'
import { subjectOf } from './subjects.ts'

const MAX_HEADER_CHARS = 256

/** Under its type, under host and type, or under both. */
export function copiesOf({ stream, subject, type, id }: BusMessage, { subjects, host }: PublishForm): Copy[] {
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

export function headersFor(message: BusMessage, { host }: PublishForm): MsgHdrs {
  const made = headers()
  for (const [name, value] of Object.entries(headersOf(message, host))) made.set(name, oneLine(value))
  return made
}

/** Names and sessions are whatever an agent says. */
function oneLine(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this removes
  return text.slice(0, MAX_HEADER_CHARS).replace(/[\u0000-\u001f\u007f]/g, '_')
}
