/** The worker, seen from the daemon: started, told, heard, ended. Nothing that happens to it is thrown at the daemon. */
import { selfCommand } from '../../core/processes/self.ts'
import type { FromWorker, ToWorker } from './worker.ts'

export interface WorkerEvents {
  readonly heard: (message: FromWorker) => void
  /** However it ended; once. */
  readonly ended: (how: string) => void
}

export interface WorkerProcess {
  readonly pid: number
  say(message: ToWorker): void
  /** It ends by itself when it has heard everything. */
  hangUp(): void
  kill(): void
  readonly exited: Promise<unknown>
}

/** Throws when there cannot be one. */
export function startWorker(
  events: WorkerEvents,
  argv: readonly string[] = [...selfCommand(), 'search-worker'],
): WorkerProcess {
  const child = Bun.spawn([...argv], { cwd: '/', stdin: 'pipe', stdout: 'pipe', stderr: 'ignore' })
  const kill = () => child.kill('SIGKILL')
  const listen = async () => {
    await eachLine(child.stdout, (line) => events.heard(JSON.parse(line) as FromWorker)).catch(kill) // nonsense
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

/** A process that has ended takes nothing more; `ended` tells of that. */
function quietly(...acts: (() => unknown)[]): void {
  try {
    for (const act of acts) Promise.resolve(act()).catch(() => {})
  } catch {
    // as above
  }
}
