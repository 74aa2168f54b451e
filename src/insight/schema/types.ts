/** Generates TypeScript and JSON Schema from learned shapes. */
import { escaped, plain } from '../../core/text/text.ts'
import type { Field, Shape } from '../../rpc/index.ts'
import { enumOf, parentOf, presence, recordOf, typesOf } from './shape.ts'

interface Node {
  readonly path: string
  readonly field?: Field
  readonly children: Map<string, Node>
}

/**
 * One interface per event, and per tool of an event; then per agent a union, which TypeScript narrows by
 * `hook_event_name` and, for tools, by `tool_name`.
 */
export function typescriptOf(shapes: readonly Shape[]): string {
  const names = new Set(['Record']) // the only name that the generated types use themselves
  const members = new Map<string, string[]>()
  const parts = shapes.map((shape) => {
    const name = freeName(`${pascal(shape.agent)}${pascal(shape.event)}${pascal(shape.tool)}`, names)
    members.set(shape.agent, [...(members.get(shape.agent) ?? []), name])
    const body = membersOf(treeOf(shape), shape, 1)
    const seen = `${shape.count} seen${shape.version ? `, ${shape.agent} ${shape.version}` : ''}`
    return `/** ${commentOf(seen)} */\nexport interface ${name} {\n${body}}\n`
  })
  const unions = [...members].map(([agent, all]) => {
    const name = freeName(`${pascal(agent)}Payload`, names)
    return `/** Any of them. */\nexport type ${name} =\n${all.map((one) => `  | ${one}\n`).join('')}`
  })
  return [...parts, ...unions].join('\n')
}

export function jsonSchemaOf(shape: Shape): Record<string, unknown> {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: [shape.agent, shape.version, shape.event, shape.tool].filter(Boolean).join(' '),
    ...objectSchema(treeOf(shape), shape),
  }
}

/** Names and versions from agents must not end the comment. */
function commentOf(text: string): string {
  return plain(text).replaceAll('*/', '* /')
}

function membersOf(node: Node, shape: Shape, depth: number): string {
  const pad = '  '.repeat(depth)
  const named = namedIn(node).map(([name, child]) => {
    const optional = presence(shape, child.path) < 1 ? '?' : ''
    return `${pad}${keyOf(name)}${optional}: ${typeText(child, shape, depth)}\n`
  })
  const rest = node.children.get('*')
  if (!rest) return named.join('')
  // An index signature beside names must allow the types of all of them.
  const type = named.length > 0 ? 'unknown' : typeText(rest, shape, depth)
  return [...named, `${pad}[name: string]: ${type}\n`].join('')
}

function namedIn(node: Node): [string, Node][] {
  return [...node.children].filter(([name]) => name !== '*' && name !== '[]')
}

function hasMembers(node: Node): boolean {
  return node.children.has('*') || namedIn(node).length > 0
}

function keyOf(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : escaped(JSON.stringify(name))
}

function typeText(node: Node, shape: Shape, depth: number): string {
  const { field } = node
  if (!field) return 'unknown'
  const words = wordsOf(node, shape)
  const parts = typesOf(field).map((type) => {
    switch (type) {
      case 'string':
        return words ? words.map((word) => JSON.stringify(word)).join(' | ') : 'string'
      case 'integer':
      case 'number':
        return 'number'
      case 'object':
        return hasMembers(node)
          ? `{\n${membersOf(node, shape, depth + 1)}${'  '.repeat(depth)}}`
          : 'Record<string, unknown>'
      case 'array': {
        const element = node.children.get('[]')
        const text = element ? typeText(element, shape, depth) : 'unknown'
        return /[|{ ]/.test(text) ? `(${text})[]` : `${text}[]`
      }
      default:
        return type
    }
  })
  return [...new Set(parts)].join(' | ')
}

/** An event has one name and a tool's payload one tool, however rarely it was seen. */
function wordsOf({ path, field }: Node, shape: Shape): readonly string[] | undefined {
  if (!field) return undefined
  const only = path === 'hook_event_name' ? shape.event : path === 'tool_name' ? shape.tool : ''
  const seen = [...Object.keys(field.values ?? {}), ...field.samples]
  return only !== '' && seen.every((one) => one === only) ? [only] : enumOf(field)
}

function objectSchema(node: Node, shape: Shape): Record<string, unknown> {
  const named = namedIn(node)
  const required = named.filter(([, child]) => presence(shape, child.path) >= 1).map(([name]) => name)
  const rest = node.children.get('*')
  return {
    type: 'object',
    properties: recordOf(named.map(([name, child]) => [name, valueSchema(child, shape)])),
    ...(required.length > 0 ? { required } : {}),
    ...(rest ? { additionalProperties: valueSchema(rest, shape) } : {}),
  }
}

function valueSchema(node: Node, shape: Shape): Record<string, unknown> {
  const { field } = node
  if (!field) return {}
  const types = typesOf(field).filter((type, _, all) => type !== 'integer' || !all.includes('number'))
  const schema: Record<string, unknown> = { type: types.length === 1 ? types[0] : types }
  const words = wordsOf(node, shape)
  if (words && types.length === 1) schema.enum = words
  const format = onlyFormat(field)
  if (format) schema.format = format
  if (types.includes('object')) Object.assign(schema, objectSchema(node, shape), { type: schema.type })
  const element = node.children.get('[]')
  if (types.includes('array') && element) schema.items = valueSchema(element, shape)
  return schema
}

const STANDARD_FORMATS = new Set(['uuid', 'date-time', 'uri'])

function onlyFormat(field: Field): string | undefined {
  const [first, ...others] = Object.entries(field.formats ?? {})
  if (!first || others.length > 0 || first[1] !== field.types.string) return undefined
  return STANDARD_FORMATS.has(first[0]) ? first[0] : undefined
}

/** Turns the paths into a tree. */
function treeOf(shape: Shape): Node {
  const root: Node = { path: '', children: new Map() }
  const nodes = new Map<string, Node>([['', root]])
  const nodeAt = (path: string): Node => {
    const known = nodes.get(path)
    if (known) return known
    const parent = parentOf(path)
    const field = shape.fields[path]
    const node: Node = { path, ...(field ? { field } : {}), children: new Map() }
    nodes.set(path, node)
    const name = path.endsWith('[]') ? '[]' : path.slice(parent === '' ? 0 : parent.length + 1)
    nodeAt(parent).children.set(name, node)
    return node
  }
  for (const path of Object.keys(shape.fields).sort()) nodeAt(path)
  return root
}

function pascal(text: string): string {
  return text
    .split(/[^A-Za-z0-9]+/)
    .filter(Boolean)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')
}

function freeName(wanted: string, names: Set<string>): string {
  const base = /^[A-Za-z]/.test(wanted) ? wanted : `Event${wanted}`
  let name = base
  for (let count = 2; names.has(name); count++) name = `${base}${count}`
  names.add(name)
  return name
}
