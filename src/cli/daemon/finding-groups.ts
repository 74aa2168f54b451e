/** Groups findings of one kind: a flood of odd payloads must not hide other findings. */
import type { Finding } from '../../client/index.ts'
import { times } from '../../core/text/text.ts'

const FOLD_FROM = 4 // up to three can be read one by one

export interface FindingGroup {
  /** The finding that was seen most often, then last. */
  readonly example: Finding
  readonly all: readonly Finding[]
}

/** Ordered by their first findings. */
export function groupFindings(findings: readonly Finding[]): FindingGroup[] {
  const kinds = new Map<string, Finding[]>()
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

/** `536 of these, seen 9,812 times from 2026-01-30T… to 2026-01-31T…; one of them:` */
export function groupHead({ all }: FindingGroup): string {
  const seen = all.flatMap((one) => one.seen ?? [])
  if (seen.length === 0) return `${all.length.toLocaleString('en')} of these; one of them:`
  const count = seen.reduce((sum, one) => sum + one.count, 0)
  const from = new Date(Math.min(...seen.map(({ firstAt }) => firstAt))).toISOString()
  const to = new Date(Math.max(...seen.map(({ lastAt }) => lastAt))).toISOString()
  return `${all.length.toLocaleString('en')} of these, seen ${times(count)} from ${from} to ${to}; one of them:`
}

function exampleOf(all: readonly Finding[]): Finding {
  const rank = ({ seen }: Finding) => [seen?.count ?? 0, seen?.lastAt ?? 0] as const
  return all.reduce((best, one) => {
    const [count, lastAt] = rank(one)
    const [most, latest] = rank(best)
    return count > most || (count === most && lastAt > latest) ? one : best
  })
}
