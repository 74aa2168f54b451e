/** From bytes to events: for new payloads and for stored rows. */
import { isUtf8 } from 'node:buffer'
import { agentFor } from '../agents/index.ts'
import { isObject } from '../core/is-object.ts'
import { CANARY, type HookEvent, type RawEvent } from '../events/index.ts'
import { redact } from '../redaction/index.ts'
import type { JournalRow } from '../store/index.ts'
import { inboundEvent, isInbound } from './inbound-event.ts'

/** Never throws: a payload that is not JSON becomes an event without content. */
export function readEvent(rawEvent: RawEvent): HookEvent {
  return eventOf(rawEvent, parsePayload(rawEvent))
}

export function parseRow(row: JournalRow): HookEvent {
  return { ...readEvent(row), seq: row.seq }
}

/** Text if the bytes are text, so that SQL and people can read the journal; otherwise the bytes. */
export function rawOf(bytes: Buffer): string | Uint8Array {
  return isUtf8(bytes) && !bytes.includes(0) ? bytes.toString('utf8') : bytes
}

/** Replaces secrets before anything is stored, in binary data, too. */
export function withoutSecrets(raw: string | Uint8Array): { raw: string | Uint8Array; count: number } {
  if (typeof raw === 'string') {
    const { text, count } = redact(raw)
    return { raw: text, count }
  }
  const { text, count } = redact(Buffer.from(raw).toString('latin1'))
  return count === 0 ? { raw, count } : { raw: Buffer.from(text, 'latin1'), count }
}

interface Read {
  readonly payload: unknown
  readonly isWhole: boolean
}

function eventOf(rawEvent: RawEvent, { payload, isWhole }: Read): HookEvent {
  if (isInbound(rawEvent)) return inboundEvent(rawEvent, payload)
  const read = agentFor(rawEvent.agent).read(payload, rawEvent)
  const event = read.sessionId.startsWith(CANARY) ? { ...read, hidden: CANARY } : read
  return isWhole && isObject(payload) ? event : { ...event, partial: true }
}

function parsePayload(rawEvent: RawEvent): Read {
  const text = typeof rawEvent.raw === 'string' ? rawEvent.raw : Buffer.from(rawEvent.raw).toString('utf8')
  if (isTooDeep(text)) return { payload: fromBeginning(text), isWhole: false }
  try {
    return { payload: JSON.parse(text), isWhole: rawEvent.cutFrom === undefined }
  } catch {
    return { payload: rawEvent.cutFrom === undefined ? undefined : fromBeginning(text), isWhole: false }
  }
}

const LOOKED_AT_CHARS = 16 * 1024 // agents put the common fields first

/** Parses only the beginning of a payload that was cut or is too deep; it still has the common fields. */
function fromBeginning(text: string): Record<string, unknown> {
  const found: Record<string, unknown> = Object.create(null)
  for (const member of membersOf(text.slice(0, LOOKED_AT_CHARS))) {
    if (isTooDeep(member)) continue
    try {
      Object.assign(found, JSON.parse(`{${member}}`))
    } catch {
      // It only looks like JSON: the payload may be anything.
    }
  }
  return found
}

/** The complete members of the outermost object. */
function* membersOf(text: string): Generator<string> {
  let depth = 0
  let inText = false
  let from = 0
  for (let i = 0; i < text.length; i++) {
    const letter = text.charCodeAt(i)
    if (inText) {
      if (letter === BACKSLASH) i += 1
      else if (letter === QUOTE) inText = false
    } else if (letter === QUOTE) inText = true
    else if (letter === OPEN_LIST || letter === OPEN_OBJECT) {
      depth += 1
      if (depth === 1) from = i + 1
    } else if (letter === CLOSE_LIST || letter === CLOSE_OBJECT) depth -= 1
    else if (letter === COMMA && depth === 1) {
      yield text.slice(from, i)
      from = i + 1
    }
  }
}

const MAX_DEPTH = 1_000 // real payloads stay below 20; JSON.parse takes any depth, but code that walks the result does not

function isTooDeep(text: string): boolean {
  if (text.length < 2 * MAX_DEPTH || opened(text) < MAX_DEPTH) return false
  let depth = 0
  let inText = false
  for (let i = 0; i < text.length; i++) {
    const letter = text.charCodeAt(i)
    if (inText) {
      if (letter === BACKSLASH) i += 1
      else if (letter === QUOTE) inText = false
    } else if (letter === QUOTE) inText = true
    else if (letter === OPEN_LIST || letter === OPEN_OBJECT) depth += 1
    else if (letter === CLOSE_LIST || letter === CLOSE_OBJECT) depth -= 1
    if (depth > MAX_DEPTH) return true
  }
  return false
}

const [QUOTE, BACKSLASH, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT, COMMA] = Buffer.from('"\\[]{},')

/** Counts opening brackets up to the limit; nearly always too few to be deep. */
function opened(text: string): number {
  let count = 0
  for (const bracket of '[{') {
    for (let at = text.indexOf(bracket); at >= 0 && count < MAX_DEPTH; at = text.indexOf(bracket, at + 1))
      count += 1
  }
  return count
}
