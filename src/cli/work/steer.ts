/** Sends a message to the agent of an effort, and sets its guards. */
import { call, type EffortView } from '../../client/index.ts'
import type { Input } from '../framework/define.ts'
import { parseJson, readInput, readStdin } from '../framework/read.ts'
import { dim, out, outJson, plain } from '../framework/terminal.ts'
import { usageError } from '../framework/usage.ts'
import { told, which } from './effort.ts'
import { guardExample } from './examples.ts'
import type * as commands from './index.ts'

export async function inject({ args, flags, places }: Input<typeof commands.inject>): Promise<number> {
  const text = args.text || (await readStdin()).trim()
  if (text === '') throw usageError('Say what to tell: gantry effort inject "<text>", or pipe it in')
  const effort = await call(places, 'effort.inject', { ...which(flags), text })
  const { pendingInjections: waiting } = effort.metadata
  const count = Array.isArray(waiting) ? waiting.length : 0
  return told(flags.json, effort, `  ${dim('waits')}  ${count} to be told after the next tool call`)
}

export async function guard({ args, flags, places }: Input<typeof commands.guard>): Promise<number> {
  const source = args.guards
  if (source === '') {
    const effort = await call(places, 'effort.get', { ...which(flags), messages: 0 })
    if (flags.json) return outJson(effort.metadata.guards ?? [])
    showGuards(effort)
    return 0
  }
  const rules = parseJson(
    await textFrom(source),
    nameOfSource(source),
    `For example:\ngantry effort guard '${guardExample}'`,
  )
  const guards = Array.isArray(rules) ? rules : [rules]
  const effort = await call(places, 'effort.guard', { ...which(flags), guards })
  return told(flags.json, effort, ...guardLines(effort))
}

function isJson(source: string): boolean {
  return /^\s*[[{]/.test(source)
}

function nameOfSource(source: string): string {
  if (isJson(source)) return 'The argument'
  return source === '-' ? 'What came on stdin' : plain(source)
}

async function textFrom(source: string): Promise<string> {
  return isJson(source) ? source : readInput(source)
}

function showGuards(effort: EffortView): void {
  const lines = guardLines(effort)
  if (lines.length > 0) out(lines.join('\n'))
  else out(`Effort ${effort.id} has no guards. Set some with: gantry effort guard '${guardExample}'`)
}

/** Metadata is user input: an invalid rule is shown as it is. */
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
