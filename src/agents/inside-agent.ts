/** How a process detects that an agent started it, and the error for actions reserved to a person. */
import { GantryError } from '../core/errors.ts'
import { ofAllAgents } from './facts.ts'

/** Commands that nobody but a person may use, whatever their options. */
export const OWNER_COMMANDS: ReadonlySet<string> = new Set([
  ...['down', 'restore', 'upgrade', 'service install', 'service uninstall', 'config edit', 'config set'],
  ...['guards preset', 'guards set', 'rules trust', 'rules untrust', 'budgets raise', 'handlers new'],
  ...[
    'fleet init',
    'fleet add',
    'fleet join',
    'fleet leave',
    'web',
    'web allow',
    'web revoke',
    'web sign-out',
  ],
])

/** Set in everything that agents and handlers run; a person's own shell has none of them. */
export const AGENT_MARKS: readonly string[] = ofAllAgents(
  ({ marks }) => marks,
  'GANTRY_HANDLER', // a handler: agents can raise the events that start it
  'GANTRY_RUN_ID', // an agent under `gantry run`
)

/** The first of these variables that is set. */
export function agentMark(env: Readonly<Record<string, string | undefined>>): string | undefined {
  return AGENT_MARKS.find((name) => env[name])
}

export function insideAgent(why: string): string {
  return `Only a person may do this, and this call comes from inside an agent (${why}). Use a terminal of your own.`
}

/** For actions without a daemon; a daemon also checks its caller's ancestors. */
export function refuseInsideAgent(): void {
  const mark = agentMark(process.env)
  if (mark !== undefined) throw new GantryError('PERMISSION', insideAgent(`${mark} is set`))
}
