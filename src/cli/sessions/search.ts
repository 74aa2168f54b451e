/** Searches all sessions of all agents. */
import { call, type SearchAnswer, type SearchHit } from '../../client/index.ts'
import { counted } from '../../core/text/text.ts'
import type { Input } from '../framework/define.ts'
import {
  bold,
  columns,
  cut,
  dated,
  dim,
  out,
  outJson,
  padTo,
  paragraph,
  plain,
  yellow,
} from '../framework/terminal.ts'
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
  else if (answer.hits.length > 0) show(answer)
  else await showNothing(answer, text)
  return answer.hits.length > 0 ? 0 : 1
}

/** Every word is looked for, also what other tools read as an operator: it says what was, and what finds more. */
async function showNothing({ behind }: SearchAnswer, text: string): Promise<void> {
  const { questionOf } = await import('../../insight/search/index.ts')
  const { terms } = questionOf(text)
  const said = terms.map(({ words, open }) => `"${words.join(' ')}${open ? '*' : ''}"`)
  out(`nothing found with ${said.length > 1 ? 'all of ' : ''}${said.join(', ')}`)
  const last = terms.at(-1)?.words.at(-1) ?? ''
  if (last.length > 1 && !terms.some(({ open }) => open))
    out(paragraph('', `Words are found whole. Those that begin so: gantry search '${last}*'`, dim))
  sayBehind(behind)
}

function show({ hits, more, behind }: SearchAnswer): void {
  const names = Math.min(MAX_NAME_CHARS, Math.max(0, ...hits.map((hit) => nameOf(hit).length)))
  const times = Math.max(0, ...hits.map(({ at }) => dated(at, false).length))
  for (const hit of hits) out(lineOf(hit, names, times))
  if (more) out(dim(`… there are more; raise --limit to see them`))
  sayBehind(behind)
}

function sayBehind(behind: number): void {
  if (behind > 0) out(dim(`… ${counted(behind, 'newer event')} not searched yet`))
}

function lineOf(hit: SearchHit, names: number, times: number): string {
  const head = `${dated(hit.at, false).padStart(times)}  ${padTo(cut(plain(hit.agent), 8), 8)} ${padTo(cut(nameOf(hit), names), names)}  `
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
