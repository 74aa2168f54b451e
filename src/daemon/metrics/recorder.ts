/**
 * What the daemon counts for `/metrics` while it works: how long answers take, events, decisions. On the hook path this is a
 * few additions on numbers; texts are made when somebody asks. Labels are bounded: a name that gantry does not know counts
 * as "other", because a hostile hook could invent one for each event.
 */
import { AGENT_NAMES } from '../../agents/facts.ts'
import { type HookEvent, OWN_AGENT, type Verdict } from '../../events/index.ts'
import { STORED_TYPES } from '../../events/names.ts'
import { isAsked } from '../../ingest/replies.ts'

/** Upper bounds in milliseconds: a hook takes one or two; a person may take minutes. */
export const BOUNDS_MS: readonly number[] = [
  0.25, 0.5, 1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 60_000, 300_000,
]
export const OTHER = 'other'

const AGENTS: ReadonlySet<string> = new Set([...AGENT_NAMES, OWN_AGENT])
const TYPES: ReadonlySet<string> = new Set(STORED_TYPES)

export class Histogram {
  /** One more than bounds: the last has what is above them all. */
  readonly counts = new Float64Array(BOUNDS_MS.length + 1)
  sumMs = 0

  add(ms: number): void {
    let at = 0
    while (at < BOUNDS_MS.length && ms > (BOUNDS_MS[at] ?? 0)) at++
    this.counts[at] = (this.counts[at] ?? 0) + 1
    this.sumMs += ms
  }
}

export type Counts = Map<string, Map<string, number>>

export class MetricsRecorder {
  /** From a hook's receipt to its answer. */
  readonly atOnce = new Histogram()
  /** The same, where a handler or a person was asked. */
  readonly asked = new Histogram()
  /** By agent and type. */
  readonly events: Counts = new Map()
  /** By agent and decision. */
  readonly decisions: Counts = new Map()

  /** Right after each answer. */
  took(event: HookEvent, verdict: Verdict, ms: number, wasAsked: boolean): void {
    if (!isAsked(event)) return
    const times = wasAsked ? this.asked : this.atOnce
    times.add(ms)
    if (verdict.decision !== 'none') count(this.decisions, agentOf(event), verdict.decision)
  }

  /** After each commit, once the answers have left. */
  committed(events: readonly HookEvent[]): void {
    for (const event of events) count(this.events, agentOf(event), TYPES.has(event.type) ? event.type : OTHER)
  }
}

export function agentOf({ agent }: { readonly agent: string }): string {
  return AGENTS.has(agent) ? agent : OTHER
}

function count(counts: Counts, agent: string, what: string): void {
  let own = counts.get(agent)
  if (!own) {
    own = new Map()
    counts.set(agent, own)
  }
  own.set(what, (own.get(what) ?? 0) + 1)
}
