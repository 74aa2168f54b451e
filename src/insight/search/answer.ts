/** Answers a query: the index says which events match, the journal has their content. */
import { GantryError } from '../../core/errors.ts'
import { parseRow } from '../../journal/index.ts'
import type { SearchAnswer, SearchHit, SearchQuery } from '../../rpc/index.ts'
import type { EventReader, SearchIndex } from '../../store/index.ts'
import { factToken, piecesOf, type Question, questionOf, sessionOf, snippetOf } from './index.ts'

export function answer(
  query: SearchQuery,
  journal: EventReader,
  index: SearchIndex,
): Omit<SearchAnswer, 'behind'> {
  const question = questionOf(query.text)
  if (question.terms.length === 0) {
    throw new GantryError(
      'VALIDATION_ERROR',
      'The query contains no word to search for. Try: gantry search "exit code"',
    )
  }
  const { order, limit, since } = query
  const after = Math.max(journal.firstSeq() - 1, since === undefined ? 0 : journal.seqBefore(since))
  const found = index.find(matchOf(question, query), { order, limit: limit + 1, after })
  const hits = found.slice(0, limit).flatMap((seq) => hitOf(seq, question, query, journal))
  return { hits, more: found.length > limit }
}

function matchOf({ match }: Question, { agent, type, session, sessions }: SearchQuery): string {
  const facts = Object.entries({ agent, type, session }).flatMap(([what, value]) =>
    value === undefined ? [] : [` AND facts : "${factToken(what as 'agent' | 'type' | 'session', value)}"`],
  )
  const any = sessions?.map((id) => `"${factToken('session', id)}"`).join(' OR ')
  return match + facts.join('') + (any === undefined ? '' : ` AND facts : (${any})`)
}

/** Empty if retention deleted the event, or if the match was an artefact of the index. */
function hitOf(seq: number, question: Question, query: SearchQuery, journal: EventReader): SearchHit[] {
  const row = journal.row(seq)
  if (!row) return []
  const event = parseRow(row)
  const { agent, sessionId: session } = sessionOf(event)
  const isWanted =
    isAsked(query.session, session) &&
    (query.sessions?.includes(session) ?? true) &&
    isAsked(query.type, event.type) &&
    isAsked(query.agent, agent)
  if (!isWanted) return []
  const { kind, text, matches } = snippetOf(piecesOf(event), question)
  return [
    {
      seq,
      id: event.id,
      at: event.at,
      agent,
      session,
      type: event.type,
      ...(event.tool === undefined ? {} : { tool: event.tool.name }),
      kind,
      snippet: text,
      matches,
    },
  ]
}

function isAsked(wanted: string | undefined, value: string): boolean {
  return wanted === undefined || wanted.toLowerCase() === value.toLowerCase()
}
