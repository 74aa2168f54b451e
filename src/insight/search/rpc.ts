/** Search as a call and over HTTP, with the same parameters and answer. */
import { GantryError } from '../../core/errors.ts'
import { issueWords, problemsOf } from '../../core/text/issue-words.ts'
import { keyOf } from '../../events/index.ts'
import { searchSchema } from '../../rpc/calls/index.ts'
import type { CallHandlers, Finding, SearchAnswer, SearchQuery } from '../../rpc/index.ts'
import type { SessionTracker } from '../../sessions/index.ts'
import { findSession } from '../../sessions/rpc.ts'
import type { Store } from '../../store/index.ts'
import { SEARCHED_TYPES } from './index.ts'
import type { Search } from './search.ts'

export interface SearchCallParts {
  readonly search: Pick<Search, 'ask'>
  readonly tracker: SessionTracker
  readonly store: Store
}

export function searchCalls(parts: SearchCallParts) {
  return {
    search: (query) => find(parts, query),
  } satisfies Partial<CallHandlers>
}

/** `GET /search?q=…&session=…&order=best&limit=5` */
export function searchOver(parts: SearchCallParts, url: URL): Promise<SearchAnswer> {
  const given = Object.fromEntries(url.searchParams)
  const { q, since, limit, ...rest } = given
  const asked = {
    ...rest,
    text: q,
    ...(since === undefined ? {} : { since: Number(since) }),
    ...(limit === undefined ? {} : { limit: Number(limit) }),
  }
  const parsed = searchSchema.safeParse(asked, { error: issueWords })
  if (!parsed.success) {
    const problem = problemsOf(parsed.error)
    throw new GantryError('VALIDATION_ERROR', `${problem}. Try: /search?q=retry&order=newest&limit=20`)
  }
  return find(parts, parsed.data)
}

export function searchFindings(problem: string | undefined): Finding[] {
  if (problem === undefined) return []
  const fix =
    'Free disk space. What is searched is made from the journal: search.db may be removed at any time.'
  return [{ level: 'warn', about: 'search', message: `the index is not kept: ${problem}`, fix }]
}

/** Converts session names to ids in the query, and ids to names in the answer. */
async function find(parts: SearchCallParts, query: SearchQuery): Promise<SearchAnswer> {
  const { sessions } = parts.tracker
  const session = query.session === undefined ? undefined : sessionOf(query.session, parts)
  if (query.type !== undefined) checkType(query.type)
  const found = await parts.search.ask({ ...query, ...(session === undefined ? {} : { session }) })
  const hits = found.hits.map((hit) => {
    const name = sessions.get(keyOf({ agent: hit.agent, sessionId: hit.session }))?.name
    return name === undefined ? hit : { ...hit, name }
  })
  return { ...found, hits }
}

/** Also finds a session of which only events are left, by its full id. */
function sessionOf(text: string, parts: SearchCallParts): string {
  const [event] = parts.tracker.sessions.find(text) ? [] : [...parts.store.newest({ session: text }, 1)]
  return event === undefined ? findSession(text, parts).id : text
}

function checkType(type: string): void {
  const types = [...SEARCHED_TYPES]
  if (types.some((one) => one.toLowerCase() === type.toLowerCase())) return
  throw new GantryError(
    'VALIDATION_ERROR',
    `Events of type "${type}" are not searchable. Searchable types: ${types.join(', ')}.`,
  )
}
