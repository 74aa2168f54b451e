/**
 * A gantry command that an agent can run from anywhere: by its full path, since `gantry` may not be on the agent's PATH,
 * and with GANTRY_HOME if that is not the default.
 *
 *   ownCommand('effort log', '/home/dev/second')    /opt/gantry/bin/gantry effort log --home /home/dev/second
 */
import { selfPath } from '../../core/processes/self.ts'
import { shellWord } from '../../core/text/text.ts'

export function ownCommand(words: string, home?: string): string {
  return `${ownProgram()} ${words}${home === undefined ? '' : ` --home ${shellWord(home)}`}`
}

/** The command that logs progress, as an agent is told it. */
export function logCommand(home?: string, what = '<what was done, what is next>'): string {
  return `${ownCommand('effort log', home)} "${what}"`
}

/** The program, quoted for a shell. */
export function ownProgram(): string {
  return shellWord(selfPath())
}
