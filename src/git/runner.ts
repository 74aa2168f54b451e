/**
 * Runs `git status` outside of the daemon. Spawning a process blocks the event loop until the program is loaded, up to 10
 * ms on a busy machine. So one shell is spawned once, and it starts git. It reads one folder per line, answers with a few
 * lines, exits when the daemon is gone, and is killed after an idle time.
 */
import { setPriority } from 'node:os'
import { killGroup } from '../core/processes/exec.ts'

interface RunnerOptions {
  readonly git: string
  readonly env: Record<string, string>
}

/** The first lines of `--porcelain=v2 --branch`; empty if git failed. */
type RunnerAnswer = readonly string[] | 'late'

const DEADLINE_MS = 3_000
const IDLE_MS = 60_000
const NICE = 10
const MAX_ANSWER_CHARS = 64 * 1024
const END = '=end'

const SAFELY = [
  '--no-optional-locks', // never waits for the index lock and never writes the index
  ...['-c', 'core.fsmonitor=false'],
  ...['-c', 'core.hooksPath=/dev/null'],
  ...['-c', 'core.untrackedCache=false'],
  ...['-c', 'core.quotePath=true'], // a name with a newline stays one line
  ...['-c', 'protocol.allow=never'], // missing objects are not fetched
  ...['-c', 'submodule.recurse=false'],
  ...['-c', 'core.pager=cat'],
]
const ASK = [
  'status',
  '--porcelain=v2',
  '--branch',
  '--untracked-files=normal',
  '--ignore-submodules=all',
  '--no-renames',
]

/** The folder is passed as data, never as part of the script. `head` stops git early: one change is enough. */
const SCRIPT = `while IFS= read -r root; do
  "$GANTRY_GIT" ${SAFELY.join(' ')} -C "$root" ${ASK.join(' ')} 2>/dev/null | head -n 8
  echo '${END}'
done`

export class GitRunner {
  readonly #options: RunnerOptions
  #child: ReturnType<typeof start> | undefined
  #idle: ReturnType<typeof setTimeout> | undefined

  constructor(options: RunnerOptions) {
    this.#options = options
  }

  /** Callers must not overlap. */
  async status(root: string): Promise<RunnerAnswer> {
    if (/[\r\n\0]/.test(root)) return []
    clearTimeout(this.#idle)
    const child = this.#child ?? start(this.#options)
    this.#child = child
    let late = false
    const timer = setTimeout(() => {
      late = true
      this.stop()
    }, DEADLINE_MS)
    try {
      child.stdin.write(`${root}\n`)
      await child.stdin.flush()
      return await child.answer()
    } catch {
      this.stop()
      return late ? 'late' : []
    } finally {
      clearTimeout(timer)
      this.#idle = setTimeout(() => this.stop(), IDLE_MS)
      this.#idle.unref()
    }
  }

  /** Kills the shell and the git that it runs. */
  stop(): void {
    clearTimeout(this.#idle)
    const { pid } = this.#child ?? {}
    this.#child = undefined
    if (pid !== undefined) killGroup(pid)
  }
}

function start({ git, env }: RunnerOptions) {
  const child = Bun.spawn(['/bin/sh', '-c', SCRIPT], {
    cwd: '/',
    env: { ...env, GANTRY_GIT: git },
    detached: true, // its own process group, so that all of it can be killed
    stdin: 'pipe',
    stdout: 'pipe',
    stderr: 'ignore',
  })
  try {
    setPriority(child.pid, NICE)
  } catch {
    // It has ended already; the first request will fail.
  }
  const reader = child.stdout.getReader()
  const decoder = new TextDecoder()
  let text = ''
  return {
    pid: child.pid,
    stdin: child.stdin,
    /** Throws when the shell ends. */
    async answer(): Promise<string[]> {
      for (;;) {
        const lines = text.split('\n')
        const end = lines.indexOf(END)
        if (end >= 0) {
          text = lines.slice(end + 1).join('\n')
          return lines.slice(0, end)
        }
        const { value } = await reader.read()
        if (!value || text.length > MAX_ANSWER_CHARS) throw new Error('no answer')
        text += decoder.decode(value, { stream: true })
      }
    },
  }
}
