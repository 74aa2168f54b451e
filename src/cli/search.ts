/** Finds what was said and done, in all sessions of all agents. */
import { call, type SearchAnswer, type SearchHit, timeOf } from '../client/index.ts'
import { GantryError } from '../errors.ts'
import { type Command, countFlag, type Input, stringFlag } from './command.ts'
import { bold, columns, cut, dim, out, padTo, plain, yellow } from './terminal.ts'

const DAY_MS = 86_400_000
const MAX_NAME_CHARS = 16

export const search: Command = {
  name: 'search',
  summary: 'Find prompts, answers, commands and paths by their words',
  usage: '<text> [--session s] [--agent a] [--type T] [--since when] [--best] [--json]',
  options: {
    session: { type: 'string', value: 'id', help: 'Only in this session, by id or name' },
    agent: { type: 'string', value: 'agent', help: 'Only of this agent, e.g. claude' },
    type: { type: 'string', value: 'type', help: 'Only this type, e.g. UserPromptSubmit' },
    since: { type: 'string', value: 'when', help: 'A time span (90s, 15m, 1h, 7d) or an ISO time' },
    newest: { type: 'boolean', help: 'Newest first (the default)' },
    best: { type: 'boolean', help: 'Best first' },
    limit: { type: 'string', short: 'n', value: 'n', help: 'At most so many (default 20, up to 200)' },
    json: { type: 'boolean', help: 'Print the answer as JSON; "matches" are places in "snippet"' },
  },
  examples: [
    { line: 'gantry search retry upload', does: 'All of these words, newest first' },
    {
      line: `gantry search '"exit code" src/up*'`,
      does: 'Words next to each other, and words that begin so',
    },
    { line: 'gantry search git push --type PreToolUse --since 7d', does: 'Who pushed in the last week' },
    { line: 'gantry search migration --session keen-yak --best', does: 'In one session, the best first' },
  ],
  async run(input) {
    const answer = (await call(input.places, 'search', queryOf(input))) as SearchAnswer
    if (input.flags.json) out(JSON.stringify(answer, null, 2))
    else show(answer)
    return 0
  },
}

function queryOf(input: Input): Record<string, unknown> {
  if (input.args.length === 0)
    throw new GantryError('USAGE', 'Say what to look for. See: gantry search --help')
  if (input.flags.best && input.flags.newest)
    throw new GantryError('USAGE', 'Say one of --newest and --best. See: gantry search --help')
  const since = stringFlag(input, 'since')
  const pick = (name: 'session' | 'agent' | 'type') => {
    const value = stringFlag(input, name)
    return value === undefined ? {} : { [name]: value }
  }
  return {
    text: input.args.join(' '),
    ...pick('session'),
    ...pick('agent'),
    ...pick('type'),
    ...(since === undefined ? {} : { since: timeOf(since, Date.now()) }),
    order: input.flags.best ? 'best' : 'newest',
    limit: countFlag(input, 'limit', 20),
  }
}

function show({ hits, more, behind }: SearchAnswer): void {
  const names = Math.min(MAX_NAME_CHARS, Math.max(0, ...hits.map((hit) => nameOf(hit).length)))
  for (const hit of hits) out(lineOf(hit, names))
  if (hits.length === 0) out(dim('nothing found'))
  if (more) out(dim(`… there are more; raise --limit to see them`))
  if (behind > 0) out(dim(`… ${behind.toLocaleString('en')} newer events are not searched yet`))
}

function lineOf(hit: SearchHit, names: number): string {
  const head = `${timeOfDay(hit.at)}  ${hit.agent.slice(0, 8).padEnd(8)} ${padTo(cut(nameOf(hit), names), names)}  `
  const kind = hit.kind.padEnd(8)
  const room = Math.max(20, columns() - head.length - kind.length - 1)
  return `${dim(head)}${kind} ${marked(hit, room)}`
}

/** Cut first, so that colours take no room. What an agent said may not drive the terminal; its length stays. */
function marked({ snippet, matches }: SearchHit, room: number): string {
  const shown = cut(snippet.replace(CONTROLS, ' '), room)
  let text = ''
  let at = 0
  for (const [start, end] of matches) {
    if (start >= shown.length) break
    text += shown.slice(at, start) + bold(yellow(shown.slice(start, end)))
    at = end
  }
  return text + shown.slice(at)
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this removes
const CONTROLS = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g

function nameOf({ name, session }: SearchHit): string {
  return plain(name ?? (session.slice(0, 8) || '-'))
}

function timeOfDay(at: number): string {
  const time = new Date(at)
  if (Date.now() - at < DAY_MS / 2) return time.toTimeString().slice(0, 8)
  const day = (part: number) => String(part).padStart(2, '0')
  return `${time.getFullYear()}-${day(time.getMonth() + 1)}-${day(time.getDate())}`.slice(2)
}
