/**
 * A summary by a command of the user's: what is known on stdin as JSON, `{"title","summary"}` on stdout. It has a process
 * group of its own, which ends with it or at the deadline. `GANTRY_OFF` keeps the hooks of an agent that it may run from
 * reporting here, and so from being summed up in turn; where hooks are required, the run's name tells whose they are, or
 * the session of the process where a command hands on no environment.
 */
import { readFileSync } from 'node:fs'
import { messageOf } from '../../core/errors.ts'
import type { HookEvent } from '../../events/index.ts'
import { MAX_ANSWER_BYTES, readAnswer, readAtMost, type SummaryInput } from './answer.ts'
import type { Summed } from './extract.ts'

export interface CommandPlace {
  /** Not a repository, whose files could be found first. */
  readonly dir: string
  readonly env: Readonly<Record<string, string>>
  readonly timeoutMs: number
}

const RUN_ID = 'gantry-summary'
const LEFTOVER_MS = 500 // for pipes whose holder has left the group

/** Groups of commands that run now. */
const running = new Set<number>()

export async function runSummary(
  command: string,
  input: SummaryInput,
  { dir, env, timeoutMs }: CommandPlace,
  signal: AbortSignal,
): Promise<Summed> {
  const child = Bun.spawn(['/bin/sh', '-c', command], {
    cwd: dir,
    env: { ...env, GANTRY_OFF: '1', GANTRY_RUN_ID: RUN_ID },
    detached: true, // a session and a group of its own
    stdin: Buffer.from(JSON.stringify(input)),
    stdout: 'pipe',
    stderr: 'ignore',
  })
  let problem: string | undefined
  const kill = () => killGroup(child.pid)
  const fail = (why: string) => {
    problem ??= why
    kill()
  }
  const timer = setTimeout(
    () => fail(`it did not end within ${timeoutMs / 1000} s and was killed`),
    timeoutMs,
  )
  signal.addEventListener('abort', kill)
  running.add(child.pid)
  try {
    const output = readAtMost(child.stdout, MAX_ANSWER_BYTES).catch((error) => {
      fail(messageOf(error))
      return ''
    })
    const exit = await child.exited
    kill() // what it left running holds its pipes, and would run on with nobody to end it
    if (problem === undefined && exit !== 0) problem = `it ended with exit code ${exit}`
    const text = await Promise.race([output, Bun.sleep(LEFTOVER_MS).then(() => '')])
    if (problem !== undefined) throw new Error(problem)
    return readAnswer(text)
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', kill)
    running.delete(child.pid)
  }
}

/** The event comes from a command that sums something up. */
export function isSummarizing({ client: { env, ppid } }: HookEvent): boolean {
  if (env.GANTRY_RUN_ID === RUN_ID) return true
  return ppid !== undefined && running.size > 0 && running.has(sessionOf(ppid))
}

/** The session of a process, as the system counts them; 0 where there is no telling. */
function sessionOf(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[3])
  } catch {
    return 0
  }
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // All of them are gone already.
  }
}
