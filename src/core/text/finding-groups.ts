/** Findings as people read them: grouped by kind, as a flood of odd payloads must not hide others. */
import { age } from './amount.ts'
import { times } from './text.ts'

/** A line of `gantry doctor`, as far as its grouping goes. */
interface Finding {
  readonly level: string
  readonly about: string
  readonly kind?: string
  readonly seen?: { readonly count: number; readonly firstAt: number; readonly lastAt: number }
}

const FOLD_FROM = 4 // up to three can be read one by one

export interface FindingGroup<Line extends Finding> {
  /** The finding that was seen most often, then last. */
  readonly example: Line
  readonly all: readonly Line[]
}

/** Ordered by their first findings. */
export function groupFindings<Line extends Finding>(findings: readonly Line[]): FindingGroup<Line>[] {
  const kinds = new Map<string, Line[]>()
  for (const [i, finding] of findings.entries()) {
    const { level, about, kind } = finding
    const key = kind === undefined ? String(i) : `${level}\n${about}\n${kind}`
    kinds.set(key, [...(kinds.get(key) ?? []), finding])
  }
  return [...kinds.values()].flatMap((all) => {
    const groups = all.length < FOLD_FROM ? all.map((one) => [one]) : [all]
    return groups.map((one) => ({ example: exampleOf(one), all: one }))
  })
}

/** `536 of these, seen 9,812 times, first 2d ago, last 5m ago; one of them:` */
export function groupHead({ all }: FindingGroup<Finding>, now: number): string {
  const seen = all.flatMap((one) => one.seen ?? [])
  if (seen.length === 0) return `${all.length.toLocaleString('en')} of these; one of them:`
  const count = seen.reduce((sum, one) => sum + one.count, 0)
  const first = age(now - Math.min(...seen.map(({ firstAt }) => firstAt)))
  const last = age(now - Math.max(...seen.map(({ lastAt }) => lastAt)))
  return `${all.length.toLocaleString('en')} of these, seen ${times(count)}, first ${first} ago, last ${last} ago; one of them:`
}

function exampleOf<Line extends Finding>(all: readonly Line[]): Line {
  const rank = ({ seen }: Finding) => [seen?.count ?? 0, seen?.lastAt ?? 0] as const
  return all.reduce((best, one) => {
    const [count, lastAt] = rank(one)
    const [most, latest] = rank(best)
    return count > most || (count === most && lastAt > latest) ? one : best
  })
}
