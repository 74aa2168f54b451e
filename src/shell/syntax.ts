/** The one file that knows the parser. The parser is loaded when the first command is read. */
import type * as unbash from 'unbash'
import { lazy } from '../core/lazy.ts'

export type * from 'unbash'

const parser = lazy(() => require('unbash') as typeof unbash)

export function parseSource(source: string): unbash.ParsedScript {
  return parser().parse(source)
}

export function forEachChild(node: unbash.SyntaxNode, visit: (child: unbash.SyntaxNode) => void): void {
  parser().forEachChild(node, visit)
}
