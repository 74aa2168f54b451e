/** Past events through a draft: what each rule and guard would have said, to whom and where, beside what was answered. */
import { inputLine } from '../../core/text/input-line.ts'
import { type HookEvent, OWN_AGENT, type Verdict } from '../../events/index.ts'
import { isAsked, WAITING_TRANSPORTS, withNamedType } from '../../ingest/index.ts'
import { parseRow } from '../../journal/index.ts'
import type { Answered, Effect, EffectCounts, RehearsalReport, RuleEffects } from '../../rpc/index.ts'
import { bySize, MAX_SAMPLES } from '../../rpc/rehearsal-report.ts'
import type { EventReader } from '../../store/index.ts'
import type { Draft, Judged } from './draft.ts'

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
): Promise<RehearsalReport> {
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
    const filter = { after, before, transports: WAITING_TRANSPORTS, except: OWN_AGENT, ...which }
    for (const row of reader.oldest(filter, PAGE)) {
      const event = withNamedType(parseRow(row))
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

const LINE_CHARS = 300

class Tally {
  readonly #draft: Draft
  readonly #rules = new Map<string, RuleEffects>()
  readonly #agents: Record<string, EffectCounts> = {}
  readonly #projects: Record<string, EffectCounts> = {}
  readonly #total: EffectCounts = {}
  readonly #unknown: Record<string, number> = {}
  #judged = 0

  constructor(draft: Draft) {
    this.#draft = draft
    for (const { id } of draft.rules) this.#effectsOf(id)
  }

  add(event: HookEvent, { verdict, matched, unknown }: Judged, then: Answered | undefined): void {
    this.#judged += 1
    if (unknown !== undefined) {
      this.#unknown[unknown] = (this.#unknown[unknown] ?? 0) + 1
      return
    }
    const effects = effectsIn(verdict, matched)
    if (effects.length === 0) return
    const { agent } = event
    const project = (event.cwd && this.#draft.rootOf(event.cwd)) ?? event.cwd ?? ''
    const places = [this.#total, countsOf(this.#agents, agent), countsOf(this.#projects, project)]
    for (const effect of new Set(effects.map(([, effect]) => effect)))
      for (const counts of places) counts[effect] = (counts[effect] ?? 0) + 1
    for (const [id, effect] of effects) {
      const one = this.#effectsOf(id)
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

  report(): Omit<RehearsalReport, 'since' | 'events' | 'tookMs'> {
    return {
      judged: this.#judged,
      total: this.#total,
      rules: bySize([...this.#rules.values()]),
      agents: this.#agents,
      projects: this.#projects,
      unknown: this.#unknown,
    }
  }

  #effectsOf(id: string): RuleEffects {
    let effects = this.#rules.get(id)
    if (!effects) {
      effects = { id, counts: {}, differs: 0, byOthers: 0, agents: {}, projects: {}, samples: [] }
      this.#rules.set(id, effects)
    }
    return effects
  }
}

function countsOf(all: Record<string, EffectCounts>, key: string): EffectCounts {
  const counts = all[key] ?? {}
  all[key] = counts
  return counts
}

/** Who did what: one decides, several may have changed the input or added context. */
function effectsIn(verdict: Verdict, matched: Judged['matched']): [id: string, effect: Effect][] {
  const effects: [string, Effect][] = []
  if (verdict.decision !== 'none') effects.push([verdict.by ?? '', verdict.decision])
  for (const { id, text, context } of matched) {
    if (text.input !== undefined && verdict.input !== undefined) effects.push([id, 'change'])
    if (context.length > 0 || text.systemMessage !== undefined) effects.push([id, 'context'])
  }
  return effects
}

function lineOf({ tool, prompt, type }: HookEvent): string {
  return (tool ? inputLine(tool.input) : (prompt ?? type)).slice(0, LINE_CHARS)
}
