/** What a timeline needs of an event. */
import type { WireEvent } from '../client/index.ts'
import { fnv1a } from '../core/text/fnv1a.ts'

const MAX_INPUT_CHARS = 4_000 // of each text in a tool's input; an entry shows half of that

/** Drops what no entry uses, and of which a session may have gigabytes. */
export function withoutPayload({ raw: _, rawBase64: __, ...event }: WireEvent): WireEvent {
  if (event.tool === undefined) return event
  const { response: ___, ...tool } = event.tool
  return { ...event, tool: { ...tool, input: shortened(tool.input) } }
}

/** The same input stays the same, and others stay others: by their input, a permission finds its call. */
function shortened(value: unknown): unknown {
  if (typeof value === 'string') {
    if (value.length <= MAX_INPUT_CHARS) return value
    return `${value.slice(0, MAX_INPUT_CHARS / 2)}… ${value.length} ${fnv1a(value).toString(16)}`
  }
  if (Array.isArray(value)) return value.map(shortened)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, shortened(one)]))
}
