/**
 * Which part of the fleet is shown. Filters stand in the address, so that a reload keeps them and a link shares them; folds and
 * the selection are this browser's. All of it outlives a look at another view.
 *
 *   /?show=all&agent=codex&q=release
 */
import { useEffect, useMemo, useRef, useState } from 'react'
import { FILTERS, type Filter } from '../../sessions/state/tree.ts'
import { go, useQuery } from '../router.ts'

interface FleetFilters {
  readonly filter: Filter
  readonly agent: string | undefined
  readonly search: string
}

interface ListState {
  readonly folded: ReadonlySet<string>
  /** Id of a row. */
  readonly selected: string | undefined
  /** Id of the row whose details are shown. */
  readonly opened: string | undefined
}

export interface FleetChoice extends FleetFilters, ListState {}

let kept: { readonly place: ListState; readonly query: string } = {
  place: { folded: new Set(), selected: undefined, opened: undefined },
  query: '',
}

export type Choose = (change: Partial<FleetChoice> | ((now: FleetChoice) => Partial<FleetChoice>)) => void

export function useChoice(): [FleetChoice, Choose] {
  const query = useQuery().toString()
  const [place, setPlace] = useState(kept.place)
  const filters = useMemo(() => filtersIn(new URLSearchParams(query)), [query])
  const choice = useMemo(() => ({ ...filters, ...place }), [filters, place])
  const now = useRef(choice)
  now.current = choice
  // The way back from another view has no filters in its address.
  useEffect(() => {
    if (location.search === '' && kept.query !== '') go(`/?${kept.query}`, 'replace')
  }, [])
  useEffect(() => {
    kept = { place, query }
  }, [place, query])
  const [choose] = useState<Choose>(() => (change: Parameters<Choose>[0]) => {
    const next = { ...now.current, ...(typeof change === 'function' ? change(now.current) : change) }
    now.current = next
    const { folded, selected, opened } = next
    setPlace({ folded, selected, opened })
    const to = queryOf(next)
    if (location.pathname === '/') go(to === '' ? '/' : `/?${to}`, 'replace')
  })
  return [choice, choose]
}

function filtersIn(query: URLSearchParams): FleetFilters {
  const show = query.get('show')
  return {
    filter: FILTERS.find((one) => one === show) ?? 'live',
    agent: query.get('agent') || undefined,
    search: query.get('q') ?? '',
  }
}

function queryOf({ filter, agent, search }: FleetFilters): string {
  const query = new URLSearchParams()
  if (filter !== 'live') query.set('show', filter)
  if (agent !== undefined) query.set('agent', agent)
  if (search !== '') query.set('q', search)
  return query.toString()
}

export function withFold(folded: ReadonlySet<string>, id: string, fold: boolean): ReadonlySet<string> {
  const next = new Set(folded)
  if (fold) next.add(id)
  else next.delete(id)
  return next
}
