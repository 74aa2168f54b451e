/** Commands about sessions. */
import { DIALECTS } from '../../sessions/state/dialects.ts'
import { type Command, command, define, flag } from '../framework/define.ts'
import { ALL, agent, session as ofSession, since, type } from '../framework/options.ts'

export const sessions = define({
  name: 'sessions',
  summary: 'List sessions and their states',
  options: {
    watch: flag('Stay, and show every change; q or Ctrl-C quits', 'w'),
    needs: flag('Only sessions that need you'),
    agent,
    project: { kind: 'dir', value: 'project', help: 'Only this project: its name, or a folder (.)' },
    all: flag('Also list sessions that have ended', 'a'),
    dialect: {
      kind: 'choice',
      value: 'dialect',
      choices: DIALECTS,
      help: "Print another tool's status format as JSON",
    },
    fleet: flag('List the sessions of all hosts on the same NATS; as JSON an object with hosts and sessions'),
    json: flag('Print an array of records; with --watch one record per line'),
  },
  examples: {
    'gantry sessions': 'Lists sessions that need you first',
    'gantry sessions --watch --needs': 'Shows who waits for you, live',
    'gantry sessions --project . --agent claude': 'Lists Claude Code sessions in this project',
    'gantry sessions --json | jq -r ".[] | select(.needsYou) | .name"': 'For a script',
    'gantry sessions --dialect coop': "Prints Coop's states",
    'gantry sessions --fleet': 'Lists every host, and since when one is silent',
  },
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
      missing: 'Say which session: an id or a name, the beginning of one, or the id of a sub-agent.',
    },
  ],
  options: {
    timeline: flag('Show its history; on a terminal the end of it is always shown', 't'),
    limit: {
      kind: 'count',
      short: 'n',
      also: ALL,
      help: 'Show at most this many entries, newest kept; by default 200, and 1000 messages with --transcript',
    },
    transcript: flag('Print the conversation as Markdown; with --json, as messages'),
    markdown: flag('Same as --transcript'),
    usage: flag('Show tokens and cost per turn and model'),
    why: flag('Show the event that set the state'),
    html: {
      kind: 'file',
      help: 'Write it into this new HTML file to share: figures, timeline, diff, transcript; no script',
    },
    rename: { kind: 'text', value: 'name', help: 'Rename it' },
    seen: flag('Mark it as seen'),
    json: flag('Print the record as JSON; with --timeline, including its history'),
  },
  examples: {
    'gantry session brave-otter': 'Shows its state, sub-agents, context and cost',
    'gantry session brave-otter --timeline':
      'Lists prompts, tools, permissions, sub-agents, context windows and logs, in order',
    'gantry session brave-otter --transcript > session.md':
      'Writes the conversation of Claude Code, Codex, Gemini CLI or Copilot CLI, including tool calls',
    'gantry session brave-otter --usage': 'Shows what each turn used and cost',
    'gantry session brave-otter --html session.html': 'Writes one page to share, with what it changed',
    'gantry session brave-otter --why': 'Shows the hook that set its state',
    'gantry session 4f1c --rename release': 'Finds it by the start of its id',
  },
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
    newest: flag('Sort by time, newest first (the default)'),
    best: flag('Sort by relevance'),
    limit: { kind: 'count', short: 'n', default: 20, most: 200, help: 'Print at most this many hits' },
    json: flag('Print the answer as JSON; "matches" are positions in "snippet"'),
  },
  oneOf: { names: ['newest', 'best'] },
  examples: {
    'gantry search retry upload': 'Finds events with all of these words, newest first',
    'gantry search \'"exit code" src/up*\'': 'Finds a phrase, and words with a prefix',
    'gantry search git push --type PreToolUse --since 7d': 'Finds who pushed in the last week',
    'gantry search deploy > found || echo none': 'Exits 1 if nothing is found',
    'gantry search migration --session keen-yak --best': 'Searches one session by relevance',
  },
})

export const trace = define({
  name: 'trace',
  summary: 'Export the timeline of a session as a trace',
  args: [
    {
      name: 'session',
      kind: 'session',
      value: 'id|name',
      required: true,
      missing: 'Say which session: an id or a name, or the beginning of one.',
    },
  ],
  options: {
    perfetto: flag('In the Chrome trace event format, which ui.perfetto.dev opens (the default)'),
    out: { kind: 'file', short: 'o', help: 'Write it into this file instead of printing it' },
    limit: { kind: 'count', short: 'n', also: ALL, help: 'Export at most this many entries, newest kept' },
  },
  examples: {
    'gantry trace brave-otter --perfetto --out trace.json':
      'Writes turns, tools, waits and sub-agents as spans',
    'gantry trace 4f1c | jq .otherData': 'Shows how long it worked, waited for you and was idle',
  },
})

export const files = define({
  name: 'files',
  summary: 'Show which sessions wrote a file lately, or all files',
  args: [{ name: 'path', kind: 'file', value: 'path' }],
  options: {
    limit: { kind: 'count', short: 'n', default: 50, most: 1000, help: 'Print at most this many' },
    json: flag('Print an array of records'),
  },
  examples: {
    'gantry files': 'Lists what sessions wrote in the last 30 minutes, newest first',
    'gantry files src/main.ts': 'Shows who wrote this file: here, in other worktrees, and on other hosts',
    'gantry files . --json | jq -r ".[].session.name" | sort -u': 'Lists who writes in this folder',
  },
})

export const commands: readonly Command[] = [
  command(sessions, () => import('./list.ts')),
  command(session, () => import('./show.ts')),
  command(search, () => import('./search.ts')),
  command(trace, () => import('./trace.ts')),
  command(files, () => import('./files.ts')),
]
