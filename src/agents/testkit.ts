/** Recorded lines, raw events, and hostile payloads that every reader must survive. For tests only. */
import { readFileSync } from 'node:fs'
import { hookEventSchema } from '../events/hook-event.ts'
import { newId, type RawEvent } from '../events/index.ts'

/** One line of a fixture: a real agent's payload and the environment of its hook. */
export interface Recorded {
  readonly version: string
  readonly event: string
  readonly env: Readonly<Record<string, string>>
  readonly payload: unknown
}

export function recorded(file: string): Recorded[] {
  const lines = readFileSync(file, 'utf8').split('\n')
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Recorded)
}

export function rawEventOf(agent: string, payload: unknown, rest: Partial<RawEvent> = {}): RawEvent {
  const raw = safeJson(payload)
  const at = Date.UTC(2026, 10, 15)
  return {
    id: newId(),
    at,
    receivedAt: at + 1,
    agent,
    client: { env: {} },
    transport: 'socket',
    raw,
    ...rest,
  }
}

/** Schema errors, and keys whose value is undefined. Empty for a valid event. */
export function faultsOf(event: unknown): string[] {
  const checked = hookEventSchema.safeParse(event)
  const empty = Object.entries(event as object).filter(([, value]) => value === undefined)
  return [
    ...(checked.error?.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`) ?? []),
    ...empty.map(([key]) => `${key}: undefined`),
  ]
}

/** A copy with a unique value in every leaf except those equal to `except`, and those values. */
export function plantSentinels(payload: unknown, except: string): { planted: unknown; sentinels: unknown[] } {
  const sentinels: unknown[] = []
  const sentinel = <T>(value: T): T => {
    sentinels.push(value)
    return value
  }
  const plant = (value: unknown): unknown => {
    if (value === except || typeof value === 'boolean') return value
    if (typeof value === 'number') return sentinel(1_000_000.5 + sentinels.length)
    if (typeof value !== 'object' || value === null) return sentinel(`sentinel ${sentinels.length}`)
    if (Object.keys(value).length === 0) return [sentinel(`sentinel ${sentinels.length}`)]
    if (Array.isArray(value)) return value.map(plant)
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, plant(item)]))
  }
  // Leave an empty payload (opencode's dispose) alone: it has no leaf and must stay an object.
  const planted = Bun.deepEquals(payload, {}) ? payload : plant(payload)
  return { planted, sentinels }
}

/** Copies of the payload, each with one boolean inverted. */
export function* flippedBooleans(value: unknown): Generator<unknown> {
  if (typeof value === 'boolean') yield !value
  if (typeof value !== 'object' || value === null) return
  for (const [key, item] of Object.entries(value)) {
    for (const flipped of flippedBooleans(item)) {
      yield Array.isArray(value) ? value.with(Number(key), flipped) : { ...value, [key]: flipped }
    }
  }
}

/** Whether the event contains the value outside of `raw` and `client`. */
export function holds(event: object, value: unknown): boolean {
  const { raw: _raw, client: _client, ...rest } = event as Record<string, unknown>
  const found = (node: unknown): boolean =>
    Bun.deepEquals(node, value) ||
    (typeof node === 'object' && node !== null && Object.values(node).some(found))
  return found(rest)
}

export function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) Object.values(Object.freeze(value)).forEach(deepFreeze)
  return value
}

/** For every field type, at least one of these has the wrong type. */
export const ODD_VALUES: readonly unknown[] = [
  null,
  true,
  0,
  -1.5,
  Number.POSITIVE_INFINITY,
  '',
  'text',
  '\ud800 alone',
  [],
  [null, 5, 'text', { id: 5 }, { id: 'one', status: 7, more: true }],
  {},
  { id: 5, name: 5 },
  { id: 'one', name: 'two', more: { deep: [1] } },
]

const HUGE = 'x'.repeat(4_000_000)

/** Whole payloads, as functions of the event's name, because most do harm only where a table is in use. */
export const HOSTILE_PAYLOADS: Readonly<Record<string, (event: string) => unknown>> = {
  nothing: () => undefined,
  null: () => null,
  'a number': () => 42,
  'not a number': () => Number.NaN,
  'an empty string': () => '',
  'a string': () => '{"session_id":',
  'a boolean': () => false,
  'an array': (event) => [{ hook_event_name: event }],
  'an empty object': () => ({}),
  'no prototype': (event) => Object.assign(Object.create(null), { hook_event_name: event }),
  'an event name that is a number': () => ({ hook_event_name: 5, session_id: 's' }),
  'an empty event name': () => ({ hook_event_name: '', session_id: 's' }),
  'an event named constructor': () => ({ hook_event_name: 'constructor', session_id: 's' }),
  'an event named __proto__': () => ({ hook_event_name: '__proto__', session_id: 's' }),
  'prototype names as fields': (event) =>
    JSON.parse(
      `{"hook_event_name":"${event}","__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},` +
        '"toString":1,"hasOwnProperty":1,"__defineGetter__":1,"tool_input":{"__proto__":{"polluted":1}}}',
    ),
  'deep nesting': (event) => ({ hook_event_name: event, tool_input: nested(20_000), deep: nested(20_000) }),
  'huge strings': (event) => ({ hook_event_name: event, session_id: HUGE, prompt: HUGE, tool_name: HUGE }),
  'a huge event name': () => ({ hook_event_name: HUGE }),
  'a huge key': (event) => ({ hook_event_name: event, [HUGE]: 1 }),
  'thousands of keys': (event) => ({ hook_event_name: event, ...manyKeys(2_000) }),
  'lone surrogates': (event) => ({ hook_event_name: event, session_id: '\udfff', '\ud800': '\ud800' }),
}

function nested(depth: number): unknown {
  let value: unknown = 'core'
  for (let i = 0; i < depth; i++) value = i % 2 === 0 ? [value] : { a: value }
  return value
}

function manyKeys(count: number): Record<string, number> {
  return Object.fromEntries(Array.from({ length: count }, (_, i) => [`camelKey${i}`, i]))
}

function safeJson(value: unknown): string {
  try {
    return JSON.stringify(value) ?? ''
  } catch {
    return '' // fast-check generates values that JSON cannot hold
  }
}
