/** Mistakes in gantry.toml and in rules as lines for `gantry doctor`. */
import type { Finding } from '../../rpc/index.ts'

/** One for each problem; the last one of a kind of file has the fix for all of them. */
export function configFindings(problems: readonly string[], configFile: string): Finding[] {
  const fixOf = (problem: string) =>
    problem.startsWith(`${configFile}:`) ? 'Correct it with: gantry config edit' : 'Correct the rules'
  return problems.map((message, i) => {
    const fix = fixOf(message)
    const next = problems[i + 1]
    const isLast = next === undefined || fixOf(next) !== fix
    return { level: 'fail', about: 'config', message, ...(isLast ? { fix: `${fix}; ${UNTIL_THEN}` } : {}) }
  })
}

const UNTIL_THEN = 'the daemon uses the last good configuration until then and reloads by itself'
