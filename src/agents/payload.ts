/**
 * Native payload in, draft of a canonical event out: the part of reading that is the same for every agent.
 * This is on the hook path: one pass over the payload's keys, one table lookup each, nothing copied. Other
 * spellings are tried only for a key or an event name that is not known as it stands.
 *
 *   const dialect = makeDialect(EVENTS, UNAMBIGUOUS_FIELDS)
 *   const draft = readPayload(dialect, JSON.parse(raw), arrival)
 */
import type { RawEvent } from '../events/index.ts'
import { UNREADABLE } from '../events/names.ts'
import type { NativeEvent } from './agent.ts'
import { type Draft, errorText, type Place, type Places } from './fields.ts'

export type Payload = Readonly<Record<string, unknown>>

/** What an agent's table says about one native event. */
export interface EventSpec {
  readonly type: string
  readonly fields: Places
  readonly since?: string
}

export interface Dialect {
  readonly events: ReadonlyMap<string, KnownEvent>
  /** `pretooluse` → the event, for every spelling of its name. */
  readonly folded: ReadonlyMap<string, KnownEvent>
  /** For events that are in no table. */
  readonly anywhere: ReadonlyMap<string, Place>
  readonly marksUnknown: boolean
}

interface KnownEvent {
  readonly type: string
  readonly places: ReadonlyMap<string, Place>
}

/** Spellings that older hook scripts and other tools send for a field. */
const ALIASES: ReadonlyMap<string, string> = new Map([
  ['user_prompt', 'prompt'],
  ['user_input', 'prompt'],
  ['tool_output', 'tool_response'],
  ['agent_name', 'agent_id'],
])

/** No name that any agent uses is half as long; longer ones are not worth respelling. */
const MAX_NAME_CHARS = 64
/** Strange keys that are respelled and reported; a payload of junk has no right to more. All fields are kept. */
const MAX_STRANGE_KEYS = 64

/** What gantry says in place of an agent that has no such event: its transcript tells of a failed turn. */
const RAISED: Readonly<Record<string, EventSpec>> = {
  StopFailure: {
    type: 'StopFailure',
    fields: { error: errorText('kind'), error_details: errorText('message') },
  },
}

/** `anywhere` are the fields understood on every event; an event's own fields override them. */
export function makeDialect(
  events: Readonly<Record<string, EventSpec>>,
  anywhere: Places,
  marksUnknown = true,
): Dialect {
  const known = new Map<string, KnownEvent>()
  const folded = new Map<string, KnownEvent>()
  for (const [name, spec] of Object.entries({ ...RAISED, ...events })) {
    const event = { type: spec.type, places: new Map(Object.entries({ ...anywhere, ...spec.fields })) }
    known.set(name, event)
    folded.set(foldName(name), event)
  }
  return { events: known, folded, anywhere: new Map(Object.entries(anywhere)), marksUnknown }
}

/** The table as the `Agent` record shows it. */
export function describeEvents(events: Readonly<Record<string, EventSpec>>): Record<string, NativeEvent> {
  const described: Record<string, NativeEvent> = {}
  for (const [name, { type, fields, since }] of Object.entries(events)) {
    described[name] = { type, fields: Object.keys(fields), ...(since !== undefined && { since }) }
  }
  return described
}

export function readPayload(dialect: Dialect, payload: unknown, from: RawEvent): Draft {
  if (!isPayload(payload)) return newDraft(from, UNREADABLE, from.event ?? '')
  const native = nameOf(payload) || (from.event ?? '')
  const known = findEvent(dialect, native)
  const draft = newDraft(from, known?.type ?? (native || UNREADABLE), native)
  fill(draft, payload, known?.places ?? dialect.anywhere, dialect.marksUnknown)
  return draft
}

export function isPayload(value: unknown): value is Payload {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** As drift is reported: `array` and `null` are types of their own. */
export function typeName(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}

/** `toolUseID`, `tool-use-id` and `ToolUseId` are `tool_use_id`. */
export function toSnakeCase(key: string): string {
  let snake = ''
  let afterLower = false
  for (const char of key) {
    const lower = char.toLowerCase()
    const isUpper = char !== lower
    if (isUpper && afterLower) snake += '_'
    snake += char === '-' ? '_' : lower
    afterLower = !isUpper && char !== '-' && char !== '_'
  }
  return snake
}

function newDraft(from: RawEvent, type: string, native: string): Draft {
  const draft: Draft = {
    id: from.id,
    seq: 0,
    at: from.at,
    receivedAt: from.receivedAt,
    agent: from.agent,
    type,
    native,
    sessionId: '',
    client: from.client,
    transport: from.transport,
    raw: from.raw,
  }
  if (from.cutFrom !== undefined) draft.cutFrom = from.cutFrom
  return draft
}

function nameOf(payload: Payload): string {
  const exact = payload.hook_event_name
  if (typeof exact === 'string') return exact
  if (exact !== undefined) return ''
  const spelled = payload.hookEventName ?? payload['hook-event-name']
  return typeof spelled === 'string' ? spelled : ''
}

function findEvent(dialect: Dialect, name: string): KnownEvent | undefined {
  return dialect.events.get(name) ?? dialect.folded.get(foldName(name))
}

/** `pre-tool-use`, `preToolUse`, `pre_tool_use` → `pretooluse`. */
function foldName(name: string): string {
  if (name.length > MAX_NAME_CHARS) return name
  return name.replaceAll('-', '').replaceAll('_', '').toLowerCase()
}

function fill(
  draft: Draft,
  payload: Payload,
  places: ReadonlyMap<string, Place>,
  marksUnknown: boolean,
): void {
  let strangeKeys = 0
  let respelled: Set<string> | undefined
  for (const key of Object.keys(payload)) {
    const value = payload[key]
    let name = key
    let place = places.get(key)
    if (place === undefined && strangeKeys++ < MAX_STRANGE_KEYS) {
      const known = knownSpelling(key, places)
      // The field under its right name wins, then the first other spelling; the rest is kept as it came.
      if (known !== undefined && !Object.hasOwn(payload, known) && !respelled?.has(known)) {
        respelled = (respelled ?? new Set()).add(known)
        name = known
        place = places.get(known)
      }
    }
    const outcome = place?.(draft, value)
    if (outcome === 'placed') continue
    keepField(draft, name, value)
    if (outcome === 'kept' || !marksUnknown) continue
    markUnknown(draft, outcome === 'wrong' ? `${name}:${typeName(value)}` : name)
  }
}

function knownSpelling(key: string, places: ReadonlyMap<string, Place>): string | undefined {
  if (key.length > MAX_NAME_CHARS) return undefined
  const snake = toSnakeCase(key)
  const name = places.has(snake) ? snake : ALIASES.get(snake)
  return name !== undefined && places.has(name) ? name : undefined
}

function keepField(draft: Draft, name: string, value: unknown): void {
  // Without a prototype: a field named __proto__ or constructor is a field like any other.
  draft.fields ??= Object.create(null) as Record<string, unknown>
  draft.fields[name] = value
}

export function markUnknown(draft: Draft, name: string): void {
  draft.unknown ??= []
  if (draft.unknown.length < MAX_STRANGE_KEYS) draft.unknown.push(name)
}
