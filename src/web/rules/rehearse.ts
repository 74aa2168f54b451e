/** A rehearsal comes in parts, each a few seconds of work beside the daemon; this puts them together. */
import type { Counts, Deeds, Effect, Rehearsal, Sample } from '../../client/index.ts'
import { call } from '../live/call.ts'

export interface Outcome {
  readonly events: number
  readonly judged: number
  readonly total: Counts
  readonly rules: readonly Deeds[]
  readonly unknown: Readonly<Record<string, number>>
  /** 0 to 1. */
  readonly done: number
}

const MAX_SAMPLES = 3

/** Tells of each part; ends with the last one, with a problem of the draft, or when it is cancelled. */
export async function rehearse(
  text: string,
  since: number,
  signal: AbortSignal,
  tell: (outcome: Outcome) => void,
): Promise<Rehearsal> {
  let outcome: Outcome = { events: 0, judged: 0, total: {}, rules: [], unknown: {}, done: 0 }
  let after: number | undefined
  for (;;) {
    const answer = await call(
      'rules.rehearse',
      { text, since, ...(after === undefined ? {} : { after }) },
      signal,
    )
    if (!answer.part) return answer
    outcome = withPart(outcome, answer.part)
    tell(outcome)
    after = answer.part.next
    if (after === undefined) return answer
  }
}

export function withPart(before: Outcome, part: NonNullable<Rehearsal['part']>): Outcome {
  const { report, first, last, next } = part
  const rules = Map.groupBy([...before.rules, ...report.rules], ({ id }) => id)
  return {
    events: report.events,
    judged: before.judged + report.judged,
    total: added(before.total, report.total),
    rules: [...rules.values()].map((same) => same.reduce(both)),
    unknown: added(before.unknown, report.unknown),
    done: next === undefined || last <= first ? 1 : (next - first) / (last - first),
  }
}

function both(one: Deeds, other: Deeds): Deeds {
  const newest = new Map<string, Sample>()
  for (const sample of [...one.samples, ...other.samples].sort((a, b) => b.at - a.at))
    if (!newest.has(sample.line)) newest.set(sample.line, sample)
  return {
    id: one.id,
    counts: added(one.counts, other.counts),
    differs: one.differs + other.differs,
    byOthers: one.byOthers + other.byOthers,
    agents: added(one.agents, other.agents),
    projects: added(one.projects, other.projects),
    samples: [...newest.values()].slice(0, MAX_SAMPLES),
  }
}

function added<Key extends string>(
  one: Readonly<Partial<Record<Key, number>>>,
  other: Readonly<Partial<Record<Key, number>>>,
): Record<Key, number> {
  const sum: Record<string, number> = { ...(one as Record<string, number>) }
  for (const [key, count] of Object.entries<number | undefined>(other))
    sum[key] = (sum[key] ?? 0) + (count ?? 0)
  return sum as Record<Key, number>
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
export function countWords(counts: Counts): string {
  const parts = (Object.keys(WORDS) as Effect[]).flatMap((effect) => {
    const count = counts[effect] ?? 0
    return count === 0 ? [] : [`${count.toLocaleString('en')} ${WORDS[effect]}`]
  })
  return parts.join(', ') || 'nothing'
}
