/**
 * Colours of code: which words are keywords, strings, comments. Loaded when the first code is shown. It gives pieces of the
 * text, never HTML, so whatever the code is, it stays text. Pure.
 */
import hljs from 'highlight.js/lib/core'
import bash from 'highlight.js/lib/languages/bash'
import go from 'highlight.js/lib/languages/go'
import json from 'highlight.js/lib/languages/json'
import python from 'highlight.js/lib/languages/python'
import rust from 'highlight.js/lib/languages/rust'
import typescript from 'highlight.js/lib/languages/typescript'
import yaml from 'highlight.js/lib/languages/yaml'
import type { Language } from './language.ts'

const LANGUAGES = { bash, go, json, python, rust, typescript, yaml } satisfies Readonly<
  Record<Language, unknown>
>
for (const [name, language] of Object.entries(LANGUAGES)) hljs.registerLanguage(name, language)

export interface Piece {
  readonly text: string
  /** `keyword`, `string`, …; empty for the rest. */
  readonly scope: string
}

/** A node of highlight.js's own tree, from which it would write HTML. */
type Node = string | { readonly scope?: string; readonly children: readonly Node[] }

const BLOCK_CHARS = 3_000 // its expressions need the square of a length for some texts, and agents may send those
const LINE_CHARS = 400
const BUDGET_MS = 40

/**
 * The lines of a text, each as pieces that together are that line. It works in blocks of lines and ends after a while:
 * the rest, and lines that nobody reads, have no colours.
 */
export function colouredLines(text: string, language: Language): readonly (readonly Piece[])[] {
  const until = performance.now() + BUDGET_MS
  return blocksOf(text.split('\n')).flatMap((lines) =>
    lines.every((line) => line.length <= LINE_CHARS) && performance.now() < until
      ? coloured(lines, language)
      : lines.map((line) => (line === '' ? [] : [{ text: line, scope: '' }])),
  )
}

/** A line that is too long is a block of its own. */
function blocksOf(lines: readonly string[]): readonly (readonly string[])[] {
  const blocks: string[][] = []
  let room = -1
  for (const line of lines) {
    const isLong = line.length > LINE_CHARS
    if (isLong || room < line.length) {
      blocks.push([])
      room = BLOCK_CHARS
    }
    blocks.at(-1)?.push(line)
    room = isLong ? -1 : room - line.length - 1
  }
  return blocks
}

function coloured(block: readonly string[], language: Language): readonly (readonly Piece[])[] {
  const { _emitter: emitter } = hljs.highlight(block.join('\n'), {
    language,
    ignoreIllegals: true,
  }) as unknown as { readonly _emitter: { readonly rootNode: Node } }
  const lines: Piece[][] = [[]]
  for (const { text: part, scope } of flat(emitter.rootNode, ''))
    for (const [n, line] of part.split('\n').entries()) {
      if (n > 0) lines.push([])
      if (line !== '') lines.at(-1)?.push({ text: line, scope })
    }
  return lines
}

/** The innermost scope counts; `title.function` is a title. */
function flat(node: Node, scope: string): readonly Piece[] {
  if (typeof node === 'string') return [{ text: node, scope }]
  const inner = node.scope?.split('.')[0] ?? scope
  return node.children.flatMap((child) => flat(child, inner))
}
