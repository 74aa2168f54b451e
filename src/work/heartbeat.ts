/** An agent that works long without a word about it is reminded, then stopped until it has logged. */
import { isEngineLine } from './engine-line.ts'
import type { WorkSettings } from './settings.ts'

const SHELL_TOOLS = new Set(['Bash', 'shell', 'exec_command', 'local_shell', 'run_shell_command', 'bash'])

/** The engine's own commands never count: they are how an agent gets out. */
export function isEngineCommand(toolName: string, toolInput: unknown): boolean {
  if (!SHELL_TOOLS.has(toolName)) return false
  const { command, cmd } = (toolInput ?? {}) as { command?: unknown; cmd?: unknown }
  const given = command ?? cmd
  const line = Array.isArray(given) ? given.at(-1) : given // Codex: ["bash", "-lc", "…"]
  return typeof line === 'string' && isEngineLine(line)
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
