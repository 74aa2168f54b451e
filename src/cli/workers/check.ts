/** The process of the daily check of the journal: low priority, mostly asleep, ends with the daemon. */
import { yieldToAgents } from '../../core/processes/priority.ts'
import { checkJournal } from '../../store/index.ts'
import type { Input } from '../framework/define.ts'
import { out } from '../framework/terminal.ts'
import { endWithDaemon, ignoreTerminal } from '../framework/worker.ts'
import type * as commands from './index.ts'

const REST = 9 // of ten parts of the time it sleeps
const LEAST_REST_MS = 5

export async function run({ args: { database } }: Input<typeof commands.check>): Promise<number> {
  ignoreTerminal()
  endWithDaemon()
  yieldToAgents()
  const check = checkJournal(database, { structure: 'tables' })
  for (;;) {
    const before = process.cpuUsage()
    const step = check.next()
    if (step.done) {
      out(JSON.stringify(step.value))
      return 0
    }
    const { user, system } = process.cpuUsage(before)
    await Bun.sleep(Math.max(LEAST_REST_MS, ((user + system) / 1000) * REST))
  }
}
