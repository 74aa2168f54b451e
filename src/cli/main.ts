/**
 * The `gantry` command. The hook client comes first and alone: it runs under every tool call where there is no
 * native one, and must not load what other commands need.
 */
import { GantryError, messageOf, plainly } from '../core/errors.ts'
import type { Command } from './command.ts'

export async function main(argv: readonly string[]): Promise<number> {
  const [first, ...after] = argv
  if (first === 'hook' && !isHelp(after)) return hook(after)
  const { common, words } = commonFirst(argv)
  if (words[0] === 'hook' && !isHelp(words)) return hook([...common.filter(isNotVerbose), ...words.slice(1)])
  if (words[0] === 'help' && words.length > 1) return main([...words.slice(1), '--help'])
  const { findCommand, isGroup } = await import('./commands.ts')
  const { name, entry, rest: own } = findCommand(words)
  const rest = [...common, ...own]
  if (name === '' && (await import('./terminal.ts')).isAtTerminal()) return fleet(common)
  if (name === '' || name === 'help' || name === '--help' || name === '-h') return overview()
  if (name === '--version' || name === '-v' || name === 'version') return version()
  if (isGroup(name) && !entry && (own.length === 0 || own.every(isHelpWord))) return overview(name)
  let command: Command | undefined
  try {
    if (!entry) {
      throw await noSuchCommand(name, own)
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
  const input = parseInput(command, argv)
  if (command.shows === undefined) return command.run(input, VISIBLE_COMMANDS)
  const { sayRefused } = await import('./refused.ts')
  const refused = await sayRefused(input.places, command.shows)
  if (refused === undefined) return command.run(input, VISIBLE_COMMANDS)
  return Math.max(1, await command.run({ ...input, refused }, VISIBLE_COMMANDS))
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

async function fleet(common: readonly string[]): Promise<number> {
  const [{ openFleet }, { parseInput }] = await Promise.all([
    import('../tui/index.ts'),
    import('./command.ts'),
  ])
  try {
    const alone = { name: '', summary: '', usage: '', options: {}, examples: [], run: async () => 0 }
    await openFleet(parseInput(alone, common).places)
    return 0
  } catch (error) {
    return fail(error, common.includes('--verbose'))
  }
}

/** `gantry --home x status`: what every command takes may stand before its name, too. */
function commonFirst(argv: readonly string[]): { common: readonly string[]; words: readonly string[] } {
  let end = 0
  for (;;) {
    const word = argv[end] ?? ''
    if (word === '--home') end += 2
    else if (word === '--verbose' || word.startsWith('--home=')) end += 1
    else return { common: argv.slice(0, end), words: argv.slice(end) }
  }
}

async function noSuchCommand(name: string, own: readonly string[]): Promise<GantryError> {
  const [{ isGroup, VISIBLE_COMMANDS }, { closest }] = await Promise.all([
    import('./commands.ts'),
    import('../core/closest.ts'),
  ])
  if (name.startsWith('-')) return noSuchOption(name)
  const inGroup = isGroup(name)
  const said = inGroup ? `${name} ${own[0]}` : name
  const names = VISIBLE_COMMANDS.flatMap(([one]) => (inGroup ? one : [one, one.split(' ')[0] ?? one]))
  const close = closest(said, names)
  const hint = close === undefined ? '' : ` Did you mean "gantry ${close}"?`
  const list = inGroup ? `${name} --help` : '--help'
  return new GantryError('USAGE', `There is no command "${said}".${hint} "gantry ${list}" lists them.`)
}

async function noSuchOption(option: string): Promise<GantryError> {
  const [{ COMMON_OPTIONS }, { closest }] = await Promise.all([
    import('./command.ts'),
    import('../core/closest.ts'),
  ])
  const names = [...Object.keys(COMMON_OPTIONS), 'version']
  const close = closest(option.replace(/^-+/, ''), names)
  const hint = close === undefined ? 'Options of a command come after its name.' : `Did you mean --${close}?`
  return new GantryError('USAGE', `Unknown option '${option}'. ${hint} See: gantry --help`)
}

async function version(): Promise<number> {
  const { VERSION } = await import('../core/version.ts')
  const { out } = await import('./terminal.ts')
  out(`gantry ${VERSION}`)
  return 0
}

function isHelp(argv: readonly string[]): boolean {
  return argv.some(isHelpWord)
}

function isHelpWord(word: string): boolean {
  return word === '--help' || word === '-h'
}

function isNotVerbose(word: string): boolean {
  return word !== '--verbose'
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
