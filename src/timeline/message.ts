/** A message of the bus in a few words: what its payload says. */
import { denialWords, type WireMessage } from '../client/index.ts'
import { isObject } from '../core/is-object.ts'
import { jsonIn } from '../core/json.ts'
import { subjectOf } from '../core/text/subject.ts'
import { type TypeTone, typeTone } from './line.ts'

const TELLING = ['prompt', 'message', 'last_assistant_message', 'agent_type', 'source', 'reason', 'cwd']

export function messageWords({ stream, data }: Pick<WireMessage, 'stream' | 'data'>): string {
  const payload = jsonIn(data)
  const fields = isObject(payload) ? payload : {}
  const own = ownWords(stream, fields)
  if (own !== undefined) return own
  const text = (...names: string[]) =>
    names.map((name) => fields[name]).find((value): value is string => typeof value === 'string') ?? ''
  const tool = text('tool_name', 'toolName')
  if (tool === '') return text(...TELLING)
  return joined(tool, subjectOf(fields.tool_input ?? fields.toolArgs ?? fields.toolInput))
}

const TONES: Readonly<Record<string, TypeTone>> = {
  ...{ blocked: 'need', ask: 'need', deny: 'error', 'block-stop': 'error' },
  ...{ compacting: 'busy', working: 'done', allow: 'done' },
}

/** Of an event's type, a session's phase, or a decision. */
export function messageTone(type: string): TypeTone {
  return TONES[type] ?? typeTone(type)
}

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
