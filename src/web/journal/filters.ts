/** Which events are shown. The address holds all of it, so that a link shows the same. Pure. */
import type { CallArgs, EventQuery } from '../../client/index.ts'
import type { Line } from './line.ts'

const FILTERS = ['agent', 'type', 'tool', 'session', 'verdict', 'host'] as const
export type Filter = (typeof FILTERS)[number]
export type Filters = Readonly<Partial<Record<Filter, string>>>

export const VERDICTS = ['allow', 'deny', 'ask', 'block-stop', 'none'] as const
type Verdict = (typeof VERDICTS)[number]

export interface Shown {
  readonly filters: Filters
  /** Full-text search. */
  readonly words: string
  /** Id of the opened event. */
  readonly event: string | undefined
  /** A place in the journal: what was selected, without being opened. */
  readonly at: number | undefined
}

export function shownIn(query: URLSearchParams, pathSeq?: string): Shown {
  const filters: Partial<Record<Filter, string>> = {}
  for (const name of FILTERS) {
    const value = query.get(name)
    if (value && (name !== 'verdict' || VERDICTS.includes(value as Verdict))) filters[name] = value
  }
  return {
    filters,
    words: query.get('q') ?? '',
    event: query.get('event') ?? undefined,
    at: seqIn(query.get('at') ?? pathSeq),
  }
}

export function pathOf({ filters, words, event, at }: Partial<Shown>): string {
  const query = new URLSearchParams()
  for (const name of FILTERS) {
    const value = filters?.[name]
    if (value) query.set(name, value)
  }
  if (words) query.set('q', words)
  if (event) query.set('event', event)
  else if (at !== undefined) query.set('at', String(at))
  const text = query.toString()
  return text === '' ? '/journal' : `/journal?${text}`
}

function seqIn(text: string | undefined): number | undefined {
  const seq = Number(text || Number.NaN)
  return Number.isSafeInteger(seq) && seq >= 0 ? seq : undefined
}

export function isFiltered(filters: Filters): boolean {
  return Object.keys(filters).length > 0
}

type PageArgs = CallArgs<'events.page'>

export function pageArgs(filters: Filters): PageArgs {
  return filters as PageArgs // the names are the call's own, and the verdict was checked
}

/** What the live socket can leave out by itself; `passes` does the rest. */
export function tailQuery({ agent, type, session }: Filters): EventQuery {
  return { ...(agent && { agent }), ...(type && { type }), ...(session && { session }) }
}

/**
 * All that a line tells, because the socket may still send what was wanted before. Undefined: it does not tell, so the
 * journal has to be asked.
 */
export function passes({ agent, type, session, tool, verdict }: Filters, line: Line): boolean | undefined {
  if (agent !== undefined && line.agent !== agent) return false
  if (type !== undefined && line.type !== type) return false
  if (session !== undefined && line.session !== session) return false
  if (tool !== undefined && line.tool !== tool) return false
  return verdict === undefined ? true : undefined
}
