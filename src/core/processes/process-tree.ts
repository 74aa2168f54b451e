/**
 * Processes as /proc shows them: who is above whom, since when, and which of those above a hook client is the agent.
 * Elsewhere than on Linux nothing is known of any process.
 *
 *   const agent = agentAbove(client)   // while the client waits: it, and the shell that runs it, are gone soon after
 */
import { readlinkSync, statSync } from 'node:fs'
import { isOver, statOf, TICKS_PER_S, uptimeS } from './proc.ts'

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
  return statOf(pid)?.parent ?? -1
}

/** When it began, in the system's own count since it was started. Nothing of one that has ended, collected or not. */
export function startOf(pid: number): string | undefined {
  const stat = statOf(pid)
  return stat === undefined || isOver(stat) ? undefined : stat.start
}

/** It was started in a terminal, whatever its input is. */
export function isInTerminal(pid: number): boolean {
  return (statOf(pid)?.terminal ?? 0) !== 0
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
  return Date.now() - (uptimeS() - Number(start) / TICKS_PER_S) * 1000
}

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
    at = stat.parent
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
