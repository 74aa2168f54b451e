/**
 * One agent in this terminal. It has our stdin, stdout and stderr and is in our process group, so keys, signals and
 * window sizes reach it directly. We only make sure that both end and pause together.
 */
import { GantryError, messageOf } from '../core/errors.ts'
import { familyOf, isAlive, type ProcessRow, processRow } from './process-table.ts'

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

export function startAgent(argv: readonly string[], env: Record<string, string | undefined>): AgentProcess {
  const child = spawn(argv, env)
  let toldToEnd = false
  const listeners: [NodeJS.Signals, () => void][] = [
    // From the keyboard they reach the agent, too, which decides what to do.
    ['SIGINT', () => {}],
    ['SIGQUIT', () => {}],
    ['SIGTERM', () => passOn('SIGTERM')],
    ['SIGHUP', () => passOn('SIGHUP')],
    ['SIGCHLD', () => void pauseAlong(child.pid)],
    ['SIGCONT', () => child.kill('SIGCONT')],
  ]
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
      const family = familyOf(child.pid)
      child.kill('SIGTERM')
      child.kill('SIGCONT')
      const polite = await within(POLITE_MS, ended)
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
  if (!processRow(pid)?.stopped) return
  await Bun.sleep(PAUSE_SURE_MS)
  if (processRow(pid)?.stopped) process.kill(process.pid, 'SIGTSTP')
}

/** True if one of them had to be killed. */
async function endAll(family: readonly ProcessRow[]): Promise<boolean> {
  const left = () => family.filter(isAlive)
  for (const { pid } of left()) signal(pid, 'SIGTERM')
  const deadline = performance.now() + LEFT_BEHIND_MS
  while (left().length > 0 && performance.now() < deadline) await Bun.sleep(POLL_MS)
  const stubborn = left()
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

/** True if it settles in time. */
export async function within(ms: number, work: Promise<unknown>): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const timer = setTimeout(() => resolve(false), ms)
  return Promise.race([work.then(() => true), promise]).finally(() => clearTimeout(timer))
}
