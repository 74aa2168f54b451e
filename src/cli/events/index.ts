/** Commands about events: the journal, recordings, SQL. */
import { type Command, command, define } from '../framework/define.ts'
import { ALL, agent, session, since, type } from '../framework/options.ts'

export const events = define({
  name: 'events',
  summary: 'List and follow events',
  options: {
    follow: { kind: 'flag', short: 'f', help: 'Stay, and print events as they come' },
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
    json: { kind: 'flag', help: 'Print one JSON object per line; "raw" is the payload as the agent sent it' },
    format: {
      kind: 'choice',
      value: 'format',
      choices: ['text', 'json', 'sdk'],
      help: 'json is --json, sdk is what claude-hooks-sdk logs: payload and context',
    },
  },
  examples: [
    { line: 'gantry events --follow', does: 'Prints every hook of every agent, live' },
    {
      line: 'gantry events --type PreToolUse --since 1h --grep "git push"',
      does: 'Finds who pushed in the last hour',
    },
    {
      line: 'gantry events --json -n 1000 | jq -r .type | sort | uniq -c',
      does: 'Counts the last 1000 events by type',
    },
    { line: 'gantry events --subagent a7c31b0d --follow', does: 'Prints all events of one sub-agent' },
  ],
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
  options: { json: { kind: 'flag', help: 'Print the counts as JSON' } },
  examples: [
    {
      line: 'gantry events import .claude/hooks/default/logs/events.jsonl',
      does: 'Imports what claude-hooks-sdk logged, with its times; a second import adds nothing',
    },
    { line: 'gantry events import - < other-host.jsonl', does: 'Reads from stdin' },
  ],
})

export const record = define({
  name: 'record',
  summary: 'Record events to a file for replay',
  options: {
    out: { kind: 'file', short: 'o', help: 'Write to this new file, readable only by you (default: stdout)' },
    session,
    agent,
    since,
    follow: { kind: 'flag', short: 'f', help: 'Stay, and record new events until Ctrl-C' },
  },
  examples: [
    { line: 'gantry record --session keen-yak --out yak.jsonl', does: 'Records one whole session' },
    {
      line: 'gantry record --since 1h --follow --out today.jsonl',
      does: 'Records the last hour and what follows',
    },
    { line: 'gantry record --agent codex | jq -r .event | sort | uniq -c', does: 'One JSON object per line' },
  ],
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
    'as-now': { kind: 'flag', help: 'Give events the time of the replay' },
    'session-prefix': { kind: 'text', default: '', help: 'Prepend this to session ids' },
    'keep-open': {
      kind: 'flag',
      help: 'Leave sessions open that the recording leaves open, also if it is stopped',
    },
    json: { kind: 'flag', help: 'Print the counts as JSON' },
  },
  examples: [
    {
      line: 'gantry replay yak.jsonl --speed 10 --as-now',
      does: 'Replays ten times as fast, with the current time',
    },
    { line: 'gantry replay a.jsonl b.jsonl', does: 'Replays two recordings concurrently' },
    { line: 'gantry replay - --speed max < yak.jsonl', does: 'Replays stdin at once' },
  ],
})

export const demo = define({
  name: 'demo',
  summary: 'Show a fleet of recorded sessions, live and without any agent',
  options: {
    for: { kind: 'duration', help: 'How long it runs (default: until q on a terminal, else 60s)' },
    speed: { kind: 'number', default: 1, help: 'Speed factor' },
  },
  examples: [
    { line: 'gantry demo', does: 'Shows five agents in the TUI; q quits and leaves nothing behind' },
    { line: 'gantry demo --for 10m | tee demo.log', does: 'Prints one line per change for ten minutes' },
  ],
})

export const query = define({
  name: 'query',
  summary: 'Query the journal in SQL, read-only',
  args: [{ name: 'sql', kind: 'text', required: true, missing: 'Give the SQL as one argument.' }],
  options: {
    limit: { kind: 'count', short: 'n', default: 1000, most: 100_000, help: 'Print at most this many rows' },
    json: { kind: 'flag', help: 'Print an array of objects; integers beyond 2^53 become text' },
  },
  examples: [
    {
      line: 'gantry query "SELECT type, count(*) AS n FROM events GROUP BY type ORDER BY n DESC"',
      does: 'Counts events by type',
    },
    {
      line: `gantry query "SELECT raw ->> '$.tool_input.command' AS cmd FROM events WHERE tool_name = 'Bash'"`,
      does: 'Lists every shell command',
    },
  ],
})

export const commands: readonly Command[] = [
  command(events, () => import('./list.ts')),
  command(importEvents, () => import('./import.ts')),
  command(record, () => import('./record.ts')),
  command(replay, () => import('./replay.ts')),
  command(demo, () => import('./demo.ts')),
  command(query, () => import('./query.ts')),
]
