/** Past events through a draft: what each rule and guard would have said, to whom and where, beside what was answered. */
import { inputLine } from '../../core/text/input-line.ts'
import { type HookEvent, OWN_AGENT, type Verdict } from '../../events/index.ts'
import { asNamed, isAsked, WAITS } from '../../ingest/index.ts'
import { parseRow } from '../../journal/index.ts'
import type { Answered, Counts, Deeds, Effect, Report, Sample } from '../../rpc/index.ts'
import type { EventReader } from '../../store/index.ts'
import type { Draft, Judged } from './draft.ts'

export type { Counts, Deeds, Report }

interface ReplayOptions {
  readonly since: number
  /** Goes on behind this event. */
  readonly after?: number
  /** Ends after about this time, with a page; `stopped` tells where. */
  readonly forMs?: number
  readonly stopped?: (part: { first: number; last: number; next?: number }) => void
  /** Only this half of the sessions: what rules and guards remember belongs to a session. */
  readonly half?: 0 | 1
  readonly progress?: (done: number, total: number) => void
  /** Told of each event that was judged. */
  readonly each?: (event: HookEvent, judged: Judged, then: Answered | undefined) => Promise<void> | void
}

/** In pages, each a separate query: a long read would keep the log from restarting. */
const PAGE = 10_000

export async function replay(
  reader: EventReader,
  draft: Draft,
  { since, half, progress, each, ...part }: ReplayOptions,
): Promise<Report> {
  const began = performance.now()
  const first = Math.max(reader.seqBefore(since), reader.firstSeq() - 1)
  const last = reader.lastSeq()
  const { forMs = Number.POSITIVE_INFINITY } = part
  const start = Math.max(first, part.after ?? 0)
  let next: number | undefined
  const answers = answersSince(reader, since)
  const tally = new Tally(draft)
  const { types } = draft
  const isMute = types?.length === 1 // neither rules nor guards
  for (let after = start; after < last && !isMute; after += PAGE) {
    if (after > start && performance.now() - began > forMs) {
      next = after
      break
    }
    const before = Math.min(after + PAGE, last) + 1
    const which = { ...(types ? { types } : {}), ...(half === undefined ? {} : { half }) }
    const filter = { after, before, transports: WAITS, except: OWN_AGENT, ...which }
    for (const row of reader.oldest(filter, PAGE)) {
      const event = asNamed(parseRow(row))
      if (!isAsked(event)) continue
      const looking = draft.look(event)
      if (looking) await looking
      const judged = draft.judge(event)
      const then = answers.get(event.id)
      tally.add(event, judged, then)
      if (each) await each(event, judged, then)
    }
    progress?.(before - 1 - first, last - first)
  }
  part.stopped?.({ first, last, ...(next === undefined ? {} : { next }) })
  return { since, events: last - first, ...tally.report(), tookMs: performance.now() - began }
}

/** Both halves of one replay. */
export function bothOf(one: Report, other: Report): Report {
  const rules = Map.groupBy([...one.rules, ...other.rules], ({ id }) => id)
  return {
    ...one,
    judged: one.judged + other.judged,
    total: added(one.total, other.total),
    rules: bySize([...rules.values()].map((same) => same.reduce(deedsOfBoth))),
    agents: addedEach(one.agents, other.agents),
    projects: addedEach(one.projects, other.projects),
    unknown: added(one.unknown, other.unknown),
    tookMs: Math.max(one.tookMs, other.tookMs),
  }
}

function deedsOfBoth(one: Deeds, other: Deeds): Deeds {
  const samples = [...one.samples, ...other.samples].sort((a, b) => b.at - a.at)
  const isFirst = ({ line }: Sample, at: number) => samples.findIndex((sample) => sample.line === line) === at
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

function addedEach(one: Report['agents'], other: Report['agents']): Record<string, Counts> {
  const all = { ...one }
  for (const [key, counts] of Object.entries(other)) all[key] = added(all[key] ?? {}, counts)
  return all
}

function bySize(rules: readonly Deeds[]): Deeds[] {
  const sum = ({ counts }: Deeds) => Object.values(counts).reduce((all, count) => all + count, 0)
  return [...rules].sort((a, b) => sum(b) - sum(a) || (a.id < b.id ? -1 : 1))
}

const DECISIONS: ReadonlySet<string> = new Set(['none', 'allow', 'deny', 'ask', 'block-stop'])

function answersSince(reader: EventReader, since: number): Map<string, Answered> {
  const found = new Map<string, Answered>()
  for (const { id, type, data } of reader.said(since))
    if (DECISIONS.has(type)) found.set(id, { decision: type, ...answerIn(data) })
  return found
}

function answerIn(data: string): Omit<Answered, 'decision'> {
  const { by, input } = JSON.parse(data) as { by?: unknown; input?: unknown }
  return { ...(typeof by === 'string' ? { by } : {}), ...(input === undefined ? {} : { isChange: true }) }
}

const MAX_SAMPLES = 3
const LINE_CHARS = 300

class Tally {
  readonly #draft: Draft
  readonly #rules = new Map<string, Deeds>()
  readonly #agents: Record<string, Counts> = {}
  readonly #projects: Record<string, Counts> = {}
  readonly #total: Counts = {}
  readonly #unknown: Record<string, number> = {}
  #judged = 0

  constructor(draft: Draft) {
    this.#draft = draft
    for (const { id } of draft.rules) this.#deedsOf(id)
  }

  add(event: HookEvent, { verdict, matched, unknown }: Judged, then: Answered | undefined): void {
    this.#judged += 1
    if (unknown !== undefined) {
      this.#unknown[unknown] = (this.#unknown[unknown] ?? 0) + 1
      return
    }
    const deeds = deedsIn(verdict, matched)
    if (deeds.length === 0) return
    const { agent } = event
    const project = (event.cwd && this.#draft.rootOf(event.cwd)) ?? event.cwd ?? ''
    const places = [this.#total, countsOf(this.#agents, agent), countsOf(this.#projects, project)]
    for (const effect of new Set(deeds.map(([, effect]) => effect)))
      for (const counts of places) counts[effect] = (counts[effect] ?? 0) + 1
    for (const [id, effect] of deeds) {
      const one = this.#deedsOf(id)
      one.counts[effect] = (one.counts[effect] ?? 0) + 1
      one.agents[agent] = (one.agents[agent] ?? 0) + 1
      one.projects[project] = (one.projects[project] ?? 0) + 1
      if ((then?.decision ?? 'none') !== verdict.decision) one.differs += 1
      else if (verdict.decision !== 'none' && then?.by !== verdict.by) one.byOthers += 1
      const line = lineOf(event)
      const at = one.samples.findIndex((sample) => sample.line === line)
      if (at >= 0) one.samples.splice(at, 1)
      one.samples.unshift({
        id: event.id,
        at: event.at,
        agent,
        project,
        line,
        effect,
        answered: then ?? null,
      })
      one.samples.length = Math.min(one.samples.length, MAX_SAMPLES)
    }
  }

  report(): Omit<Report, 'since' | 'events' | 'tookMs'> {
    return {
      judged: this.#judged,
      total: this.#total,
      rules: bySize([...this.#rules.values()]),
      agents: this.#agents,
      projects: this.#projects,
      unknown: this.#unknown,
    }
  }

  #deedsOf(id: string): Deeds {
    let deeds = this.#rules.get(id)
    if (!deeds) {
      deeds = { id, counts: {}, differs: 0, byOthers: 0, agents: {}, projects: {}, samples: [] }
      this.#rules.set(id, deeds)
    }
    return deeds
  }
}

function countsOf(all: Record<string, Counts>, key: string): Counts {
  const counts = all[key] ?? {}
  all[key] = counts
  return counts
}

/** Who did what: one decides, several may have changed the input or added context. */
function deedsIn(verdict: Verdict, matched: Judged['matched']): [id: string, effect: Effect][] {
  const deeds: [string, Effect][] = []
  if (verdict.decision !== 'none') deeds.push([verdict.by ?? '', verdict.decision])
  for (const { id, text, context } of matched) {
    if (text.input !== undefined && verdict.input !== undefined) deeds.push([id, 'change'])
    if (context.length > 0 || text.systemMessage !== undefined) deeds.push([id, 'context'])
  }
  return deeds
}

function lineOf({ tool, prompt, type }: HookEvent): string {
  return (tool ? inputLine(tool.input) : (prompt ?? type)).slice(0, LINE_CHARS)
}
