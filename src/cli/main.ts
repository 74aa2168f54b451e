/**
 * The `gantry` command. The hook client is dispatched first: without the native client it runs under every tool call, and must
 * not load what other commands need.
 */
import { GantryError, messageOf, plainly } from '../core/errors.ts'
import type { Command } from './framework/define.ts'
import { usageError } from './framework/usage.ts'

export async function main(argv: readonly string[]): Promise<number> {
  const [first, ...after] = argv
  if (first === 'hook' && !isHelp(after)) return hook(after)
  const { common, words } = commonFirst(argv)
  if (words[0] === 'hook' && !isHelp(words))
    return hook([...common.filter((word) => word !== '--verbose'), ...words.slice(1)])
  if (words[0] === 'help' && words.length > 1) return main([...words.slice(1), '--help'])
  const { findCommand, isGroup } = await import('./commands.ts')
  const { name, command, rest: own } = findCommand(words)
  const rest = [...common, ...own]
  try {
    if (common.at(-1) === '--home')
      throw usageError('The folder is missing: gantry --home <folder> <command>')
    if (name === '' && process.stdin.isTTY && process.stdout.isTTY) return await fleet(common)
    if (name === '' || name === 'help' || name === '--help' || name === '-h') return await overview()
    if (name === '--version' || name === '-v' || name === 'version') return await version()
    if (isGroup(name) && !command && (own.length === 0 || own.every(isHelpWord))) return await overview(name)
    if (!command) throw await noSuchCommand(name, own)
    return await run(command, rest)
  } catch (error) {
    const exit = await fail(error, rest.includes('--verbose'))
    return command?.blocksByExit2 ? Math.min(exit, 1) : exit
  }
}

async function hook(argv: readonly string[]): Promise<number> {
  // The launcher of a missing native client calls this.
  if (argv[0] === '--tmux-status') return main(['tmux', 'status', ...argv.slice(1)])
  const { runHook } = await import('../client/hook.ts')
  return runHook(argv)
}

async function run(command: Command, argv: readonly string[]): Promise<number> {
  const { ownArguments, parseInput } = await import('./framework/parse.ts')
  if (isHelp(ownArguments(command, argv).own)) {
    const [{ helpOf }, { out, paragraph }] = await Promise.all([
      import('./framework/help.ts'),
      import('./framework/terminal.ts'),
    ])
    out(helpOf(command, paragraph))
    return 0
  }
  const { OWNER_COMMANDS, refuseInsideAgent } = await import('../agents/inside-agent.ts')
  if (OWNER_COMMANDS.has(command.name)) refuseInsideAgent() // the daemon refuses its calls, too
  const input = parseInput(command, argv)
  const run = await command.load()
  if (command.shows === undefined) return run(input)
  const { sayRefused } = await import('./framework/refused.ts')
  const refused = await sayRefused(input.places, command.shows)
  if (refused === undefined) return run(input)
  return Math.max(1, await run({ ...input, refused }))
}

/** All commands by their headings, or those of one group. */
async function overview(group = ''): Promise<number> {
  const [{ HEADINGS }, { bold, dim, out, paragraph }] = await Promise.all([
    import('./commands.ts'),
    import('./framework/terminal.ts'),
  ])
  const isShown = ({ name, hidden }: Command) => !hidden && (group === '' || name.startsWith(`${group} `))
  const shown = Object.entries(HEADINGS).map(([heading, all]) => [heading, all.filter(isShown)] as const)
  const width = Math.max(...shown.flatMap(([, all]) => all.map(({ name }) => name.length))) + 2
  const lines = shown.flatMap(([heading, all]) =>
    all.length === 0
      ? []
      : [
          '',
          ...(group === '' ? [dim(heading)] : []),
          ...all.map(({ name, summary }) => paragraph(`  ${bold(name.padEnd(width))}`, summary)),
        ],
  )
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
  try {
    const [{ showFleet }, { parseInput }] = await Promise.all([
      import('../tui/index.ts'),
      import('./framework/parse.ts'),
    ])
    await showFleet(parseInput({ name: '', summary: '' }, common).places)
    return 0
  } catch (error) {
    throw withoutLibrary(error) ?? error
  }
}

/** What draws on the terminal is a library of each platform, and a build for another platform may lack it. */
function withoutLibrary(error: unknown): GantryError | undefined {
  if (!/@opentui\/core-/.test(messageOf(error))) return undefined
  const message =
    'This gantry was built without what draws the fleet on a terminal. Use "gantry web", or "gantry sessions --watch".'
  return new GantryError('START_FAILED', message, { cause: error })
}

/** `gantry --home x status`: common options may precede the command. */
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
    import('../core/text/closest.ts'),
  ])
  if (name.startsWith('-')) return noSuchOption(name)
  const inGroup = isGroup(name)
  const said = inGroup ? `${name} ${own[0]}` : name
  const names = VISIBLE_COMMANDS.flatMap((one) =>
    inGroup ? one.name : [one.name, one.name.split(' ')[0] ?? ''],
  )
  const close = MEANT[said] ?? closest(said, names)
  const hint = close === undefined ? '' : ` Did you mean "gantry ${close}"?`
  const list = inGroup ? `${name} --help` : '--help'
  return usageError(`There is no command "${said}".${hint} "gantry ${list}" lists them.`)
}

/** What other tools call it. */
const MEANT: Readonly<Record<string, string>> = { 'config get': 'config show' }

async function noSuchOption(option: string): Promise<GantryError> {
  const [{ COMMON_OPTIONS }, { closest }] = await Promise.all([
    import('./framework/define.ts'),
    import('../core/text/closest.ts'),
  ])
  const names = [...Object.keys(COMMON_OPTIONS), 'version']
  const close = closest(option.replace(/^-+/, ''), names)
  const hint = close === undefined ? 'Options of a command come after its name.' : `Did you mean --${close}?`
  return usageError(`Unknown option '${option}'. ${hint} See: gantry --help`)
}

async function version(): Promise<number> {
  const { VERSION } = await import('../core/version.ts')
  const { out } = await import('./framework/terminal.ts')
  out(`gantry ${VERSION}`)
  return 0
}

function isHelp(argv: readonly string[]): boolean {
  return argv.some(isHelpWord)
}

function isHelpWord(word: string): boolean {
  return word === '--help' || word === '-h'
}

/** Prints one line with the fix; the cause only with --verbose. */
async function fail(thrown: unknown, verbose: boolean): Promise<number> {
  const error = plainly(thrown)
  const { note, sanitize } = await import('./framework/terminal.ts')
  note(messageOf(error))
  if (verbose && error instanceof Error)
    process.stderr.write(sanitize(`${error.stack ?? ''}\n${String(error.cause ?? '')}\n`))
  else if (!(error instanceof GantryError))
    process.stderr.write('Run it again with --verbose to see where it failed.\n')
  return error instanceof GantryError && error.code === 'USAGE' ? 2 : 1
}

// Exits at once: neither a hook nor a command must wait for a socket to close.
if (import.meta.main) process.exit(await main(process.argv.slice(2)))
