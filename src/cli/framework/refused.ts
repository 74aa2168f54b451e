/** Tells users of commands that show the configuration that a part of it is refused. */
import { ANSWER_MS, call, type Status } from '../../client/index.ts'
import type { Places } from '../../core/files/paths.ts'
import { note } from './terminal.ts'

const WORDS = {
  config: { what: 'gantry.toml', check: 'gantry config check' },
  rules: { what: 'A file of rules', check: 'gantry rules check' },
} as const

/** Prints the problem on stderr, and returns it; undefined if there is none, or no daemon. */
export async function sayRefused(places: Places, part: keyof typeof WORDS): Promise<string | undefined> {
  const status = await call(places, 'status', {}, { deadlineMs: ANSWER_MS }).then(
    (answer) => answer as Status,
    () => undefined,
  )
  const problem = part === 'config' ? status?.configProblem : status?.rulesProblem
  if (!problem) return undefined
  const { what, check } = WORDS[part]
  const lines = problem.split('\n').map((line) => `  ${line}`)
  note(
    `${what} is refused, and what was last good is in force:\n${lines.join('\n')}\nCorrect it, then: ${check}`,
  )
  return problem
}
