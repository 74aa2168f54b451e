/**
 * Plans the new settings file. Pure: takes the current text and our entries in it, returns the new text and the exact
 * entries. Changed entries of ours are replaced in place, since Codex ties its trust to a hook's position among its
 * neighbours.
 *
 *   const { text, entries, containers } = planEntries(oldText, file, wiring.entries, { entries: [], containers: [] })
 *   planRemoval(text, file, { entries, containers }) === oldText
 */
import type { Node } from 'jsonc-parser'
import type { Entry, Json, Path, Written } from '../agents/index.ts'
import {
  checkPath,
  contains,
  type Doc,
  isSame,
  nodeAt,
  parseDoc,
  propertyOf,
  textOf,
  toValue,
} from './edit/json-doc.ts'
import {
  addProperty,
  appendElement,
  isHollow,
  removeChild,
  removeProperty,
  replaceValue,
} from './edit/json-edit.ts'

/** Our part of a file. */
export interface Ours {
  readonly entries: readonly Written[]
  /** Objects and arrays that we created, outermost first. */
  readonly containers: readonly Path[]
}

interface EntryPlan extends Ours {
  readonly text: string
  /** What a person should know about chained values. */
  readonly notes: readonly string[]
  /**
   * Paths where an entry that is not exactly ours already starts the client. It is left as it is, and nothing is added
   * there.
   */
  readonly yours: readonly Path[]
}

type Append = Extract<Entry, { kind: 'append' }>
type Chain = Extract<Entry, { kind: 'chain' }>

export function planEntries(
  source: string,
  file: string,
  wanted: readonly Entry[],
  ours: Ours,
  /** Whether a part of the file starts the client in any way. */
  starts: (part: Json) => boolean = () => false,
): EntryPlan {
  let doc = parseDoc(source, file)
  for (const entry of wanted) checkPath(doc, entry.path, entry.kind === 'append' ? 'array' : 'any')
  const appends = wanted.filter((entry): entry is Append => entry.kind === 'append')
  const chains = wanted.filter((entry): entry is Chain => entry.kind === 'chain')

  const kept = ours.entries.filter((old) => isWanted(old, wanted))
  doc = withoutOurs(doc, { ...ours, entries: ours.entries.filter((old) => !kept.includes(old)) })

  const missing: Append[] = []
  const yours: Path[] = []
  for (const entry of appends) {
    const step = renewed(doc, entry, kept)
    doc = step.doc
    const isYours = childrenAt(doc, entry.path).some((one) => !isSame(one, entry.value) && starts(one))
    if (isYours) yours.push(entry.path)
    if (!step.isThere && !isYours) missing.push(entry)
  }
  const added = addMissing(doc, missing)
  doc = added.doc

  const entries: Written[] = appends.map(({ kind, path, value }) => ({ kind, path, value }))
  const containers = [...ours.containers, ...added.containers]
  const notes: string[] = []
  for (const chain of chains) {
    const step = applyChain(doc, chain, kept, starts)
    doc = step.doc
    if (step.isYours) yours.push(chain.path)
    if (step.written) entries.push(step.written)
    if (step.note !== undefined) notes.push(step.note)
  }
  return { text: textOf(doc), entries, containers: unique(containers), notes, yours }
}

export function planRemoval(source: string, file: string, ours: Ours): string {
  return textOf(withoutOurs(parseDoc(source, file), ours))
}

/** Replaces the outdated entry in place; removes further old ones. */
function renewed(start: Doc, entry: Append, kept: readonly Written[]): { doc: Doc; isThere: boolean } {
  let doc = start
  let isThere = findGroup(doc, entry.path, entry.value) !== undefined
  for (const old of kept) {
    if (old.kind !== 'append' || !isSame([...old.path], [...entry.path])) continue
    if (isThere && isSame(old.value, entry.value)) continue
    const place = findGroup(doc, old.path, old.value)
    const stray = place ?? findHandler(doc, old.path, old.value)
    const handler = handlerOf(entry.value)
    if (place && !isThere) {
      doc = replaceValue(doc, place, entry.value)
      isThere = true
    } else if (stray && !isThere && handler !== undefined) {
      // In a group of the user's: it stays there, updated to today's form.
      if (!isSame(toValue(stray), handler)) doc = replaceValue(doc, stray, handler)
      isThere = true
    } else if (stray) doc = removeChild(doc, stray)
  }
  return { doc, isThere }
}

function isWanted(old: Written, wanted: readonly Entry[]): boolean {
  const kind = old.kind === 'append' ? 'append' : 'chain'
  return wanted.some((entry) => entry.kind === kind && startsWith(old.path, entry.path))
}

/** Removes what is exactly ours; entries that are gone or were changed by somebody are skipped. */
function withoutOurs(doc: Doc, { entries, containers }: Ours): Doc {
  let left = doc
  for (const entry of entries) {
    const { path, value } = entry
    const place = entry.kind === 'append' && (findGroup(left, path, value) ?? findHandler(left, path, value))
    if (place) left = removeChild(left, place)
    else if (entry.kind === 'set' && isStillOurs(left, entry)) left = restored(left, entry)
  }
  const emptied = containers.filter((path) => entries.some((entry) => startsWith(entry.path, path)))
  for (const path of emptied.toSorted((a, b) => b.length - a.length)) {
    const node = nodeAt(left, path)
    if (node && isHollow(left, node)) left = removeProperty(left, path)
  }
  return left
}

function findGroup(doc: Doc, path: Path, value: Json): Node | undefined {
  return nodeAt(doc, path)?.children?.find((element) => isSame(toValue(element), value))
}

/** Our handler inside a group of the user's. */
function findHandler(doc: Doc, path: Path, group: Json): Node | undefined {
  const handler = handlerOf(group)
  if (handler === undefined) return undefined
  return nodeAt(doc, path)
    ?.children?.flatMap((element) => propertyOf(element, 'hooks')?.children?.[1]?.children ?? [])
    .find((one) => isSame(toValue(one), handler))
}

function handlerOf(group: Json): Json | undefined {
  const handlers = typeof group === 'object' && group !== null && 'hooks' in group ? group.hooks : undefined
  return Array.isArray(handlers) ? (handlers as Json[])[0] : undefined
}

function childrenAt(doc: Doc, path: Path): Json[] {
  return nodeAt(doc, path)?.children?.map((one) => toValue(one) ?? null) ?? []
}

/** Entries that share a missing container are added with it, in one piece. */
function addMissing(start: Doc, missing: readonly Append[]): { doc: Doc; containers: Path[] } {
  let doc = start
  const containers: Path[] = []
  const made = new Map<string, { path: Path; value: Json }>()
  for (const { path, value } of missing) {
    const depth = path.findIndex((_, i) => !nodeAt(doc, path.slice(0, i + 1)))
    if (depth < 0) {
      doc = appendElement(doc, path, value)
      continue
    }
    const top = path.slice(0, depth + 1)
    const key = JSON.stringify(top)
    const inner = path.slice(depth + 1).reduceRight<Json>((rest, name) => ({ [name]: rest }), [value])
    const before = made.get(key)?.value
    made.set(key, { path: top, value: before === undefined ? inner : merged(before, inner) })
    for (let i = depth; i < path.length; i++) containers.push(path.slice(0, i + 1))
  }
  for (const { path, value } of made.values()) doc = addProperty(doc, path, value)
  return { doc, containers }
}

function merged(a: Json, b: Json): Json {
  if (Array.isArray(a) && Array.isArray(b)) return [...a, ...b]
  return { ...(a as object), ...(b as object) }
}

function applyChain(
  start: Doc,
  chain: Chain,
  ours: readonly Written[],
  starts: (part: Json) => boolean,
): { doc: Doc; written?: Written; note?: string; isYours?: true } {
  const old = ours.find(
    (one) => one.kind === 'set' && startsWith(one.path, chain.path) && isStillOurs(start, one),
  )
  const base = old ? restored(start, old) : start
  const value = toValue(nodeAt(base, chain.path))
  if (value !== undefined && starts(value)) return { doc: base, isYours: true }
  const piece = chain.make(value)
  if (!piece) {
    return {
      doc: base,
      note: `"${chain.path.join('.')}" has a format that gantry does not know, and was left alone.`,
    }
  }
  if (old && isSame([...old.path], [...piece.path]) && isSame(old.value, piece.value))
    return { doc: start, written: old, note: piece.means }
  const place = nodeAt(base, piece.path)
  const previous = toValue(place)
  return {
    doc: place ? replaceValue(base, place, piece.value) : addProperty(base, piece.path, piece.value),
    written: {
      kind: 'set',
      path: piece.path,
      value: piece.value,
      ...(previous === undefined ? {} : { previous }),
    },
    note: piece.means,
  }
}

function isStillOurs(doc: Doc, { path, value }: Written): boolean {
  return contains(toValue(nodeAt(doc, path)), value)
}

function restored(doc: Doc, entry: Written): Doc {
  const place = nodeAt(doc, entry.path)
  if (!place || entry.kind !== 'set') return doc
  return entry.previous === undefined
    ? removeProperty(doc, entry.path)
    : replaceValue(doc, place, entry.previous)
}

function startsWith(path: Path, start: Path): boolean {
  return start.every((key, i) => path[i] === key)
}

function unique(paths: readonly Path[]): Path[] {
  return [...new Map(paths.map((path) => [JSON.stringify(path), path])).values()]
}
