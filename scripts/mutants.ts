/**
 * Small faults for a source file, to see whether a test notices: a comparison turned round, a condition loosened, a guard
 * or a call taken out. By lines, which is enough for code that one formatter lays out.
 *
 *   mutantsOf('if (a === b) return c\n')   // → [{ line: 1, before, after: 'if (a !== b) return c' }, …]
 */
export interface Mutant {
  readonly line: number
  readonly before: string
  /** Empty where the line is taken out. */
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
/** A guard on one line, or a call whose result nobody takes. */
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

/** Any test notices a file that cannot be read. */
function isProgram(text: string): boolean {
  try {
    TYPESCRIPT.transformSync(text)
    return true
  } catch {
    return false
  }
}

const TYPESCRIPT = new Bun.Transpiler({ loader: 'ts' })

/** So many of them, evenly spread. */
export function spread<T>(all: readonly T[], count: number): T[] {
  if (all.length <= count) return [...all]
  return Array.from({ length: count }, (_, i) => all[Math.floor(((i + 0.5) * all.length) / count)] as T)
}
