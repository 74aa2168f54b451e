/** Where time and money went, from the journal and the usage that was read from transcripts; in a process beside the daemon. */
import type { Insights, LatencyView, ProjectSpent, ToolRow } from '../../client/index.ts'
import { dayOf } from '../../core/time/days.ts'
import { missedReason } from '../../events/index.ts'
import type { EventReader, SessionGlance } from '../../store/index.ts'
import { Samples } from './figures.ts'
import { Follow } from './follow.ts'

interface InsightsTask {
  readonly since: number
  readonly until: number
}

export interface InsightLimits {
  readonly events: number
  readonly ms: number
}

const LIMITS: InsightLimits = { events: 4_000_000, ms: 10_000 }
const PAGE = 5_000 // sequences: each page is a read of its own, so that the write-ahead log can restart
const SHARE = 0.7 // of the time; the rest is for a machine that gets busier
const TRIALS = 4
const MAX_COSTS = 5_000
const MAX_PROJECTS = 200
const MAX_TOOLS = 200
const MAX_MISSED = 100

export function insightsOf(
  reader: EventReader,
  task: InsightsTask,
  limits: Partial<InsightLimits> = {},
): Insights {
  const { since, until } = task
  const { rows } = reader
  const follow = new Follow((seq) => rows.durationOf(seq))
  const { events, left } = read(reader, task, follow, { ...LIMITS, ...limits })
  const known = new Map(rows.sessions(since).map((one) => [one.key, one]))
  const isAll = left?.after === undefined
  follow.end(until, (key) => isAll && (known.get(key)?.phase ?? 'ended') !== 'ended')
  const { working, waiting, idle } = follow.clock.total
  const { waits, arrival, clock } = follow
  return {
    ...{ since, until, firstDay: dayOf(since), lastDay: dayOf(until), events, ...(left ? { left } : {}) },
    sessions: follow.sessions.size,
    time: { workedMs: working, waitedMs: waiting, idleMs: idle },
    days: clock.days(),
    projects: projectsOf(follow, known),
    waits: {
      ...{ count: waits.count, totalMs: waits.total, p50Ms: waits.at(0.5), p95Ms: waits.at(0.95) },
      longest: follow.theLongest().map((wait) => {
        const name = known.get(wait.session)?.name
        return name === undefined ? wait : { ...wait, name }
      }),
    },
    cost: rows.usage(since, until, MAX_COSTS),
    tools: toolsOf(follow),
    hooks: { arrival: latencyOf(arrival), decision: latencyOf(samplesOf(rows.decisionTimes(since, until))) },
    missed: rows
      .missed(since)
      .slice(0, MAX_MISSED)
      .map(({ key, ...counted }) => ({ ...missedReason(key), ...counted })),
    heat: { workedMs: clock.heat.working, waitedMs: clock.heat.waiting },
  }
}

/** Of too many events the oldest are left out; if the time is up nevertheless, the newest. */
function read(
  reader: EventReader,
  { since, until }: InsightsTask,
  follow: Follow,
  limits: InsightLimits,
): Pick<Insights, 'events' | 'left'> {
  const began = performance.now()
  const first = Math.max(reader.seqBefore(since), reader.firstSeq() - 1)
  const last = Math.min(reader.lastSeq(), reader.seqBefore(until))
  const start = Math.max(first, last - Math.min(limits.events, roomFor(reader, last, limits.ms)))
  let seq = start
  let startedAt: number | undefined
  let endedAt = since
  while (seq < last && performance.now() - began < limits.ms) {
    const upTo = Math.min(last, seq + PAGE)
    for (const row of reader.rows.glances(seq, upTo)) {
      follow.take(row)
      startedAt ??= row[2]
      endedAt = row[2]
    }
    seq = upTo
  }
  const events = Math.max(0, seq - start)
  const missing = Math.max(0, last - first) - events
  if (missing === 0) return { events }
  return {
    events,
    left: {
      events: missing,
      ...(start > first && startedAt !== undefined ? { before: startedAt } : {}),
      ...(seq < last ? { after: endedAt } : {}),
    },
  }
}

/** How many events fit into the time on this machine, as busy as it is now: by the newest ones. */
function roomFor(reader: EventReader, last: number, ms: number): number {
  const trial = new Follow(() => undefined)
  let leastMs = Number.POSITIVE_INFINITY // the first pages are slow, because nothing is warm
  for (let page = 0; page < TRIALS; page++) {
    const began = performance.now()
    for (const row of reader.rows.glances(last - (page + 1) * PAGE, last - page * PAGE)) trial.take(row)
    leastMs = Math.min(leastMs, performance.now() - began)
  }
  return Math.max(0, Math.floor((ms * SHARE) / Math.max(leastMs / PAGE, 0.0001)))
}

function projectsOf(follow: Follow, known: ReadonlyMap<string, SessionGlance>): ProjectSpent[] {
  const projects = new Map<string, { -readonly [Key in keyof ProjectSpent]: ProjectSpent[Key] }>()
  for (const [key, { time }] of follow.sessions) {
    const project = known.get(key)?.project ?? ''
    const sum = projects.get(project) ?? { project, sessions: 0, workedMs: 0, waitedMs: 0, idleMs: 0 }
    sum.sessions += 1
    sum.workedMs += time.working
    sum.waitedMs += time.waiting
    sum.idleMs += time.idle
    projects.set(project, sum)
  }
  return [...projects.values()]
    .sort((a, b) => b.workedMs + b.waitedMs - a.workedMs - a.waitedMs)
    .slice(0, MAX_PROJECTS)
}

function toolsOf({ tools }: Follow): ToolRow[] {
  return [...tools.values()]
    .sort((a, b) => b.calls - a.calls)
    .slice(0, MAX_TOOLS)
    .map(({ took, ...counts }) => ({
      ...counts,
      p50Ms: took.at(0.5),
      p95Ms: took.at(0.95),
      totalMs: took.total,
    }))
}

function samplesOf(values: readonly number[]): Samples {
  const samples = new Samples()
  for (const value of values) if (value >= 0) samples.add(value)
  return samples
}

function latencyOf(samples: Samples): LatencyView {
  return {
    count: samples.count,
    p50Ms: samples.at(0.5),
    p99Ms: samples.at(0.99),
    maxMs: samples.count === 0 ? null : samples.max,
  }
}
