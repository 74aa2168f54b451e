/** Finds what was said and done, in all sessions of all agents. */

import { type CallArgs, call, type SearchAnswer, type SearchHit, timeOf } from '../client/index.ts'
import { GantryError } from '../core/errors.ts'
import { counted } from '../core/text.ts'
import { type Command, countFlag, type Input, stringFlag } from './command.ts'
import { bold, columns, cut, dim, out, padTo, plain, yellow } from './terminal.ts'

const DAY_MS = 86_400_000
const MAX_NAME_CHARS = 16
const MAX_HITS = 200 // these two are the daemon's own limits
const MAX_CHARS = 1_000

export const search: Command = {
  name: 'search',
  summary: 'Find prompts, answers, commands and paths by their words',
  usage: '<text> [--session s] [--agent a] [--type T] [--since when] [--best] [--json]',
  takes: Infinity,
  options: {
    session: {
      type: 'string',
      value: 'id',
      help: 'Only in this session, by id, the beginning of one, or name',
    },
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
    { line: 'gantry search deploy > found || echo none', does: 'Exit 1 when nothing is found' },
    { line: 'gantry search migration --session keen-yak --best', does: 'In one session, the best first' },
  ],
  async run(input) {
    const answer = await call(input.places, 'search', queryOf(input))
    if (input.flags.json) out(JSON.stringify(answer, null, 2))
    else show(answer)
    return answer.hits.length > 0 ? 0 : 1
  },
}

function queryOf(input: Input): CallArgs<'search'> {
  const text = input.args.join(' ').trim()
  if (text === '') throw new GantryError('USAGE', 'Say what to look for. See: gantry search --help')
  if (text.length > MAX_CHARS)
    throw new GantryError(
      'USAGE',
      `A question has at most ${MAX_CHARS} characters; this one has ${text.length}.`,
    )
  if (input.flags.best && input.flags.newest)
    throw new GantryError('USAGE', 'Say one of --newest and --best. See: gantry search --help')
  const since = stringFlag(input, 'since')
  const pick = (name: 'session' | 'agent' | 'type') => {
    const value = stringFlag(input, name)
    return value === undefined ? {} : { [name]: value }
  }
  return {
    text,
    ...pick('session'),
    ...pick('agent'),
    ...pick('type'),
    ...(since === undefined ? {} : { since: timeOf(since, Date.now()) }),
    order: input.flags.best ? 'best' : 'newest',
    limit: countFlag(input, 'limit', 20, MAX_HITS),
  }
}

function show({ hits, more, behind }: SearchAnswer): void {
  const names = Math.min(MAX_NAME_CHARS, Math.max(0, ...hits.map((hit) => nameOf(hit).length)))
  for (const hit of hits) out(lineOf(hit, names))
  if (hits.length === 0) out(dim('nothing found'))
  if (more) out(dim(`… there are more; raise --limit to see them`))
  if (behind > 0) out(dim(`… ${counted(behind, 'newer event')} not searched yet`))
}

function lineOf(hit: SearchHit, names: number): string {
  const head = `${timeOfDay(hit.at)}  ${padTo(cut(plain(hit.agent), 8), 8)} ${padTo(cut(nameOf(hit), names), names)}  `
  const kind = hit.kind.padEnd(8)
  const room = Math.max(20, columns() - head.length - kind.length - 1)
  return `${dim(head)}${kind} ${marked(hit, room)}`
}

/** Cut before it is coloured, since colours take no room; piece by piece, since what is left out moves the matches. */
function marked({ snippet, matches }: SearchHit, room: number): string {
  const edges = [0, ...matches.flat(), snippet.length]
  const pieces = edges.slice(1).map((end, i) => plain(snippet.slice(edges[i], end)))
  const shown = cut(pieces.join(''), room)
  let at = 0
  const parts = pieces.map((piece, i) => {
    const part = shown.slice(at, at + piece.length)
    at += piece.length
    return i % 2 === 1 && part !== '' ? bold(yellow(part)) : part
  })
  return parts.join('')
}

function nameOf({ name, session }: SearchHit): string {
  return plain(name ?? (session.slice(0, 8) || '-'))
}

function timeOfDay(at: number): string {
  const time = new Date(at)
  if (Date.now() - at < DAY_MS / 2) return time.toTimeString().slice(0, 8)
  const day = (part: number) => String(part).padStart(2, '0')
  return `${time.getFullYear()}-${day(time.getMonth() + 1)}-${day(time.getDate())}`.slice(2)
}
