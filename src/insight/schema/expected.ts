/**
 * What a payload of one kind should look like, from documentation, from a recorded version, or from enough
 * observations. Versions, baselines and single payloads are all compared in this form.
 */
import type { Field, JsonType, Kind, Shape } from '../../rpc/index.ts'
import { enumOf, isInsideTool, objectsAt, parentOf, presence, typesOf } from './shape.ts'

export interface Expectation {
  /** Empty if unknown. */
  readonly types: readonly JsonType[]
  readonly required: boolean
  /** All values it may have. */
  readonly words?: readonly string[]
  /** Values seen so far, possibly not all. */
  readonly seen?: readonly string[]
  /** Share of payloads that have it, if counted. */
  readonly share?: number
}

export interface Expected extends Kind {
  /** Number of payloads it was made from; with a tool, payloads of that tool. */
  readonly seen: number
  /** Top-level fields of the payload that had the fewest. */
  readonly least?: number
  /** Undefined: only the existence of the event is known. */
  readonly fields?: Readonly<Record<string, Expectation>>
  /** The list is complete, so an absent field is gone. */
  readonly complete: boolean
  /** No such event is known; the fields are those that all events of the agent have. */
  readonly isUnknownEvent?: true
}

const ENOUGH_TO_REQUIRE = 5 // payloads that all had a field, before its absence counts

export function expectedOf(shape: Shape): Expected {
  const { agent, version, event, tool, count, fields, least } = shape
  const known: Record<string, Expectation> = Object.create(null)
  for (const [path, field] of Object.entries(fields)) known[path] = expectationOf(shape, path, field)
  const whole = { agent, version, event, tool, seen: count, fields: known, complete: false }
  return least === undefined ? whole : { ...whole, least }
}

function expectationOf(shape: Shape, path: string, field: Field): Expectation {
  const share = presence(shape, path)
  const words = closedWords(field)
  const seen = field.values ? Object.keys(field.values) : []
  return {
    types: typesOf(field),
    required: share >= 1 && !path.endsWith('[]') && objectsAt(shape, parentOf(path)) >= ENOUGH_TO_REQUIRE,
    share,
    ...(words ? { words } : {}),
    ...(seen.length > 0 ? { seen } : {}),
  }
}

const ENOUGH_TO_CLOSE = 50 // strings from a small set, before a new value counts
const TIMES_EACH = 10

/** Values that seem to be the whole set. Names of models or agents look the same, so this needs many samples. */
function closedWords(field: Field): string[] | undefined {
  const words = enumOf(field)
  const strings = field.types.string ?? 0
  return words && strings >= ENOUGH_TO_CLOSE && words.length * TIMES_EACH <= strings ? words : undefined
}

/** The union of both; where they disagree, `first` wins. */
export function overlay(first: Expected, second: Expected): Expected {
  if (!first.fields || !second.fields) return first.fields ? first : second
  const fields: Record<string, Expectation> = Object.create(null)
  const isEnough = first.seen >= ENOUGH_TO_REQUIRE
  for (const [path, other] of Object.entries(second.fields)) fields[path] = { ...other, required: false }
  for (const [path, own] of Object.entries(first.fields)) {
    const other = second.fields[path]
    fields[path] = other ? bothOf(own, other, isEnough ? own.required : other.required) : own
  }
  return { ...first, ...leastOf([first, second]), fields, complete: first.complete || second.complete }
}

/** The union of all; a field is required only if all require it. */
export function anyOf(all: readonly [Expected, ...Expected[]]): Expected {
  const known = all.filter(({ fields }) => fields)
  const fields: Record<string, Expectation> = Object.create(null)
  for (const one of known) {
    for (const [path, field] of Object.entries(one.fields ?? {})) {
      const inAll = known.every((other) => other.fields?.[path]?.required)
      const before = fields[path]
      fields[path] = before ? bothOf(before, field, inAll) : { ...field, required: inAll }
    }
  }
  const seen = all.reduce((sum, one) => sum + one.seen, 0)
  return {
    ...all[0],
    ...leastOf(all),
    seen,
    complete: all.every(({ complete }) => complete),
    ...(known[0] ? { fields } : {}),
  }
}

function leastOf(all: readonly Expected[]): { least?: number } {
  const counts = all.flatMap(({ least }) => least ?? [])
  return counts.length === 0 ? {} : { least: Math.min(...counts) }
}

function bothOf(a: Expectation, b: Expectation, required: boolean): Expectation {
  const types = a.types.length > 0 && b.types.length > 0 ? [...new Set([...a.types, ...b.types])] : []
  const words = a.words && b.words ? [...new Set([...a.words, ...b.words])] : undefined
  const seen = [...new Set([...(a.seen ?? []), ...(b.seen ?? [])])]
  return { types, required, ...(words ? { words } : {}), ...(seen.length > 0 ? { seen } : {}) }
}

/** True if any name may occur below `parent`. */
function isOpen(expected: Expected, parent: string): boolean {
  if (parent === '') return false
  const { fields = {} } = expected
  if (fields[`${parent}.*`]) return true
  return !parentsOf(expected).has(parent)
}

const parents = new WeakMap<Expected, ReadonlySet<string>>()

function parentsOf(expected: Expected): ReadonlySet<string> {
  const known = parents.get(expected)
  if (known) return known
  const found = new Set(Object.keys(expected.fields ?? {}).map(parentOf))
  parents.set(expected, found)
  return found
}

const ENOUGH_OF_A_TOOL = 10 // calls; models often omit optional arguments

/** True if enough is known to call a name below this path new. */
export function knowsNames(expected: Expected, path: string): boolean {
  return !isOpen(expected, parentOf(path)) && (!isInsideTool(path) || expected.seen >= ENOUGH_OF_A_TOOL)
}
