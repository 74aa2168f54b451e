/**
 * Small faults (mutants) for a source file, to check whether a test notices: an inverted comparison, a loosened condition,
 * a removed guard or call. Works on lines, which is enough for formatted code.
 *
 *   mutantsOf('if (a === b) return c\n')   // → [{ line: 1, before, after: 'if (a !== b) return c' }, …]
 */
export interface Mutant {
  readonly line: number
  readonly before: string
  /** Empty if the line is removed. */
  readonly after: string
  readonly text: string
}

const SWAPS: readonly (readonly [string, string])[] = [
  [' === ', ' !== '],
  [' !== ', ' === '],
  [' && ', ' || '],
  [' || ', ' && '],
  [' < ', ' >= '],
  [' > ', ' <= '],
  [' <= ', ' > '],
  [' >= ', ' < '],
  [' += ', ' -= '],
  ['return true', 'return false'],
  ['return false', 'return true'],
  ['.some(', '.every('],
  ['.every(', '.some('],
  ['Math.min(', 'Math.max('],
  ['Math.max(', 'Math.min('],
]
const NO_CODE = /^\s*(\/?\*|\/\/|import |export \{|export type |type |interface |readonly |$)/
/** A guard on one line, or a call whose result is unused. */
const STATEMENT = /^\s*(if \(.*\) (return|continue|break|throw)\b.*|(await )?[\w.#?]+\(.*\))$/

export function mutantsOf(source: string): Mutant[] {
  const lines = source.split('\n')
  const withLine = (at: number, line: string) => lines.with(at, line).join('\n')
  return lines.flatMap((before, at) => {
    const [code = '', comment = ''] = before.split(/(?= \/\/ )/)
    if (NO_CODE.test(code)) return []
    const afters = SWAPS.filter(([from]) => code.includes(from)).map(([from, to]) => code.replace(from, to))
    if (STATEMENT.test(code)) afters.push('')
    return afters
      .map((after) => ({
        line: at + 1,
        before: before.trim(),
        after: after.trim(),
        text: withLine(at, after && after + comment),
      }))
      .filter(({ text }) => isProgram(text))
  })
}

/** Any test notices a file that does not parse. */
function isProgram(text: string): boolean {
  try {
    TYPESCRIPT.transformSync(text)
    return true
  } catch {
    return false
  }
}

const TYPESCRIPT = new Bun.Transpiler({ loader: 'ts' })

/** This many of them, evenly spread. */
export function spread<T>(all: readonly T[], count: number): T[] {
  if (all.length <= count) return [...all]
  return Array.from({ length: count }, (_, i) => all[Math.floor(((i + 0.5) * all.length) / count)] as T)
}
