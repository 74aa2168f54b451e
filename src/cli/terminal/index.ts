/** Commands about where people see gantry: the page, tmux, notifications, the shell. */
import { type Command, command, define, flag } from '../framework/define.ts'
import { json } from '../framework/options.ts'

const socket = {
  kind: 'file',
  value: 'path',
  help: 'The tmux server to use (default: the one you are in, else the usual one)',
} as const
const quiet = flag('Print only problems')
const client = {
  kind: 'text',
  value: 'name',
  help: 'The tmux client to switch; messages appear in it',
} as const

export const apply = define({
  name: 'tmux apply',
  summary: 'Show the state of agents in tmux: panes, windows, status line, keys',
  options: {
    socket,
    'next-key': {
      kind: 'text',
      value: 'key',
      help: 'Key to jump to the next session that needs you; "" for none',
    },
    'fleet-key': { kind: 'text', value: 'key', help: 'Key to open the fleet in a popup; "" for none' },
    print: flag('Change nothing; print the line for ~/.tmux.conf'),
    quiet,
    json: flag('Print the server and what was not done'),
  },
  examples: {
    'gantry tmux apply': 'Changes the tmux you are in, until it ends or "gantry tmux unapply"',
    'gantry tmux apply --print >> ~/.tmux.conf': 'Changes every tmux from now on',
    'gantry tmux apply --next-key N --fleet-key ""': 'Uses another key, and no popup',
  },
})

export const unapply = define({
  name: 'tmux unapply',
  summary: 'Restore tmux exactly',
  options: { socket, quiet, json: flag('Print the server and what was left as it is') },
  examples: {
    'gantry tmux unapply': 'Restores options and keys; what you changed since stays yours',
  },
})

export const status = define({
  name: 'tmux status',
  summary: 'Print the line for status-right: the count per state, and who needs you',
  options: { json, fresh: flag('Ask the daemon, also if its last line is cached') },
  examples: {
    'gantry tmux status': '✖1 ▲2 ●3 brave-otter: Permission for Bash, in the styles of tmux',
    "tmux set -g status-right '#(gantry tmux status)'": 'For a status line of your own',
  },
})

export const jump = define({
  name: 'tmux jump',
  summary: 'Go to the pane of a session',
  args: [
    {
      name: 'session',
      kind: 'session',
      required: true,
      missing: 'Which session? "gantry sessions" lists them.',
    },
  ],
  options: { client },
  examples: { 'gantry tmux jump brave-otter': 'By name, id, or the start of an id' },
})

export const next = define({
  name: 'tmux next',
  summary: 'Go to the next session that needs you',
  options: { client },
  examples: {
    'gantry tmux next': 'Errors first, then the longest wait; again: the one after it',
  },
})

export const seen = define({
  name: 'tmux seen',
  summary: 'Mark the finished session in a pane as seen',
  hidden: true,
  args: [{ name: 'pane', kind: 'text', required: true }],
  options: {
    socket: { ...socket, required: true },
    server: { kind: 'count', value: 'pid', required: true, help: 'Process of the tmux server' },
  },
})

export const notifyTest = define({
  name: 'notify test',
  summary: 'Send a test message to your channels, and show the responses',
  shows: 'config',
  args: [{ name: 'channel', kind: 'channel' }],
  options: { 'dry-run': flag('Only show what would be sent'), json },
  examples: {
    'gantry notify test': 'Tries every channel; without one, shows how to set one up',
    'gantry notify test phone': 'Tries one; exit 1 if it was not accepted',
  },
})

export const notifyLog = define({
  name: 'notify log',
  summary: 'List recent notifications, and which were skipped and why',
  shows: 'config',
  options: {
    limit: {
      kind: 'count',
      short: 'n',
      default: 50,
      most: 2000,
      help: 'Print at most this many, newest first',
    },
    json,
  },
  examples: {
    'gantry notify log': 'Shows time, channel, message and outcome',
    'gantry notify log -n 5 --json': 'Prints the last five as JSON',
  },
})

export const web = define({
  name: 'web',
  summary: 'Open the page in your browser, with a link that works once',
  args: [{ name: 'session', kind: 'session' }],
  options: { print: flag('Only print the link'), json },
  examples: {
    'gantry web': 'Opens the fleet; the link is valid for ten minutes',
    'gantry web brave-otter': 'Opens one session',
    'gantry web --print': 'For a browser elsewhere, e.g. behind "ssh -L"',
  },
})

export const webAllow = define({
  name: 'web allow',
  summary: 'Let a browser answer permissions, by the code that its page shows',
  args: [
    {
      name: 'code',
      kind: 'text',
      required: true,
      missing: 'Which code? The page shows six digits when you answer something for the first time.',
    },
  ],
  options: { json },
  examples: { 'gantry web allow 417093': 'That browser may approve and deny from now on' },
})

export const webDevices = define({
  name: 'web devices',
  summary: 'List the browsers that may answer permissions',
  options: { json },
  examples: { 'gantry web devices': 'Shows name, id, since when, and when it last answered' },
})

export const webRevoke = define({
  name: 'web revoke',
  summary: 'Take the right to answer permissions from a browser',
  args: [
    {
      name: 'device',
      kind: 'text',
      required: true,
      missing: 'Which browser? "gantry web devices" lists them.',
    },
  ],
  options: { json },
  examples: { 'gantry web revoke 8f3a': 'By its id, or the start of it; it can still look' },
})

export const webSignOut = define({
  name: 'web sign-out',
  summary: 'Sign out every browser from the page',
  options: { json },
  examples: { 'gantry web sign-out': 'Every page says so at once; "gantry web" opens it again' },
})

const shells = ['bash', 'zsh', 'fish'] as const

export const completions = define({
  name: 'completions',
  summary: 'Print the completion script for bash, zsh or fish',
  args: [
    {
      name: 'shell',
      kind: 'choice',
      choices: shells,
      required: true,
      missing: 'Say for which shell: bash, zsh or fish.',
    },
  ],
  examples: {
    'source <(gantry completions bash)': 'For ~/.bashrc; the same for zsh, after compinit',
    'gantry completions fish > ~/.config/fish/completions/gantry.fish': 'Installs it for fish',
  },
})

export const complete = define({
  name: 'complete',
  summary: 'Print what may come next on a command line',
  hidden: true,
  passesOn: true,
  args: [
    { name: 'shell', kind: 'choice', choices: shells, required: true },
    { name: 'words', kind: 'text', many: 'list' },
  ],
})

export const man = define({
  name: 'man',
  summary: 'Print the manual page',
  examples: {
    'gantry man | man -l -': 'Shows it',
    'gantry man > ~/.local/share/man/man1/gantry.1': 'Installs it for "man gantry"',
  },
})

export const commands: readonly Command[] = [
  command(apply, () => import('./tmux.ts'), 'applied'),
  command(unapply, () => import('./tmux.ts'), 'unapplied'),
  command(status, () => import('./tmux.ts'), 'status'),
  command(jump, () => import('./jump.ts'), 'toSession'),
  command(next, () => import('./jump.ts'), 'toNext'),
  command(seen, () => import('./tmux.ts'), 'seen'),
  command(notifyTest, () => import('./notify.ts'), 'test'),
  command(notifyLog, () => import('./notify.ts'), 'log'),
  command(web, () => import('./web.ts'), 'open'),
  command(webAllow, () => import('./web.ts'), 'allow'),
  command(webDevices, () => import('./web.ts'), 'devices'),
  command(webRevoke, () => import('./web.ts'), 'revoke'),
  command(webSignOut, () => import('./web.ts'), 'signOut'),
  command(completions, () => import('./completions.ts')),
  command(complete, () => import('./complete.ts')),
  command(man, () => import('./man.ts')),
]
