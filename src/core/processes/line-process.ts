/**
 * A process beside the daemon that is told and tells JSON, one message a line. Its failures never throw in the daemon.
 *
 *   const worker = startLineProcess<ToWorker, FromWorker>([...selfCommand(), 'search-worker'], { heard, ended })
 *   worker.say({ grown: 1700 })
 */

export interface LineProcessEvents<From> {
  readonly heard: (message: From) => void
  /** Called once, however it ended. */
  readonly ended: (how: string) => void
}

export interface LineProcess<To> {
  readonly pid: number
  say(message: To): void
  /** Closes its stdin; it ends after the last message. */
  hangUp(): void
  kill(): void
  readonly exited: Promise<unknown>
}

/** Throws if the process cannot be started. */
export function startLineProcess<To, From>(
  argv: readonly string[],
  events: LineProcessEvents<From>,
  env: Readonly<Record<string, string | undefined>> = process.env,
): LineProcess<To> {
  const child = Bun.spawn([...argv], { cwd: '/', env, stdin: 'pipe', stdout: 'pipe', stderr: 'ignore' })
  const kill = () => child.kill('SIGKILL')
  const listen = async () => {
    await eachLine(child.stdout, (line) => events.heard(JSON.parse(line) as From)).catch(kill) // invalid output
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
