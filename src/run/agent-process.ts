/**
 * One agent in this terminal. It has our stdin, stdout and stderr and is in our process group, so keys, signals and
 * window sizes reach it directly. We only make sure that both end and pause together.
 */
import { GantryError, messageOf } from '../core/errors.ts'
import { ASKS_PS, familyOf, isThere, type ProcessRow, processRow } from '../core/processes/process-table.ts'
import { until, within } from '../core/time/waits.ts'

export interface Ended {
  readonly exitCode: number | null
  readonly signal: NodeJS.Signals | null
}

export interface AgentProcess {
  readonly ended: Promise<Ended>
  /** Somebody asked us, and thus the agent, to end. */
  readonly toldToEnd: boolean
  /** SIGTERM first, then SIGKILL; true if it had to be killed. */
  end(): Promise<boolean>
}

const POLITE_MS = 10_000 // Claude gives its own SessionEnd hooks 1.5 s, and more if they ask for it
const LEFT_BEHIND_MS = 2_000
const PAUSE_SURE_MS = 50 // an agent that continues at once must not pause us
const POLL_MS = 20
const ECHO_MS = 100 // where the process table comes from `ps`, its end raises a SIGCHLD of its own

export function startAgent(argv: readonly string[], env: Record<string, string | undefined>): AgentProcess {
  const child = spawn(argv, env)
  let toldToEnd = false
  let deafUntil = 0
  async function lookForPause(): Promise<void> {
    if (!ASKS_PS) return pauseAlong(child.pid)
    if (performance.now() < deafUntil) return
    deafUntil = Number.POSITIVE_INFINITY
    await pauseAlong(child.pid).finally(() => {
      deafUntil = performance.now() + ECHO_MS
    })
  }
  const listeners: [NodeJS.Signals, () => void][] = [
    // From the keyboard they reach the agent, too, which decides what to do.
    ['SIGINT', () => {}],
    ['SIGQUIT', () => {}],
    ['SIGTERM', () => passOn('SIGTERM')],
    ['SIGHUP', () => passOn('SIGHUP')],
    ['SIGCHLD', () => void lookForPause()],
    ['SIGCONT', () => continued()],
  ]
  function continued(): void {
    child.kill('SIGCONT')
    if (ASKS_PS) setTimeout(() => void lookForPause(), 2 * ECHO_MS).unref() // a pause meanwhile was not heard
  }
  function passOn(signal: NodeJS.Signals): void {
    toldToEnd = true
    child.kill(signal)
  }
  for (const [signal, listener] of listeners) process.on(signal, listener)
  const ended = child.exited.then((): Ended => {
    for (const [signal, listener] of listeners) process.off(signal, listener)
    return endOf(child.exitCode, child.signalCode)
  })
  return {
    ended,
    get toldToEnd() {
      return toldToEnd
    },
    end: async () => {
      // The agent may run under a script or a launcher that does not end it along with itself.
      const family = await familyOf(child.pid).catch(() => [])
      child.kill('SIGTERM')
      child.kill('SIGCONT')
      const polite = (await within(ended, POLITE_MS)) !== undefined
      if (!polite) child.kill('SIGKILL')
      await ended
      return (await endAll(family)) || !polite
    },
  }
}

function spawn(argv: readonly string[], env: Record<string, string | undefined>) {
  try {
    return Bun.spawn([...argv], { env, stdio: ['inherit', 'inherit', 'inherit'] })
  } catch (cause) {
    const [program] = argv
    const found = Bun.which(program ?? '') !== null
    throw new GantryError(
      'START_FAILED',
      found
        ? `${program} does not start: ${messageOf(cause)}`
        : `There is no program "${program}" on the PATH. Is it installed?`,
      { cause },
    )
  }
}

/** Signals become exit codes, as in shells. */
function endOf(exitCode: number | null, signal: NodeJS.Signals | number | null): Ended {
  return typeof signal === 'number' ? { exitCode: 128 + signal, signal: null } : { exitCode, signal }
}

/**
 * If an agent stops itself, as Claude does on Ctrl-Z, we must stop, too, or the shell would wait for us. SIGTSTP rather
 * than SIGSTOP: the system ignores it where no shell would wake us again.
 */
async function pauseAlong(pid: number): Promise<void> {
  if (!(await processRow(pid))?.stopped) return
  await Bun.sleep(PAUSE_SURE_MS)
  if ((await processRow(pid))?.stopped) process.kill(process.pid, 'SIGTSTP')
}

/** True if one of them had to be killed. */
async function endAll(family: readonly ProcessRow[]): Promise<boolean> {
  const left = async () => {
    const there = await Promise.all(family.map(isThere))
    return family.filter((_, i) => there[i])
  }
  for (const { pid } of await left()) signal(pid, 'SIGTERM')
  await until(async () => (await left()).length === 0, LEFT_BEHIND_MS, POLL_MS)
  const stubborn = await left()
  for (const { pid } of stubborn) signal(pid, 'SIGKILL')
  return stubborn.length > 0
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch {
    // it has just ended
  }
}
