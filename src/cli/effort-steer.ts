/** What people and coordinators tell an effort from outside: a text for its agent, rules for its tool calls. */
import { readFileSync } from 'node:fs'
import { call, type EffortView } from '../client/index.ts'
import { GantryError, messageOf } from '../core/errors.ts'
import type { Command } from './command.ts'
import { parsedJson, textOf, told, WHICH_OPTIONS, which } from './effort.ts'
import { readStdin } from './stdin.ts'
import { dim, out, plain } from './terminal.ts'

export const effortInject: Command = {
  name: 'effort inject',
  summary: 'Tell the agent of an effort something, once',
  usage: '<text…> [--effort <id>]',
  takes: Infinity,
  options: WHICH_OPTIONS,
  examples: [
    {
      line: 'gantry effort inject --effort 3 "The API changed: see docs/api.md"',
      does: 'The agent reads it after its next tool call',
    },
  ],
  async run(input) {
    const text = textOf(input) || (await readStdin()).trim()
    if (text === '')
      throw new GantryError('USAGE', 'Say what to tell: gantry effort inject "<text>", or pipe it in')
    const effort = await call(input.places, 'effort.inject', { ...which(input), text })
    const { pendingInjections: waiting } = effort.metadata
    const count = Array.isArray(waiting) ? waiting.length : 0
    return told(input, effort, `  ${dim('waits')}  ${count} to be told after the next tool call`)
  },
}

const EXAMPLE_GUARD =
  '[{"ruleId":"offline","condition":{"field":"tool","op":"==","value":"WebFetch"},"payload":"No network here.","urgency":"block"}]'

export const effortGuard: Command = {
  name: 'effort guard',
  summary: 'Set or show the guard rules of an effort',
  usage: '[<json> | <file> | -] [--effort <id>]',
  takes: Infinity,
  options: WHICH_OPTIONS,
  examples: [
    { line: 'gantry effort guard', does: 'Those in force' },
    { line: `gantry effort guard '${EXAMPLE_GUARD}'`, does: 'One rule instead of all before' },
    { line: 'gantry effort guard guards.json --effort 3', does: 'From a file; "-" is stdin' },
    { line: "gantry effort guard '[]'", does: 'None' },
  ],
  async run(input) {
    if (input.args.length === 0) {
      const effort = await call(input.places, 'effort.get', { ...which(input), messages: 0 })
      if (input.flags.json) out(JSON.stringify(effort.metadata.guards ?? [], null, 2))
      else showGuards(effort)
      return 0
    }
    const source = input.args.join(' ')
    const rules = parsedJson(
      await textFrom(source),
      nameOfSource(source),
      `gantry effort guard '${EXAMPLE_GUARD}'`,
    )
    const guards = Array.isArray(rules) ? rules : [rules]
    const effort = await call(input.places, 'effort.guard', { ...which(input), guards })
    return told(input, effort, ...guardLines(effort))
  },
}

function isJson(source: string): boolean {
  return /^\s*[[{]/.test(source)
}

function nameOfSource(source: string): string {
  if (isJson(source)) return 'The argument'
  return source === '-' ? 'What came on stdin' : plain(source)
}

async function textFrom(source: string): Promise<string> {
  if (isJson(source)) return source
  if (source === '-') return readStdin()
  try {
    return readFileSync(source, 'utf8')
  } catch (cause) {
    throw new GantryError('USAGE', `Cannot read ${plain(source)}: ${messageOf(cause)}`, { cause })
  }
}

function showGuards(effort: EffortView): void {
  const lines = guardLines(effort)
  if (lines.length > 0) out(lines.join('\n'))
  else out(`Effort ${effort.id} has no guards. Set some with: gantry effort guard '${EXAMPLE_GUARD}'`)
}

/** Metadata is written by people and agents: what is no rule is shown as it is. */
export function guardLines({ metadata }: EffortView): string[] {
  if (!Array.isArray(metadata.guards)) return []
  return metadata.guards.map((guard: unknown) => {
    const { ruleId, condition, payload, urgency } = (guard ?? {}) as Record<string, unknown>
    const { field, op, value } = (condition ?? {}) as Record<string, unknown>
    const text = typeof payload === 'string' ? payload : JSON.stringify(payload ?? null)
    const when = `${field} ${op} ${JSON.stringify(value)}`
    return `  ${dim('guard'.padEnd(10))} ${plain(`${ruleId}: ${urgency} when ${when}: ${text}`)}`
  })
}
