/**
 * One recorded event per line, as in fixtures and in `gantry record`:
 *
 *   {"agent":"claude","version":"2.1.325","transport":"command","event":"Stop","at":"2026-01-31T12:00:00.000Z",
 *    "env":{},"payload":{"session_id":"…","hook_event_name":"Stop"}}
 *
 * `raw` (or `rawBase64`) replaces a `payload` that is not JSON, with `cutFrom` if it was too long. Lines of
 * claude-hooks-sdk are read as well.
 */
import { createHash } from 'node:crypto'
import { DEFAULT_AGENT } from '../agents/facts.ts'
import { agentFor } from '../agents/index.ts'
import { isObject } from '../core/is-object.ts'
import { objectIn } from '../core/json.ts'
import { fromSdkLine, isId, type RawEvent } from '../events/index.ts'

export interface RecordedLine {
  readonly agent: string
  readonly version: string
  readonly scenario?: string
  readonly event: string
  /** UTC milliseconds. */
  readonly at: number
  readonly env: Readonly<Record<string, string>>
  /** The bytes of the payload. */
  readonly payload: string | Uint8Array
  readonly cutFrom?: number
  /** The event's own id, if the line has one. */
  readonly id?: string
}

/** An event as the journal has it. */
export type Recordable = RawEvent & { readonly native: string; readonly agentVersion?: string }

/** `problem` says briefly why the line is invalid. */
type ReadLine = { readonly line: RecordedLine } | { readonly problem: string }

const MAX_CHARS = 24 * 1024 * 1024 // a payload of 8 MB, in base64 or fully escaped
const AGENT_NAME = /^[a-z0-9_-]{1,32}$/
const MAX_NAME_CHARS = 10_000 // of an event; the journal accepts any name

export function readLine(text: string): ReadLine {
  if (text.length > MAX_CHARS) return { problem: 'it is longer than any event' }
  try {
    const value: unknown = JSON.parse(text)
    return lineOf(fromSdkLine(value, DEFAULT_AGENT) ?? value)
  } catch (error) {
    return { problem: error instanceof RangeError ? 'it is nested too deeply' : 'it is not JSON' }
  }
}

function lineOf(value: unknown): ReadLine {
  if (!isObject(value)) return { problem: 'it is not an object' }
  const { agent, version, scenario, event = '', at, env, cutFrom, id } = value
  if (typeof agent !== 'string' || !AGENT_NAME.test(agent)) return { problem: 'it names no agent' }
  if (typeof event !== 'string' || event.length > MAX_NAME_CHARS) return { problem: 'it names no event' }
  const time = typeof at === 'number' ? at : Date.parse(String(at))
  if (!Number.isFinite(time)) return { problem: 'it has no time in "at"' }
  const payload = payloadOf(value)
  if (payload === undefined) return { problem: 'it has no payload' }
  return {
    line: {
      agent,
      version: typeof version === 'string' ? version : '',
      ...(typeof scenario === 'string' ? { scenario } : {}),
      event,
      at: time,
      env: textsOf(env),
      payload,
      ...(typeof cutFrom === 'number' ? { cutFrom } : {}),
      ...(typeof id === 'string' ? { id } : {}),
    },
  }
}

/** The event as stored, already redacted; the payload is byte for byte if a line can hold it. */
export function recordedLine(event: Recordable): string {
  const { agent, native, at, transport, client, raw, cutFrom } = event
  const text = typeof raw === 'string' ? raw : undefined
  const payload = objectIn(text)
  const head = {
    agent,
    version: event.agentVersion ?? agentFor(agent).read(payload, event).agentVersion ?? '',
    transport: transport === 'socket' || transport === 'spool' ? 'command' : transport,
    event: native,
    at: new Date(at).toISOString(),
    env: client.env,
    ...(cutFrom === undefined ? {} : { cutFrom }),
  }
  if (text === undefined)
    return JSON.stringify({ ...head, rawBase64: Buffer.from(raw as Uint8Array).toString('base64') })
  if (payload === undefined) return JSON.stringify({ ...head, raw: text })
  const inOneLine = /[\n\r]/.test(text) ? JSON.stringify(payload) : text
  return `${JSON.stringify(head).slice(0, -1)},"payload":${inOneLine}}`
}

function payloadOf({ payload, raw, rawBase64 }: Record<string, unknown>): string | Uint8Array | undefined {
  if (isObject(payload)) return JSON.stringify(payload)
  if (typeof raw === 'string') return raw
  return typeof rawBase64 === 'string' ? Buffer.from(rawBase64, 'base64') : undefined
}

function textsOf(env: unknown): Record<string, string> {
  if (!isObject(env)) return {}
  return Object.fromEntries(
    Object.entries(env).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  )
}

const ID_CHARS = 26

/** The line's own id, else one derived from its content, so that importing it again gives the same event. */
export function importedOf(line: RecordedLine) {
  const { agent, event, at, env, payload, id } = line
  const isText = typeof payload === 'string'
  const hash = createHash('sha256').update(`${agent}\n${event}\n${at}\n`).update(payload).digest('hex')
  return {
    id: isId(id) ? id : `import-${hash.slice(0, ID_CHARS)}`,
    agent,
    ...(event === '' ? {} : { event }),
    at,
    env,
    payload: isText ? payload : Buffer.from(payload).toString('base64'),
    ...(isText ? {} : { base64: true }),
  }
}
