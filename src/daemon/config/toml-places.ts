/**
 * The position of each key in a TOML text, from the parser's tree, so that dotted keys, inline tables and arrays of
 * tables are found, too.
 *
 *   deepest(tomlPlaces(parseToml(text)), ['webhooks', '1', 'url'])?.line
 */
import { type AST, parseTOML } from 'toml-eslint-parser'

export interface TomlPlace {
  readonly path: readonly string[]
  readonly line: number
  /** Set for a key. */
  readonly value?: AST.TOMLContentNode
  /** The path of the table that contains the key. */
  readonly within?: readonly string[]
  /** Set for a table with its own `[table]` or `[[table]]` header. */
  readonly table?: AST.TOMLTable
}

export const BYTE_ORDER_MARK = '\ufeff' // some editors on Windows write it first

export function parseToml(text: string): AST.TOMLProgram {
  return parseTOML(text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text)
}

export function tomlPlaces(program: AST.TOMLProgram): TomlPlace[] {
  const found: TomlPlace[] = []
  for (const node of program.body[0].body) {
    if (node.type === 'TOMLKeyValue') addKey(found, [], node)
    else {
      const path = node.resolvedKey.map(String)
      const { line } = node.loc.start
      for (let depth = 1; depth < path.length; depth++) found.push({ path: path.slice(0, depth), line })
      found.push({ path, line, table: node })
      for (const one of node.body) addKey(found, path, one)
    }
  }
  return found
}

/** The deepest part of `path` that exists in the text. */
export function deepest(places: readonly TomlPlace[], path: readonly string[]): TomlPlace | undefined {
  let best: TomlPlace | undefined
  for (const place of places)
    if (isBelow(path, place.path) && place.path.length > (best?.path.length ?? 0)) best = place
  return best
}

export function isBelow(path: readonly string[], above: readonly string[]): boolean {
  return above.length <= path.length && above.every((name, i) => name === path[i])
}

function addKey(found: TomlPlace[], within: readonly string[], node: AST.TOMLKeyValue): void {
  const keys = node.key.keys.map((key) => (key.type === 'TOMLBare' ? key.name : key.value))
  const path = [...within, ...keys]
  found.push({ path, line: node.loc.start.line, value: node.value, within })
  addInside(found, path, node.value)
}

function addInside(found: TomlPlace[], path: readonly string[], value: AST.TOMLContentNode): void {
  if (value.type === 'TOMLInlineTable') for (const one of value.body) addKey(found, path, one)
  if (value.type === 'TOMLArray')
    for (const [i, element] of value.elements.entries()) {
      const inside = [...path, String(i)]
      found.push({ path: inside, line: element.loc.start.line, value: element, within: path })
      addInside(found, inside, element)
    }
}
