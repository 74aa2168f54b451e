/**
 * Minimal edits of a settings file: an insertion adds text and a comma, a removal deletes exactly that, and neighbours
 * keep their comments, indentation and line ends. jsonc-parser finds the positions. Its own `modify` is not used,
 * because it reformats whole lines and drops comments next to a removal.
 */
import { createScanner, type Node, type SyntaxKind } from 'jsonc-parser'
import type { Json, Path } from '../../agents/index.ts'
import { type Doc, gapsOf, leadOf, nodeAt, parseDoc, propertyOf } from './json-doc.ts'

interface Edit {
  readonly offset: number
  readonly length: number
  readonly text: string
}

/** Appends an element to the array at `path`. */
export function appendElement(doc: Doc, path: Path, value: Json): Doc {
  const array = nodeAt(doc, path)
  return array ? insertInto(doc, array, () => print(doc, value)) : doc
}

/** Adds a property. If the object must be created, it gets one line per property. */
export function addProperty(doc: Doc, path: Path, value: Json): Doc {
  const parent = path.slice(0, -1)
  const key = path.at(-1) ?? ''
  const object = nodeAt(doc, parent)
  if (object) {
    const colon = doc.style.spaced ? ': ' : ':'
    return insertInto(
      doc,
      object,
      (indent) => `${JSON.stringify(key)}${colon}${print(doc, value, indent, 1)}`,
    )
  }
  if (parent.length > 0) return addProperty(doc, parent, { [key]: value })
  // The file is empty or has only comments.
  const { eol } = doc.style
  const before = doc.text === '' || doc.text.endsWith('\n') ? doc.text : doc.text + eol
  return parseDoc(`${doc.bom}${before}${print(doc, { [key]: value }, '', 2)}${eol}`, doc.file)
}

export function replaceValue(doc: Doc, node: Node, value: Json): Doc {
  return edited(doc, [{ offset: node.offset, length: node.length, text: print(doc, value) }])
}

export function removeProperty(doc: Doc, path: Path): Doc {
  const object = nodeAt(doc, path.slice(0, -1))
  const property = object && propertyOf(object, path.at(-1) ?? '')
  return property ? removeChild(doc, property) : doc
}

/** Removes a property or an element with its comma and, if it was alone there, its line. */
export function removeChild(doc: Doc, child: Node): Doc {
  const { text } = doc
  const siblings = child.parent?.children ?? []
  const container = child.parent
  if (!container) return doc
  const index = siblings.indexOf(child)
  const previous = siblings[index - 1]
  const next = siblings[index + 1]
  const end = endOf(child)
  const after = scanGap(text, end, next?.offset ?? endOf(container) - 1)

  if (after.comma !== undefined) {
    const rest = /^[ \t]*(\r?\n)?/.exec(text.slice(after.comma + 1))?.[0] ?? ''
    const lead = leadOf(text, child.offset)
    const ownLine = lead !== undefined && rest.endsWith('\n') && isBlank(text.slice(end, after.comma))
    if (ownLine) return edited(doc, [cut(child.offset - lead.length, after.comma + 1 + rest.length)])
    const spaces = rest.endsWith('\n') ? 0 : rest.length
    return edited(doc, [cut(child.offset, end), cut(after.comma, after.comma + 1 + spaces)])
  }

  const before = scanGap(text, previous ? endOf(previous) : container.offset + 1, child.offset)
  const comma = before.comma === undefined ? [] : [cut(before.comma, before.comma + 1)]
  // Text after a line comment must stay on the next line.
  const restOfLine = text.slice(end).split(/\r?\n/, 1)[0] ?? ''
  const from = before.endsInLineComment && !isBlank(restOfLine) ? child.offset : before.end
  const left = edited(doc, [...comma, cut(from, end)])
  return siblings.length > 1 ? left : collapsed(left, container.offset)
}

/** True if it has no child and no comment. */
export function isHollow(doc: Doc, node: Node): boolean {
  return (node.children?.length ?? 0) === 0 && isBlank(gapsOf(doc.text, node))
}

function insertInto(doc: Doc, container: Node, piece: (indent: string) => string): Doc {
  const { text, style } = doc
  const close = endOf(container) - 1
  const last = container.children?.at(-1)
  const tail = scanGap(text, last ? endOf(last) : container.offset + 1, close)
  const rest = text.slice(tail.end, close)
  // A trailing comma is the user's habit, so the new element gets one, too.
  const ending = tail.comma === undefined ? '' : ','
  const comma = last && tail.comma === undefined ? [{ offset: endOf(last), length: 0, text: ',' }] : []
  if (isMultiline(doc, container)) {
    const indent = childIndent(doc, container)
    const line = `${style.eol}${indent}${piece(indent)}${ending}`
    const closing = rest.includes('\n') ? rest : `${style.eol}${lineIndent(text, container.offset)}`
    return edited(doc, [...comma, { offset: tail.end, length: rest.length, text: line + closing }])
  }
  const space = style.spaced ? ' ' : ''
  const pad = !last && container.type === 'object' ? space : ''
  const lead = last ? space : pad
  const inserted = `${lead}${piece('')}${ending}${last ? rest : pad}`
  return edited(doc, [...comma, { offset: tail.end, length: rest.length, text: inserted }])
}

function isMultiline({ text, style }: Doc, container: Node): boolean {
  const gaps = gapsOf(text, container)
  if (gaps.includes('\n')) return true
  return (container.children?.length ?? 0) === 0 && container.type === 'object' && style.multiline
}

function childIndent({ text, style }: Doc, container: Node): string {
  const last = container.children?.at(-1)
  return (last && leadOf(text, last.offset)) ?? lineIndent(text, container.offset) + style.unit
}

function lineIndent(text: string, offset: number): string {
  const line = text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset)
  return /^[ \t]*/.exec(line)?.[0] ?? ''
}

/** Prints on one line, in the file's spacing; the outer `expand` levels of objects get one line per property. */
function print(doc: Doc, value: Json, indent = '', expand = 0): string {
  const { eol, unit, multiline, spaced } = doc.style
  const [colon, comma, pad] = spaced ? [': ', ', ', ' '] : [':', ',', '']
  if (Array.isArray(value)) return `[${value.map((one) => print(doc, one)).join(comma)}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const lines = Object.entries(value).map(([key, one]) => {
    return `${JSON.stringify(key)}${colon}${print(doc, one, indent + unit, expand - 1)}`
  })
  if (lines.length === 0) return '{}'
  if (expand < 1 || !multiline || !Object.values(value).every(isContainer))
    return `{${pad}${lines.join(comma)}${pad}}`
  return `{${eol}${lines.map((line) => indent + unit + line).join(`,${eol}`)}${eol}${indent}}`
}

function isContainer(value: Json): boolean {
  return typeof value === 'object' && value !== null
}

interface Gap {
  readonly comma?: number
  /** After the last comma or comment; the start of the gap if there is none. */
  readonly end: number
  readonly endsInLineComment: boolean
}

/** The numbers of jsonc-parser's SyntaxKind, a const enum that cannot be imported as a value. */
const TOKEN = {
  comma: 5 as SyntaxKind.CommaToken,
  lineComment: 12 as SyntaxKind.LineCommentTrivia,
  lineBreak: 14 as SyntaxKind.LineBreakTrivia,
  trivia: 15 as SyntaxKind.Trivia,
  end: 17 as SyntaxKind.EOF,
}

function scanGap(text: string, from: number, to: number): Gap {
  const scanner = createScanner(text.slice(from, to), false)
  let comma: number | undefined
  let end = from
  let endsInLineComment = false
  for (let kind = scanner.scan(); kind !== TOKEN.end; kind = scanner.scan()) {
    if (kind === TOKEN.trivia || kind === TOKEN.lineBreak) continue
    if (kind === TOKEN.comma) comma = from + scanner.getTokenOffset()
    end = from + scanner.getTokenOffset() + scanner.getTokenLength()
    endsInLineComment = kind === TOKEN.lineComment
  }
  return { ...(comma === undefined ? {} : { comma }), end, endsInLineComment }
}

/** Joins `{` and `}` once nothing is left between them. */
function collapsed(doc: Doc, offset: number): Doc {
  const inside = /^[[{](\s*)[\]}]/.exec(doc.text.slice(offset))?.[1]
  return inside ? edited(doc, [cut(offset + 1, offset + 1 + inside.length)]) : doc
}

function cut(from: number, to: number): Edit {
  return { offset: from, length: to - from, text: '' }
}

/** Edits are sorted by position and do not overlap. */
function edited(doc: Doc, edits: readonly Edit[]): Doc {
  let text = ''
  let from = 0
  for (const edit of edits) {
    text += doc.text.slice(from, edit.offset) + edit.text
    from = edit.offset + edit.length
  }
  return parseDoc(doc.bom + text + doc.text.slice(from), doc.file)
}

function endOf(node: Node): number {
  return node.offset + node.length
}

function isBlank(text: string): boolean {
  return /^\s*$/.test(text)
}
