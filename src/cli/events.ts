/** The journal for people and for programs: list, filter, follow. */
import {
  call,
  doubtsAbout,
  type EventQuery,
  OWN_AGENT,
  subscribe,
  timeOf,
  type WireEvent,
} from '../client/index.ts'
import { GantryError } from '../core/errors.ts'
import type { Places } from '../core/paths.ts'
import { subjectOf } from '../timeline/index.ts'
import { type Command, type Input, limitFlag, stringFlag } from './command.ts'
import { followSdk, hooksOnly, listSdk } from './events-sdk.ts'
import { sessionIdOf } from './session-id.ts'
import { storedEvents } from './stored-events.ts'
import {
  bold,
  columns,
  cut,
  cyan,
  dim,
  green,
  magenta,
  note,
  out,
  padTo,
  plain,
  red,
  widthOf,
  yellow,
} from './terminal.ts'

export const events: Command = {
  name: 'events',
  summary: 'Show and follow events',
  usage: '[--follow] [filters] [--json]',
  options: {
    follow: { type: 'boolean', short: 'f', help: 'Stay and show events as they come' },
    session: {
      type: 'string',
      value: 'id',
      help: 'Only events of this session, by id, the beginning of one, or name',
    },
    type: { type: 'string', value: 'type', help: 'Only this type, e.g. PreToolUse' },
    agent: { type: 'string', value: 'agent', help: 'Only this agent, e.g. claude' },
    subagent: { type: 'string', value: 'id', help: 'Only this sub-agent, by its id' },
    since: { type: 'string', value: 'when', help: 'A time span (90s, 15m, 1h, 7d) or an ISO time' },
    grep: { type: 'string', value: 'text', help: 'Only payloads with this text, in any case' },
    limit: {
      type: 'string',
      short: 'n',
      value: 'n',
      help: 'At most so many, newest kept (default 100); "all" for all of them',
    },
    json: { type: 'boolean', help: 'One JSON object a line; "raw" is the payload as the agent sent it' },
    format: {
      type: 'string',
      value: 'form',
      help: 'text, json (as --json), or sdk: payload and context as claude-hooks-sdk logs them',
    },
  },
  examples: [
    { line: 'gantry events --follow', does: 'Every hook of every agent, live' },
    {
      line: 'gantry events --type PreToolUse --since 1h --grep "git push"',
      does: 'Who pushed in the last hour',
    },
    {
      line: 'gantry events --json -n 1000 | jq -r .type | sort | uniq -c',
      does: 'What the last 1000 events were',
    },
    {
      line: 'gantry events --subagent a7c31b0d --follow',
      does: 'All events of one sub-agent',
    },
  ],
  async run(input) {
    const limit = limitFlag(input, 'limit', 100)
    const form = formOf(input)
    const asked = await queryOf(input)
    const query = form === 'sdk' ? hooksOnly(asked) : asked
    const show = form === 'json' ? showJson : showLine
    const follows = input.flags.follow === true
    const { database, lastSeq } = await call(input.places, 'status')
    const stored = storedEvents(database, { ...query, before: lastSeq + 1 }, limit)
    const refuseUnknown = () => {
      const names = { types: query.type === undefined ? [] : [query.type], agent: query.agent }
      for (const { query: some, error } of doubtsAbout(names, follows ? 'awaited' : 'stored'))
        if (storedEvents(database, some, 1).next().done) throw error
    }
    if (form === 'sdk') {
      refuseUnknown()
      await listSdk(input.places, stored)
      return follows ? followSdk(input.places, query, lastSeq) : 0
    }
    let shown = 0
    for (const event of stored) {
      show(event)
      shown += 1
    }
    if (shown === 0) refuseUnknown()
    if (shown === 0 && !follows && process.stderr.isTTY) note(nothingFor(query))
    return follows ? follow(input.places, query, lastSeq, show) : 0
  },
}

const FORMS = ['text', 'json', 'sdk']

function formOf(input: Input): string {
  const form = stringFlag(input, 'format') ?? (input.flags.json ? 'json' : 'text')
  if (FORMS.includes(form)) return form
  throw new GantryError('USAGE', `--format is one of ${FORMS.join(', ')}, not "${form}".`)
}

const RECONNECT_MS = 500

/** Stays through restarts of the daemon: the sequence tells where to go on. */
async function follow(
  places: Places,
  query: EventQuery,
  last: number,
  show: (event: WireEvent) => void,
): Promise<number> {
  let after = last
  for (;;) {
    try {
      for await (const event of subscribe(places, { ...query, after })) {
        show(event)
        after = event.seq
      }
      note('the daemon went away; waiting for it')
    } catch (error) {
      if (!(error instanceof GantryError) || error.code !== 'DAEMON_AWAY') throw error
    }
    await Bun.sleep(RECONNECT_MS)
  }
}

async function queryOf(input: Input): Promise<EventQuery> {
  const since = stringFlag(input, 'since')
  const named = stringFlag(input, 'session')
  const pick = (name: 'type' | 'agent' | 'subagent' | 'grep') => {
    const value = stringFlag(input, name)
    return value === undefined ? {} : { [name]: value }
  }
  return {
    ...(named === undefined ? {} : { session: await sessionIdOf(input.places, named) }),
    ...pick('type'),
    ...pick('agent'),
    ...pick('subagent'),
    ...pick('grep'),
    ...(since === undefined ? {} : { since: timeOf(since, Date.now()) }),
  }
}

/** For a person: programs see that there is nothing. */
function nothingFor(query: EventQuery): string {
  return Object.keys(query).length === 0 ? 'The journal has no events yet.' : 'No event matches.'
}

function showJson(event: WireEvent): void {
  out(JSON.stringify(event))
}

const MAX_TYPE_COLUMNS = 40 // the longest there is has 25; anybody may send another

function showLine(event: WireEvent): void {
  const time = new Date(event.at).toTimeString().slice(0, 8)
  const session = plain(event.sessionId || '-').slice(0, 8)
  const head = `${time}  ${padTo(plain(event.agent), 8)} ${padTo(session, 8)}  `
  const type = padTo(cut(plain(event.type), MAX_TYPE_COLUMNS), 19)
  const room = columns() - widthOf(head) - widthOf(type) - 1
  out(`${dim(head)}${colourOf(event.type)(type)} ${cut(plain(detailOf(event)), Math.max(10, room))}`)
}

function detailOf(event: WireEvent): string {
  // What gantry raises itself says in words what it is about.
  if (event.agent === OWN_AGENT && typeof event.fields?.message === 'string') return event.fields.message
  if (event.tool)
    return `${event.tool.name}  ${subjectOf(event.tool.input)}${event.tool.error ? `  ${event.tool.error}` : ''}`
  const { prompt, notification, error, message } = event
  // The end of a turn may name its prompt, too: Gemini's AfterAgent, Codex's notify. Its answer is the news.
  if (event.type === 'Stop' && message !== undefined) return message
  if (prompt !== undefined) return prompt
  if (notification) return `${notification.type}  ${notification.message ?? ''}`
  if (error) return `${error.kind}  ${error.message ?? ''}`
  return message ?? event.agentType ?? event.source ?? event.reason ?? event.trigger ?? event.cwd ?? ''
}

export function colourOf(type: string): (text: string) => string {
  if (type === 'PermissionRequest' || type === 'Notification' || type === 'Elicitation') return yellow
  if (type.endsWith('Failure') || type.endsWith('Denied') || type === 'Interrupt') return red
  if (type.startsWith('Session') || type === 'UserPromptSubmit') return (text) => bold(cyan(text))
  if (type.startsWith('Subagent') || type.startsWith('Task')) return magenta
  return type === 'Stop' ? green : (text) => text
}
