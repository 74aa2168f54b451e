/**
 * The process tree from /proc: ancestors, start times, and which ancestor of a hook client is the agent. Only on Linux;
 * elsewhere nothing is known.
 *
 *   const agent = agentAbove(client)   // while the client waits: it, and the shell that runs it, are gone soon after
 */
import { statSync } from 'node:fs'
import { isOver, linkOf, startedAt, statOf } from './proc.ts'

const SHELLS: ReadonlySet<string> = new Set([
  ...['sh', 'bash', 'dash', 'ash', 'zsh', 'ksh', 'mksh', 'fish', 'busybox', 'csh', 'tcsh'],
  ...['nu', 'pwsh', 'elvish', 'xonsh'],
])
/** Between a hook and its agent. An unlisted shell counts as the agent. */
const WRAPPERS: ReadonlySet<string> = new Set([
  ...['timeout', 'env', 'nice', 'ionice', 'nohup', 'setsid', 'stdbuf', 'time', 'flock', 'taskset', 'chrt'],
])
/** Processes that adopt orphans or hold everybody's terminals: a hook below one of them has lost its agent. */
const NO_AGENTS: ReadonlySet<string> = new Set([
  ...['systemd', 'init', 'launchd', 'tmux: server', 'screen', 'login', 'sshd', 'sshd-session', 'cron'],
])
const MAX_SHELLS = 4
const MAX_ANCESTORS = 64 // a longer chain is a loop

export function isShell(name: string): boolean {
  return SHELLS.has(name)
}

/** From the parent upwards. */
export function ancestorsOf(pid: number): number[] {
  const found: number[] = []
  for (let at = parentOf(pid); at > 1 && found.length < MAX_ANCESTORS; at = parentOf(at)) found.push(at)
  return found
}

/** -1 when there is no such process. */
export function parentOf(pid: number): number {
  return statOf(pid)?.parent ?? -1
}

/** Start time in clock ticks since boot. Undefined for an ended process, zombie or not. */
export function startOf(pid: number): string | undefined {
  const stat = statOf(pid)
  return stat === undefined || isOver(stat) ? undefined : stat.start
}

/** Whether the process has a controlling terminal, whatever its stdin is. */
export function isInTerminal(pid: number): boolean {
  return (statOf(pid)?.terminal ?? 0) !== 0
}

export function cwdOf(pid: number): string | undefined {
  return linkOf(pid, 'cwd')
}

/** The terminal that its stdin is. */
export function terminalOf(pid: number): string | undefined {
  return linkOf(pid, 'fd/0')?.match(/^\/dev\/(?:pts\/|tty).*/)?.[0]
}

export function isOurs(pid: number): boolean {
  try {
    return statSync(`/proc/${pid}`).uid === process.getuid?.() && startOf(pid) !== undefined
  } catch {
    return false
  }
}

/** Start time by the current clock; undefined when there is no such process. */
export function beganAt(pid: number): number | undefined {
  const start = startOf(pid)
  return start === undefined ? undefined : startedAt(start)
}

/**
 * The agent that a hook client runs for: the first ancestor that is neither a shell nor a process started for this hook.
 */
export function agentAbove(client: number, isForHook?: (pid: number) => boolean): number | undefined {
  return aboveShells(parentOf(client), isForHook)
}

/**
 * Gemini 0.61.0 and Copilot 1.0.102 run hooks through `bash -c`, so the parent is a shell that ends with the hook. A shell
 * whose stdin is a terminal belongs to a person: the hook was sent by hand, and nothing above that shell is an agent.
 */
export function aboveShells(
  pid: number,
  isForHook: (pid: number) => boolean = () => false,
): number | undefined {
  let at = pid
  for (let climbed = 0; climbed <= MAX_SHELLS && at > 1; climbed++) {
    const stat = statOf(at)
    if (stat === undefined) return undefined
    if (NO_AGENTS.has(stat.name)) return undefined
    const isBetween = isShell(stat.name) || WRAPPERS.has(stat.name)
    if (!isBetween && !isForHook(at)) return at
    if (isBetween && (linkOf(at, 'fd/0') === undefined || terminalOf(at) !== undefined)) return undefined
    at = stat.parent
  }
  return undefined
}
