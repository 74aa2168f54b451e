/** The search process: updates the index, answers queries, ends with the daemon. */
import { runSearchWorker } from '../../insight/search/worker.ts'
import { out } from '../framework/terminal.ts'
import { ignoreTerminal } from '../framework/worker.ts'

export async function run(): Promise<number> {
  ignoreTerminal()
  await runSearchWorker(console, (message) => out(JSON.stringify(message)))
  return 0
}
