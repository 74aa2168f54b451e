/** From bytes to events: a payload that just arrived, and a row of the journal that is read again. */
import { isUtf8 } from 'node:buffer'
import { agentFor } from '../agents/index.ts'
import { type Arrival, type HookEvent, redact } from '../events/index.ts'
import type { JournalRow } from '../store/index.ts'

/** Never throws: a payload that is not JSON becomes an event without content. */
export function readEvent(arrival: Arrival): HookEvent {
  return agentFor(arrival.agent).read(parsePayload(arrival), arrival)
}

export function reviveRow(row: JournalRow): HookEvent {
  return { ...readEvent(row), seq: row.seq }
}

/** Text where the bytes are text, so that SQL and people can read the journal; the bytes themselves otherwise. */
export function rawOf(bytes: Buffer): string | Uint8Array {
  return isUtf8(bytes) && !bytes.includes(0) ? bytes.toString('utf8') : bytes
}

/** Replaces secrets before anything is stored, bytes included. */
export function withoutSecrets(raw: string | Uint8Array): { raw: string | Uint8Array; count: number } {
  if (typeof raw === 'string') {
    const { text, count } = redact(raw)
    return { raw: text, count }
  }
  const { text, count } = redact(Buffer.from(raw).toString('latin1'))
  return count === 0 ? { raw, count } : { raw: Buffer.from(text, 'latin1'), count }
}

function parsePayload(arrival: Arrival): unknown {
  const text = typeof arrival.raw === 'string' ? arrival.raw : Buffer.from(arrival.raw).toString('utf8')
  try {
    return JSON.parse(text)
  } catch {
    return arrival.cutFrom === undefined ? undefined : fromBeginning(text)
  }
}

const LOOKED_AT_CHARS = 16 * 1024 // agents put the common fields first
const COMMON_FIELDS = [
  'session_id',
  'hook_event_name',
  'cwd',
  'transcript_path',
  'tool_name',
  'tool_use_id',
  'agent_id',
]

/** A payload over the limit was cut and no longer parses; its beginning still says whose it is. */
function fromBeginning(text: string): Record<string, string> {
  const head = text.slice(0, LOOKED_AT_CHARS)
  const found: Record<string, string> = {}
  for (const name of COMMON_FIELDS) {
    const match = new RegExp(`"${name}"\\s*:\\s*("(?:[^"\\\\]|\\\\.)*")`).exec(head)
    if (match?.[1]) found[name] = JSON.parse(match[1]) as string
  }
  return found
}
