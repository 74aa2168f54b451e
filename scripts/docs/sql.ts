/**
 * Generates docs/sql.md: every table, view and column of a new database. Fails if one has no description here, or the
 * reverse.
 */
import { Database } from 'bun:sqlite'
import { AGENT_NAMES } from '../../src/agents/facts.ts'
import { TRANSPORTS } from '../../src/events/hook-event.ts'
import { PHASES } from '../../src/sessions/state/index.ts'
import { KEPT, many } from '../../src/store/kept.ts'
import { migrate } from '../../src/store/migrations.ts'
import { RETENTION } from '../../src/store/retention-rules.ts'

interface Words {
  readonly about: string
  /** `name: description`, one per line. */
  readonly columns: string
}

const WORDS: Readonly<Record<string, Words>> = {
  sessions: {
    about: 'What `gantry sessions --all` shows, one row per session, at most a second behind.',
    columns: `id: the agent's own id of the session
name: the name that gantry or a person gave it
agent: ${AGENT_NAMES.join(', ')}
project: name of the repository, or of the folder
branch: branch, or the first 12 letters of the commit
phase: ${PHASES.join(', ')}
reason: why it is blocked, what it does, or why it ended
started_at: when it began
last_activity: when it last did something
ended_at: when it ended
cost_usd: cost, as the agent says or at list prices
context_pct: how full the context is, in per cent
last_prompt: the last prompt of a person
last_message_sent: the same, in TeleClaude's word
last_message_sent_at: when that was
pid: process of the agent
pane: tmux pane
host: name of this machine
key: agent and id: unique
cwd: folder
model: model
title: title of the session, or of its last turn
last_message: the last answer of the agent
tokens: tokens in the context
transcript_path: file of the conversation
permission_mode: default, plan, acceptEdits, bypassPermissions, …
prev_session_id: the session that it continues`,
  },
  engine_sessions: {
    about:
      'The context windows of efforts with the columns of engine v3, where the table was called `sessions`.',
    columns: `id: number of the window
effort_id: the effort it works on
prev_session_id: the window before it
heartbeat_counter: tool calls since the last log
context_usage: how full the context is, 0 to 1
loaded_files: JSON list of files
dehydration_payload: what the next window is told
started_at: when it began
ended_at: when it ended`,
  },
  hook_outbox: {
    about: `Hooks to deliver, with the columns of TeleClaude: the newest ${many(KEPT.streamMessages)} and all undelivered ones. With NATS off, no webhook and no durable consumer there is nobody to deliver to, and \`delivered_at\` is when gantry received the hook.`,
    columns: `id: sequence of the event
session_id: the agent's own id of the session
event_type: session_start, prompt, tool_use, tool_done, notification, stop, session_end
payload: JSON {session_id, event_type, data}; data is the native payload with session_id, transcript_path, cwd, prompt and user_prompt under these names
created_at: when it was received
next_attempt_at: when it is tried next
attempt_count: attempts that failed, or deliveries to a consumer
last_error: why the last attempt failed
delivered_at: when the last of those that get it had it; NULL while somebody waits
locked_at: since when it is under way, as of the last write
waits_for: who waits for it: jetstream, webhook:<name>, consumer:<name>`,
  },
  events: {
    about: 'The journal: every event as received.',
    columns: `seq: place in the journal, without gaps
id: id, made where the event was born; unique
at: when it happened, by the agent's clock
received_at: when the daemon got it; rises with seq
agent: who sent it; gantry for what gantry itself raised
agent_version: version of the agent, where it is known
type: canonical name (docs/events.md)
native: the agent's own name of the event
session_id: the agent's own id of the session; empty where it has none
agent_id: the sub-agent
tool_name: the tool
cwd: folder
transport: ${TRANSPORTS.join(', ')}
client: JSON: process, pane, a few environment values
cut_from: whole size of a payload over 8 MB
raw: the payload, byte for byte after redaction`,
  },
  session_states: {
    about: 'The state behind `sessions`, as JSON; its format may change with any version.',
    columns: `key: agent and id
agent: agent
session_id: the agent's own id
name: name
phase: phase
seq: the event that last changed what people see
last_activity: when it last did something
state: JSON of the state
host: this machine
project: name of the project
branch: branch`,
  },
  counters: {
    about: 'Counters of anomalies.',
    columns: `kind: unknown, duplicate, cut, unreadable, sessionless, stranger, degraded, missed, redacted, …
key: agent, event and field
count: how often
first_at: first
last_at: last`,
  },
  marks: { about: 'How far each follower of the journal is.', columns: 'name: who\nseq: up to where' },
  bus_messages: {
    about:
      'Messages of the streams that are not the journal: SESSION_EVENTS, DECISION_EVENTS, GANTRY_EVENTS.',
    columns: `stream: stream
seq: place in the stream
id: the event's id
at: when
type: last part of the subject
agent: agent
native: the agent's own name of the event
session_id: session
data: JSON`,
  },
  consumers: {
    about: 'Durable consumers.',
    columns: `stream: stream
name: name
filter: subject it wants
ack_wait_ms: how long it has to acknowledge
max_in_flight: how many it may have open
created_at: made
active_at: last heard of
cursor: everything up to here was given
start: where it began
pending: JSON list of [sequence, deliveries] that are not acknowledged
missed: messages that expired before it read them`,
  },
  outbox_marks: {
    about: 'The checkpoint of each target in each stream.',
    columns: 'target: jetstream, webhook:<name>\nstream: stream\nseq: up to here\nat: when',
  },
  outbox_letters: {
    about: 'Messages that a target rejected: waiting for a retry, or dead letters.',
    columns: `target: who rejected it
stream: stream
seq: sequence
id: the event's id
session_id: session
attempt_count: attempts
next_attempt_at: next attempt
last_error: why
dead_at: given up`,
  },
  outbox_targets: {
    about: 'Current targets of messages, and their state.',
    columns: `target: jetstream, webhook:<name>
stream: stream
attempt_count: attempts in a row that failed
next_attempt_at: next attempt
last_error: why
locked_at: since when the oldest under way is
locked: JSON list of sequences in flight`,
  },
  bus_state: {
    about: 'What is known about the streams on NATS.',
    columns: 'key: target and stream\nvalue: JSON',
  },
  handlers: {
    about: 'Registered handlers: commands that answer events.',
    columns: `id: name
events: JSON list of types
command: command line
priority: order, ascending
created_at: registered`,
  },
  projects: {
    about: 'Folders with efforts.',
    columns: 'id: number\npath: folder\nname: name\ncreated_at: made',
  },
  tasks: {
    about: 'Work containers; they never finish.',
    columns: `dir_path: folder of the task
project_id: project
title: title
keywords: JSON list
created_at: made`,
  },
  efforts: {
    about: 'One use of a skill on a task; it survives context windows.',
    columns: `id: number
task_id: folder of its task
agent_id: whose it is, where several work
skill: brainstorm, implement, fix, …
mode: mode of the skill
ordinal: number within the task
lifecycle: active or finished
current_phase: phase
discovered_directives: JSON list
metadata: JSON: guards, limits, injections
created_at: made
finished_at: finished`,
  },
  effort_windows: {
    about: 'Context windows of efforts, sub-agents included.',
    columns: `id: number
effort_id: effort
prev_session_id: the window before it
agent: agent
native_id: the agent's own session id: joins sessions.id
agent_id: sub-agent, else empty
heartbeat_counter: tool calls since the last log
context_usage: 0 to 1
loaded_files: JSON list
dehydration_payload: what the next window is told
run_id: run of gantry run
started_at: began
ended_at: ended
end_reason: why
recovered_from: the window whose payload it received`,
  },
  messages: {
    about: 'Logs and dialogues of windows.',
    columns: `id: number
session_id: number of the window
role: log, question, answer, …
content: text
tool_name: tool
at: when`,
  },
  agents: {
    about: 'Status of the agents of efforts.',
    columns: `id: AGENT_ID, or the session
label: name for people
effort_id: effort
status: error, attention, working, checked, done
detail: why
updated_at: when`,
  },
  phase_history: {
    about: 'Phases that efforts went through.',
    columns: 'id: number\neffort_id: effort\nphase: phase\nat: when',
  },
  signals: {
    about: 'Signals for coordinators, until one is delivered.',
    columns: 'n: number\nkind: kind\nabout: whom\ndetail: more\nat: when\neffort_id: effort',
  },
  event_kinds: {
    about:
      'Which kinds of events a block of 4,096 sequences has: what is rare is found without reading every row.',
    columns: `block: sequence / 4096
agent: agent; empty if the block has too many kinds to note
type: type
tool: tool, else empty`,
  },
  event_contexts: {
    about: 'Contexts of events as spans: a row holds from its event until the next row of its session.',
    columns: `agent: agent
session_id: session
agent_id: sub-agent, else empty
seq: the first event it holds for
prompt_id: the prompt
project_dir: project
git: JSON {user, email, repo, branch, commit, dirty}`,
  },
  file_changes: {
    about: 'Files that tool calls changed.',
    columns: `seq: the event
path: file
agent: agent
session_id: session
agent_id: sub-agent, else empty
change: created, modified, deleted, written`,
  },
  turn_usage: {
    about: 'Tokens and cost of turns, by model.',
    columns: `agent: agent
session_id: session
agent_id: sub-agent, else empty
turn: the turn
model: model
turn_at: when
requests: requests to the model
unpriced: of these, at no known price
input: tokens in
cache_read: tokens from the cache
cache_write: tokens to the cache
output: tokens out
cost_usd: cost at list prices`,
  },
  usage_days: {
    about: 'What sessions used, while there are budgets.',
    columns: `day: day of this machine, as 2026-03-01
agent: agent
project: repository, else folder
effort: id of the effort, else empty
cost_usd: cost
tokens: tokens in and out, without those from the cache
tool_calls: tool calls
wall_ms: time of the turns`,
  },
  usage_sessions: {
    about: 'How much of each session is in usage_days.',
    columns: `session: agent:session
cost_usd: cost
tokens: tokens
tool_calls: tool calls
wall_ms: time of the turns
at: when`,
  },
  budget_states: {
    about: 'How far budgets were raised, and what was reported of them.',
    columns: `budget: id
scope: session, effort, project or day
cap: which cap
extra: by how much a person raised it
told: percentage that was reported last
at: when`,
  },
  transcript_readings: {
    about: 'How far transcripts were read for usage.',
    columns: 'path: file\ninode: which file\noffset: up to where\nstate: JSON\nat: when',
  },
  schema_shapes: {
    about: 'Learned payload schemas.',
    columns: `agent: agent
version: version
event: the agent's own name
tool: tool
count: payloads
fields: how many
first_at: first
last_at: last
shape: JSON of the fields`,
  },
  schema_drifts: {
    about: 'Differences from the expected schema, when each was first seen.',
    columns: `key: unique
agent: agent
version: version
event: event
tool: tool
path: field
kind: kind of the difference (docs/schemas.md)
severity: breaking, notable, info, by that payload
was: before
now: after
message: in words
cause: id of the event
at: when
accepted_at: accepted by gantry schema baseline`,
  },
  schema_baselines: {
    about: "The user's own baselines.",
    columns: 'agent: agent\nversion: version\nat: when\nbaseline: JSON',
  },
  notifications: {
    about: 'Notifications sent to people.',
    columns: `id: number
occasion: what it was about; told once on each channel
channel: desktop, terminal, sound, …
reason: permission, question, done, …
session: key of the session
title: title
body: text
at: when
outcome: sent, failed, …
detail: why`,
  },
  processes: {
    about: 'Processes of sessions, so that their end is noticed.',
    columns:
      'session: key of the session\npid: process\nstart: start time as the kernel reports it\nboot: boot id of the machine',
  },
}

/** Tables that people need most come first. */
const FIRST = ['sessions', 'events', 'hook_outbox', 'engine_sessions']

const HEAD = `
# SQL

\`gantry query "<sql>"\` asks the database in SQL, read only and in a process of its own; \`--json\` for programs. A
terminal cuts values that do not fit its width; a pipe gets them whole. Any SQLite
client may read the file, too: \`gantry config path database\` prints its path. Times are UTC milliseconds: \`datetime(at / 1000, 'unixepoch')\`.

What is listed under "for programs" keeps its names and columns. The other tables are gantry's own: they may be read, and may
change with a version. Databases of older versions are upgraded when the daemon starts.

<!-- run -->
\`\`\`sh
gantry query "SELECT name, agent, project, phase, reason FROM sessions WHERE ended_at IS NULL ORDER BY last_activity DESC"
gantry query "SELECT project, round(sum(cost_usd), 2) AS usd FROM sessions GROUP BY project ORDER BY usd DESC"
gantry query "SELECT last_message_sent, datetime(last_message_sent_at / 1000, 'unixepoch') AS at FROM sessions ORDER BY last_message_sent_at DESC LIMIT 5"
gantry query "SELECT id, event_type, waits_for, attempt_count, last_error FROM hook_outbox WHERE delivered_at IS NULL"
gantry query "SELECT raw ->> '$.tool_input.command' AS command FROM events WHERE tool_name = 'Bash' ORDER BY seq DESC LIMIT 20"
gantry query "SELECT s.name, w.effort_id, w.context_usage FROM effort_windows w JOIN sessions s ON s.id = w.native_id"
gantry query "SELECT type, count(*) AS n FROM events WHERE transport = 'import' GROUP BY type"
\`\`\`
`

export function sqlPage(note: string): string {
  const db = new Database(':memory:')
  migrate(db)
  const names = db
    .query<{ name: string; type: string }, []>(
      "SELECT name, type FROM sqlite_schema WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite_%' ORDER BY name",
    )
    .all()
  const unknown = Object.keys(WORDS).filter((name) => !names.some((one) => one.name === name))
  if (unknown.length > 0)
    throw new Error(`scripts/docs/sql.ts describes what does not exist: ${unknown.join(', ')}`)
  const part = ({ name, type }: { name: string; type: string }) => {
    const columns = db.query<{ name: string }, []>(`SELECT name FROM pragma_table_info('${name}')`).all()
    return section(
      name,
      type,
      columns.map((one) => one.name),
    )
  }
  const first = FIRST.flatMap((name) => names.filter((one) => one.name === name))
  const rest = names.filter(({ name }) => !FIRST.includes(name))
  return [
    note,
    HEAD.trim(),
    '',
    '## For programs',
    '',
    ...first.map(part),
    '## How long rows are kept',
    '',
    '| table | kept |',
    '|---|---|',
    ...RETENTION.map(({ table, kept }) => `| \`${table}\` | ${kept} |`),
    '',
    "## gantry's own",
    '',
    ...rest.map(part),
  ].join('\n')
}

function section(name: string, type: string, columns: readonly string[]): string {
  const words = WORDS[name]
  if (!words) throw new Error(`scripts/docs/sql.ts does not describe ${name}`)
  const said = new Map(
    words.columns
      .split('\n')
      .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
  )
  const wrong = [
    ...columns.filter((one) => !said.has(one)),
    ...[...said.keys()].filter((one) => !columns.includes(one)),
  ]
  if (wrong.length > 0)
    throw new Error(`scripts/docs/sql.ts differs from the columns of ${name}: ${wrong.join(', ')}`)
  const rows = columns.map((one) => `| \`${one}\` | ${(said.get(one) ?? '').replaceAll('|', '\\|')} |`)
  return [
    `### ${name}`,
    '',
    `A ${type}. ${words.about}`,
    '',
    '| column | what it is |',
    '|---|---|',
    ...rows,
    '',
  ].join('\n')
}
