/**
 * A settings file as text and tree. The tree gives positions; edits apply to the text, so every other byte stays as it
 * is. Comments and trailing commas are accepted here; `checkTaken` checks whether the agent accepts them, too.
 */
import { type Node, type ParseError, parseTree, printParseErrorCode, visit } from 'jsonc-parser'
import type { AgentSettings, BeyondJson, Json, Path } from '../../agents/index.ts'
import { GantryError } from '../../core/errors.ts'
import { isObject } from '../../core/is-object.ts'

export interface Doc {
  /** For messages. */
  readonly file: string
  /** The byte order mark, if any; offsets exclude it. */
  readonly bom: string
  readonly text: string
  /** Undefined for an empty file, or one with only comments. */
  readonly root: Node | undefined
  readonly style: Style
}

interface Style {
  readonly eol: string
  /** One level of indentation. */
  readonly unit: string
  readonly multiline: boolean
  /** True for `"a": 1`, false for `"a":1`. */
  readonly spaced: boolean
}

const BOM = '\uFEFF'

export function parseDoc(source: string, file: string): Doc {
  const bom = source.startsWith(BOM) ? BOM : ''
  const text = source.slice(bom.length)
  const errors: ParseError[] = []
  let root: Node | undefined
  try {
    root = parseTree(text, errors, { allowTrailingComma: true, allowEmptyContent: true })
  } catch (cause) {
    throw new GantryError('BAD_CONFIG', `${file} is nested too deeply to be a settings file.`, { cause })
  }
  const [error] = errors
  if (error) {
    const what = printParseErrorCode(error.error)
      .replace(/([a-z])([A-Z])/g, '$1 $2')
      .toLowerCase()
    throw problem({ file, text }, error.offset, `is not valid JSON (${what})`, 'Correct it')
  }
  if (root && root.type !== 'object') {
    throw problem({ file, text }, root.offset, `has ${article(root)} where an object should be`, 'Correct it')
  }
  return { file, bom, text, root, style: styleOf(text, root) }
}

/** Rejects a file that the agent would ignore, because hooks in it would never run. */
export function checkTaken(doc: Doc, { title, takes }: Pick<AgentSettings, 'title' | 'takes'>): void {
  const found = beyondJson(doc).find(({ what }) => !takes.includes(what))
  if (!found) return
  const what = `has ${found.what}, and ${title} refuses the whole file for it: no hook in it runs`
  throw problem(doc, found.offset, what, 'Remove it')
}

function beyondJson({ bom, text }: Doc): { what: BeyondJson; offset: number }[] {
  const found: { what: BeyondJson; offset: number }[] = bom ? [{ what: 'a byte order mark', offset: 0 }] : []
  let comma: number | undefined
  const follows = () => {
    comma = undefined
  }
  const ends = () => {
    if (comma !== undefined) found.push({ what: 'a trailing comma', offset: comma })
    comma = undefined
  }
  visit(text, {
    onComment: (offset) => found.push({ what: 'a comment', offset }),
    onSeparator: (character, offset) => {
      if (character === ',') comma = offset
    },
    onObjectProperty: follows,
    onObjectBegin: follows,
    onArrayBegin: follows,
    onLiteralValue: follows,
    onObjectEnd: ends,
    onArrayEnd: ends,
  })
  return found
}

export function textOf(doc: Doc): string {
  return doc.bom + doc.text
}

function problem(
  { file, text }: Pick<Doc, 'file' | 'text'>,
  offset: number,
  what: string,
  todo: string,
): GantryError {
  const { line, column } = positionOf(text, offset)
  return new GantryError(
    'BAD_CONFIG',
    `${file}:${line}:${column} ${what}. Nothing was written. ${todo} and run this again.`,
    {
      details: { file, line, column },
    },
  )
}

function positionOf(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset)
  return { line: before.split('\n').length, column: offset - (before.lastIndexOf('\n') + 1) + 1 }
}

/** The value node at a path of keys. */
export function nodeAt(doc: Doc, path: Path): Node | undefined {
  let node = doc.root
  for (const key of path) node = node && valueIn(propertyOf(node, key))
  return node
}

/** The last property of that name wins, as in JSON.parse. */
export function propertyOf(node: Node, key: string): Node | undefined {
  return node.type === 'object'
    ? node.children?.findLast((child) => child.children?.[0]?.value === key)
    : undefined
}

function valueIn(property: Node | undefined): Node | undefined {
  return property?.children?.[1]
}

/** Rejects an ambiguous path: a duplicate key, or a value of another type. */
export function checkPath(doc: Doc, path: Path, last: 'array' | 'any'): void {
  let node = doc.root
  for (const [depth, key] of path.entries()) {
    if (!node) return
    if (node.type !== 'object') throw wrongType(doc, node, path.slice(0, depth), 'an object')
    const same = node.children?.filter((child) => child.children?.[0]?.value === key) ?? []
    const [first, second] = same
    if (first && second) {
      const { line } = positionOf(doc.text, first.offset)
      const what = `has "${path.slice(0, depth + 1).join('.')}" a second time (first in line ${line}), and only one of them counts`
      throw problem(doc, second.offset, what, 'Make one of them')
    }
    node = valueIn(first)
  }
  if (node && last === 'array' && node.type !== 'array') throw wrongType(doc, node, path, 'an array')
}

function wrongType(doc: Doc, node: Node, path: Path, wanted: string): GantryError {
  const what = `has ${article(node)} as "${path.join('.')}" where ${wanted} should be`
  return problem(doc, node.offset, what, 'Correct it')
}

function article({ type }: Node): string {
  if (type === 'null') return 'null'
  return `${/^[aeiou]/.test(type) ? 'an' : 'a'} ${type}`
}

export function toValue(node: Node | undefined): Json | undefined {
  if (!node) return undefined
  switch (node.type) {
    case 'array':
      return (node.children ?? []).map((child) => toValue(child) ?? null)
    case 'object': {
      // fromEntries, because an assignment to "__proto__" would be lost.
      const entries = (node.children ?? []).map((child) => {
        return [String(child.children?.[0]?.value), toValue(child.children?.[1]) ?? null] as const
      })
      return Object.fromEntries(entries)
    }
    default:
      return node.value as Json
  }
}

export function isSame(a: Json | undefined, b: Json | undefined): boolean {
  return Bun.deepEquals(a, b, true)
}

/** True if the value is ours, or an object of ours with keys added by somebody. */
export function contains(value: Json | undefined, ours: Json): boolean {
  if (!isObject(ours) || !isObject(value)) return isSame(value, ours)
  return Object.entries(ours).every(([key, one]) => isSame(value[key], one))
}

function styleOf(text: string, root: Node | undefined): Style {
  const first = root?.children?.[0]
  const lead = first ? leadOf(text, first.offset) : undefined
  const colon = first?.colonOffset
  return {
    eol: /\r\n/.test(text) ? '\r\n' : '\n',
    unit: lead ? lead : '  ',
    multiline: !root || !first || gapsOf(text, root).includes('\n'),
    spaced: colon === undefined || /\s/.test(text[colon + 1] ?? ''),
  }
}

/** The white space before this position on its line; undefined if anything else precedes it. */
export function leadOf(text: string, offset: number): string | undefined {
  const lead = text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset)
  return /^[ \t]*$/.test(lead) ? lead : undefined
}

/** All text inside the brackets that is not part of a child. */
export function gapsOf(text: string, container: Node): string {
  let gaps = ''
  let from = container.offset + 1
  for (const child of container.children ?? []) {
    gaps += text.slice(from, child.offset)
    from = child.offset + child.length
  }
  return gaps + text.slice(from, container.offset + container.length - 1)
}
