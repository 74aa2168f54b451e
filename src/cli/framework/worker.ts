/** Both ends of gantry's own processes: who starts one that reads the journal, and what each of them does first. */
import { GantryError } from '../../core/errors.ts'
import { selfCommand } from '../../core/processes/self.ts'

type Worker = Bun.Subprocess<Buffer, 'pipe', 'pipe'>

export function startWorker(name: string, task: unknown): Worker {
  return Bun.spawn([...selfCommand(), name], {
    stdin: Buffer.from(JSON.stringify(task)),
    stdout: 'pipe',
    stderr: 'pipe',
  })
}

/** Why it could not read the journal. */
export async function workerError({ stderr }: Worker): Promise<GantryError> {
  const problem = (await new Response(stderr).text()).split('\n')[0] || 'it ended'
  return new GantryError(
    'DATABASE',
    `The journal could not be read (${problem}). Try again, or: gantry doctor`,
  )
}

/** Ctrl-C in the daemon's terminal is not for it: the daemon ends this process. */
export function ignoreTerminal(): void {
  for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => {})
}

/** Its stdin is a pipe from the daemon, and closes when the daemon dies. */
export function endWithDaemon(): void {
  void Bun.stdin.text().then(() => process.exit(1))
}
