/** The heartbeat: an agent that works long without logging is reminded, then denied tool calls until it logs. */
import { toolsThat } from '../../agents/facts.ts'
import { ordinal } from '../../core/text/text.ts'
import type { WorkSettings } from '../config.ts'
import { isEngineLine, mayLog } from './engine-line.ts'
import { logCommand } from './own-command.ts'

const SHELL_TOOLS = toolsThat('shell')

const SHELL = /^(?:\/(?:usr\/(?:local\/)?|opt\/homebrew\/)?bin\/)?(?:ba|da|z)?sh$/

/** The engine's own commands never count, because an agent needs them to log. */
export function isEngineCommand(toolName: string, toolInput: unknown): boolean {
  if (!SHELL_TOOLS.has(toolName)) return false
  const { command, cmd, shell } = (toolInput ?? {}) as { command?: unknown; cmd?: unknown; shell?: unknown }
  if (shell !== undefined && !isShell(shell)) return false // Codex's exec_command may name the shell to use
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

/**
 * Whether a call is probably an attempt to log, with any tool and in any spelling. The heartbeat does not deny it,
 * since an agent that is told to log must be able to. The call still counts and guards still apply, because it may run
 * something else as well.
 */
export function isLogAttempt(toolInput: unknown): boolean {
  const { command, cmd, script, code } = (toolInput ?? {}) as Record<string, unknown>
  const given = command ?? cmd ?? script ?? code
  const text = Array.isArray(given) ? given.join(' ') : given
  return typeof text === 'string' && mayLog(text)
}

/** Denies a limited number of calls in a row, then stops: the agent may have no way to log at all. */
export function isBlocked(count: number, settings: WorkSettings): boolean {
  return isAtLimit(count, settings) && !isLetGo(count, settings)
}

export function isAtLimit(count: number, { heartbeat_block: limit }: WorkSettings): boolean {
  return limit > 0 && count >= limit
}

function isLetGo(
  count: number,
  { heartbeat_block: limit, heartbeat_denials: denials }: WorkSettings,
): boolean {
  return count >= limit + denials
}

export function blockReason(count: number, home?: string): string {
  return (
    `${count} tool calls without a word about progress. Log what you did and what comes next, with nothing else in ` +
    `the command, then continue: ${logCommand(home)}`
  )
}

/** What an effort does to agents that do not log, at the end of a sentence. */
export function denialWords({ heartbeat_block: limit }: WorkSettings): string {
  return limit === 0 ? '' : `; the ${ordinal(limit)} tool call without a log is denied`
}

interface Release {
  readonly agent: string
  readonly person: string
}

/** Set at the first call that is allowed again although the limit is exceeded. */
export function releaseAt(count: number, settings: WorkSettings, effort: number): Release | undefined {
  const { heartbeat_block: limit, heartbeat_denials: denials } = settings
  if (limit === 0 || count !== limit + denials) return undefined
  const times = denials === 1 ? 'once' : `${denials} times`
  return {
    agent: `Calls are no longer denied, although nothing was logged: you were asked ${times}. Log as soon as you can.`,
    person: `Effort ${effort}: the agent was denied ${times} and did not log. It continues without a log; see "gantry effort show ${effort}".`,
  }
}

/** For an attempt to log that ended with the count still at the limit. */
export function failedAttempt(count: number): string {
  return (
    `The log did not arrive: gantry could not be reached from there, or meant another effort. You may continue; the count of ` +
    `${count} tool calls is reset. Tell the person at the end of your turn.`
  )
}

/** At the limit, and again after as many more calls. */
export function reminder(count: number, settings: WorkSettings, home?: string): string | undefined {
  if (count === 0 || count % settings.heartbeat_warn !== 0) return undefined
  return `${count} tool calls since the last log. Log progress with: ${logCommand(home, '<what was done>')}`
}
