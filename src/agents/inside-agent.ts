/** How a process knows that an agent started it, and what is said to one that asks for what only a person may do. */
import { GantryError } from '../core/errors.ts'
import { ofAllAgents } from './facts.ts'

/** Set for what agents and handlers run; a person's own shell has none of them. */
export const AGENT_MARKS: readonly string[] = ofAllAgents(
  ({ marks }) => marks,
  'GANTRY_HANDLER', // a command that gantry asks about events: agents can raise events
  'GANTRY_RUN_ID', // an agent under `gantry run`
)

/** The mark by which this process knows it. */
export function agentMark(env: Readonly<Record<string, string | undefined>>): string | undefined {
  return AGENT_MARKS.find((name) => env[name])
}

export function insideAgent(why: string): string {
  return `Only a person may do this, and this call comes from inside an agent (${why}). Use a terminal of your own.`
}

/** For what no daemon looks at; a daemon sees the processes above its caller, too. */
export function refuseInsideAgent(): void {
  const mark = agentMark(process.env)
  if (mark !== undefined) throw new GantryError('PERMISSION', insideAgent(`${mark} is set`))
}
