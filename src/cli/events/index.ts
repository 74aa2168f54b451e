/** Commands about events: the journal, recordings, SQL. */
import { type Command, command, define, flag } from '../framework/define.ts'
import { ALL, agent, session, since, type } from '../framework/options.ts'

export const events = define({
  name: 'events',
  summary: 'List and follow events',
  options: {
    follow: flag('Stay, and print events as they come', 'f'),
    session,
    type,
    agent,
    subagent: { kind: 'text', value: 'id', help: 'Only this sub-agent, by its id' },
    since,
    grep: { kind: 'text', help: 'Only payloads with this text, ignoring case' },
    limit: {
      kind: 'count',
      short: 'n',
      default: 100,
      also: ALL,
      help: 'Print at most this many, newest kept',
    },
    json: flag('Print one JSON object per line; "raw" is the payload as the agent sent it'),
    format: {
      kind: 'choice',
      value: 'format',
      choices: ['text', 'json', 'sdk'],
      help: 'json is --json, sdk is what claude-hooks-sdk logs: payload and context',
    },
  },
  examples: {
    'gantry events --follow': 'Prints every hook of every agent, live',
    'gantry events --type PreToolUse --since 1h --grep "git push"': 'Finds who pushed in the last hour',
    'gantry events --json -n 1000 | jq -r .type | sort | uniq -c': 'Counts the last 1000 events by type',
    'gantry events --subagent a7c31b0d --follow': 'Prints all events of one sub-agent',
  },
})

const files = {
  name: 'file',
  kind: 'file',
  many: 'list',
  required: true,
  missing: 'Say which file.',
} as const

export const importEvents = define({
  name: 'events import',
  summary: 'Import logs of claude-hooks-sdk, or recordings, into the journal',
  args: [files],
  options: { json: flag('Print the counts as JSON') },
  examples: {
    'gantry events import .claude/hooks/default/logs/events.jsonl':
      'Imports what claude-hooks-sdk logged, with its times; a second import adds nothing',
    'gantry events import - < other-host.jsonl': 'Reads from stdin',
  },
})

export const record = define({
  name: 'record',
  summary: 'Record events to a file for replay',
  options: {
    out: { kind: 'file', short: 'o', help: 'Write to this new file, readable only by you (default: stdout)' },
    session,
    agent,
    since,
    follow: flag('Stay, and record new events until Ctrl-C', 'f'),
  },
  examples: {
    'gantry record --session keen-yak --out yak.jsonl': 'Records one whole session',
    'gantry record --since 1h --follow --out today.jsonl': 'Records the last hour and what follows',
    'gantry record --agent codex | jq -r .event | sort | uniq -c': 'One JSON object per line',
  },
})

export const replay = define({
  name: 'replay',
  summary: 'Replay recorded sessions',
  args: [files],
  options: {
    speed: {
      kind: 'number',
      default: 1,
      also: { max: Infinity },
      help: 'Speed factor; "max" waits for nothing',
    },
    'max-gap': { kind: 'duration', default: '3s', help: 'Wait at most this long between two events' },
    'as-now': flag('Give events the time of the replay'),
    'session-prefix': { kind: 'text', default: '', help: 'Prepend this to session ids' },
    'keep-open': flag('Leave sessions open that the recording leaves open, also if it is stopped'),
    json: flag('Print the counts as JSON'),
  },
  examples: {
    'gantry replay yak.jsonl --speed 10 --as-now': 'Replays ten times as fast, with the current time',
    'gantry replay a.jsonl b.jsonl': 'Replays two recordings concurrently',
    'gantry replay - --speed max < yak.jsonl': 'Replays stdin at once',
  },
})

export const demo = define({
  name: 'demo',
  summary: 'Show a fleet of recorded sessions, live and without any agent',
  options: {
    for: { kind: 'duration', help: 'How long it runs (default: until q on a terminal, else 60s)' },
    speed: { kind: 'number', default: 1, help: 'Speed factor' },
  },
  examples: {
    'gantry demo': 'Shows five agents in the TUI; q quits and leaves nothing behind',
    'gantry demo --for 10m | tee demo.log': 'Prints one line per change for ten minutes',
  },
})

export const query = define({
  name: 'query',
  summary: 'Query the journal in SQL, read-only; a terminal cuts long values, a pipe gets them whole',
  args: [{ name: 'sql', kind: 'text', required: true, missing: 'Give the SQL as one argument.' }],
  options: {
    limit: { kind: 'count', short: 'n', default: 1000, most: 100_000, help: 'Print at most this many rows' },
    json: flag('Print an array of objects; integers beyond 2^53 become text'),
  },
  examples: {
    'gantry query "SELECT type, count(*) AS n FROM events GROUP BY type ORDER BY n DESC"':
      'Counts events by type',
    "gantry query \"SELECT raw ->> '$.tool_input.command' AS cmd FROM events WHERE tool_name = 'Bash'\"":
      'Lists every shell command',
  },
})

export const commands: readonly Command[] = [
  command(events, () => import('./list.ts')),
  command(importEvents, () => import('./import.ts')),
  command(record, () => import('./record.ts')),
  command(replay, () => import('./replay.ts')),
  command(demo, () => import('./demo.ts')),
  command(query, () => import('./query.ts')),
]
