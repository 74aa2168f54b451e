/** The process behind `gantry search`: keeps the index, answers questions, ends with the daemon. */
import { runSearchWorker } from '../insight/search/worker.ts'
import type { Command } from './command.ts'
import { out } from './terminal.ts'

export const searchWorker: Command = {
  name: 'search-worker',
  summary: 'Keeps the search index',
  usage: '',
  options: {},
  examples: [],
  async run() {
    // Ctrl-C in the daemon's terminal is for the daemon, which then says when to end.
    for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => {})
    await runSearchWorker(console, (message) => out(JSON.stringify(message)))
    return 0
  },
}
