/**
 * Runs a program with a deadline and keeps only the beginning of its output. With `group`, everything that it started ends
 * with it.
 *
 *   const { exit, stdout } = await run(['ps', '-o', 'tty=', '-p', '4711'], { timeoutMs: 1_000 })
 */
import { within } from '../time/waits.ts'

interface RunOptions {
  readonly cwd?: string
  readonly env?: Readonly<Record<string, string | undefined>>
  readonly stdin?: string | Uint8Array
  /** Extra descriptors, numbered from 3. */
  readonly fds?: readonly number[]
  readonly timeoutMs: number
  /** Limit for stdout; a program that prints more is killed. */
  readonly maxBytes?: number
  /** Runs in its own session and process group, which is killed when the program ends. */
  readonly group?: boolean
}

export interface Ran {
  readonly exit: number
  readonly signal: string | null
  readonly stdout: string
  readonly stderr: string
  readonly isLate: boolean
  readonly isTooLong: boolean
}

interface Running {
  readonly pid: number
  readonly result: Promise<Ran>
  kill(): void
}

const MAX_STDOUT_BYTES = 16 * 1024 * 1024
const MAX_STDERR_BYTES = 16 * 1024 // the rest is read and discarded
const LEFTOVER_MS = 500 // for pipes held open by a process that left the group

/** Throws when the program cannot be started. */
export function run(argv: readonly string[], options: RunOptions): Promise<Ran> {
  return start(argv, options).result
}

export function start(argv: readonly string[], options: RunOptions): Running {
  const { cwd, env = process.env, stdin, fds = [], group = false } = options
  const child = Bun.spawn([...argv], {
    ...(cwd === undefined ? {} : { cwd }),
    env, // without it, Bun 1.4.4 gives what the environment was at the start
    detached: group,
    stdio: [stdin === undefined ? 'ignore' : Buffer.from(stdin), 'pipe', 'pipe', ...fds],
  })
  const { pid } = child
  const kill = () => (group ? killGroup(pid) : child.kill('SIGKILL'))
  return { pid, kill, result: watch(child, kill, options) }
}

export function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // The whole group has ended already.
  }
}

type Child = Bun.Subprocess<Buffer | 'ignore', 'pipe', 'pipe'>

async function watch(child: Child, kill: () => void, options: RunOptions): Promise<Ran> {
  const { timeoutMs, group = false, maxBytes = MAX_STDOUT_BYTES } = options
  let isLate = false
  let isTooLong = false
  const timer = setTimeout(() => {
    isLate = true
    kill()
  }, timeoutMs)
  const stdout = collect(child.stdout, maxBytes, () => {
    isTooLong = true
    kill()
  })
  const stderr = collect(child.stderr, MAX_STDERR_BYTES)
  const exit = await child.exited
  clearTimeout(timer)
  if (group) kill() // children left running hold the pipes, and nobody else would end them
  await within(Promise.all([stdout.ended, stderr.ended]), LEFTOVER_MS)
  stdout.stop()
  stderr.stop()
  return {
    exit,
    signal: child.signalCode === null ? null : String(child.signalCode),
    stdout: stdout.text(),
    stderr: stderr.text(),
    isLate,
    isTooLong,
  }
}

function collect(stream: ReadableStream<Uint8Array>, limit: number, tooMuch: () => void = () => {}) {
  const reader = stream.getReader()
  const kept: Uint8Array[] = []
  let size = 0
  const read = async () => {
    for (;;) {
      const { value } = await reader.read()
      if (!value) return
      if (size < limit) kept.push(value.subarray(0, limit - size))
      if (size <= limit && size + value.length > limit) tooMuch()
      size += value.length
    }
  }
  return {
    ended: read().catch(() => {}),
    stop: () => void reader.cancel().catch(() => {}),
    text: () => Buffer.concat(kept).toString('utf8'),
  }
}
