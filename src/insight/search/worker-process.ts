/** The worker process as the daemon sees it. Its failures never throw in the daemon. */
import { selfCommand } from '../../core/processes/self.ts'
import type { FromWorker, ToWorker } from './worker.ts'

export interface WorkerEvents {
  readonly heard: (message: FromWorker) => void
  /** Called once, however it ended. */
  readonly ended: (how: string) => void
}

export interface WorkerProcess {
  readonly pid: number
  say(message: ToWorker): void
  /** Closes its stdin; it ends after the last message. */
  hangUp(): void
  kill(): void
  readonly exited: Promise<unknown>
}

/** Throws if the process cannot be started. */
export function startWorker(
  events: WorkerEvents,
  argv: readonly string[] = [...selfCommand(), 'search-worker'],
): WorkerProcess {
  const child = Bun.spawn([...argv], { cwd: '/', stdin: 'pipe', stdout: 'pipe', stderr: 'ignore' })
  const kill = () => child.kill('SIGKILL')
  const listen = async () => {
    await eachLine(child.stdout, (line) => events.heard(JSON.parse(line) as FromWorker)).catch(kill) // invalid output
    await child.exited
    events.ended(String(child.signalCode ?? child.exitCode))
  }
  void listen()
  return {
    pid: child.pid,
    say: (message) =>
      quietly(
        () => child.stdin.write(`${JSON.stringify(message)}\n`),
        () => child.stdin.flush(),
      ),
    hangUp: () => quietly(() => child.stdin.end()),
    kill,
    exited: child.exited,
  }
}

async function eachLine(bytes: ReadableStream<Uint8Array>, take: (line: string) => void): Promise<void> {
  let rest = ''
  const decoder = new TextDecoder()
  for await (const chunk of bytes) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) take(line)
  }
}

/** An ended process takes no more input; `ended` reports that. */
function quietly(...acts: (() => unknown)[]): void {
  try {
    for (const act of acts) Promise.resolve(act()).catch(() => {})
  } catch {
    // as above
  }
}
