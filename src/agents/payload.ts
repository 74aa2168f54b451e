/**
 * Native payload in, draft of a canonical event out: the part of reading that all agents share. On the hook path: one pass
 * over the payload's keys, one table lookup each, nothing copied. Other spellings are tried only for unknown keys and event
 * names.
 *
 *   const dialect = makeDialect(EVENTS, UNAMBIGUOUS_FIELDS)
 *   const draft = readPayload(dialect, JSON.parse(raw), rawEvent)
 */
import { isObject } from '../core/is-object.ts'
import type { RawEvent } from '../events/index.ts'
import { UNREADABLE } from '../events/names.ts'
import type { NativeEvent } from './agent.ts'
import { type Draft, errorText, type FieldMapper, type FieldMappers } from './fields.ts'

export type Payload = Readonly<Record<string, unknown>>

/** An agent's table entry for one native event. */
export interface EventSpec {
  readonly type: string
  readonly fields: FieldMappers
  readonly since?: string
}

export interface Dialect {
  readonly events: ReadonlyMap<string, KnownEvent>
  /** Finds an event by any spelling of its name: `pretooluse`. */
  readonly folded: ReadonlyMap<string, KnownEvent>
  /** For events that are in no table. */
  readonly anywhere: ReadonlyMap<string, FieldMapper>
  readonly marksUnknown: boolean
}

interface KnownEvent {
  readonly type: string
  readonly mappers: ReadonlyMap<string, FieldMapper>
}

/** Alternative field names from older hook scripts and other tools. */
const ALIASES: ReadonlyMap<string, string> = new Map([
  ['user_prompt', 'prompt'],
  ['user_input', 'prompt'],
  ['tool_output', 'tool_response'],
  ['agent_name', 'agent_id'],
])

/** Longer names are not respelled; no agent uses one half as long. */
const MAX_NAME_CHARS = 64
/** Limit for unknown keys that are respelled and reported, against junk payloads. All fields are kept. */
const MAX_STRANGE_KEYS = 64

/** Events that gantry raises on behalf of an agent without such an event: its transcript shows a failed turn. */
const UNREPORTED: Readonly<Record<string, EventSpec>> = {
  StopFailure: {
    type: 'StopFailure',
    fields: { error: errorText('kind'), error_details: errorText('message') },
  },
}

/** `anywhere`: fields understood on every event; an event's own fields override them. */
export function makeDialect(
  events: Readonly<Record<string, EventSpec>>,
  anywhere: FieldMappers,
  marksUnknown = true,
): Dialect {
  const known = new Map<string, KnownEvent>()
  const folded = new Map<string, KnownEvent>()
  for (const [name, spec] of Object.entries({ ...UNREPORTED, ...events })) {
    const event = { type: spec.type, mappers: new Map(Object.entries({ ...anywhere, ...spec.fields })) }
    known.set(name, event)
    folded.set(foldName(name), event)
  }
  return { events: known, folded, anywhere: new Map(Object.entries(anywhere)), marksUnknown }
}

/** The table in the form of the `Agent` record. */
export function describeEvents(events: Readonly<Record<string, EventSpec>>): Record<string, NativeEvent> {
  const described: Record<string, NativeEvent> = {}
  for (const [name, { type, fields, since }] of Object.entries(events)) {
    described[name] = { type, fields: Object.keys(fields), ...(since !== undefined && { since }) }
  }
  return described
}

export function readPayload(dialect: Dialect, payload: unknown, from: RawEvent): Draft {
  if (!isObject(payload)) return newDraft(from, UNREADABLE, from.event ?? '')
  const native = nameOf(payload) || (from.event ?? '')
  const known = findEvent(dialect, native)
  const draft = newDraft(from, known?.type ?? (native || UNREADABLE), native)
  // Events that gantry raises in an agent's name must not count as that agent's drift.
  const marksUnknown = dialect.marksUnknown && from.transport !== 'healer'
  fill(draft, payload, known?.mappers ?? dialect.anywhere, marksUnknown)
  return draft
}

/** Type names for drift reports, with `array` and `null`. */
export function typeName(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}

/** `toolUseID`, `tool-use-id` and `ToolUseId` become `tool_use_id`. */
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
  mappers: ReadonlyMap<string, FieldMapper>,
  marksUnknown: boolean,
): void {
  let strangeKeys = 0
  let respelled: Set<string> | undefined
  for (const key of Object.keys(payload)) {
    const value = payload[key]
    let name = key
    let mapper = mappers.get(key)
    if (mapper === undefined && strangeKeys++ < MAX_STRANGE_KEYS) {
      const known = knownSpelling(key, mappers)
      // The exact name wins, then the first other spelling; the rest is kept as it came.
      if (known !== undefined && !Object.hasOwn(payload, known) && !respelled?.has(known)) {
        respelled = (respelled ?? new Set()).add(known)
        name = known
        mapper = mappers.get(known)
      }
    }
    const outcome = mapper?.(draft, value)
    if (outcome === 'mapped') continue
    keepField(draft, name, value)
    if (outcome === 'kept' || !marksUnknown) continue
    markUnknown(draft, outcome === 'wrong' ? `${name}:${typeName(value)}` : name)
  }
}

function knownSpelling(key: string, mappers: ReadonlyMap<string, FieldMapper>): string | undefined {
  if (key.length > MAX_NAME_CHARS) return undefined
  const snake = toSnakeCase(key)
  const name = mappers.has(snake) ? snake : ALIASES.get(snake)
  return name !== undefined && mappers.has(name) ? name : undefined
}

function keepField(draft: Draft, name: string, value: unknown): void {
  // Without a prototype: `__proto__` and `constructor` are ordinary fields.
  draft.fields ??= Object.create(null) as Record<string, unknown>
  draft.fields[name] = value
}

export function markUnknown(draft: Draft, name: string): void {
  draft.unknown ??= []
  if (draft.unknown.length < MAX_STRANGE_KEYS) draft.unknown.push(name)
}
