/**
 * npm run baselines: generates src/insight/schema/baselines/shipped, the payload schema of each recorded version of each agent,
 * from test/fixtures. They contain no payload content, only names, types and enumeration values.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { agentFor, agents } from '../../src/agents/index.ts'
import { UNREADABLE } from '../../src/events/index.ts'
import { baselineOf, isToolData, kindKey, learn, newShape } from '../../src/insight/schema/index.ts'
import type { Baseline, BaselineEvent, BaselinePart, Shape } from '../../src/rpc/index.ts'
import { FACTS, type Facts } from './baseline-facts.ts'

const ROOT = join(import.meta.dir, '../..')
const FIXTURES = join(ROOT, 'test/fixtures')
const OUT = join(ROOT, 'src/insight/schema/baselines/shipped')
const RECORDED = '2026-11-15'

/** The last version of an agent is the newest, which also gets the facts beyond the recordings. */
const VERSIONS = [...agents.values()].flatMap(({ id, settings }) =>
  (settings?.versions ?? []).map((version) => [id, version] as const),
)

const ENOUGH_INSIDE = 20 // objects that all had a name, before it counts as required

type Fields = Record<string, string>

/** File name in src/insight/schema/baselines/shipped → text. */
export function generatedBaselines(): Record<string, string> {
  const made = VERSIONS.map(([agent, version]) => {
    const isNewest = VERSIONS.findLast(([id]) => id === agent)?.[1] === version
    const baseline = withFacts(recorded(agent, version), FACTS[agent] ?? { common: '' }, isNewest)
    return [`${agent}-${version}.json`, `${JSON.stringify(baseline, null, 2)}\n`] as const
  })
  return { ...Object.fromEntries(made), 'index.gen.ts': indexOf(made.map(([name]) => name)) }
}

function indexOf(names: readonly string[]): string {
  const documented = readdirSync(OUT).filter((name) => name.endsWith('-documented.json'))
  return [
    '/** Made by "npm run baselines". */',
    ...documented.map((name, i) => `import d${i} from './${name}'`),
    ...names.map((name, i) => `import v${i} from './${name}'`),
    '',
    '/** As of a certain day, by hand. */',
    `export const DOCUMENTED: readonly unknown[] = [${documented.map((_, i) => `d${i}`).join(', ')}]`,
    '',
    '/** The versions of an agent one after the other, the newest last. */',
    `export const RECORDED: readonly unknown[] = [${names.map((_, i) => `v${i}`).join(', ')}]`,
    '',
  ].join('\n')
}

function recorded(agent: string, version: string): Baseline {
  const dir = join(FIXTURES, agent, version)
  const shapes = new Map<string, Shape>()
  for (const file of readdirSync(dir).filter((name) => name.endsWith('.jsonl'))) {
    for (const line of readFileSync(join(dir, file), 'utf8').split('\n').filter(Boolean)) {
      const { payload, event, env = {} } = JSON.parse(line)
      const rawEvent = { id: '', at: 0, receivedAt: 0, agent, event, client: { env }, raw: '' }
      const { native, type, tool } = agentFor(agent).read(payload, { ...rawEvent, transport: 'socket' })
      if (type === UNREADABLE) continue
      const kind = { agent, version, event: native, tool: tool?.name ?? '' }
      const shape = shapes.get(kindKey(kind)) ?? newShape(kind, 0)
      shapes.set(kindKey(kind), shape)
      learn(shape, payload, 0)
    }
  }
  return baselineOf([...shapes.values()], {
    agent,
    version,
    date: RECORDED,
    from: 'recorded',
    complete: true,
  })
}

function withFacts(baseline: Baseline, facts: Facts, isNewest: boolean): Baseline {
  const { agent, version } = baseline
  const own = join(FIXTURES, agent, version, 'schemas')
  const schemas = existsSync(own) ? schemaEvents(own) : {}
  const known = isNewest ? agentFor(agent) : undefined
  const names = [...new Set([...Object.keys(baseline.events), ...Object.keys(known?.events ?? {})])].sort()
  const events = names.map((name) => {
    const event = baseline.events[name] ?? { fields: {} }
    const also = facts.also?.[name]?.split(' ') ?? []
    const extra = known ? [...(known.commonFields ?? []), ...(known.events[name]?.fields ?? []), ...also] : []
    return [name, withSchema(eventWithFacts(name, event, facts, extra), schemas[name])] as const
  })
  const title = agentFor(agent).settings?.title
  const from = existsSync(own) ? `recorded, and ${title}'s own JSON Schemas` : baseline.from
  return { ...baseline, from, events: Object.fromEntries(events) }
}

function eventWithFacts(
  name: string,
  event: BaselineEvent,
  facts: Facts,
  extra: readonly string[],
): BaselineEvent {
  const always = (facts.others?.[name] ?? `${facts.common} ${facts.events?.[name] ?? ''}`).split(' ')
  const isAlways = (path: string, seen: number) =>
    path.includes('.') ? seen >= ENOUGH_INSIDE : always.includes(path)
  const fields = fieldsWithFacts(name, event, facts, isAlways)
  for (const path of extra.flatMap(withParents)) addUnseen(fields, path)
  const { seen = 0, least } = event
  const tools = Object.entries(event.tools ?? {})
    .filter(([tool]) => !/^mcp_/.test(tool)) // of a user's MCP servers
    .map(([tool, part]) => [tool, toolWithFacts(name, tool, part, facts)] as const)
  return {
    seen,
    ...(least === undefined ? {} : { least }),
    fields: sorted(fields),
    ...(tools.length > 0 ? { tools: Object.fromEntries(tools) } : {}),
  }
}

const INPUT = /^(?:tool_input|toolArgs|toolInput)\./

/** Adds what the tool's own description says about its arguments. */
function toolWithFacts(event: string, tool: string, part: BaselinePart, facts: Facts): BaselinePart {
  const takes = facts.tools?.[tool]?.split(' ')
  const isAlways = (path: string, seen: number) =>
    takes && INPUT.test(path) ? takes.includes(path.replace(INPUT, '')) : seen >= ENOUGH_INSIDE
  const fields = fieldsWithFacts(event, part, facts, isAlways)
  const input = Object.keys(fields).find(
    (path) => !path.includes('.') && INPUT.test(`${path.replace('?', '')}.`),
  )
  if (input) for (const name of takes ?? []) addUnseen(fields, `${input}.${name}`.replaceAll('?', ''))
  if ('tool_response' in fields || 'tool_response?' in fields)
    for (const name of facts.responses?.[tool]?.split(' ') ?? []) addUnseen(fields, `tool_response.${name}`)
  return { seen: part.seen ?? 0, fields: sorted(fields) }
}

function fieldsWithFacts(
  event: string,
  { seen = 0, fields = {} }: BaselinePart,
  facts: Facts,
  isAlways: (path: string, seen: number) => boolean,
): Fields {
  const known: Fields = {}
  for (const [text, value] of Object.entries(fields)) {
    const path = text.replace(/\?$/, '')
    if (isInside(path, facts.open ?? [])) continue
    const words = facts.words?.[`${event} ${path}`] ?? facts.words?.[path]
    const types = facts.any?.includes(path) ? 'any' : (value.split(' = ')[0] ?? value)
    const wasAlways = text === path
    known[isAlways(path, wasAlways ? seen : 0) ? path : `${path}?`] = words
      ? `${types} = ${words.split(' ').join(' | ')}`
      : types
  }
  return known
}

/** Adds a name of which nothing else is known. */
function addUnseen(fields: Fields, path: string): void {
  if (!(path in fields) && !(`${path}?` in fields)) fields[`${path}?`] = 'any'
}

/** The agent's own schema takes precedence over observations. */
function withSchema(event: BaselineEvent, schema: Fields | undefined): BaselineEvent {
  if (!schema) return event
  const own = Object.keys(schema).map((text) => text.replace(/\?$/, ''))
  const others = Object.entries(event.fields ?? {}).filter(([text]) => !own.includes(text.replace(/\?$/, '')))
  const inside = others.filter(([text]) => text.includes('.') || text.includes('[') || isToolData(text))
  return { ...event, fields: sorted({ ...Object.fromEntries(inside), ...schema }) }
}

function withParents(path: string): string[] {
  const parts = path.split('.')
  return parts.map((_, i) => parts.slice(0, i + 1).join('.'))
}

function isInside(path: string, roots: readonly string[]): boolean {
  return roots.some((root) => path.startsWith(`${root}.`) || path.startsWith(`${root}[`))
}

function sorted(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).sort(([a], [b]) => (a < b ? -1 : 1)))
}

if (import.meta.main) {
  for (const [name, text] of Object.entries(generatedBaselines())) writeFileSync(join(OUT, name), text)
}

interface Schema {
  readonly type?: string | readonly string[]
  readonly $ref?: string
  readonly enum?: readonly string[]
  readonly const?: string
}

interface InputSchema {
  readonly definitions?: Readonly<Record<string, Schema>>
  readonly properties: Readonly<Record<string, Schema | true>>
  readonly required: readonly string[]
}

/** Event → its fields. The schemas allow no others. */
function schemaEvents(dir: string): Record<string, Record<string, string>> {
  const files = readdirSync(dir).filter((name) => name.endsWith('.input.schema.json'))
  const events = files.map((file) => {
    const schema = JSON.parse(readFileSync(join(dir, file), 'utf8')) as InputSchema
    const { hook_event_name: name } = schema.properties
    if (name === undefined || name === true || name.const === undefined)
      throw new Error(`${file} names no event`)
    return [name.const, fieldsOf(schema)] as const
  })
  return Object.fromEntries(events)
}

function fieldsOf({ properties, required, definitions = {} }: InputSchema): Record<string, string> {
  const fields = Object.entries(properties).map(([name, given]) => {
    const reference = given === true ? undefined : given.$ref?.split('/').at(-1)
    const schema = reference === undefined ? given : (definitions[reference] ?? true)
    return [required.includes(name) ? name : `${name}?`, wordsOf(schema)] as const
  })
  return Object.fromEntries(fields)
}

function wordsOf(schema: Schema | true): string {
  if (schema === true || schema.type === undefined) return 'any'
  const types = [schema.type].flat().join(' | ')
  return schema.enum ? `${types} = ${schema.enum.join(' | ')}` : types
}
