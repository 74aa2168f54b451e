/** Codex's command line, 0.166.0. */
import type { FreshArguments } from '../agent.ts'
import { type Arities, readArguments } from '../tools/arguments.ts'

const ARITIES: Arities = {
  '--add-dir': 'one',
  '--all': 'none',
  '--approve-for-me': 'none',
  '--ask-for-approval': 'one',
  '--cd': 'one',
  '--color': 'one',
  '--config': 'one',
  '--cyber-access-program': 'one',
  '--dangerously-bypass-approvals-and-sandbox': 'none',
  '--dangerously-bypass-hook-trust': 'none',
  '--disable': 'one',
  '--enable': 'one',
  '--ephemeral': 'none',
  '--full-auto': 'none',
  '--ignore-rules': 'none',
  '--ignore-user-config': 'none',
  '--image': 'many',
  '--include-non-interactive': 'none',
  '--json': 'none',
  '--last': 'none',
  '--local-provider': 'one',
  '--model': 'one',
  '--no-alt-screen': 'none',
  '--no-daemon': 'none',
  '--oss': 'none',
  '--output-last-message': 'one',
  '--output-schema': 'one',
  '--profile': 'one',
  '--remote': 'one',
  '--remote-auth-token-env': 'one',
  '--sandbox': 'one',
  '--search': 'none',
  '--skip-git-repo-check': 'none',
  '--strict-config': 'none',
  '--thread-source': 'one',
  '--worktree': 'none',
  '-C': 'one',
  '-a': 'one',
  '-c': 'one',
  '-i': 'many',
  '-m': 'one',
  '-o': 'one',
  '-p': 'one',
  '-s': 'one',
}

/** Options that select an old conversation, and images of the first prompt. */
const DROPPED = new Set(['--all', '--image', '--include-non-interactive', '--last', '-i'])

/** With these, the worktree would be a new one, or the agent runs on a remote server. */
const ELSEWHERE = new Set(['--remote', '--worktree'])

const OTHER_COMMANDS = new Set(
  'agents review login logout mcp plugin app-server remote-control completion update doctor sandbox debug apply a queue archive delete migrate-rollouts migrate-nfs-db unarchive cloud exec-server features help'.split(
    ' ',
  ),
)

/** `codex resume` and `codex exec resume` become `codex` and `codex exec`. */
export function freshArguments(args: readonly string[], prompt: string): FreshArguments | undefined {
  const read = readArguments(args, ARITIES)
  if (read.some((one) => one.kind === 'option' && ELSEWHERE.has(one.name))) return undefined
  const [command = '', under = ''] = read.flatMap((one) => (one.kind === 'word' ? one.text : []))
  const headless = command === 'exec' || command === 'e'
  if (OTHER_COMMANDS.has(command) || (headless && under === 'review')) return undefined
  const options = read
    .filter((one) => one.kind === 'option' && !DROPPED.has(one.name))
    .flatMap(({ text }) => text)
  // The prompt comes first: after an option that takes a value it would become the value.
  return { args: [...(headless ? [command] : []), prompt, ...options], headless }
}
