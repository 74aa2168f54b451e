/** A message of gantry's own streams in a few words: what its payload says. */
import { denialWords } from '../client/index.ts'
import { isObject } from '../core/is-object.ts'

/** Undefined for the hooks' own stream, whose payloads are the agents'. */
export function ownWords(stream: string, fields: Readonly<Record<string, unknown>>): string | undefined {
  if (stream === 'SESSION_EVENTS')
    return joined(fields.name, deniedIn(fields.denied) ?? fields.detail ?? askIn(fields))
  if (stream !== 'DECISION_EVENTS') return undefined
  const { event_type, tool, by, reason, input } = fields
  const rewrites = event_type !== undefined && isObject(input) // a request for approval has its input, too
  return joined(event_type, tool, typeof by === 'string' && `by ${by}`, rewrites && 'rewritten', reason)
}

function deniedIn(denied: unknown): string | undefined {
  if (!isObject(denied)) return undefined
  const text = (name: string) => (typeof denied[name] === 'string' ? { [name]: denied[name] } : {})
  return denialWords({ at: 0, ...text('by'), ...text('tool'), ...text('line'), ...text('reason') })
}

function askIn({ attention }: Readonly<Record<string, unknown>>): unknown {
  const first: unknown = Array.isArray(attention) ? attention[0] : undefined
  return isObject(first) ? first.reason : undefined
}

function joined(...parts: readonly unknown[]): string {
  return parts.filter((part) => typeof part === 'string' && part !== '').join('  ')
}
