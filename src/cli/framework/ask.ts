/** A question on the terminal. */
import { createInterface } from 'node:readline/promises'
import { out } from './terminal.ts'

const INTERRUPTED = 130 // what a shell gives for a program that Ctrl-C ended

/** What the user types; empty at the end of input. Ctrl-C exits, with what has not been done. */
export async function ask(question: string, undone = 'Nothing was written.'): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  const closed = new Promise<string>((resolve) => terminal.once('close', () => resolve('')))
  terminal.once('SIGINT', () => {
    terminal.close()
    out(`\n${undone}`)
    process.exit(INTERRUPTED)
  })
  try {
    return (await Promise.race([terminal.question(question), closed])).trim()
  } finally {
    terminal.close()
  }
}
