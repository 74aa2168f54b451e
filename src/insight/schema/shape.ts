/**
 * What payloads of one kind look like, learned from those that came: field by field its types, how often it is there,
 * the values it takes. Everything here has a bound, whatever comes in.
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
  // No prototype: a payload may call a field whatever it likes.
  return { agent, version, event, tool, count: 0, firstAt: at, lastAt: at, fields: Object.create(null) }
}

/** By names from payloads, which must not meet an object's own: `constructor` is a field like any other. */
export function recordOf<Value>(entries: Iterable<readonly [string, Value]>): Record<string, Value> {
  const record: Record<string, Value> = Object.create(null)
  for (const [name, value] of entries) record[name] = value
  return record
}

export function kindKey({ agent, version, event, tool }: Kind): string {
  return `${agent}\n${version}\n${event}\n${tool}`
}

/** As they were stored: names from payloads must not meet an object's own. */
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

/** How many objects there were at a path, to which the fields below it may belong. */
export function objectsAt(shape: Shape, path: string): number {
  if (path === '') return shape.count
  return shape.fields[path]?.types.object ?? 0
}

export function typesOf(field: Field): JsonType[] {
  return JSON_TYPES.filter((type) => (field.types[type] ?? 0) > 0)
}

/**
 * What a tool gets and gives: its own words, not the agent's, and different for every tool. In the names of Claude Code,
 * Codex and Gemini CLI, of Copilot CLI, and of opencode.
 */
const TOOL_DATA =
  /^(?:tool_(?:input|response|output|result)|tool(?:Args|Input|Result)|(?:input|output)\.args|output\.(?:output|metadata|title)|properties\.metadata)(?=[.[]|$)/

export function isToolData(path: string): boolean {
  return TOOL_DATA.test(path)
}

/** `tool_input.command`, but not `tool_input`, which is a field of the agent's like any other. */
export function isInsideTool(path: string): boolean {
  return isToolData(parentOf(path))
}

const ENUM_MIN_COUNT = 5 // fewer samples say nothing about what else may come

/** The words a field takes, when they seem to be a set: few of them, each seen again and again. */
export function enumOf(field: Field): string[] | undefined {
  if (!field.values || field.types.string === undefined) return undefined
  const words = Object.keys(field.values)
  const strings = field.types.string
  if (words.length === 0 || strings < ENUM_MIN_COUNT || words.length * 2 > strings) return undefined
  return words.sort()
}
