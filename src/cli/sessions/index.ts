/** Commands about sessions. */
import { type Command, command, define } from '../framework/define.ts'
import { ALL, agent, session as ofSession, since, type } from '../framework/options.ts'

export const sessions = define({
  name: 'sessions',
  summary: 'List sessions and their states',
  options: {
    watch: { kind: 'flag', short: 'w', help: 'Stay, and show every change; q or Ctrl-C quits' },
    needs: { kind: 'flag', help: 'Only sessions that need you' },
    agent,
    project: { kind: 'dir', value: 'project', help: 'Only this project: its name, or a folder (.)' },
    all: { kind: 'flag', short: 'a', help: 'Also list sessions that have ended' },
    dialect: {
      kind: 'choice',
      value: 'dialect',
      choices: ['gantry', 'coop', 'atm', 'engine', 'teleclaude'],
      help: "Print another tool's status format as JSON",
    },
    fleet: {
      kind: 'flag',
      help: 'List the sessions of all hosts on the same NATS; as JSON an object with hosts and sessions',
    },
    json: { kind: 'flag', help: 'Print an array of records; with --watch one record per line' },
  },
  examples: [
    { line: 'gantry sessions', does: 'Lists sessions that need you first' },
    { line: 'gantry sessions --watch --needs', does: 'Shows who waits for you, live' },
    {
      line: 'gantry sessions --project . --agent claude',
      does: 'Lists Claude Code sessions in this project',
    },
    { line: 'gantry sessions --json | jq -r ".[] | select(.needsYou) | .name"', does: 'For a script' },
    { line: 'gantry sessions --dialect coop', does: "Prints Coop's states" },
    { line: 'gantry sessions --fleet', does: 'Lists every host, and since when one is silent' },
  ],
})

export const session = define({
  name: 'session',
  summary: 'Show one session: its state, its history, and why',
  args: [
    {
      name: 'session',
      kind: 'session',
      value: 'id|name',
      required: true,
      missing: 'Say which session: an id, the beginning of one, a name, or the id of a sub-agent.',
    },
  ],
  options: {
    timeline: {
      kind: 'flag',
      short: 't',
      help: 'Show its history; on a terminal the end of it is always shown',
    },
    limit: {
      kind: 'count',
      short: 'n',
      also: ALL,
      help: 'Show at most this many entries, newest kept (default 200; 1000 messages with --transcript)',
    },
    transcript: { kind: 'flag', help: 'Print the conversation as Markdown; with --json, as messages' },
    markdown: { kind: 'flag', help: 'Same as --transcript' },
    usage: { kind: 'flag', help: 'Show tokens and cost per turn and model' },
    why: { kind: 'flag', help: 'Show the event that set the state' },
    rename: { kind: 'text', value: 'name', help: 'Rename it' },
    seen: { kind: 'flag', help: 'Mark it as seen' },
    json: { kind: 'flag', help: 'Print the record as JSON; with --timeline, including its history' },
  },
  examples: [
    { line: 'gantry session brave-otter', does: 'Shows its state, sub-agents, context and cost' },
    {
      line: 'gantry session brave-otter --timeline',
      does: 'Lists prompts, tools, permissions, sub-agents, context windows and logs, in order',
    },
    {
      line: 'gantry session brave-otter --transcript > session.md',
      does: 'Writes the conversation of Claude Code, Codex or Gemini CLI, including tool calls',
    },
    { line: 'gantry session brave-otter --usage', does: 'Shows what each turn used and cost' },
    { line: 'gantry session brave-otter --why', does: 'Shows the hook that set its state' },
    { line: 'gantry session 4f1c --rename release', does: 'Finds it by the start of its id' },
  ],
})

export const search = define({
  name: 'search',
  summary: 'Search prompts, answers, commands and paths',
  args: [{ name: 'text', kind: 'text', many: 'text', required: true, missing: 'Say what to look for.' }],
  options: {
    session: ofSession,
    agent,
    type,
    since,
    newest: { kind: 'flag', help: 'Sort by time, newest first (the default)' },
    best: { kind: 'flag', help: 'Sort by relevance' },
    limit: { kind: 'count', short: 'n', default: 20, most: 200, help: 'Print at most this many hits' },
    json: { kind: 'flag', help: 'Print the answer as JSON; "matches" are positions in "snippet"' },
  },
  oneOf: { names: ['newest', 'best'] },
  examples: [
    { line: 'gantry search retry upload', does: 'Finds events with all of these words, newest first' },
    { line: `gantry search '"exit code" src/up*'`, does: 'Finds a phrase, and words with a prefix' },
    {
      line: 'gantry search git push --type PreToolUse --since 7d',
      does: 'Finds who pushed in the last week',
    },
    { line: 'gantry search deploy > found || echo none', does: 'Exits 1 if nothing is found' },
    { line: 'gantry search migration --session keen-yak --best', does: 'Searches one session by relevance' },
  ],
})

export const commands: readonly Command[] = [
  command(sessions, () => import('./list.ts')),
  command(session, () => import('./show.ts')),
  command(search, () => import('./search.ts')),
]
