/**
 * Merges shapes of one kind as if all payloads had been learned by one: parts of a journal, tools of an event,
 * versions.
 */
import type { Field, Kind, Shape } from '../../rpc/index.ts'
import { MAX_FIELDS, MAX_SAMPLES, MAX_WORDS } from './learn.ts'
import { isInsideTool, JSON_TYPES, kindKey, newShape } from './shape.ts'

/** One shape per key; by default one per kind. */
export function mergeShapes(
  shapes: Iterable<Shape>,
  kindOf: (shape: Shape) => Kind = (shape) => shape,
): Shape[] {
  const merged = new Map<string, Shape>()
  for (const shape of shapes) {
    const kind = kindOf(shape)
    const key = kindKey(kind)
    const known = merged.get(key) ?? newShape(kind, shape.firstAt)
    addShape(known, shape)
    merged.set(key, known)
  }
  return [...merged.values()]
}

/** One shape per event: the common fields of all its tools. */
export function mergeTools(shapes: Iterable<Shape>): Shape[] {
  return mergeShapes([...shapes].map(withoutToolData), (shape) => ({ ...shape, tool: '' }))
}

function withoutToolData(shape: Shape): Shape {
  if (shape.tool === '') return shape
  const fields: Shape['fields'] = Object.create(null)
  for (const [path, field] of Object.entries(shape.fields)) if (!isInsideTool(path)) fields[path] = field
  return { ...shape, fields }
}

function addShape(to: Shape, from: Shape): void {
  to.count += from.count
  to.firstAt = Math.min(to.firstAt, from.firstAt)
  to.lastAt = Math.max(to.lastAt, from.lastAt)
  if (from.cut) to.cut = true
  if (from.least !== undefined) to.least = Math.min(to.least ?? from.least, from.least)
  let size = Object.keys(to.fields).length
  for (const [path, field] of Object.entries(from.fields)) {
    const known = to.fields[path]
    if (known) addField(known, field)
    else if (size < MAX_FIELDS) {
      to.fields[path] = copyOf(field)
      size += 1
    } else to.cut = true
  }
}

function addField(to: Field, from: Field): void {
  to.count += from.count
  for (const type of JSON_TYPES) {
    const count = from.types[type]
    if (count !== undefined) to.types[type] = (to.types[type] ?? 0) + count
  }
  const words = to.values && from.values && sumOf(to.values, from.values)
  if (words && Object.keys(words).length <= MAX_WORDS) to.values = words
  else delete to.values
  if (from.formats) to.formats = sumOf(to.formats ?? {}, from.formats)
  to.maxSize = Math.max(to.maxSize, from.maxSize)
  to.samples = [...new Set([...to.samples, ...from.samples])].slice(0, MAX_SAMPLES)
  to.firstAt = Math.min(to.firstAt, from.firstAt)
  to.lastAt = Math.max(to.lastAt, from.lastAt)
}

type Counts = Record<string, number>

function sumOf(a: Counts, b: Counts): Counts {
  const sum: Counts = Object.assign(Object.create(null), a)
  for (const [word, count] of Object.entries(b)) sum[word] = (sum[word] ?? 0) + count
  return sum
}

function copyOf(field: Field): Field {
  const copy: Field = { ...field, types: { ...field.types }, samples: [...field.samples] }
  if (field.values) copy.values = Object.assign(Object.create(null), field.values)
  if (field.formats) copy.formats = { ...field.formats }
  return copy
}
