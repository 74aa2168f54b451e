/**
 * The command line of an agent that goes on with its work in a new conversation: without what would lead it back into
 * the old one, and with a first prompt.
 *
 *   freshCommand(['claude', '--resume', '4f1c', '--model', 'opus'], 'Go on.')
 *   // { argv: ['claude', 'Go on.', '--model', 'opus'], headless: false }
 */
import { basename } from 'node:path'
import { freshClaude } from './claude-command.ts'
import { freshCodex } from './codex-command.ts'

/** What follows the program's name. */
export interface Fresh {
  readonly args: readonly string[]
  /** It ends by itself when the work is done. */
  readonly headless: boolean
}

export interface FreshCommand {
  readonly argv: readonly string[]
  readonly headless: boolean
}

export const RESTARTED_AGENTS = ['claude', 'codex'] as const

/** Undefined for what must not be started again. Programs that nobody knows are started as they were. */
export function freshCommand(
  argv: readonly string[],
  prompt: string,
  as: string = agentOf(argv),
): FreshCommand | undefined {
  const [program = '', ...args] = argv
  const fresh = freshArguments(as, args, prompt)
  return fresh && { argv: [program, ...fresh.args], headless: fresh.headless }
}

function freshArguments(agent: string, args: readonly string[], prompt: string): Fresh | undefined {
  switch (agent) {
    case 'claude':
      return freshClaude(args, prompt)
    case 'codex':
      return freshCodex(args, prompt)
    case 'gemini':
      return undefined // it forgets its conversation when a hook says so, and need not end for it
    default:
      return { args, headless: false }
  }
}

function agentOf(argv: readonly string[]): string {
  return basename(argv[0] ?? '').replace(/\.(?:exe|cmd|js)$/, '')
}
