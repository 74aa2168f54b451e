/** How the fleet was left: filters, folds and selection outlive a look at another view. */
import { useEffect, useState } from 'react'
import type { Filter } from './tree.ts'

export interface FleetChoice {
  readonly filter: Filter
  readonly agent: string | undefined
  readonly search: string
  readonly folded: ReadonlySet<string>
  /** Id of a row. */
  readonly selected: string | undefined
  /** Id of the row whose details are shown. */
  readonly opened: string | undefined
}

let kept: FleetChoice = {
  filter: 'live',
  agent: undefined,
  search: '',
  folded: new Set(),
  selected: undefined,
  opened: undefined,
}

export type Choose = (change: Partial<FleetChoice> | ((now: FleetChoice) => Partial<FleetChoice>)) => void

export function useChoice(): [FleetChoice, Choose] {
  const [choice, setChoice] = useState(kept)
  useEffect(() => {
    kept = choice
  }, [choice])
  const [choose] = useState<Choose>(
    () => (change: Parameters<Choose>[0]) =>
      setChoice((now) => ({ ...now, ...(typeof change === 'function' ? change(now) : change) })),
  )
  return [choice, choose]
}

export function withFold(folded: ReadonlySet<string>, id: string, fold: boolean): ReadonlySet<string> {
  const next = new Set(folded)
  if (fold) next.add(id)
  else next.delete(id)
  return next
}
