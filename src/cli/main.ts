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
    summary: 'Show one session: what it does, what happened, and why',
    load: async () => (await import('./session.ts')).session,
  },
  events: { summary: 'Show and follow events', load: async () => (await import('./events.ts')).events },
  search: {
    summary: 'Find prompts, answers, commands and paths by their words',
    load: async () => (await import('./search.ts')).search,
  },
  record: {
    summary: 'Write events to a file that can be played again',
    load: async () => (await import('./record.ts')).record,
  },
  replay: {
    summary: 'Play recorded sessions again',
    load: async () => (await import('./replay.ts')).replay,
  },
  demo: {
    summary: 'See a fleet of recorded sessions live, without any agent',
    load: async () => (await import('./demo.ts')).demo,
  },
  doctor: {
    summary: 'Find what is wrong, with the fix for each',
    load: async () => (await import('./doctor.ts')).doctor,
  },
  rules: {
    summary: 'List, check and try the rules that answer hooks',
    load: async () => (await import('./rules.ts')).rules,
  },
  'bus subscribe': {
    summary: 'Print the messages of a stream as they come',
    load: async () => (await import('./bus-subscribe.ts')).busSubscribe,
  },
  'bus watch': {
    summary: 'Watch a stream live, with rates',
    load: async () => (await import('./bus-watch.ts')).busWatch,
  },
  'bus status': {
    summary: 'Show what the streams hold and who reads them',
    load: async () => (await import('./bus-status.ts')).busStatus,
  },
  'bus consumers': {
    summary: 'List durable consumers and how far behind they are',
    load: async () => (await import('./bus-consumers.ts')).busConsumers,
  },
  'bus emit': {
    summary: 'Put a hook or an event of your own on the bus',
    load: async () => (await import('./bus-emit.ts')).busEmit,
  },
  'bus register': {
    summary: 'Have a command asked about events',
    load: async () => (await import('./bus-register.ts')).busRegister,
  },
  'bus unregister': {
    summary: 'Take a handler out',
    load: async () => (await import('./bus-register.ts')).busUnregister,
  },
  'bus handlers': {
    summary: 'Show the handlers that are asked about events',
    load: async () => (await import('./bus-handlers.ts')).busHandlers,
  },
  'bus nats-info': {
    summary: 'Show where the NATS server is, and its token',
    load: async () => (await import('./bus-nats-info.ts')).busNatsInfo,
  },
  'bus dead-letters': {
    summary: 'Show messages that were not taken, send them again, or drop them',
    load: async () => (await import('./bus-dead-letters.ts')).busDeadLetters,
  },
  'bus webhooks': {
    summary: 'Show the webhooks, and try one',
    load: async () => (await import('./bus-webhooks.ts')).busWebhooks,
  },
  'effort start': {
    summary: 'Begin an effort: work that outlives context windows',
    load: async () => (await import('./effort-start.ts')).effortStart,
  },
  'effort log': {
    summary: 'Note progress, and reset the heartbeat',
    load: async () => (await import('./effort-progress.ts')).effortLog,
  },
  'effort phase': {
    summary: 'Move an effort to a phase',
    load: async () => (await import('./effort-progress.ts')).effortPhase,
  },
  'effort finish': {
    summary: 'End an effort for good',
    load: async () => (await import('./effort-progress.ts')).effortFinish,
  },
  'effort dehydrate': {
    summary: 'Write down what the next context window needs',
    load: async () => (await import('./effort-dehydrate.ts')).effortDehydrate,
  },
  'effort list': {
    summary: 'Show the efforts that are active',
    load: async () => (await import('./effort-list.ts')).effortList,
  },
  'effort show': {
    summary: 'Show one effort: phases, windows, messages, files',
    load: async () => (await import('./effort-show.ts')).effortShow,
  },
  'effort inject': {
    summary: 'Tell the agent of an effort something, once',
    load: async () => (await import('./effort-steer.ts')).effortInject,
  },
  'effort guard': {
    summary: 'Set or show the guard rules of an effort',
    load: async () => (await import('./effort-steer.ts')).effortGuard,
  },
  run: {
    summary: 'Run an agent, and start it afresh when its context is full',
    load: async () => (await import('./run.ts')).run,
  },
  'task list': {
    summary: 'Show tasks and their efforts',
    load: async () => (await import('./effort-list.ts')).taskList,
  },
  'fleet status': {
    summary: 'Show what every agent that works on an effort is at',
    load: async () => (await import('./fleet.ts')).fleetStatus,
  },
  'fleet await': {
    summary: 'Wait for an agent that is done or stuck, or for new work',
    load: async () => (await import('./fleet.ts')).fleetAwait,
  },
  'schema analyze': {
    summary: 'Show what payloads really look like, and what the documentation leaves out',
    load: async () => (await import('./schema-analyze.ts')).schemaAnalyze,
  },
  'schema diff': {
    summary: 'Show what an agent changed in its payloads; exit 1 when something breaks',
    load: async () => (await import('./schema-diff.ts')).schemaDiff,
  },
  'schema types': {
    summary: 'Print TypeScript or JSON Schema of the payloads that came',
    load: async () => (await import('./schema-types.ts')).schemaTypes,
  },
  'schema baseline': {
    summary: 'Accept the payloads as they are now; drift is measured from here',
    load: async () => (await import('./schema-baseline.ts')).schemaBaseline,
  },
  'tmux apply': {
    summary: 'Show the state of agents in tmux: panes, windows, status line, keys',
    load: async () => (await import('./tmux.ts')).tmuxApply,
  },
  'tmux unapply': {
    summary: 'Take everything out of tmux again, exactly',
    load: async () => (await import('./tmux.ts')).tmuxUnapply,
  },
  'tmux status': {
    summary: 'Print the line for status-right',
    load: async () => (await import('./tmux.ts')).tmuxStatus,
  },
  'tmux jump': {
    summary: 'Go to the pane of a session',
    load: async () => (await import('./tmux-jump.ts')).tmuxJump,
  },
  'tmux next': {
    summary: 'Go to the next session that needs you',
    load: async () => (await import('./tmux-jump.ts')).tmuxNext,
  },
  'tmux seen': {
    summary: 'Marks what is done in a pane as looked at',
    hidden: true,
    load: async () => (await import('./tmux.ts')).tmuxSeen,
  },
  'notify test': {
    summary: 'Send a test message to your channels, and show what came back',
    load: async () => (await import('./notify.ts')).notifyTest,
  },
  'notify log': {
    summary: 'Show what you were told lately, and what was left out and why',
    load: async () => (await import('./notify.ts')).notifyLog,
  },
  query: {
    summary: 'Ask the journal in SQL, read only',
    load: async () => (await import('./query.ts')).query,
  },
  completions: {
    summary: 'Print the completions for bash, zsh or fish',
    load: async () => (await import('./completions.ts')).completions,
  },
  man: {
    summary: 'Print the manual page',
    load: async () => (await import('./man.ts')).man,
  },
  rpc: { summary: 'Make one call to the daemon', load: async () => (await import('./rpc.ts')).rpc },
  hook: { summary: 'The hook client, in TypeScript', load: async () => (await import('./hook.ts')).hook },
  complete: {
    summary: 'What the completions ask for',
    hidden: true,
    load: async () => (await import('./complete.ts')).complete,
  },
  'search-worker': {
    summary: 'Keeps the search index',
    hidden: true,
    load: async () => (await import('./search-worker.ts')).searchWorker,
  },
  'schema-worker': {
    summary: 'Learns from a part of the journal',
    hidden: true,
    load: async () => (await import('./schema-worker.ts')).schemaWorker,
  },
  'query-worker': {
    summary: 'Runs one query',
    hidden: true,
    load: async () => (await import('./query-worker.ts')).queryWorker,
  },
}

export async function main(argv: readonly string[]): Promise<number> {
  const [first, second] = argv
  // Where there is no native client, its launcher comes here.
  if (first === 'hook' && second === '--tmux-status') return main(['tmux', 'status', ...argv.slice(2)])
  const name = `${first} ${second}` in COMMANDS ? `${first} ${second}` : first
  const rest = argv.slice(name === first ? 1 : 2)
  if (name === 'hook' && !isHelp(rest)) {
    const { runHook } = await import('../client/hook.ts')
    return runHook(rest)
  }
  if (name === undefined && process.stdin.isTTY && process.stdout.isTTY) return fleet()
  if (name === undefined || name === 'help' || name === '--help' || name === '-h') return overview()
  if (name === '--version' || name === '-v' || name === 'version') return version()
  if (isGroup(name) && (rest.length === 0 || isHelp(rest))) return overview(name)
  const entry = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  let command: Command | undefined
  try {
    if (!entry) {
      const [said, list] = isGroup(name) ? [`${name} ${rest[0]}`, `${name} --help`] : [name, '--help']
      throw new GantryError('USAGE', `There is no command "${said}". "gantry ${list}" lists them.`)
    }
    command = await entry.load()
    return await run(command, rest)
  } catch (error) {
    const exit = fail(error, rest.includes('--verbose'))
    return command?.blocksByExit2 ? Math.min(exit, 1) : exit
  }
}

export const VISIBLE_COMMANDS = Object.entries(COMMANDS).filter(([, entry]) => !entry.hidden)

async function run(command: Command, argv: readonly string[]): Promise<number> {
  const { helpOf, ownArguments, parseInput } = await import('./command.ts')
  const { out } = await import('./terminal.ts')
  if (isHelp(ownArguments(command, argv).own)) {
    out(helpOf(command))
    return 0
  }
  return command.run(parseInput(command, argv), VISIBLE_COMMANDS)
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
      ...(group === '' ? ['       gantry                      the fleet, on a terminal'] : []),
      '',
      ...rows,
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
