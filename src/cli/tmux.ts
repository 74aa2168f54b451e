/** The state of agents in tmux, added and taken out again; the line for status-right; panes that were looked at. */
import { call } from '../client/index.ts'
import { GantryError } from '../core/errors.ts'
import {
  type Applied,
  apply,
  confLine,
  DEFAULT_KEYS,
  defaultSocket,
  isPane,
  type Keys,
  leave,
  serverAt,
  unapply,
} from '../tmux/index.ts'
import { type Command, type Input, stringFlag } from './command.ts'
import { green, out, plain, yellow } from './terminal.ts'

const SOCKET = {
  type: 'string',
  value: 'path',
  help: 'The tmux server to use (default: the one you are in, else the usual one)',
} as const
const QUIET = { type: 'boolean', help: 'Print only what went wrong' } as const

export const tmuxApply: Command = {
  name: 'tmux apply',
  summary: 'Show the state of agents in tmux: panes, windows, status line, keys',
  usage: '[--socket path] [--next-key g] [--fleet-key G] [--print] [--quiet] [--json]',
  options: {
    socket: SOCKET,
    'next-key': {
      type: 'string',
      value: 'key',
      help: 'After the prefix: to the next that needs you; "" for none',
    },
    'fleet-key': {
      type: 'string',
      value: 'key',
      help: 'After the prefix: the fleet in a popup; "" for none',
    },
    print: { type: 'boolean', help: 'Change nothing; print the line for ~/.tmux.conf' },
    quiet: QUIET,
    json: { type: 'boolean', help: 'Print the server and what was not done' },
  },
  examples: [
    { line: 'gantry tmux apply', does: 'In the tmux you are in, until it ends or "gantry tmux unapply"' },
    { line: 'gantry tmux apply --print >> ~/.tmux.conf', does: 'In every tmux from now on' },
    { line: 'gantry tmux apply --next-key N --fleet-key ""', does: 'With another key, and no popup' },
  ],
  async run(input) {
    const keys: Keys = {
      next: stringFlag(input, 'next-key') ?? DEFAULT_KEYS.next,
      fleet: stringFlag(input, 'fleet-key') ?? DEFAULT_KEYS.fleet,
    }
    if (input.flags.print) {
      out(confLine(input.places, keys))
      return 0
    }
    const applied = await apply(input.places, await serverAt(socketOf(input)), keys)
    const isUp = await refreshed(input)
    const notes = isUp
      ? applied.notes
      : [...applied.notes, 'The daemon is not running: start it with gantry up']
    return report(input, { ...applied, notes }, 'shows your agents')
  },
}

export const tmuxUnapply: Command = {
  name: 'tmux unapply',
  summary: 'Take everything out of tmux again, exactly',
  usage: '[--socket path] [--quiet] [--json]',
  options: {
    socket: SOCKET,
    quiet: QUIET,
    json: { type: 'boolean', help: 'Print the server and what was left as it is' },
  },
  examples: [
    {
      line: 'gantry tmux unapply',
      does: 'Options and keys are as they were; what you changed since stays yours',
    },
  ],
  async run(input) {
    const server = await serverAt(socketOf(input))
    leave(input.places, server)
    await refreshed(input)
    return report(input, await unapply(input.places, server), 'is as it was')
  },
}

export const tmuxStatus: Command = {
  name: 'tmux status',
  summary: 'Print the line for status-right: how many are in which state, and who needs you',
  usage: '[--json]',
  options: {
    json: { type: 'boolean', help: 'Print it as JSON' },
    fresh: { type: 'boolean', help: 'Ask the daemon, also where its last line is at hand' },
  },
  examples: [
    {
      line: 'gantry tmux status',
      does: '✖1 ▲2 ●3 brave-otter: Permission for Bash, with the styles of tmux',
    },
    { line: `tmux set -g status-right '#(gantry tmux status)'`, does: 'In a status line of your own' },
  ],
  async run({ flags, places }) {
    const status = await call(places, 'tmux.status')
    out(flags.json ? JSON.stringify(status) : status.line)
    return 0
  },
}

/** For the focus hook. */
export const tmuxSeen: Command = {
  name: 'tmux seen',
  summary: 'Mark what is done in a pane as looked at',
  usage: '<pane> --socket path --server pid',
  takes: 1,
  options: { socket: SOCKET, server: { type: 'string', value: 'pid', help: 'Process of the tmux server' } },
  examples: [
    { line: 'gantry tmux seen %3 --socket /tmp/tmux-1000/default --server 4711', does: 'As tmux runs it' },
  ],
  async run(input) {
    const [pane = ''] = input.args
    const pid = Number(stringFlag(input, 'server'))
    const socket = stringFlag(input, 'socket')
    if (!isPane(pane) || !Number.isInteger(pid) || socket === undefined)
      throw new GantryError('USAGE', 'It takes a pane, --socket and --server. See: gantry tmux seen --help')
    await call(input.places, 'tmux.seen', { pane, pid, socket })
    return 0
  },
}

function socketOf(input: Input): string {
  return stringFlag(input, 'socket') ?? defaultSocket(process.env)
}

/** The daemon reads again which servers there are; one that is away does so when it starts. */
async function refreshed({ places }: Input): Promise<boolean> {
  try {
    await call(places, 'tmux.refresh')
    return true
  } catch (error) {
    if (error instanceof GantryError && error.code === 'DAEMON_AWAY') return false
    throw error
  }
}

function report({ flags }: Input, { server, notes }: Applied, what: string): number {
  if (flags.json) out(JSON.stringify({ ...server, notes }, null, 2))
  else {
    if (!flags.quiet) out(`${green('✓')} tmux at ${plain(server.socket)} ${what}.`)
    for (const note of notes) out(`${yellow('!')} ${plain(note)}`)
  }
  return 0
}
