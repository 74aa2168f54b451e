/** An agent that works long without a word about it is reminded, then stopped until it has logged. */
import { isEngineLine } from './engine-line.ts'
import type { WorkSettings } from './settings.ts'

const SHELL_TOOLS = new Set(['Bash', 'shell', 'exec_command', 'local_shell', 'run_shell_command', 'bash'])

const SHELL = /^(?:\/(?:usr\/(?:local\/)?|opt\/homebrew\/)?bin\/)?(?:ba|da|z)?sh$/

/** The engine's own commands never count: they are how an agent gets out. */
export function isEngineCommand(toolName: string, toolInput: unknown): boolean {
  if (!SHELL_TOOLS.has(toolName)) return false
  const { command, cmd, shell } = (toolInput ?? {}) as { command?: unknown; cmd?: unknown; shell?: unknown }
  if (shell !== undefined && !isShell(shell)) return false // Codex's exec_command may name the one to use
  const line = lineOf(command ?? cmd)
  return line !== undefined && isEngineLine(line)
}

/** Codex: ["bash", "-lc", "…"]. */
function lineOf(given: unknown): string | undefined {
  if (typeof given === 'string') return given
  if (!Array.isArray(given) || given.length !== 3) return undefined
  const [shell, option, line] = given as unknown[]
  return isShell(shell) && (option === '-c' || option === '-lc') && typeof line === 'string'
    ? line
    : undefined
}

function isShell(name: unknown): boolean {
  return typeof name === 'string' && SHELL.test(name)
}

export function isBlocked(count: number, settings: WorkSettings): boolean {
  return settings.heartbeat_block > 0 && count >= settings.heartbeat_block
}

export function blockReason(count: number): string {
  return (
    `${count} tool calls without a word about progress. Log what you did and what comes next, with nothing else in ` +
    'the command, then go on: gantry effort log "<what was done, what is next>"'
  )
}

/** Said at the limit and again each time as many calls have passed. */
export function reminder(count: number, settings: WorkSettings): string | undefined {
  if (count === 0 || count % settings.heartbeat_warn !== 0) return undefined
  return `${count} tool calls since the last log. Log progress with: gantry effort log "<what was done>"`
}
