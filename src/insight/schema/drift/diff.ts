/** Compares two sets of shapes of the same agent, and rates each difference for readers of its payloads. */
import type { Difference, DifferenceKind, JsonType, Severity, Shape } from '../../../rpc/index.ts'
import { type Expectation, type Expected, expectedOf, knowsNames } from '../expected.ts'
import { isInsideTool, kindKey, parentOf, recordOf } from '../shape.ts'
import { renamedTools, renamesIn } from './renames.ts'

export const SEVERITIES: readonly Severity[] = ['breaking', 'notable', 'info']

const SEVERITY: Readonly<Record<DifferenceKind, Severity>> = {
  'missing-field': 'breaking',
  'renamed-field': 'breaking',
  'renamed-tool': 'breaking',
  'changed-type': 'breaking',
  'gone-event': 'notable',
  'new-type': 'notable',
  'new-value': 'notable',
  'now-optional': 'notable',
  'new-event': 'info',
  'new-structure': 'info',
  'new-field': 'info',
}

/**
 * Compares two versions, or documentation and observation. A tool that only one side saw is compared by the common
 * fields.
 */
export function diffVersions(before: readonly Expected[], after: readonly Expected[]): Difference[] {
  const old = new Map(before.map((one) => [kindKey({ ...one, version: '' }), one]))
  const found: Difference[] = []
  for (const now of after) {
    const was = old.get(kindKey({ ...now, version: '' })) ?? commonOf(before, now)
    if (was) found.push(...diffExpected(was, now))
    else found.push(difference('new-event', now, '', namesOf(now)))
  }
  if (after.some(({ complete }) => complete)) {
    for (const was of before)
      if (!after.some(({ event }) => event === was.event)) found.push(difference('gone-event', was, ''))
  }
  for (const { was, now, event } of renamedTools(before, after))
    found.push({ ...difference('renamed-tool', event, ''), event: '', before: was, after: now })
  return unique(found).sort(bySeverity)
}

/** Compares each observation with its expectation. */
export function diffPairs(pairs: Iterable<readonly [before: Expected, after: Expected]>): Difference[] {
  const found = [...pairs].flatMap(([before, after]) =>
    before.isUnknownEvent
      ? [difference('new-event', after, '', namesOf(after))]
      : diffExpected(before, after),
  )
  return unique(found).sort(bySeverity)
}

/** Merges several lists of differences, each difference once. */
export function together(lists: Iterable<readonly Difference[]>): Difference[] {
  return unique([...lists].flat()).sort(bySeverity)
}

/** The same event for any tool, without the tool's own fields. */
function commonOf(all: readonly Expected[], { event, tool }: Expected): Expected | undefined {
  const one = all.find((other) => other.event === event)
  if (!one?.fields || (one.tool === '' && tool === '')) return one
  const fields = Object.entries(one.fields).filter(([path]) => !isInsideTool(path))
  return { ...one, tool, fields: recordOf(fields) }
}

function diffExpected(before: Expected, after: Expected): Difference[] {
  return compare(before, after, false)
}

/**
 * Compares one payload with the expectation. A single payload proves nothing about absent list elements or other
 * payloads.
 */
export function diffPayload(before: Expected, payload: Shape): Difference[] {
  const one = expectedOf(payload)
  return compare(before, { ...one, fields: withSamples(one, payload) }, true)
}

/** Required fields that a payload lacks. */
export function missingIn(before: Expected, payload: Shape): string[] {
  const one = expectedOf(payload)
  return Object.keys(before.fields ?? {}).filter(
    (path) => !one.fields?.[path] && isMissing(before, one, path, true),
  )
}

function withSamples(one: Expected, { fields }: Shape): Record<string, Expectation> {
  const seen = Object.entries(one.fields ?? {}).map(([path, field]) => {
    const { values = {}, samples = [] } = fields[path] ?? {}
    const words = Object.keys(values)
    return [path, { ...field, seen: words.length > 0 ? words : samples }] as const
  })
  return recordOf(seen)
}

function compare(before: Expected, after: Expected, isPayload: boolean): Difference[] {
  const was = before.fields
  const now = after.fields
  if (!now) return []
  if (!was) return [difference('new-structure', after, '', namesOf(after))]
  const added = Object.keys(now).filter((path) => !was[path] && wasSeen(now[path]) && isNew(before, path))
  const gone = Object.keys(was).filter((path) => !now[path] && isMissing(before, after, path, isPayload))
  const renames = renamesIn(before, gone, after, added)
  const taken = new Set(renames.values())
  const found: Difference[] = []
  for (const [path, to] of renames)
    found.push(difference('renamed-field', after, path, { before: path, after: to }))
  for (const path of added)
    if (!taken.has(path)) found.push(difference('new-field', after, path, { after: textOf(now[path]) }))
  for (const path of gone)
    if (!renames.has(path))
      found.push(difference('missing-field', after, path, { before: textOf(was[path]) }))
  for (const [path, field] of Object.entries(now)) {
    const known = was[path]
    if (known) found.push(...diffField(path, known, field, after, isPayload))
  }
  return found
}

/** A field without a type is known by name only, from a table. */
function wasSeen(field: Expectation | undefined): boolean {
  return field !== undefined && field.types.length > 0
}

/** Nothing is reported below a new field, below free-form data, or in a list that was always empty. */
function isNew(before: Expected, path: string): boolean {
  return !path.endsWith('[]') && !path.endsWith('*') && knowsNames(before, path)
}

function isMissing(before: Expected, after: Expected, path: string, isPayload: boolean): boolean {
  const parent = parentOf(path)
  const isThere = parent === '' || after.fields?.[parent]?.types.includes('object') === true
  if (!isThere || path.endsWith('[]') || path.endsWith('*')) return false
  // Elements of a list may be of several kinds, so one element says nothing about the others.
  if (path.includes('[]') && (isPayload || !after.complete)) return false
  return before.fields?.[path]?.required === true
}

function diffField(
  path: string,
  was: Expectation,
  now: Expectation,
  after: Expected,
  isPayload: boolean,
): Difference[] {
  const found: Difference[] = []
  const kind = typeChange(was.types, now.types)
  if (kind)
    found.push(difference(kind, after, path, { before: was.types.join(' | '), after: now.types.join(' | ') }))
  const words = was.words ?? []
  for (const value of words.length > 0 ? (now.seen ?? []) : []) {
    if (words.includes(value)) continue
    found.push(difference('new-value', after, path, { before: words.join(' | '), after: value }))
  }
  if (!isPayload && was.required && !now.required && !path.includes('[]') && (now.share ?? 0) < 1) {
    const share = now.share === undefined ? 'sometimes' : `${Math.round(now.share * 100)} %`
    found.push(difference('now-optional', after, path, { before: 'always', after: share }))
  }
  return found
}

/** JSON has one number type, so integer and number are the same. A field that was always null has no known type. */
function typeChange(
  was: readonly JsonType[],
  now: readonly JsonType[],
): 'changed-type' | 'new-type' | undefined {
  if (was.every((type) => type === 'null') || now.length === 0) return undefined
  const known = new Set(was.map(asNumber))
  const fresh = now.filter((type) => !known.has(asNumber(type)))
  if (fresh.length === 0) return undefined
  return fresh.length === now.length && !fresh.every((type) => type === 'null') ? 'changed-type' : 'new-type'
}

function asNumber(type: JsonType): JsonType {
  return type === 'integer' ? 'number' : type
}

function textOf(field: Expectation | undefined): string {
  return field?.words?.join(' | ') ?? field?.types.join(' | ') ?? ''
}

function namesOf({ fields }: Expected): { after?: string } {
  const names = Object.keys(fields ?? {}).filter((path) => parentOf(path) === '' && wasSeen(fields?.[path]))
  return names.length > 0 ? { after: names.sort().join(', ') } : {}
}

function difference(
  kind: DifferenceKind,
  { agent, event, tool }: Expected,
  path: string,
  values: { before?: string; after?: string } = {},
): Difference {
  const severity = path.includes('[]') && SEVERITY[kind] === 'breaking' ? 'notable' : SEVERITY[kind]
  return { kind, severity, agent, event, tool, path, ...values }
}

/** The same change of a common field in the shapes of twenty tools is one change. */
function unique(differences: readonly Difference[]): Difference[] {
  const seen = new Map<string, Difference>()
  for (const one of differences) {
    const told = { ...one, tool: toolOf(one) }
    const value = one.kind === 'new-value' ? one.after : ''
    const key = [one.agent, one.kind, one.event, told.tool, one.path, value].join('\n')
    if (!seen.has(key)) seen.set(key, told)
  }
  return [...seen.values()]
}

/** Only a tool's input and output belong to that tool. */
export function toolOf({ path, tool }: Pick<Difference, 'path' | 'tool'>): string {
  return isInsideTool(path) ? tool : ''
}

function bySeverity(a: Difference, b: Difference): number {
  return (
    SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity) ||
    a.event.localeCompare(b.event) ||
    a.tool.localeCompare(b.tool) ||
    a.path.localeCompare(b.path)
  )
}

/** `Stop: new field "brand_new" (integer)`. */
export function differenceText(one: Difference): string {
  const where = [one.event, one.tool].filter(Boolean).join(' ')
  return where === '' ? changeText(one) : `${where}: ${changeText(one)}`
}

/** The same without the event. */
export function changeText({ kind, path, before = '', after = '' }: Difference): string {
  switch (kind) {
    case 'new-event':
      return `new event`
    case 'gone-event':
      return `the event no longer exists`
    case 'new-structure':
      return `structure was unknown: ${after}`
    case 'renamed-tool':
      return `tool "${before}" is now "${after}"`
    case 'new-field':
      return `new field "${path}"${after && ` (${after})`}`
    case 'missing-field':
      return `field "${path}" is missing`
    case 'renamed-field':
      return `field "${before}" is now "${after}"`
    case 'changed-type':
      return `"${path}" is ${after}, was ${before}`
    case 'new-type':
      return `"${path}" may be ${after}, was ${before}`
    case 'new-value':
      return `"${path}" has a new value "${after}"`
    case 'now-optional':
      return `"${path}" is no longer in every payload (${after})`
  }
}
