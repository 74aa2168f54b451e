/**
 * The `gantry` command. The hook client comes first and alone: it runs under every tool call where there is no
 * native one, and must not load what other commands need.
 */
import { GantryError, messageOf, plainly } from '../errors.ts'
import type { Command } from './command.ts'

export async function main(argv: readonly string[]): Promise<number> {
  const [first, ...after] = argv
  if (first === 'hook' && !isHelp(after)) return hook(after)
  const { findCommand, isGroup } = await import('./commands.ts')
  const { name, entry, rest } = findCommand(argv)
  if (name === '' && process.stdin.isTTY && process.stdout.isTTY) return fleet()
  if (name === '' || name === 'help' || name === '--help' || name === '-h') return overview()
  if (name === '--version' || name === '-v' || name === 'version') return version()
  if (isGroup(name) && !entry && (rest.length === 0 || isHelp(rest))) return overview(name)
  let command: Command | undefined
  try {
    if (!entry) {
      const [said, list] = isGroup(name) ? [`${name} ${rest[0]}`, `${name} --help`] : [name, '--help']
      throw new GantryError('USAGE', `There is no command "${said}". "gantry ${list}" lists them.`)
    }
    command = await entry.load()
    return await run(command, rest)
  } catch (error) {
    const exit = await fail(error, rest.includes('--verbose'))
    return command?.blocksByExit2 ? Math.min(exit, 1) : exit
  }
}

async function hook(argv: readonly string[]): Promise<number> {
  // Where there is no native client, its launcher comes here.
  if (argv[0] === '--tmux-status') return main(['tmux', 'status', ...argv.slice(1)])
  const { runHook } = await import('../client/hook.ts')
  return runHook(argv)
}

async function run(command: Command, argv: readonly string[]): Promise<number> {
  const { helpOf, ownArguments, parseInput } = await import('./command.ts')
  const { VISIBLE_COMMANDS } = await import('./commands.ts')
  const { out } = await import('./terminal.ts')
  if (isHelp(ownArguments(command, argv).own)) {
    out(helpOf(command))
    return 0
  }
  return command.run(parseInput(command, argv), VISIBLE_COMMANDS)
}

/** All commands by what they are about, or those of one group. */
async function overview(group = ''): Promise<number> {
  const [{ PARTS, VISIBLE_COMMANDS }, { bold, dim, out }] = await Promise.all([
    import('./commands.ts'),
    import('./terminal.ts'),
  ])
  const isShown = (name: string) => group === '' || name.startsWith(`${group} `)
  const width = Math.max(...VISIBLE_COMMANDS.map(([name]) => (isShown(name) ? name.length : 0))) + 2
  const lines = Object.entries(PARTS).flatMap(([part, commands]) => {
    const rows = Object.entries(commands).flatMap(([name, { summary }]) =>
      isShown(name) ? [`  ${bold(name.padEnd(width))}${summary}`] : [],
    )
    return rows.length === 0 ? [] : ['', ...(group === '' ? [dim(part)] : []), ...rows]
  })
  out(
    [
      `${bold('gantry')} · one daemon for the hooks of every coding agent`,
      '',
      `Usage: gantry ${group === '' ? '' : `${group} `}<command> [options]`,
      ...(group === '' ? ['       gantry                      the fleet, on a terminal'] : []),
      ...lines,
      '',
      dim('"gantry <command> --help" shows options and examples. Start with: gantry up'),
    ].join('\n'),
  )
  return 0
}

async function fleet(): Promise<number> {
  const [{ openFleet }, { places }] = await Promise.all([import('../tui/index.ts'), import('../places.ts')])
  try {
    await openFleet(places())
    return 0
  } catch (error) {
    return fail(error, false)
  }
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
async function fail(thrown: unknown, verbose: boolean): Promise<number> {
  const error = plainly(thrown)
  const { note, undriven } = await import('./terminal.ts')
  note(messageOf(error))
  if (verbose && error instanceof Error)
    process.stderr.write(undriven(`${error.stack ?? ''}\n${String(error.cause ?? '')}\n`))
  else if (!(error instanceof GantryError))
    process.stderr.write('Run it again with --verbose to see where it failed.\n')
  return error instanceof GantryError && error.code === 'USAGE' ? 2 : 1
}

// Ends at once: a hook must not wait for a socket to close, nor a command for a daemon to hang up.
if (import.meta.main) process.exit(await main(process.argv.slice(2)))
