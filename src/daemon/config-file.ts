/** The text of gantry.toml, checked. A mistake names file, line and key. */
import { getStaticTOMLValue, parseTOML, traverseNodes } from 'toml-eslint-parser'
import type { z } from 'zod'
import { GantryError, messageOf } from '../errors.ts'
import { issueWords } from '../issue-words.ts'
import type { Config } from './config.ts'
import { schemaFor } from './config-schema.ts'
import { DEFAULT_CONFIG } from './default-config.ts'

export function parseConfig(text: string, file: string): Config {
  let ast: ReturnType<typeof parseTOML>
  try {
    ast = parseTOML(text.replace(/^\ufeff/, '')) // some editors on Windows put a mark at the start
  } catch (error) {
    const line = (error as { lineNumber?: number }).lineNumber ?? 1
    throw new GantryError('BAD_CONFIG', `${file}:${line}: not valid TOML: ${messageOf(error)}`, {
      cause: error,
    })
  }
  // The parser would put the keys of such a table on every object there is.
  traverseNodes(ast, {
    enterNode(node) {
      const key = node.type === 'TOMLBare' ? node.name : node.type === 'TOMLQuoted' ? node.value : undefined
      if (key !== '__proto__') return
      throw new GantryError('BAD_CONFIG', `${file}:${node.loc.start.line}: __proto__: ${NO_SUCH_KEY}`)
    },
    leaveNode() {},
  })
  const given = getStaticTOMLValue(ast)
  const result = schemaFor(Object.keys(given)).safeParse(given, { jitless: true, error: issueWords })
  if (result.success) return { ...DEFAULT_CONFIG, ...result.data }
  const problems = result.error.issues.flatMap((issue) => {
    const isUnknown = issue.code === 'unrecognized_keys'
    const paths = isUnknown ? issue.keys.map((key) => [...issue.path, key]) : [issue.path]
    return paths.map(
      (path) => `${file}:${lineOf(text, path.map(String))}: ${path.join('.')}: ${describe(issue)}`,
    )
  })
  throw new GantryError('BAD_CONFIG', problems.join('\n'), { details: problems })
}

const NO_SUCH_KEY = 'no such key; see docs/config.md for those there are'

function describe(issue: z.core.$ZodIssue): string {
  return issue.code === 'unrecognized_keys' ? NO_SUCH_KEY : issue.message
}

/** The line of the deepest part of `path` that the text has, by table header and key. */
function lineOf(text: string, path: readonly string[]): number {
  let table: string[] = []
  let best = { line: 1, depth: 0 }
  const lists = new Map<string, number>()
  text.split('\n').forEach((line, index) => {
    const header = /^\s*(\[+)\s*([^\]]+?)\s*\]+/.exec(line)
    const key = /^\s*([A-Za-z0-9_."'-]+)\s*=/.exec(line)
    if (header) table = header[1] === '[[' ? nextOf(lists, names(header[2] ?? '')) : names(header[2] ?? '')
    const here = header ? table : key ? [...table, ...names(key[1] ?? '')] : []
    const depth = Math.max(depthOf(here, path), header?.[1] === '[[' ? depthOf(here.slice(0, -1), path) : 0)
    if (depth > best.depth) best = { line: index + 1, depth }
  })
  return best.line
}

function depthOf(here: readonly string[], path: readonly string[]): number {
  return here.length <= path.length && here.every((name, i) => name === path[i]) ? here.length : 0
}

/** `[[webhooks]]` for the second time is `webhooks.1`. */
function nextOf(lists: Map<string, number>, list: readonly string[]): string[] {
  const at = lists.get(list.join('.')) ?? 0
  lists.set(list.join('.'), at + 1)
  return [...list, String(at)]
}

function names(dotted: string): string[] {
  return dotted.split('.').map((part) => part.trim().replace(/^["']|["']$/g, ''))
}
