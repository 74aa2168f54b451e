/** What two pictures of the same agent differ in, and how bad that is for whoever reads its payloads. */
import { enumOf, type Field, kindKey, parentOf, presence, type Shape, typesOf } from './shape.ts'

export const SEVERITIES = ['breaking', 'notable', 'info'] as const

export type Severity = (typeof SEVERITIES)[number]

export type DifferenceKind =
  | 'new-event'
  | 'gone-event'
  | 'new-field'
  | 'missing-field'
  | 'renamed-field'
  | 'changed-type'
  | 'new-type'
  | 'new-value'
  | 'now-optional'

export interface Difference {
  readonly kind: DifferenceKind
  readonly severity: Severity
  readonly agent: string
  readonly event: string
  readonly tool: string
  /** Empty when it is about the event itself. */
  readonly path: string
  readonly before?: string
  readonly after?: string
}

const SEVERITY: Readonly<Record<DifferenceKind, Severity>> = {
  'missing-field': 'breaking',
  'renamed-field': 'breaking',
  'changed-type': 'breaking',
  'gone-event': 'notable',
  'new-type': 'notable',
  'new-value': 'notable',
  'now-optional': 'notable',
  'new-event': 'info',
  'new-field': 'info',
}

/** One payload without a field proves nothing about one that was not always there either. */
const ENOUGH = 1

/** Shapes of one agent in two versions, or as documented and as seen. Tools that only one side saw are left out. */
export function diffShapes(before: readonly Shape[], after: readonly Shape[]): Difference[] {
  const old = new Map(before.map((shape) => [kindKey({ ...shape, version: '' }), shape]))
  const now = new Map(after.map((shape) => [kindKey({ ...shape, version: '' }), shape]))
  const found: Difference[] = []
  for (const [key, shape] of now) {
    const was = old.get(key)
    if (was) found.push(...diffShape(was, shape))
    else if (!hasEvent(before, shape.event)) found.push(difference('new-event', shape, ''))
  }
  for (const [key, shape] of old) {
    if (!now.has(key) && !hasEvent(after, shape.event)) found.push(difference('gone-event', shape, ''))
  }
  return unique(found).sort(bySeverity)
}

export function diffShape(before: Shape, after: Shape): Difference[] {
  const found: Difference[] = []
  const added = Object.keys(after.fields).filter((path) => !before.fields[path] && isTop(path, before))
  const gone = Object.keys(before.fields).filter(
    (path) => !after.fields[path] && isTop(path, after) && isRequired(before, path) && after.count >= ENOUGH,
  )
  const renamed = new Map(
    gone.flatMap((path) => {
      const to = added.find((other) => looksLike(path, before, other, after))
      return to === undefined ? [] : [[path, to] as const]
    }),
  )
  for (const [path, to] of renamed)
    found.push(difference('renamed-field', after, path, { before: path, after: to }))
  const taken = new Set(renamed.values())
  for (const path of added)
    if (!taken.has(path)) found.push(difference('new-field', after, path, typed(after, path)))
  for (const path of gone) if (!renamed.has(path)) found.push(difference('missing-field', after, path))
  for (const [path, field] of Object.entries(after.fields)) {
    const was = before.fields[path]
    if (was) found.push(...diffField(path, was, field, before, after))
  }
  return found
}

function diffField(path: string, was: Field, now: Field, before: Shape, after: Shape): Difference[] {
  const found: Difference[] = []
  const old = typesOf(was)
  const types = typesOf(now)
  const fresh = types.filter((type) => !old.includes(type) && !(type === 'integer' && old.includes('number')))
  const words = { before: old.join(' | '), after: types.join(' | ') }
  if (fresh.length === types.length && fresh.length > 0)
    found.push(difference('changed-type', after, path, words))
  else if (fresh.length > 0) found.push(difference('new-type', after, path, words))
  const known = enumOf(was)
  if (known && now.values) {
    const values = Object.keys(now.values).filter((value) => !known.includes(value))
    for (const value of values)
      found.push(difference('new-value', after, path, { before: known.join(' | '), after: value }))
  }
  if (isRequired(before, path) && presence(after, path) < 1) {
    const share = `${Math.round(presence(after, path) * 100)} %`
    found.push(difference('now-optional', after, path, { before: '100 %', after: share }))
  }
  return found
}

export function isRequired(shape: Shape, path: string): boolean {
  return !path.endsWith('[]') && presence(shape, path) >= 1
}

/** Below a field that is new or gone itself, or below data, nothing needs saying. */
function isTop(path: string, other: Shape): boolean {
  const parent = parentOf(path)
  return parent === '' || other.fields[parent] !== undefined
}

/** A field that is gone and one that is new: the same type, in the same place, and a name in common. */
function looksLike(path: string, before: Shape, other: string, after: Shape): boolean {
  if (parentOf(path) !== parentOf(other) || !isRequired(after, other)) return false
  const types = typesOf(before.fields[path] as Field)
  const others = typesOf(after.fields[other] as Field)
  // A documented field has no type where the documentation gave none.
  if (types.length > 0 && !types.some((type) => others.includes(type))) return false
  const words = nameWords(path)
  return (
    nameWords(other).some((word) => words.includes(word)) ||
    SAME.some((set) => set.has(path) && set.has(other))
  )
}

/** Names for one thing that share no word. */
const SAME: readonly ReadonlySet<string>[] = [new Set(['user_input', 'user_prompt', 'prompt'])]

function nameWords(path: string): string[] {
  return (path.split('.').at(-1) ?? '').split('_')
}

function hasEvent(shapes: readonly Shape[], event: string): boolean {
  return shapes.some((shape) => shape.event === event)
}

function typed(shape: Shape, path: string): { after: string } {
  const field = shape.fields[path] as Field
  const words = enumOf(field)
  return { after: words ? words.join(' | ') : typesOf(field).join(' | ') }
}

function difference(
  kind: DifferenceKind,
  { agent, event, tool }: Shape,
  path: string,
  values: { before?: string; after?: string } = {},
): Difference {
  return { kind, severity: SEVERITY[kind], agent, event, tool, path, ...values }
}

/** The same change of a common field in the shapes of twenty tools is one change. */
function unique(differences: readonly Difference[]): Difference[] {
  const seen = new Map<string, Difference>()
  for (const one of differences) {
    const own = /^tool_(?:input|response|output)[.[]/.test(one.path)
    const key = `${one.kind}\n${one.event}\n${own ? one.tool : ''}\n${one.path}\n${one.after ?? ''}`
    if (!seen.has(key)) seen.set(key, own ? one : { ...one, tool: '' })
  }
  return [...seen.values()]
}

function bySeverity(a: Difference, b: Difference): number {
  return (
    SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity) ||
    a.event.localeCompare(b.event) ||
    a.path.localeCompare(b.path)
  )
}
