/** Searches all sessions of all agents. */
import { call, type SearchAnswer, type SearchHit } from '../../client/index.ts'
import { counted } from '../../core/text/text.ts'
import { DAY_MS } from '../../core/time/days.ts'
import type { Input } from '../framework/define.ts'
import { bold, clock, columns, cut, dim, out, outJson, padTo, plain, yellow } from '../framework/terminal.ts'
import { usageError } from '../framework/usage.ts'
import type * as commands from './index.ts'

const MAX_NAME_CHARS = 16
const MAX_CHARS = 1_000 // the daemon's own limit

export async function run({ args: { text }, flags, places }: Input<typeof commands.search>): Promise<number> {
  if (text.length > MAX_CHARS)
    throw usageError(`A question has at most ${MAX_CHARS} characters; this one has ${text.length}.`)
  const { session, agent, type, since, best, limit, json } = flags
  const order = best ? 'best' : 'newest'
  const answer = await call(places, 'search', { text, session, agent, type, since, order, limit })
  if (json) outJson(answer)
  else show(answer)
  return answer.hits.length > 0 ? 0 : 1
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

/** Cuts before colouring, since colours have no width; piece by piece, since cleaning moves the matches. */
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
  if (Date.now() - at < DAY_MS / 2) return clock(at)
  return new Date(at).toLocaleDateString('sv').slice(2)
}
