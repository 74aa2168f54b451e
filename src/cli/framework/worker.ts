/** Both ends of gantry's own processes: who starts one that reads the journal, and what each of them does first. */
import { GantryError } from '../../core/errors.ts'
import { yieldToAgents } from '../../core/processes/priority.ts'
import { selfCommand } from '../../core/processes/self.ts'
import { out } from './terminal.ts'

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

interface Served<Message> {
  heard(message: Message): void
  close(): void | Promise<void>
}

/** The other end of a `LineProcess`: the first line opens what is served, and the end of stdin closes it. */
export async function serve<Open, Message, Said>(
  open: (places: Open, say: (said: Said) => void) => Served<Message>,
): Promise<number> {
  ignoreTerminal()
  yieldToAgents()
  let served: Served<Message> | undefined
  for await (const line of console) {
    const message = JSON.parse(line) as object
    if ('open' in message) served = open(message.open as Open, (said) => out(JSON.stringify(said)))
    else served?.heard(message as Message)
  }
  await served?.close()
  return 0
}

/** Its stdin is a pipe from the daemon, and closes when the daemon dies. */
export function endWithDaemon(): void {
  void Bun.stdin.text().then(() => process.exit(1))
}
