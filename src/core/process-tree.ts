/**
 * Processes as /proc shows them: who is above whom, since when, and which of those above a hook client is the agent.
 * Elsewhere than on Linux nothing is known of any process.
 *
 *   const agent = agentAbove(client)   // while the client waits: it, and the shell that runs it, are gone soon after
 */
import { readFileSync, readlinkSync, statSync } from 'node:fs'

/** On the way from a hook to its agent; a shell that is not known here is taken for the agent. */
const SHELLS: ReadonlySet<string> = new Set([
  ...['sh', 'bash', 'dash', 'ash', 'zsh', 'ksh', 'mksh', 'fish', 'busybox', 'csh', 'tcsh'],
  ...['nu', 'pwsh', 'elvish', 'xonsh'],
  ...['timeout', 'env', 'nice', 'ionice', 'nohup', 'setsid', 'stdbuf', 'time', 'flock', 'taskset', 'chrt'],
])
/** They adopt what others leave behind, or hold everybody's terminals: a hook that is theirs has lost its agent. */
const NO_AGENTS: ReadonlySet<string> = new Set([
  ...['systemd', 'init', 'launchd', 'tmux: server', 'screen', 'login', 'sshd', 'sshd-session', 'cron'],
])
const MAX_SHELLS = 4
const MAX_ANCESTORS = 64 // a chain that is longer is a loop

/** From the parent up. */
export function ancestorsOf(pid: number): number[] {
  const found: number[] = []
  for (let at = parentOf(pid); at > 1 && found.length < MAX_ANCESTORS; at = parentOf(at)) found.push(at)
  return found
}

/** -1 when there is no such process. */
export function parentOf(pid: number): number {
  return Number(statOf(pid)?.fields[1] ?? -1)
}

/** When it began, in the system's own count since it was started. Nothing of one that has ended, collected or not. */
export function startOf(pid: number): string | undefined {
  const fields = statOf(pid)?.fields
  return fields === undefined || fields[0] === 'Z' || fields[0] === 'X' ? undefined : fields[19]
}

/** It was started in a terminal, whatever its input is. */
export function isInTerminal(pid: number): boolean {
  return Number(statOf(pid)?.fields[4] ?? 0) !== 0
}

export function cwdOf(pid: number): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/cwd`)
  } catch {
    return undefined
  }
}

export function isOurs(pid: number): boolean {
  try {
    return statSync(`/proc/${pid}`).uid === process.getuid?.() && startOf(pid) !== undefined
  } catch {
    return false
  }
}

/** When it began, by the clock of now; undefined when there is no such process. */
export function beganAt(pid: number): number | undefined {
  const start = startOf(pid)
  if (start === undefined) return undefined
  const up = Number(readFileSync('/proc/uptime', 'latin1').split(' ')[0])
  return Date.now() - (up - Number(start) / TICKS_PER_S) * 1000
}

const TICKS_PER_S = 100 // USER_HZ, the same on every Linux that Bun runs on

/** The agent that a hook client runs for: the first process above it that is not a shell, nor began for this hook alone. */
export function agentAbove(client: number, isForHook?: (pid: number) => boolean): number | undefined {
  return aboveShells(parentOf(client), isForHook)
}

/**
 * Gemini 0.61.0 and Copilot 1.0.102 run hooks by `bash -c`: their parent is a shell that ends with them. A shell whose input
 * is a terminal is a person's: the hook was sent by hand, and whatever is above that shell is not an agent.
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
    const isShell = SHELLS.has(stat.name)
    if (!isShell && !isForHook(at)) return at
    if (isShell && hasTerminal(at)) return undefined
    at = Number(stat.fields[1] ?? 0)
  }
  return undefined
}

function hasTerminal(pid: number): boolean {
  try {
    return /^\/dev\/(pts\/|tty)/.test(readlinkSync(`/proc/${pid}/fd/0`))
  } catch {
    return true // another user's
  }
}

/** The name stands in parentheses and may hold anything, those too. */
function statOf(pid: number): { readonly name: string; readonly fields: readonly string[] } | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    const end = stat.lastIndexOf(')')
    return { name: stat.slice(stat.indexOf('(') + 1, end), fields: stat.slice(end + 2).split(' ') }
  } catch {
    return undefined
  }
}
