/** Reports of a rehearsal: halves and parts of one put together, and what rules did in words. Pure; the page has it, too. */
import type { Effect, EffectCounts, RehearsalReport, RehearsalSample, RuleEffects } from './calls/rules.ts'

export const MAX_SAMPLES = 3 // of each rule

/** Two halves, or a part and the next, of one rehearsal. */
export function bothOf(one: RehearsalReport, other: RehearsalReport): RehearsalReport {
  const rules = Map.groupBy([...one.rules, ...other.rules], ({ id }) => id)
  return {
    ...one,
    judged: one.judged + other.judged,
    total: added(one.total, other.total),
    rules: bySize([...rules.values()].map((same) => same.reduce(effectsOfBoth))),
    agents: addedEach(one.agents, other.agents),
    projects: addedEach(one.projects, other.projects),
    unknown: added(one.unknown, other.unknown),
    tookMs: Math.max(one.tookMs, other.tookMs),
  }
}

function effectsOfBoth(one: RuleEffects, other: RuleEffects): RuleEffects {
  const samples = [...one.samples, ...other.samples].sort((a, b) => b.at - a.at)
  const isFirst = ({ line }: RehearsalSample, at: number) =>
    samples.findIndex((sample) => sample.line === line) === at
  return {
    id: one.id,
    counts: added(one.counts, other.counts),
    differs: one.differs + other.differs,
    byOthers: one.byOthers + other.byOthers,
    agents: added(one.agents, other.agents),
    projects: added(one.projects, other.projects),
    samples: samples.filter(isFirst).slice(0, MAX_SAMPLES),
  }
}

function added<T extends Readonly<Record<string, number>>>(one: T, other: T): T {
  const sum: Record<string, number> = { ...one }
  for (const [key, count] of Object.entries(other)) sum[key] = (sum[key] ?? 0) + count
  return sum as T
}

function addedEach(
  one: RehearsalReport['agents'],
  other: RehearsalReport['agents'],
): Record<string, EffectCounts> {
  const all = { ...one }
  for (const [key, counts] of Object.entries(other)) all[key] = added(all[key] ?? {}, counts)
  return all
}

/** Rules that did most come first. */
export function bySize(rules: readonly RuleEffects[]): RuleEffects[] {
  const sum = ({ counts }: RuleEffects) => Object.values(counts).reduce((all, count) => all + count, 0)
  return [...rules].sort((a, b) => sum(b) - sum(a) || (a.id < b.id ? -1 : 1))
}

const WORDS: Readonly<Record<Effect, string>> = {
  deny: 'denied',
  ask: 'asked',
  allow: 'allowed',
  'block-stop': 'kept going',
  change: 'changed',
  context: 'given context',
}

/** `3 denied, 1 asked`, or `nothing`. */
export function countWords(counts: EffectCounts): string {
  const parts = (Object.keys(WORDS) as Effect[]).flatMap((effect) => {
    const count = counts[effect] ?? 0
    return count === 0 ? [] : [`${count.toLocaleString('en')} ${WORDS[effect]}`]
  })
  return parts.join(', ') || 'nothing'
}
