/** Shapes as tables: one per agent, version and event, one row per field. */
import { percentWords } from '../../core/text/amount.ts'
import { enumOf, isInsideTool, mergeTools, presence, typesOf } from '../../insight/schema/index.ts'
import type { Field, Shape } from '../../rpc/index.ts'
import { bold, columns, cut, dim, green, padTo, plain, yellow } from '../framework/terminal.ts'

export interface EventTable {
  readonly agent: string
  readonly version: string
  readonly event: string
  readonly count: number
  readonly firstAt: number
  readonly lastAt: number
  /** Some fields were dropped. */
  readonly cut?: boolean
  readonly fields: readonly FieldRow[]
}

interface FieldRow {
  readonly path: string
  /** The tool whose input or output has this field. */
  readonly tool?: string
  readonly types: readonly string[]
  /** Share of the payloads, or of the objects it is in, 0 to 1. */
  readonly presence: number
  /** Its values, if they look like an enum. */
  readonly values?: readonly string[]
  readonly formats?: Readonly<Record<string, number>>
  readonly maxSize: number
  readonly samples: readonly string[]
  readonly firstAt: number
  readonly lastAt: number
}

/** Lists a tool's input and output fields per tool, all other fields once. */
export function eventTables(shapes: readonly Shape[]): EventTable[] {
  return mergeTools(shapes)
    .sort(byName)
    .map((whole) => {
      const { agent, version, event, count, firstAt, lastAt } = whole
      const same = (one: Shape) => one.agent === agent && one.version === version && one.event === event
      const tools = shapes
        .filter((one) => same(one) && one.tool !== '')
        .sort((a, b) => (a.tool < b.tool ? -1 : 1))
      const isCommon = (path: string) => tools.length === 0 || !isInsideTool(path)
      const fields = [
        rowsOf(whole, isCommon),
        ...tools.map((one) => rowsOf(one, isInsideTool, one.tool)),
      ].flat()
      return { agent, version, event, count, firstAt, lastAt, ...(whole.cut ? { cut: true } : {}), fields }
    })
}

function rowsOf(shape: Shape, isWanted: (path: string) => boolean, tool?: string): FieldRow[] {
  return Object.keys(shape.fields)
    .filter(isWanted)
    .sort()
    .map((path) => rowOf(shape, path, shape.fields[path] as Field, tool))
}

function rowOf(shape: Shape, path: string, field: Field, tool: string | undefined): FieldRow {
  const values = enumOf(field)
  return {
    path,
    ...(tool === undefined ? {} : { tool }),
    types: typesOf(field),
    presence: path.endsWith('[]') ? 1 : presence(shape, path),
    ...(values ? { values } : {}),
    ...(field.formats ? { formats: field.formats } : {}),
    maxSize: field.maxSize,
    samples: field.samples,
    firstAt: field.firstAt,
    lastAt: field.lastAt,
  }
}

const MAX_PATH = 44
const TYPES = 18
const SHARE = 6
const TIME = 19

export function tableLines({ agent, version, event, count, cut: isCut, fields }: EventTable): string[] {
  const who = [agent, version, event].filter(Boolean).join(' ')
  const title = `${bold(plain(who))}  ${dim(`${count.toLocaleString('en')} seen`)}`
  const names = fields.map(({ path, tool }) => plain(tool === undefined ? path : `${path} (${tool})`))
  const width = Math.min(MAX_PATH, Math.max(8, ...names.map((name) => name.length)))
  const room = Math.max(12, columns() - width - TYPES - SHARE - TIME - 8)
  const rows = fields.map((field, i) => {
    const share = percentWords(field.presence * 100).padStart(SHARE)
    const values = cut(plain(valuesOf(field)), room)
    return [
      padTo(cut(names[i] ?? '', width), width),
      padTo(cut(field.types.join('|'), TYPES), TYPES),
      field.presence === 1 ? green(share) : yellow(share),
      dim(span(field)),
      values,
    ]
      .join('  ')
      .trimEnd()
  })
  return [title, ...rows, ...(isCut ? [dim('… more fields than are kept')] : [])]
}

function valuesOf({ values, samples, formats }: FieldRow): string {
  if (values) return values.join(' | ')
  const [format] = Object.keys(formats ?? {})
  return [format === undefined ? '' : `<${format}>`, ...samples.slice(0, 2)].filter(Boolean).join('  ')
}

/** First and last seen, by day and hour. */
function span({ firstAt, lastAt }: FieldRow): string {
  if (firstAt <= 0) return ''.padEnd(TIME)
  const [first, last] = [new Date(firstAt).toISOString(), new Date(lastAt).toISOString()]
  const isSameDay = first.slice(0, 10) === last.slice(0, 10)
  return (
    isSameDay
      ? `${first.slice(5, 16).replace('T', ' ')}–${last.slice(11, 16)}`
      : `${first.slice(5, 10)} – ${last.slice(5, 10)}`
  ).padEnd(TIME)
}

function byName(a: Shape, b: Shape): number {
  const key = ({ agent, version, event }: Shape) => `${agent}\n${version}\n${event}`
  return key(a) < key(b) ? -1 : 1
}
