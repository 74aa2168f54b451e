/** Commands that wire agents, and run them. */
import { type Command, command, define } from '../framework/define.ts'
import { dryRun, yes } from '../framework/options.ts'

const json = { kind: 'flag', help: 'Print the outcome as an array' } as const

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
    'no-statusline': { kind: 'flag', help: "Leave Claude Code's status line alone" },
    statusline: { kind: 'flag', help: 'Chain the status line again after --no-statusline' },
    json,
  },
  examples: [
    {
      line: 'gantry install',
      does: 'Shows the plan for every agent found, asks for each, writes; a second run changes nothing',
    },
    { line: 'gantry install claude --dry-run', does: 'Shows only the diff, and only for Claude Code' },
    {
      line: 'gantry install --yes --with MessageDisplay',
      does: 'Does not ask, and wires an event that is off by default',
    },
  ],
})

export const uninstall = define({
  name: 'uninstall',
  summary: 'Remove the hooks and restore the settings files exactly',
  args: [{ name: 'agent', kind: 'agent', many: 'list' }],
  options: { 'dry-run': dryRun, yes, json },
  examples: [
    {
      line: 'gantry uninstall',
      does: 'Restores every settings file, or removes only what gantry added if you changed it since',
    },
    { line: 'gantry uninstall gemini --yes', does: 'Only Gemini CLI, without asking' },
  ],
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
      kind: 'choice',
      value: 'agent',
      choices: ['claude', 'codex'],
      help: 'Read the command line as that of this agent, for a script with another name',
    },
  },
  examples: [
    {
      line: 'gantry run -- claude --model opus',
      does: 'Runs Claude in this terminal; after a restart it continues its effort',
    },
    { line: 'gantry run --agent-id tester codex', does: 'Runs Codex as the agent "tester"' },
    {
      line: 'gantry run claude -p "fix the tests"',
      does: 'Runs without a terminal; at most 5 restarts in 10 minutes; exits with the exit code of the last run',
    },
  ],
})

export const commands: readonly Command[] = [
  command(install, () => import('./install.ts')),
  command(uninstall, () => import('./uninstall.ts')),
  command(run, () => import('./run.ts')),
]
