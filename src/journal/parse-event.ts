/** From bytes to events: a payload that just arrived, and a row of the journal that is read again. */

import { isUtf8 } from 'node:buffer'
import { agentFor } from '../agents/index.ts'
import { isObject } from '../core/is-object.ts'
import type { HookEvent, RawEvent } from '../events/index.ts'
import { redact } from '../redaction/index.ts'
import type { JournalRow } from '../store/index.ts'
import { keepPayload } from './fresh-payloads.ts'
import { inboundEvent, isInbound } from './inbound-event.ts'

/** Never throws: a payload that is not JSON becomes an event without content. */
export function readEvent(rawEvent: RawEvent): HookEvent {
  return eventOf(rawEvent, parsePayload(rawEvent))
}

/** As above, of what just arrived: its payload can be taken for a while. */
export function parseRawEvent(rawEvent: RawEvent): HookEvent {
  const read = parsePayload(rawEvent)
  const event = eventOf(rawEvent, read)
  if (read.isWhole) keepPayload(event, read.payload)
  return event
}

export function parseRow(row: JournalRow): HookEvent {
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

interface Read {
  readonly payload: unknown
  readonly isWhole: boolean
}

function eventOf(rawEvent: RawEvent, { payload, isWhole }: Read): HookEvent {
  if (isInbound(rawEvent)) return inboundEvent(rawEvent, payload)
  const event = agentFor(rawEvent.agent).read(payload, rawEvent)
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

/** A payload over the limit was cut and no longer parses, or is not to be; its beginning still says whose it is. */
function fromBeginning(text: string): Record<string, unknown> {
  const found: Record<string, unknown> = Object.create(null)
  for (const member of membersOf(text.slice(0, LOOKED_AT_CHARS))) {
    try {
      Object.assign(found, JSON.parse(`{${member}}`))
    } catch {
      // It only looks like JSON: the payload may be anything.
    }
  }
  return found
}

/** The members of the outermost object that are there to their end. */
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

const MAX_DEPTH = 1_000 // real payloads stay below 20; JSON.parse takes any depth, all who walk its result do not

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

/** How many brackets open, as far as it matters: nearly always too few to be deep. */
function opened(text: string): number {
  let count = 0
  for (const bracket of '[{') {
    for (let at = text.indexOf(bracket); at >= 0 && count < MAX_DEPTH; at = text.indexOf(bracket, at + 1))
      count += 1
  }
  return count
}
