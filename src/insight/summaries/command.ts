/**
 * A summary by the user's command: facts as JSON on stdin, `{"title","summary"}` on stdout. The command runs in its own
 * process group, which is killed at its end or at the deadline. `GANTRY_OFF` stops the hooks of an agent that it may
 * run, so that this agent is not summarized in turn. Where hooks are required, they are recognized by the run id or, if
 * the environment is not passed on, by the process session.
 */
import { start } from '../../core/processes/exec.ts'
import { statOf } from '../../core/processes/proc.ts'
import type { HookEvent } from '../../events/index.ts'
import { MAX_ANSWER_BYTES, readAnswer, type SummaryInput } from './answer.ts'
import type { Summed } from './extract.ts'

export interface CommandPlace {
  /** Not a repository, whose files could shadow programs. */
  readonly dir: string
  readonly env: Readonly<Record<string, string>>
  readonly timeoutMs: number
}

const RUN_ID = 'gantry-summary'

/** Process groups of running commands. */
const running = new Set<number>()

export async function runSummary(
  command: string,
  input: SummaryInput,
  { dir, env, timeoutMs }: CommandPlace,
  signal: AbortSignal,
): Promise<Summed> {
  const child = start(['/bin/sh', '-c', command], {
    cwd: dir,
    env: { ...env, GANTRY_OFF: '1', GANTRY_RUN_ID: RUN_ID },
    group: true,
    stdin: JSON.stringify(input),
    timeoutMs,
    maxBytes: MAX_ANSWER_BYTES,
  })
  signal.addEventListener('abort', child.kill)
  running.add(child.pid)
  try {
    const { exit, stdout, isLate, isTooLong } = await child.result
    if (isLate) throw new Error(`it did not end within ${timeoutMs / 1000} s and was killed`)
    if (isTooLong) throw new Error(`its answer is longer than ${MAX_ANSWER_BYTES / 1024} KB`)
    if (exit !== 0) throw new Error(`it ended with exit code ${exit}`)
    return readAnswer(stdout)
  } finally {
    signal.removeEventListener('abort', child.kill)
    running.delete(child.pid)
  }
}

/** True if the event comes from an agent that a summary command runs. */
export function isSummarizing({ client: { env, ppid } }: HookEvent): boolean {
  if (env.GANTRY_RUN_ID === RUN_ID) return true
  return ppid !== undefined && running.size > 0 && running.has(statOf(ppid)?.session ?? 0)
}
