/** Adds one payload to what is known of its kind. Takes some microseconds; runs off the hook path. */
import type { Field, JsonType, Shape } from './shape.ts'

const MAX_FIELDS = 400 // of one kind; real payloads have a tenth
const MAX_DEPTH = 8
const MAX_NAMES = 40 // below one object; more are data, not names
const MAX_ELEMENTS = 20 // of a list; the others look the same
const MAX_WORDS = 12 // more different words are no enumeration
const MAX_WORD_CHARS = 40
const MAX_SAMPLES = 3
const MAX_SAMPLE_CHARS = 80
const WORD = /^[\w.:/-]+$/

export function learn(shape: Shape, payload: unknown, at: number): void {
  shape.count += 1
  shape.lastAt = Math.max(shape.lastAt, at)
  if (isObject(payload)) learnObject(shape, '', payload, at, 0)
}

function learnObject(
  shape: Shape,
  path: string,
  value: Record<string, unknown>,
  at: number,
  depth: number,
): void {
  const names = Object.keys(value)
  for (const name of names) learnValue(shape, childPath(shape, path, name), value[name], at, depth + 1)
}

function learnValue(shape: Shape, path: string, value: unknown, at: number, depth: number): void {
  const field = fieldAt(shape, path, at)
  if (!field) return
  const type = typeOf(value)
  field.count += 1
  field.types[type] = (field.types[type] ?? 0) + 1
  field.lastAt = Math.max(field.lastAt, at)
  switch (type) {
    case 'string':
      learnString(field, value as string)
      break
    case 'array':
      learnArray(shape, path, field, value as unknown[], at, depth)
      break
    case 'object':
      if (depth < MAX_DEPTH) learnObject(shape, path, value as Record<string, unknown>, at, depth)
      break
    default:
      sample(field, String(value))
  }
}

function learnArray(
  shape: Shape,
  path: string,
  field: Field,
  list: unknown[],
  at: number,
  depth: number,
): void {
  field.maxSize = Math.max(field.maxSize, list.length)
  if (depth >= MAX_DEPTH) return
  const count = Math.min(list.length, MAX_ELEMENTS)
  for (let i = 0; i < count; i++) learnValue(shape, `${path}[]`, list[i], at, depth + 1)
}

function learnString(field: Field, text: string): void {
  field.maxSize = Math.max(field.maxSize, text.length)
  const format = formatOf(text)
  if (format !== undefined) {
    field.formats ??= {}
    field.formats[format] = (field.formats[format] ?? 0) + 1
  }
  sample(field, text)
  if (field.values === undefined) return
  if (text.length > MAX_WORD_CHARS || !WORD.test(text) || format !== undefined) {
    delete field.values
    return
  }
  field.values[text] = (field.values[text] ?? 0) + 1
  if (Object.keys(field.values).length > MAX_WORDS) delete field.values
}

function sample(field: Field, text: string): void {
  if (field.samples.length >= MAX_SAMPLES) return
  const short = text.length > MAX_SAMPLE_CHARS ? `${text.slice(0, MAX_SAMPLE_CHARS)}…` : text
  if (!field.samples.includes(short)) field.samples.push(short)
}

function fieldAt(shape: Shape, path: string, at: number): Field | undefined {
  const known = shape.fields[path]
  if (known) return known
  if (shape.cut || Object.keys(shape.fields).length >= MAX_FIELDS) {
    shape.cut = true
    return undefined
  }
  const field: Field = {
    count: 0,
    types: {},
    values: Object.create(null),
    maxSize: 0,
    samples: [],
    firstAt: at,
    lastAt: at,
  }
  shape.fields[path] = field
  return field
}

/** A name with a dot or a bracket in it would be read as a path; such names, and names beyond number, are data. */
function childPath(shape: Shape, parent: string, name: string): string {
  const prefix = parent === '' ? '' : `${parent}.`
  const path = prefix + name
  if (shape.fields[path]) return path
  const field = parent === '' ? undefined : shape.fields[parent]
  const isName = name.length <= 60 && !/[.[\]*\s/]/.test(name)
  if (!isName || (field && (field.names ?? 0) >= MAX_NAMES)) return `${prefix}*`
  if (field) field.names = (field.names ?? 0) + 1
  return path
}

const FORMATS: readonly (readonly [string, RegExp])[] = [
  ['uuid', /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i],
  ['date-time', /^\d{4}-\d\d-\d\dT\d\d:\d\d/],
  ['path', /^(?:\/|~\/|[A-Za-z]:\\)[^\n]*$/],
  ['uri', /^[a-z][a-z0-9+.-]*:\/\/\S+$/i],
  ['id', /^(?:toolu|call|msg|req|resp|agent|task)[_-][\w-]{6,}$/],
  ['hex', /^[0-9a-f]{7,64}$/],
]

const MAX_FORMAT_CHARS = 500 // nothing that long is one of these

export function formatOf(text: string): string | undefined {
  if (text === '' || text.length > MAX_FORMAT_CHARS) return undefined
  return FORMATS.find(([, pattern]) => pattern.test(text))?.[0]
}

export function typeOf(value: unknown): JsonType {
  if (value === null || value === undefined) return 'null'
  if (Array.isArray(value)) return 'array'
  switch (typeof value) {
    case 'string':
      return 'string'
    case 'boolean':
      return 'boolean'
    case 'object':
      return 'object'
    default:
      return Number.isInteger(value) ? 'integer' : 'number'
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
