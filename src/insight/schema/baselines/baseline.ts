/**
 * A baseline: what one version of an agent sends, in a file that people can read and review. A field that is not always
 * there ends in `?`; types are separated by `|`; after `=` stand all words it may be.
 *
 *   { "agent": "claude", "version": "2.1.325", "date": "2026-11-15", "from": "recorded", "events": {
 *       "Stop": { "seen": 30, "fields": { "session_id": "string", "permission_mode?": "string = default | plan" } } } }
 */
import { GantryError } from '../../../core/errors.ts'
import { isObject } from '../../../core/is-object.ts'
import type { Baseline, BaselineEvent, BaselinePart, JsonType, Shape } from '../../../rpc/index.ts'
import { type Expectation, type Expected, expectedOf } from '../expected.ts'
import { mergeTools } from '../merge.ts'
import { isInsideTool, isToolData, JSON_TYPES, recordOf } from '../shape.ts'

type About = Pick<Baseline, 'agent' | 'version' | 'date' | 'from' | 'complete'>

/** What the shapes of one version say. */
export function baselineOf(shapes: readonly Shape[], about: About): Baseline {
  const events: Record<string, BaselineEvent> = Object.create(null)
  for (const whole of mergeTools(shapes)) {
    const tools = shapes.filter(({ event, tool }) => event === whole.event && tool !== '')
    const isCommon = (path: string) => tools.length === 0 || !isInsideTool(path)
    events[whole.event] = {
      ...partOf(whole, isCommon),
      ...(whole.least === undefined ? {} : { least: whole.least }),
      ...(tools.length > 0 ? { tools: toolParts(tools) } : {}),
    }
  }
  return { ...about, events: sorted(events) }
}

function toolParts(shapes: readonly Shape[]): Record<string, BaselinePart> {
  return sorted(recordOf(shapes.map((shape) => [shape.tool, partOf(shape, isToolData)])))
}

function partOf(shape: Shape, isWanted: (path: string) => boolean): BaselinePart {
  const { fields = {}, seen } = expectedOf(shape)
  const wanted = Object.entries(fields).filter(([path]) => isWanted(path))
  return { seen, fields: sorted(recordOf(wanted.map(([path, field]) => wordsOf(path, field)))) }
}

/** What it says of one kind; undefined when it does not know the event. */
export function expectedIn(baseline: Baseline, event: string, tool: string): Expected | undefined {
  const { agent, version, complete = false } = baseline
  const known = Object.hasOwn(baseline.events, event) ? baseline.events[event] : undefined
  if (!known) return undefined
  const kind = { agent, version, event, tool, ...(known.least === undefined ? {} : { least: known.least }) }
  if (!known.fields) return { ...kind, seen: known.seen ?? 0, complete }
  const own = known.tools && Object.hasOwn(known.tools, tool) ? known.tools[tool] : undefined
  const fields: Record<string, Expectation> = Object.create(null)
  for (const [text, value] of Object.entries(known.fields)) {
    const [path, field] = fieldOf(text, value)
    // A tool that was never seen may have any input and output.
    fields[path] = !own && tool !== '' && isToolData(path) ? { ...field, types: [] } : field
  }
  for (const [text, value] of Object.entries(own?.fields ?? {})) {
    const [path, field] = fieldOf(text, value)
    const required = isInsideTool(path) ? field.required : (fields[path]?.required ?? false)
    fields[path] = { ...field, required }
  }
  return { ...kind, seen: own?.seen ?? (tool === '' ? (known.seen ?? 0) : 0), fields, complete }
}

/** Everything it knows, for comparing versions. */
export function expectedAll(baseline: Baseline): Expected[] {
  return Object.entries(baseline.events).flatMap(([event, { tools = {} }]) => {
    const names = Object.keys(tools)
    return (names.length > 0 ? names : ['']).flatMap((tool) => expectedIn(baseline, event, tool) ?? [])
  })
}

/** From a file: says what is wrong with it, and where. */
export function parseBaseline(value: unknown, where: string): Baseline {
  const wrong = (what: string) => new GantryError('VALIDATION_ERROR', `${where} is not a baseline: ${what}`)
  if (!isObject(value)) throw wrong('it is not an object. "gantry schema baseline --out <file>" makes one.')
  const { agent, version, date, from = '', events, complete = false } = value
  for (const [name, text] of Object.entries({ agent, version, date, from }))
    if (typeof text !== 'string') throw wrong(`"${name}" is not a string`)
  if (!isObject(events)) throw wrong('"events" is not an object')
  for (const [event, part] of Object.entries(events)) {
    const tools = isObject(part) ? (part.tools ?? {}) : undefined
    if (!isObject(tools)) throw wrong(`"${event}" is not an object`)
    for (const one of [part, ...Object.values(tools)])
      if (!isObject(one) || !isTexts(one.fields ?? {}))
        throw wrong(`the fields of "${event}" are not strings`)
  }
  return { agent, version, date, from, events, ...(complete === true ? { complete } : {}) } as Baseline
}

function wordsOf(path: string, { types, required, words }: Expectation): [string, string] {
  const kinds = types.length === 0 ? ANY : types.join(' | ')
  return [required ? path : `${path}?`, words ? `${kinds} = ${words.join(' | ')}` : kinds]
}

const ANY = 'any'

function fieldOf(text: string, value: string): [string, Expectation] {
  const required = !text.endsWith('?')
  const [kinds = '', words] = value.split(' = ')
  const types = kinds.split(' | ').filter((kind): kind is JsonType => KINDS.has(kind))
  const said = words === undefined ? {} : { words: words.split(' | '), seen: words.split(' | ') }
  return [required ? text : text.slice(0, -1), { types, required, ...said }]
}

const KINDS: ReadonlySet<string> = new Set(JSON_TYPES)

function sorted<Value>(record: Record<string, Value>): Record<string, Value> {
  return recordOf(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)))
}

function isTexts(value: unknown): value is Record<string, string> {
  return isObject(value) && Object.values(value).every((text) => typeof text === 'string')
}
