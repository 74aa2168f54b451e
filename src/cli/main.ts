/**
 * The `gantry` command. The hook client comes first and alone: it runs under every tool call where there is no
 * native one, and must not load what other commands need.
 */
import { GantryError, messageOf } from '../errors.ts'
import type { Command } from './command.ts'

/** Hidden ones are for gantry itself. */
const COMMANDS: Readonly<Record<string, { summary: string; hidden?: boolean; load(): Promise<Command> }>> = {
  up: { summary: 'Start the daemon', load: async () => (await import('./up.ts')).up },
  down: { summary: 'Stop the daemon', load: async () => (await import('./down.ts')).down },
  status: {
    summary: 'Show what the daemon is doing',
    load: async () => (await import('./status.ts')).status,
  },
  install: {
    summary: 'Wire the hooks of the agents that are here',
    load: async () => (await import('./install.ts')).install,
  },
  uninstall: {
    summary: 'Take the hooks out again, exactly',
    load: async () => (await import('./uninstall.ts')).uninstall,
  },
  sessions: {
    summary: 'Show what every session is doing',
    load: async () => (await import('./sessions.ts')).sessions,
  },
  session: {
    summary: 'Show one session, and why it is in that state',
    load: async () => (await import('./session.ts')).session,
  },
  events: { summary: 'Show and follow events', load: async () => (await import('./events.ts')).events },
  doctor: {
    summary: 'Find what is wrong, with the fix for each',
    load: async () => (await import('./doctor.ts')).doctor,
  },
  rules: {
    summary: 'List, check and try the rules that answer hooks',
    load: async () => (await import('./rules.ts')).rules,
  },
  query: {
    summary: 'Ask the journal in SQL, read only',
    load: async () => (await import('./query.ts')).query,
  },
  rpc: { summary: 'Make one call to the daemon', load: async () => (await import('./rpc.ts')).rpc },
  hook: { summary: 'The hook client, in TypeScript', load: async () => (await import('./hook.ts')).hook },
  'query-worker': {
    summary: 'Runs one query',
    hidden: true,
    load: async () => (await import('./query-worker.ts')).queryWorker,
  },
}

export async function main(argv: readonly string[]): Promise<number> {
  const [first, second] = argv
  const name = `${first} ${second}` in COMMANDS ? `${first} ${second}` : first
  const rest = argv.slice(name === first ? 1 : 2)
  if (name === 'hook' && !isHelp(rest)) {
    const { runHook } = await import('../client/hook.ts')
    return runHook(rest)
  }
  if (name === undefined || name === 'help' || name === '--help' || name === '-h') return overview()
  if (name === '--version' || name === '-v' || name === 'version') return version()
  if (isGroup(name) && (rest.length === 0 || isHelp(rest))) return overview(name)
  const entry = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  try {
    if (!entry) {
      const [said, list] = isGroup(name) ? [`${name} ${rest[0]}`, `${name} --help`] : [name, '--help']
      throw new GantryError('USAGE', `There is no command "${said}". "gantry ${list}" lists them.`)
    }
    return await run(await entry.load(), rest)
  } catch (error) {
    return fail(error, rest.includes('--verbose'))
  }
}

export const VISIBLE_COMMANDS = Object.entries(COMMANDS).filter(([, entry]) => !entry.hidden)

async function run(command: Command, argv: readonly string[]): Promise<number> {
  const { helpOf, parseInput } = await import('./command.ts')
  const { out } = await import('./terminal.ts')
  if (isHelp(argv)) {
    out(helpOf(command))
    return 0
  }
  return command.run(parseInput(command, argv))
}

/** `bus` has no command of its own, only those under it. */
function isGroup(name: string): boolean {
  return VISIBLE_COMMANDS.some(([other]) => other.startsWith(`${name} `))
}

async function overview(group = ''): Promise<number> {
  const { bold, dim, out } = await import('./terminal.ts')
  const shown = VISIBLE_COMMANDS.filter(([name]) => group === '' || name.startsWith(`${group} `))
  const width = Math.max(...shown.map(([name]) => name.length)) + 2
  const rows = shown.map(([name, { summary }]) => `  ${bold(name.padEnd(width))}${summary}`)
  out(
    [
      `${bold('gantry')} · one daemon for the hooks of every coding agent`,
      '',
      `Usage: gantry ${group === '' ? '' : `${group} `}<command> [options]`,
      '',
      ...rows,
      '',
      dim('"gantry <command> --help" shows options and examples. Start with: gantry up'),
    ].join('\n'),
  )
  return 0
}

async function version(): Promise<number> {
  const { VERSION } = await import('../version.ts')
  const { out } = await import('./terminal.ts')
  out(`gantry ${VERSION}`)
  return 0
}

function isHelp(argv: readonly string[]): boolean {
  return argv.includes('--help') || argv.includes('-h')
}

/** One line that says what to do; the cause only when asked for. */
function fail(error: unknown, verbose: boolean): number {
  process.stderr.write(`gantry: ${messageOf(error)}\n`)
  if (verbose && error instanceof Error)
    process.stderr.write(`${error.stack ?? ''}\n${String(error.cause ?? '')}\n`)
  else if (!(error instanceof GantryError))
    process.stderr.write('Run it again with --verbose to see where it failed.\n')
  return error instanceof GantryError && error.code === 'USAGE' ? 2 : 1
}

// Ends at once: a hook must not wait for a socket to close, nor a command for a daemon to hang up.
if (import.meta.main) process.exit(await main(process.argv.slice(2)))
