/** Commands about efforts, tasks, and the agents that work on them. */
import { type Command, command, define, flag } from '../framework/define.ts'
import { dehydrateExample, dehydrateFlags, guardExample } from './examples.ts'

const json = flag('Print the effort as JSON')
/** For commands about one effort. */
const which = {
  effort: {
    kind: 'effort',
    help: 'Which effort (default: the one of this folder, and of AGENT_ID if that is set)',
  },
  json,
} as const

export const start = define({
  name: 'effort start',
  summary: 'Start an effort: work that outlives context windows',
  args: [
    {
      name: 'skill',
      kind: 'text',
      many: 'text',
      required: true,
      missing: 'Say what is done, in one word: gantry effort start implement.',
    },
  ],
  options: {
    title: { kind: 'text', help: 'Title of a new task (default: the project)' },
    phase: { kind: 'text', value: 'name', help: 'Start in this phase' },
    mode: { kind: 'text', value: 'name', help: "The skill's mode, a word of your own" },
    task: { kind: 'dir', help: "The task's folder, for its files (default: in the state folder)" },
    keywords: { kind: 'text', value: 'a,b', help: 'Add these keywords to the task' },
    'agent-id': {
      kind: 'text',
      value: 'id',
      help: 'Its agent, if several work in one folder (default: AGENT_ID)',
    },
    meta: { kind: 'text', value: 'json', help: 'Settings, guards and metadata of your own' },
    json,
  },
  examples: {
    'gantry effort start implement --title "Search" --phase plan':
      'From now on sessions in this folder work on it',
    'gantry effort start fix --meta \'{"settings":{"heartbeat_block":20}}\'':
      'Denies the tool call after 20 calls without a log',
    'gantry effort start fix --task ~/tasks/search --keywords fts,rank':
      'Adds an effort to an existing task, which keeps its title',
    'gantry effort start test --agent-id tester': 'For the agent that runs with AGENT_ID=tester',
  },
})

export const log = define({
  name: 'effort log',
  summary: 'Log progress, and reset the heartbeat',
  args: [{ name: 'text', kind: 'text', many: 'text' }],
  options: which,
  examples: {
    'gantry effort log "Index built; ranking is next"':
      'Appends a line to the log, and resets the count of tool calls',
    'git log -1 --format=%s | gantry effort log': 'Reads from stdin',
  },
})

export const phase = define({
  name: 'effort phase',
  summary: 'Move an effort to a phase',
  args: [
    {
      name: 'phase',
      kind: 'text',
      many: 'text',
      required: true,
      missing: 'Say which phase: gantry effort phase test.',
    },
  ],
  options: which,
  examples: { 'gantry effort phase test': 'The previous phase stays in its history' },
})

export const finish = define({
  name: 'effort finish',
  summary: 'Finish an effort for good',
  args: [{ name: 'id', kind: 'effort' }],
  options: which,
  examples: {
    'gantry effort finish': 'Keeps its log and its windows; sessions no longer work on it',
    'gantry effort finish --effort 3': 'From any folder',
  },
})

export const dehydrate = define({
  name: 'effort dehydrate',
  summary: 'Write down what the next context window needs',
  args: [{ name: 'json', kind: 'text', many: 'text' }],
  options: {
    from: { kind: 'file', help: 'Read the JSON from this file instead of stdin' },
    task: { kind: 'text', help: 'Without JSON: the task' },
    decision: { kind: 'text', multiple: true, help: 'A decision, and its reason' },
    file: { kind: 'file', value: 'path', multiple: true, help: 'A relevant file' },
    next: { kind: 'text', multiple: true, help: 'A next step' },
    notes: { kind: 'text', help: 'Anything else the next window should know' },
    ...which,
  },
  examples: {
    [dehydrateExample.replaceAll('\n', '\n  ')]: 'Reads JSON from stdin; task and nextSteps are required',
    [dehydrateFlags]: 'The same without JSON',
  },
})

export const list = define({
  name: 'effort list',
  summary: 'List active efforts',
  options: {
    all: flag('Also list finished efforts', 'a'),
    json: flag('Print an array of efforts'),
  },
  examples: {
    'gantry effort list': 'Phase, windows, tool calls since the last log, context, age',
    'gantry effort list --all --json | jq length': 'Counts all efforts',
  },
})

export const show = define({
  name: 'effort show',
  summary: 'Show one effort: phases, windows, messages, files',
  args: [{ name: 'id', kind: 'effort' }],
  options: {
    limit: {
      kind: 'count',
      short: 'n',
      default: 20,
      most: 2000,
      help: 'Show at most this many messages, newest kept',
    },
    ...which,
  },
  examples: {
    'gantry effort show': 'Shows the effort of this folder',
    'gantry effort show 3 --json | jq .sessions': 'Prints the context windows of effort 3',
  },
})

export const inject = define({
  name: 'effort inject',
  summary: 'Send a message to the agent of an effort, once',
  args: [{ name: 'text', kind: 'text', many: 'text' }],
  options: which,
  examples: {
    'gantry effort inject --effort 3 "The API changed: see docs/api.md"':
      'The agent reads it after its next tool call',
  },
})

export const guard = define({
  name: 'effort guard',
  summary: 'Set or show the guard rules of an effort',
  args: [{ name: 'guards', kind: 'file', value: 'json|file|-', many: 'text' }],
  options: which,
  examples: {
    'gantry effort guard': 'Shows the rules in force',
    [`gantry effort guard '${guardExample}'`]: 'Replaces all rules with one',
    'gantry effort guard guards.json --effort 3': 'Reads them from a file; "-" is stdin',
    "gantry effort guard '[]'": 'Removes all rules',
  },
})

export const tasks = define({
  name: 'task list',
  summary: 'List tasks and their efforts',
  options: { json: flag('Print an array of tasks with their efforts') },
  examples: {
    'gantry task list': 'A task never ends; it is active while one of its efforts is',
  },
})

export const fleetStatus = define({
  name: 'fleet status',
  summary: 'Show the status of every agent of this host that works on an effort',
  options: { json: flag('Print the most urgent status and all agents') },
  examples: {
    'gantry fleet status': 'Sorted: error, attention, working, checked, done',
    'gantry fleet status --json | jq -r .status': 'Prints the most urgent status',
  },
})

export const fleetAwait = define({
  name: 'fleet await',
  summary: 'Wait for an agent of this host that is done or stuck, or for new work',
  options: {
    effort: { kind: 'effort', help: 'Only this effort' },
    project: { kind: 'dir', help: 'Only the project around this folder (default: around the current one)' },
    all: flag('All projects'),
    timeout: { kind: 'duration', default: '60s', help: 'Wait at most this long; 0s returns at once' },
    json: flag('Print the result and all signals'),
  },
  oneOf: { names: ['effort', 'project', 'all'] },
  examples: {
    'gantry fleet await --timeout 10m':
      'Prints CHILD, WORK or TIMEOUT and its subject; exit 1 for TIMEOUT, 3 without a daemon, else 0',
    'while gantry fleet await --timeout 1h; do gantry fleet status; done':
      'Shows the status at each signal, until there is none for an hour',
  },
})

export const commands: readonly Command[] = [
  command(start, () => import('./start.ts')),
  command(log, () => import('./progress.ts'), 'log'),
  command(phase, () => import('./progress.ts'), 'phase'),
  command(finish, () => import('./progress.ts'), 'finish'),
  command(dehydrate, () => import('./dehydrate.ts')),
  command(list, () => import('./list.ts'), 'list'),
  command(show, () => import('./show.ts')),
  command(inject, () => import('./steer.ts'), 'inject'),
  command(guard, () => import('./steer.ts'), 'guard'),
  command(tasks, () => import('./list.ts'), 'tasks'),
  command(fleetStatus, () => import('./fleet.ts'), 'status'),
  command(fleetAwait, () => import('./fleet.ts'), 'wait'),
]
