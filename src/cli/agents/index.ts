/** Commands that wire agents, and run them. */
import { type Command, command, define, flag } from '../framework/define.ts'
import { dryRun, since, yes } from '../framework/options.ts'

const json = flag('Print the outcome as an array')

export const install = define({
  name: 'install',
  summary: 'Wire the hooks of the agents on this machine',
  args: [{ name: 'agent', kind: 'agent', many: 'list' }],
  options: {
    'dry-run': dryRun,
    yes,
    with: {
      kind: 'text',
      value: 'Event,…',
      help: 'Wire these events, too; Event=matcher for those that need one; "none" resets to the default',
    },
    'no-statusline': flag("Leave Claude Code's status line alone"),
    statusline: flag('Chain the status line again after --no-statusline'),
    verify: flag('Write nothing: only try whether the installed hooks reach gantry'),
    json,
  },
  examples: {
    'gantry install':
      'Shows the plan for every agent found, asks for each, writes; a second run changes nothing',
    'gantry install claude --dry-run': 'Shows only the diff, and only for Claude Code',
    'gantry install --verify': 'Runs each installed hook command once, and looks for its event',
    'gantry install --yes --with MessageDisplay': 'Does not ask, and wires an event that is off by default',
  },
})

export const uninstall = define({
  name: 'uninstall',
  summary: 'Remove the hooks and restore the settings files exactly',
  args: [{ name: 'agent', kind: 'agent', many: 'list' }],
  options: {
    'dry-run': dryRun,
    yes,
    everything: flag('Also the tmux settings, the service and the daemon'),
    data: flag('With --everything: delete the journal and the configuration, too'),
    json,
  },
  examples: {
    'gantry uninstall':
      'Restores every settings file, or removes only what gantry added if you changed it since',
    'gantry uninstall gemini --yes': 'Only Gemini CLI, without asking',
    'gantry uninstall --everything --data':
      'Leaves nothing of gantry but its program, and says how to remove that',
  },
})

export const plugin = define({
  name: 'plugin',
  summary: "Write gantry's hooks as a plugin of an agent's own form",
  args: [
    {
      name: 'agent',
      kind: 'agent',
      required: true,
      missing: 'Say for which agent: gantry plugin claude ./p.',
    },
    {
      name: 'folder',
      kind: 'dir',
      required: true,
      missing: 'Name an empty folder: gantry plugin claude ./p.',
    },
  ],
  options: { json: flag('Print folder, files and next steps as one object') },
  examples: {
    'gantry plugin claude ./gantry-plugin':
      'A marketplace with one plugin for Claude Code, and how to add it',
    'gantry plugin gemini ./gantry-extension': 'An extension for Gemini CLI',
  },
})

export const coverage = define({
  name: 'coverage',
  summary: 'Show which tool calls hooks could decide about, only saw, or missed',
  options: {
    since: { ...since, default: '30d' },
    json: flag('Print rows and missed decisions as one object'),
  },
  examples: {
    'gantry coverage': 'Lists agents, versions and tools, and why decisions were missed',
    'gantry coverage --since 1h --json | jq ".rows[] | select(.blind > 0)"': 'For a script',
  },
})

export const run = define({
  name: 'run',
  summary: 'Run an agent, and restart it with a fresh context when its context is full',
  passesOn: true,
  args: [
    {
      name: 'agent',
      kind: 'command',
      required: true,
      missing: 'Say what to run, such as: gantry run -- claude.',
    },
    { name: 'arguments', kind: 'text', many: 'list' },
  ],
  options: {
    'agent-id': { kind: 'text', value: 'id', help: 'Set AGENT_ID: it works on the effort of that agent' },
    as: {
      kind: 'agent',
      help: 'Read the command line as that of this agent, for a script with another name',
    },
  },
  examples: {
    'gantry run -- claude --model opus':
      'Runs Claude in this terminal; after a restart it continues its effort',
    'gantry run --agent-id tester codex': 'Runs Codex as the agent "tester"',
    'gantry run claude -p "fix the tests"':
      'Runs without a terminal; exits with the exit code of the last run',
  },
})

export const commands: readonly Command[] = [
  command(install, () => import('./install.ts')),
  command(uninstall, () => import('./uninstall.ts')),
  command(plugin, () => import('./plugin.ts')),
  command(coverage, () => import('./coverage.ts')),
  command(run, () => import('./run.ts')),
]
