/** The process of the daily check of the journal: lowest priority, mostly asleep, ends with the daemon. */
import { constants, setPriority } from 'node:os'
import { checkJournal } from '../../store/index.ts'
import type { Input } from '../framework/define.ts'
import { out } from '../framework/terminal.ts'
import type * as commands from './index.ts'

const REST = 9 // of ten parts of the time it sleeps
const LEAST_REST_MS = 5

export async function run({ args: { database } }: Input<typeof commands.check>): Promise<number> {
  for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => {})
  endWithParent()
  try {
    setPriority(constants.priority.PRIORITY_LOW)
  } catch {
    // not allowed everywhere
  }
  const check = checkJournal(database, { structure: 'tables' })
  for (;;) {
    const began = performance.now()
    const step = check.next()
    if (step.done) {
      out(JSON.stringify(step.value))
      return 0
    }
    await Bun.sleep(Math.max(LEAST_REST_MS, (performance.now() - began) * REST))
  }
}

/** Its stdin is a pipe from the daemon, and closes when the daemon dies. */
function endWithParent(): void {
  void Bun.stdin.text().then(() => process.exit(1))
}
