/** Claude Code's command line, 2.1.325. */
import type { FreshArguments } from '../agent.ts'
import { type Argument, type Arities, readArguments } from '../tools/arguments.ts'

const ARITIES: Arities = {
  '--add-dir': 'many',
  '--agent': 'one',
  '--agents': 'one',
  '--allow-dangerously-skip-permissions': 'none',
  '--allowed-tools': 'many',
  '--allowedTools': 'many',
  '--append-system-prompt': 'one',
  '--append-system-prompt-file': 'one',
  '--autocompact': 'one',
  '--ax-screen-reader': 'none',
  '--bare': 'none',
  '--betas': 'many',
  '--brief': 'none',
  '--chrome': 'none',
  '--cloud': 'optional',
  '--continue': 'none',
  '--dangerously-skip-permissions': 'none',
  '--debug': 'optional',
  '--debug-file': 'one',
  '--disable-slash-commands': 'none',
  '--disallowed-tools': 'many',
  '--disallowedTools': 'many',
  '--effort': 'one',
  '--environment': 'one',
  '--exclude-dynamic-system-prompt-sections': 'none',
  '--fallback-model': 'one',
  '--file': 'many',
  '--fork-session': 'none',
  '--forward-subagent-text': 'none',
  '--from-pr': 'optional',
  '--ide': 'none',
  '--include-hook-events': 'none',
  '--include-partial-messages': 'none',
  '--init': 'none',
  '--input-format': 'one',
  '--json-schema': 'one',
  '--maintenance': 'none',
  '--max-budget-usd': 'one',
  '--max-turns': 'one',
  '--mcp-config': 'many',
  '--model': 'one',
  '--name': 'one',
  '--no-chrome': 'none',
  '--no-session-persistence': 'none',
  '--output-format': 'one',
  '--permission-mode': 'one',
  '--permission-prompt-tool': 'one',
  '--permission-prompts': 'one',
  '--plugin-dir': 'one',
  '--plugin-url': 'one',
  '--print': 'none',
  '--prompt-suggestions': 'optional',
  '--remote-control': 'optional',
  '--remote-control-session-name-prefix': 'one',
  '--replay-user-messages': 'none',
  '--restricted': 'none',
  '--resume': 'optional',
  '--resume-session-at': 'one',
  '--safe-mode': 'none',
  '--session-id': 'one',
  '--setting-sources': 'one',
  '--settings': 'one',
  '--strict-mcp-config': 'none',
  '--system-prompt': 'one',
  '--system-prompt-file': 'one',
  '--system-prompt-snapshot': 'one',
  '--teleport': 'optional',
  '--tmux': 'none',
  '--tools': 'many',
  '--verbose': 'none',
  '--worktree': 'optional',
  '-c': 'none',
  '-d': 'optional',
  '-n': 'one',
  '-p': 'none',
  '-r': 'optional',
  '-w': 'optional',
}

/** Options that resume an old conversation, and those that act once at a start. */
const DROPPED = new Set([
  '--continue',
  '--file',
  '--fork-session',
  '--from-pr',
  '--init',
  '--maintenance',
  '--resume',
  '--resume-session-at',
  '--session-id',
  '--teleport',
  '-c',
  '-r',
])

/** With these the agent does not run in this terminal. */
const ELSEWHERE = new Set(['--background', '--bg', '--cloud', '--desktop', '--environment', '--tmux'])

/** Words that are subcommands, not prompts. */
const COMMANDS = new Set(
  'agents attach auth auto-mode config doctor gateway import install logs mcp migrate-installer plugin plugins purge respawn rm setup-token stop kill ultrareview update upgrade'.split(
    ' ',
  ),
)

export function freshArguments(args: readonly string[], prompt: string): FreshArguments | undefined {
  const read = readArguments(args, ARITIES)
  if (read.some(isElsewhere)) return undefined
  if (COMMANDS.has(read.find(({ kind }) => kind === 'word')?.text[0] ?? '')) return undefined
  const kept = read
    .filter((one) => one.kind === 'option' && !DROPPED.has(one.name))
    .flatMap(({ text }) => text)
  // The prompt comes first: after an option with many values it would become one of them.
  return { args: [prompt, ...kept], headless: read.some(isPrint) }
}

/** The program that feeds stdin would not notice the restart, and an unnamed worktree would be a new one. */
function isElsewhere(one: Argument): boolean {
  if (one.kind !== 'option') return false
  if (ELSEWHERE.has(one.name)) return true
  if (one.name === '--input-format') return one.values[0] === 'stream-json'
  return (one.name === '-w' || one.name === '--worktree') && one.values.length === 0
}

function isPrint(one: Argument): boolean {
  return one.kind === 'option' && (one.name === '-p' || one.name === '--print')
}
