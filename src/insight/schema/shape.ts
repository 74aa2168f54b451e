/**
 * The learned shape of payloads of one kind: per field its types, frequency and values. Everything is bounded, whatever
 * arrives.
 */
import type { Field, JsonType, Kind, Shape } from '../../rpc/index.ts'

export const JSON_TYPES: readonly JsonType[] = [
  'string',
  'integer',
  'number',
  'boolean',
  'null',
  'object',
  'array',
]

export function newShape(kind: Kind, at: number): Shape {
  const { agent, version, event, tool } = kind
  // No prototype: a payload may use any field name.
  return { agent, version, event, tool, count: 0, firstAt: at, lastAt: at, fields: Object.create(null) }
}

/** Builds a record without a prototype, because payload names such as `constructor` must be ordinary keys. */
export function recordOf<Value>(entries: Iterable<readonly [string, Value]>): Record<string, Value> {
  const record: Record<string, Value> = Object.create(null)
  for (const [name, value] of entries) record[name] = value
  return record
}

export function kindKey({ agent, version, event, tool }: Kind): string {
  return `${agent}\n${version}\n${event}\n${tool}`
}

/** Restores the prototype-free records of a stored shape. */
export function reviveShape(shape: Shape): Shape {
  const fields = recordOf(Object.entries(shape.fields))
  for (const field of Object.values(fields))
    if (field.values) field.values = recordOf(Object.entries(field.values))
  return { ...shape, fields }
}

/** The share of payloads (or of the objects it is a part of) that have the field, 0 to 1. */
export function presence(shape: Shape, path: string): number {
  const field = shape.fields[path]
  if (!field) return 0
  const whole = objectsAt(shape, parentOf(path))
  return whole === 0 ? 0 : Math.min(1, field.count / whole)
}

export function parentOf(path: string): string {
  if (path.endsWith('[]')) return path.slice(0, -2)
  const at = path.lastIndexOf('.')
  return at < 0 ? '' : path.slice(0, at)
}

/** Number of objects seen at a path: the base for the share of its fields. */
export function objectsAt(shape: Shape, path: string): number {
  if (path === '') return shape.count
  return shape.fields[path]?.types.object ?? 0
}

export function typesOf(field: Field): JsonType[] {
  return JSON_TYPES.filter((type) => (field.types[type] ?? 0) > 0)
}

/**
 * A tool's input and output. Their fields belong to the tool, not to the agent. Names of Claude Code, Codex and Gemini
 * CLI, of Copilot CLI, and of opencode.
 */
const TOOL_DATA =
  /^(?:tool_(?:input|response|output|result)|tool(?:Args|Input|Result)|(?:input|output)\.args|output\.(?:output|metadata|title)|properties\.metadata)(?=[.[]|$)/

export function isToolData(path: string): boolean {
  return TOOL_DATA.test(path)
}

/** True for `tool_input.command`, but not for `tool_input`, which is an ordinary field of the agent. */
export function isInsideTool(path: string): boolean {
  return isToolData(parentOf(path))
}

const ENUM_MIN_COUNT = 5 // fewer samples say nothing about other values

/** A field's words if they look like an enumeration: few, each seen repeatedly. */
export function enumOf(field: Field): string[] | undefined {
  if (!field.values || field.types.string === undefined) return undefined
  const words = Object.keys(field.values)
  const strings = field.types.string
  if (words.length === 0 || strings < ENUM_MIN_COUNT || words.length * 2 > strings) return undefined
  return words.sort()
}
