/** Parses and checks the text of gantry.toml. An error names file, line and key. */
import { type AST, getStaticTOMLValue, traverseNodes } from 'toml-eslint-parser'
import type { z } from 'zod'
import { GantryError, messageOf } from '../../core/errors.ts'
import { closest } from '../../core/text/closest.ts'
import { issueWords } from '../../core/text/issue-words.ts'
import type { Config } from './config.ts'
import { DEFAULT_CONFIG } from './defaults.ts'
import { keysAt, schemaFor, TABLE_NAMES } from './schema.ts'
import { deepest, parseToml, tomlPlaces } from './toml-places.ts'

export function parseConfig(text: string, file: string): Config {
  let ast: AST.TOMLProgram
  try {
    ast = parseToml(text)
  } catch (error) {
    const line = (error as { lineNumber?: number }).lineNumber ?? 1
    throw new GantryError('BAD_CONFIG', `${file}:${line}: not valid TOML: ${messageOf(error)}`, {
      cause: error,
    })
  }
  // The parser would set the keys of such a table on Object.prototype.
  traverseNodes(ast, {
    enterNode(node) {
      const key = node.type === 'TOMLBare' ? node.name : node.type === 'TOMLQuoted' ? node.value : undefined
      if (key !== '__proto__') return
      throw new GantryError('BAD_CONFIG', `${file}:${node.loc.start.line}: __proto__: ${NO_SUCH_KEY}`)
    },
    leaveNode() {},
  })
  const given = getStaticTOMLValue(ast)
  const schema = schemaFor(Object.keys(given))
  const result = schema.safeParse(given, { jitless: true, error: issueWords })
  if (result.success) return { ...DEFAULT_CONFIG, ...result.data }
  const places = tomlPlaces(ast)
  const problems = result.error.issues.flatMap((issue) => {
    const isUnknown = issue.code === 'unrecognized_keys'
    const paths = isUnknown ? issue.keys.map((key) => [...issue.path, key]) : [issue.path]
    return paths.map((path) => {
      const line = deepest(places, path.map(String))?.line ?? 1
      return `${file}:${line}: ${path.join('.')}: ${isUnknown ? noSuchKey(schema, path) : issue.message}`
    })
  })
  throw new GantryError('BAD_CONFIG', problems.join('\n'), { details: problems })
}

const NO_SUCH_KEY = 'no such key; see docs/config.md for those there are'

export function noSuchKey(schema: z.ZodObject, path: readonly PropertyKey[]): string {
  const above = path.slice(0, -1)
  const close = closest(String(path.at(-1)), above.length === 0 ? TABLE_NAMES : keysAt(schema, above))
  if (close === undefined) return NO_SUCH_KEY
  return `no such key; did you mean ${[...above, close].join('.')}? See docs/config.md`
}
