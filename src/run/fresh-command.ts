/**
 * The command line that continues an agent's work in a new conversation: without options that would resume the old one,
 * and with a first prompt.
 *
 *   await freshCommand(['claude', '--resume', '4f1c', '--model', 'opus'], 'Go on.')
 *   // { argv: ['claude', 'Go on.', '--model', 'opus'], headless: false }
 */
import { basename } from 'node:path'
import { agentFor, agents } from '../agents/index.ts'

export interface FreshCommand {
  readonly argv: readonly string[]
  /** It ends by itself when the work is done. */
  readonly headless: boolean
}

export const RESTARTED_AGENTS = [...agents.values()].flatMap(({ id, freshArguments }) =>
  freshArguments ? [id] : [],
)

/** Undefined if it must not be restarted. Unknown programs are restarted with the same command line. */
export async function freshCommand(
  argv: readonly string[],
  prompt: string,
  as: string = agentOf(argv),
): Promise<FreshCommand | undefined> {
  const [program = '', ...args] = argv
  const { clearsContext, freshArguments } = agentFor(as)
  if (clearsContext) return undefined // it clears its conversation without ending
  const fresh = freshArguments ? await freshArguments(args, prompt) : { args, headless: false }
  return fresh && { argv: [program, ...fresh.args], headless: fresh.headless }
}

function agentOf(argv: readonly string[]): string {
  return basename(argv[0] ?? '').replace(/\.(?:exe|cmd|js)$/, '')
}
