/**
 * Every command, in the order a person reads them. Nothing of a command is loaded before it is run: the daemon, the screens
 * and the hook client are worlds apart.
 */
import type { Command } from './command.ts'

export interface CommandEntry {
  readonly summary: string
  readonly load: () => Promise<Command>
}

/** By what they are about. */
export const PARTS: Readonly<Record<string, Readonly<Record<string, CommandEntry>>>> = {
  Daemon: {
    up: { summary: 'Start the daemon', load: async () => (await import('./up.ts')).up },
    down: { summary: 'Stop the daemon', load: async () => (await import('./down.ts')).down },
    status: {
      summary: 'Show what the daemon is doing',
      load: async () => (await import('./status.ts')).status,
    },
    doctor: {
      summary: 'Find what is wrong, with the fix for each',
      load: async () => (await import('./doctor.ts')).doctor,
    },
  },
  Configuration: {
    'config path': {
      summary: 'Print the folder of the configuration',
      load: async () => (await import('./config.ts')).configPath,
    },
    'config check': {
      summary: 'Check gantry.toml and the rules',
      load: async () => (await import('./config.ts')).configCheck,
    },
    'config show': {
      summary: 'Show every value that is in force, and where it comes from',
      load: async () => (await import('./config.ts')).configShow,
    },
    'config edit': {
      summary: 'Open gantry.toml in your editor, and check it afterwards',
      load: async () => (await import('./config.ts')).configEdit,
    },
    'config set': {
      summary: 'Set a key of gantry.toml',
      load: async () => (await import('./config.ts')).configSet,
    },
  },
  Agents: {
    install: {
      summary: 'Wire the hooks of the agents that are here',
      load: async () => (await import('./install.ts')).install,
    },
    uninstall: {
      summary: 'Take the hooks out again, exactly',
      load: async () => (await import('./uninstall.ts')).uninstall,
    },
    run: {
      summary: 'Run an agent, and start it afresh when its context is full',
      load: async () => (await import('./run.ts')).run,
    },
  },
  Sessions: {
    sessions: {
      summary: 'Show what every session is doing',
      load: async () => (await import('./sessions.ts')).sessions,
    },
    session: {
      summary: 'Show one session: what it does, what happened, and why',
      load: async () => (await import('./session.ts')).session,
    },
    approvals: {
      summary: 'Show the permissions that wait for your answer',
      load: async () => (await import('./approvals.ts')).approvals,
    },
    approve: {
      summary: 'Say yes to a permission that waits; without an id, show them',
      load: async () => (await import('./approve.ts')).approve,
    },
    deny: {
      summary: 'Say no to a permission that waits, and why',
      load: async () => (await import('./approve.ts')).deny,
    },
    search: {
      summary: 'Find prompts, answers, commands and paths by their words',
      load: async () => (await import('./search.ts')).search,
    },
  },
  Answers: {
    rules: {
      summary: 'List, check and try the rules that answer hooks',
      load: async () => (await import('./rules.ts')).rules,
    },
  },
  Events: {
    events: { summary: 'Show and follow events', load: async () => (await import('./events.ts')).events },
    'events import': {
      summary: 'Read logs of claude-hooks-sdk, or recordings, into the journal',
      load: async () => (await import('./events-import.ts')).eventsImport,
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
    query: {
      summary: 'Ask the journal in SQL, read only',
      load: async () => (await import('./query.ts')).query,
    },
  },
  Bus: {
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
  },
  Work: {
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
  },
  Payloads: {
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
  },
  Terminal: {
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
    'notify test': {
      summary: 'Send a test message to your channels, and show what came back',
      load: async () => (await import('./notify.ts')).notifyTest,
    },
    'notify log': {
      summary: 'Show what you were told lately, and what was left out and why',
      load: async () => (await import('./notify.ts')).notifyLog,
    },
    completions: {
      summary: 'Print the completions for bash, zsh or fish',
      load: async () => (await import('./completions.ts')).completions,
    },
    man: {
      summary: 'Print the manual page',
      load: async () => (await import('./man.ts')).man,
    },
  },
  Programs: {
    rpc: { summary: 'Make one call to the daemon', load: async () => (await import('./rpc.ts')).rpc },
    hook: { summary: 'The hook client, in TypeScript', load: async () => (await import('./hook.ts')).hook },
  },
}

/** For gantry itself. */
const HIDDEN: Readonly<Record<string, CommandEntry>> = {
  'tmux seen': {
    summary: 'Marks what is done in a pane as looked at',
    load: async () => (await import('./tmux.ts')).tmuxSeen,
  },
  complete: {
    summary: 'What the completions ask for',
    load: async () => (await import('./complete.ts')).complete,
  },
  'search-worker': {
    summary: 'Keeps the search index',
    load: async () => (await import('./search-worker.ts')).searchWorker,
  },
  'schema-worker': {
    summary: 'Learns from a part of the journal',
    load: async () => (await import('./schema-worker.ts')).schemaWorker,
  },
  'check-worker': {
    summary: 'Looks through the journal, slowly',
    load: async () => (await import('./check-worker.ts')).checkWorker,
  },
  'read-worker': {
    summary: 'Answers one question on the journal',
    load: async () => (await import('./read-worker.ts')).readWorker,
  },
}

export const VISIBLE_COMMANDS: readonly (readonly [string, CommandEntry])[] = Object.values(PARTS).flatMap(
  (part) => Object.entries(part),
)

const COMMANDS: ReadonlyMap<string, CommandEntry> = new Map([...VISIBLE_COMMANDS, ...Object.entries(HIDDEN)])

export interface Found {
  readonly name: string
  readonly entry: CommandEntry | undefined
  /** What comes after its name. */
  readonly rest: readonly string[]
}

/** The longest name that the arguments begin with: `bus status` before `bus`. */
export function findCommand(argv: readonly string[]): Found {
  const [first = '', second] = argv
  const long = `${first} ${second}`
  const name = COMMANDS.has(long) ? long : first
  return { name, entry: COMMANDS.get(name), rest: argv.slice(name === first ? 1 : 2) }
}

/** `bus` has no command of its own, only those under it. */
export function isGroup(name: string): boolean {
  return VISIBLE_COMMANDS.some(([other]) => other.startsWith(`${name} `))
}
