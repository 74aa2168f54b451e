/**
 * Adds one payload to the shape of its kind. Takes microseconds and runs off the hook path. Fields are kept as a tree,
 * because payloads look alike and building a path string for each name would dominate.
 */
import { isObject } from '../../core/is-object.ts'
import type { Field, JsonType, Shape } from '../../rpc/index.ts'

export const MAX_FIELDS = 400 // per kind; real payloads have a tenth
const MAX_DEPTH = 8
const MAX_NAMES = 40 // below one object; more are data, not names
const MAX_TOP_NAMES = 80
const MAX_NAME_CHARS = 60
const MAX_ELEMENTS = 20 // of a list; the others look the same
export const MAX_WORDS = 12 // more distinct words are not an enumeration
const MAX_WORD_CHARS = 40
export const MAX_SAMPLES = 3
const MAX_SAMPLE_CHARS = 80
const WORD = /^[\w.:/-]+$/
const NO_NAME = /[.[\]*?\s/]/ // would be read as a path, or is one

interface LearnOptions {
  /** Maximum fields of the kind; further ones are dropped. */
  readonly maxFields?: number
  /** Keep example values. */
  readonly samples?: boolean
}

/** A node in the tree of fields of one kind. */
interface FieldNode {
  readonly path: string
  /** Undefined for the root. */
  readonly field: Field | undefined
  readonly names: Map<string, FieldNode>
  element?: FieldNode | undefined
  /** Number of own names; further names share `*`. */
  own: number
}

/** One payload being learned. */
interface Lesson {
  readonly shape: Shape
  readonly at: number
  readonly maxFields: number
  readonly samples: boolean
  readonly tree: Tree
  isNews: boolean
}

interface Tree {
  readonly root: FieldNode
  fields: number
}

/** True if the payload had a new field, type or word. */
export function learn(shape: Shape, payload: unknown, at: number, options: LearnOptions = {}): boolean {
  const tree = treeOf(shape)
  const { maxFields = MAX_FIELDS, samples = true } = options
  const lesson: Lesson = { shape, at, maxFields, samples, tree, isNews: shape.count === 0 }
  shape.count += 1
  shape.firstAt = Math.min(shape.firstAt, at)
  shape.lastAt = Math.max(shape.lastAt, at)
  if (!isObject(payload)) return lesson.isNews
  const count = Object.keys(payload).length
  if (count < (shape.least ?? Number.POSITIVE_INFINITY)) shape.least = count
  learnObject(lesson, tree.root, payload, 0)
  return lesson.isNews
}

/** Number of known fields of a kind. */
export function fieldCount(shape: Shape): number {
  return treeOf(shape).fields
}

function learnObject(lesson: Lesson, place: FieldNode, value: Record<string, unknown>, depth: number): void {
  // Not for-in, which would visit an inherited __proto__.
  for (const name of Object.keys(value)) {
    const below = place.names.get(name) ?? placeBelow(lesson, place, name)
    if (below) learnValue(lesson, below, value[name], depth + 1)
  }
}

function learnValue(lesson: Lesson, place: FieldNode, value: unknown, depth: number): void {
  const field = place.field as Field
  const type = typeOf(value)
  const before = field.types[type]
  if (before === undefined) lesson.isNews = true
  field.types[type] = (before ?? 0) + 1
  field.count += 1
  if (lesson.at > field.lastAt) field.lastAt = lesson.at
  else if (lesson.at < field.firstAt) field.firstAt = lesson.at
  switch (type) {
    case 'string':
      learnString(lesson, field, value as string)
      break
    case 'array':
      learnArray(lesson, place, value as unknown[], depth)
      break
    case 'object':
      if (depth < MAX_DEPTH) learnObject(lesson, place, value as Record<string, unknown>, depth)
      break
    default:
      if (lesson.samples && field.samples.length < MAX_SAMPLES) sample(field, String(value))
  }
}

function learnArray(lesson: Lesson, place: FieldNode, list: unknown[], depth: number): void {
  const field = place.field as Field
  if (list.length > field.maxSize) field.maxSize = list.length
  if (depth >= MAX_DEPTH) return
  const count = Math.min(list.length, MAX_ELEMENTS)
  if (count === 0) return
  place.element ??= newPlace(lesson, `${place.path}[]`)
  if (!place.element) return
  for (let i = 0; i < count; i++) learnValue(lesson, place.element, list[i], depth + 1)
}

function learnString(lesson: Lesson, field: Field, text: string): void {
  if (text.length > field.maxSize) field.maxSize = text.length
  const format = formatOf(text)
  if (format !== undefined) {
    field.formats ??= {}
    field.formats[format] = (field.formats[format] ?? 0) + 1
  }
  if (lesson.samples && field.samples.length < MAX_SAMPLES) sample(field, text)
  if (field.values === undefined) return
  const before = field.values[text]
  if (before !== undefined) {
    field.values[text] = before + 1
    return
  }
  lesson.isNews = true
  const isWord = text.length <= MAX_WORD_CHARS && format === undefined && WORD.test(text)
  if (isWord) field.values[text] = 1
  if (!isWord || Object.keys(field.values).length > MAX_WORDS) delete field.values
}

function sample(field: Field, text: string): void {
  const short = text.length > MAX_SAMPLE_CHARS ? `${text.slice(0, MAX_SAMPLE_CHARS)}…` : text
  if (!field.samples.includes(short)) field.samples.push(short)
}

/** The node for a new name. Names that cannot be part of a path, and names beyond the limit, count as data. */
function placeBelow(lesson: Lesson, parent: FieldNode, name: string): FieldNode | undefined {
  const prefix = parent.path === '' ? '' : `${parent.path}.`
  const max = parent.path === '' ? MAX_TOP_NAMES : MAX_NAMES
  const isName = name !== '' && name.length <= MAX_NAME_CHARS && !NO_NAME.test(name) && parent.own < max
  if (!isName) return parent.names.get('*') ?? keep(parent, '*', newPlace(lesson, `${prefix}*`))
  const place = keep(parent, name, newPlace(lesson, prefix + name))
  if (place) parent.own += 1
  return place
}

function keep(parent: FieldNode, name: string, place: FieldNode | undefined): FieldNode | undefined {
  if (place) parent.names.set(name, place)
  return place
}

function newPlace(lesson: Lesson, path: string): FieldNode | undefined {
  const { shape, at, maxFields, tree } = lesson
  if (tree.fields >= maxFields) {
    shape.cut = true
    return undefined
  }
  lesson.isNews = true
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
  tree.fields += 1
  return { path, field, names: new Map(), own: 0 }
}

const trees = new WeakMap<Shape, Tree>()

function treeOf(shape: Shape): Tree {
  const known = trees.get(shape)
  if (known) return known
  const root: FieldNode = { path: '', field: undefined, names: new Map(), own: 0 }
  const paths = Object.keys(shape.fields)
  const places = new Map<string, FieldNode>([['', root]])
  for (const path of paths.sort()) {
    const isElement = path.endsWith('[]')
    const end = isElement ? path.length - 2 : path.lastIndexOf('.')
    const parent = places.get(end < 0 ? '' : path.slice(0, end))
    if (!parent) continue
    const place: FieldNode = { path, field: shape.fields[path], names: new Map(), own: 0 }
    places.set(path, place)
    const name = path.slice(end + 1)
    if (isElement) parent.element = place
    else parent.names.set(name, place)
    if (!isElement && name !== '*') parent.own += 1
  }
  const tree = { root, fields: paths.length }
  trees.set(shape, tree)
  return tree
}

function typeOf(value: unknown): JsonType {
  switch (typeof value) {
    case 'string':
      return 'string'
    case 'boolean':
      return 'boolean'
    case 'number':
      return Number.isInteger(value) ? 'integer' : 'number'
    case 'object':
      if (value === null) return 'null'
      return Array.isArray(value) ? 'array' : 'object'
    default:
      return 'null'
  }
}

/**
 * The format of a string: an id, a path, a time. Called for every string of every payload, so cheap checks come first.
 */
const MAX_FORMAT_CHARS = 500 // no known format is that long
const UUID_CHARS = 36
const MAX_HEX_CHARS = 64

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
const DATE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d/
const PATH = /^(?:\/|~\/|[A-Za-z]:\\)[^\n]*$/
const URI = /^[a-z][a-z0-9+.-]*:\/\/\S+$/i
const ID = /^(?:toolu|call|msg|req|resp|agent|task)[_-][\w-]{6,}$/
const HEX = /^[0-9a-f]{7,64}$/

function formatOf(text: string): string | undefined {
  const { length } = text
  if (length === 0 || length > MAX_FORMAT_CHARS) return undefined
  if (length === UUID_CHARS && text[8] === '-' && UUID.test(text)) return 'uuid'
  if (text[4] === '-' && DATE_TIME.test(text)) return 'date-time'
  if ((text[0] === '/' || text[0] === '~' || text[1] === ':') && PATH.test(text)) return 'path'
  if (text.includes('://') && URI.test(text)) return 'uri'
  if ((text.includes('_') || text.includes('-')) && ID.test(text)) return 'id'
  return length <= MAX_HEX_CHARS && HEX.test(text) ? 'hex' : undefined
}
