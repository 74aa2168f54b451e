/**
 * A command of gantry as an agent can run it from anywhere: by its full path, since `gantry` may not be on the agent's PATH,
 * and with the folder where that is not the usual one.
 *
 *   ownCommand('effort log', '/home/dev/second')    /opt/gantry/bin/gantry effort log --home /home/dev/second
 */
import { selfPath } from '../core/processes/self.ts'
import { shellWord } from '../core/text/text.ts'

export function ownCommand(words: string, home?: string): string {
  return `${ownProgram()} ${words}${home === undefined ? '' : ` --home ${shellWord(home)}`}`
}

/** The program in the words of a shell. */
export function ownProgram(): string {
  return shellWord(selfPath())
}
