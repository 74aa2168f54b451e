/** The search process: updates the index, answers queries, ends with the daemon. */
import { runSearchWorker } from '../../insight/search/worker.ts'
import { out } from '../framework/terminal.ts'

export async function run(): Promise<number> {
  // Ignores Ctrl-C in the daemon's terminal: the daemon ends this process.
  for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => {})
  await runSearchWorker(console, (message) => out(JSON.stringify(message)))
  return 0
}
