/**
 * Sets one key of gantry.toml and keeps every other byte: comments, order, blank lines.
 *
 *   editConfig('# mine\n[http]\nport = 1 # low\n', 'http.port', '4600', file)   // '# mine\n[http]\nport = 4600 # low\n'
 */
import { type AST, getStaticTOMLValue } from 'toml-eslint-parser'
import { GantryError, messageOf } from '../../core/errors.ts'
import { noSuchKey, parseConfig } from './file.ts'
import { isListAt, isWordListAt, schemaFor, TABLE_NAMES } from './schema.ts'
import { BYTE_ORDER_MARK, isBelow, parseToml, type TomlPlace, tomlPlaces } from './toml-places.ts'

/** The new text; unchanged if the key has that value already. Throws if the key or the value is invalid. */
export function editConfig(text: string, key: string, value: string, file: string): string {
  const mark = text.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK : ''
  const bare = text.slice(mark.length)
  const program = checkedProgram(bare, file)
  const path = pathOf(key, getStaticTOMLValue(program))
  let problem: unknown
  // `true`, 42 and ["a"] are TOML values; anything else, and any value that must be a string, is written as a string.
  const asIs = asToml(value)
  for (const written of [asIs, JSON.stringify(value)]) {
    if (written === undefined) continue
    try {
      const edited = withValue(bare, tomlPlaces(program), path, written, file)
      parseConfig(edited, file)
      return mark + edited
    } catch (error) {
      problem ??= error
    }
  }
  const isBare = isWordListAt(schemaFor(path.slice(0, 1)), path) && !asIs?.trimStart().startsWith('[')
  throw refusal(problem, bare, file, isBare ? listHint(key, value) : '')
}

/** A shell takes the quotes of `["Bash"]`. */
function listHint(key: string, value: string): string {
  const list = JSON.stringify(value.match(/[^[\]",'\s]+/g) ?? [])
  return ` A list is written: gantry config set ${key} '${list}'`
}

/** A problem of the value has no line, because it is in no file. A problem that the file already had comes first. */
function refusal(problem: unknown, text: string, file: string, hint: string): unknown {
  if (!(problem instanceof GantryError) || problem.code !== 'BAD_CONFIG') return problem
  try {
    parseConfig(text, file)
  } catch (error) {
    const message = `${messageOf(error)}\nNothing was written. Correct this first: gantry config edit`
    return new GantryError('BAD_CONFIG', message, { cause: error })
  }
  const own = problem.message.split('\n').map((one) => one.replace(/^.*?:\d+: /, ''))
  return new GantryError('USAGE', `${own.join('\n')}. Nothing was written.${hint}`, { cause: problem })
}

function checkedProgram(text: string, file: string): AST.TOMLProgram {
  try {
    return parseToml(text)
  } catch {
    parseConfig(text, file) // throws with the position
    throw new GantryError('BAD_CONFIG', `${file} is not valid TOML. Correct it with: gantry config edit`)
  }
}

/** `notify.channels.phone.after_s` addresses the channel of that name; a number is an index. */
function pathOf(key: string, tree: unknown): string[] {
  const names = key.split('.').map((name) => name.trim())
  if (names.some((name) => name === ''))
    throw new GantryError(
      'USAGE',
      `"${key}" is not a key. Write it like http.port; docs/config.md lists them.`,
    )
  const [table = ''] = names
  const schema = schemaFor([table])
  if (!TABLE_NAMES.includes(table)) throw new GantryError('USAGE', `${table}: ${noSuchKey(schema, [table])}`)
  let at: unknown = tree
  return names.map((name, i) => {
    const above = names.slice(0, i)
    const list = Array.isArray(at) ? at : isListAt(schema, above) ? [] : undefined
    const step = list && !/^\d+$/.test(name) ? String(list.findIndex((one) => one?.name === name)) : name
    if (step === '-1') {
      const what = above.at(-1)?.replace(/s$/, '')
      throw new GantryError('USAGE', `${key}: no ${what} "${name}"; add one with: gantry config edit`)
    }
    at = typeof at === 'object' && at !== null ? (at as Record<string, unknown>)[step] : undefined
    return step
  })
}

function asToml(value: string): string | undefined {
  try {
    const [top] = parseToml(`x = ${value}`).body
    const [only, ...others] = top.body
    const isWhole = only?.type === 'TOMLKeyValue' && rangeOf(only.value)[1] === 4 + value.length
    return isWhole && others.length === 0 ? value : undefined
  } catch {
    return undefined
  }
}

function withValue(
  text: string,
  places: readonly TomlPlace[],
  path: readonly string[],
  written: string,
  file: string,
): string {
  const here = places.find((one) => one.path.length === path.length && isBelow(path, one.path))
  if (here?.value) return spliced(text, rangeOf(here.value), written)
  if (here) throw new GantryError('USAGE', `${path.join('.')} is a table. Change it with: gantry config edit`)
  const above = path.slice(0, -1)
  if (above.length === 0)
    throw new GantryError('USAGE', `${path[0]} is a table. Name a key of it, like http.port.`)
  const line = (within: readonly string[]) =>
    `${path.slice(within.length).map(quoted).join('.')} = ${written}`
  const parent = places.find(
    (one) => one.path.length === above.length && isBelow(above, one.path) && (one.table || one.value),
  )
  if (parent?.value?.type === 'TOMLInlineTable') return intoInline(text, parent.value, line(above))
  if (parent?.table) {
    const last = parent.table.body.at(-1)
    return last ? below(text, last.range, line(above)) : below(text, parent.table.key.range, line(above))
  }
  const dotted = places.findLast(
    (one) => one.value && one.within && one.within.length < above.length && isBelow(one.path, above),
  )
  if (dotted?.value && dotted.within) return below(text, dotted.value.range, line(dotted.within))
  if (above.some((name) => /^\d+$/.test(name)))
    throw new GantryError('USAGE', `${file} has no ${above.join('.')}. Add it with: gantry config edit`)
  const before = text === '' || text.endsWith('\n\n') ? text : `${text.replace(/\n?$/, '\n')}\n`
  return `${before}[${above.map(quoted).join('.')}]\n${line(above)}\n`
}

/** toml-eslint-parser 1.0.3 gives a lone 0 no width. */
function rangeOf({ range: [from, to] }: AST.TOMLContentNode): readonly [number, number] {
  return from === to ? [from, to + 1] : [from, to]
}

function spliced(text: string, [from, to]: readonly [number, number], written: string): string {
  return text.slice(0, from) + written + text.slice(to)
}

/** Inserts a line after the one that ends here, behind its comment and with its indentation. */
function below(text: string, [from, to]: readonly [number, number], line: string): string {
  const start = text.lastIndexOf('\n', from - 1) + 1
  const indent = /^[ \t]*/.exec(text.slice(start, from))?.[0] ?? ''
  const end = text.indexOf('\n', to)
  if (end === -1) return `${text}\n${indent}${line}\n`
  const ending = text[end - 1] === '\r' ? '\r\n' : '\n'
  return `${text.slice(0, end + 1)}${indent}${line}${ending}${text.slice(end + 1)}`
}

function intoInline(text: string, { body, range }: AST.TOMLInlineTable, line: string): string {
  const last = body.at(-1)
  if (last) return spliced(text, [last.range[1], last.range[1]], `, ${line}`)
  return spliced(text, range, `{ ${line} }`)
}

function quoted(name: string): string {
  return /^[A-Za-z0-9_-]+$/.test(name) ? name : JSON.stringify(name)
}
