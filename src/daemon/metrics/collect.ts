/** What `/metrics` and `gantry metrics` tell: the recorder's counts, and the state of the services now. */
import { countLosses } from '../../client/losses.ts'
import { within } from '../../core/time/waits.ts'
import { VERSION } from '../../core/version.ts'
import { missedReason } from '../../events/missed.ts'
import type { BusConsumer, BusStatus, RpcRegistry, WebhookStatus } from '../../rpc/index.ts'
import { phaseOf } from '../../sessions/state/index.ts'
import type { Services } from '../services.ts'
import { expose, type HistogramMetric, type Metric, type Sample } from './exposition.ts'
import { agentOf, type Counts, OTHER } from './recorder.ts'

const BUS_MS = 2_000 // a NATS server that hangs must not hang a scrape
const MAX_TARGETS = 100 // programs name their consumers

export async function metricsText(services: Services, rpc: RpcRegistry): Promise<string> {
  return expose([...ofDaemon(services), ...ofHooks(services), ...ofSessions(services), ...(await ofBus(rpc))])
}

function ofDaemon({ store, places, startedAt, spool, search, feed, bus }: Services): Metric[] {
  const { user, system } = process.cpuUsage()
  const lastSeq = store.journal.lastSeq
  return [
    gauge('gantry_build_info', 'Always 1; the label has the version', [
      { labels: { version: VERSION }, value: 1 },
    ]),
    gauge('process_start_time_seconds', 'When the daemon started, in seconds since 1970', startedAt / 1000),
    gauge('process_resident_memory_bytes', 'Resident memory of the daemon', process.memoryUsage.rss()),
    counter('process_cpu_seconds_total', 'Processor time of the daemon', (user + system) / 1e6),
    gauge('gantry_journal_events', 'Events in the journal', store.count()),
    gauge('gantry_journal_bytes', 'Size of the database in use', store.usedBytes()),
    gauge('gantry_spool_events', 'Events that hook clients spooled and that wait to be read', spool.waiting),
    counter('gantry_lost_events_total', 'Events that hook clients could store nowhere', countLosses(places)),
    gauge(
      'gantry_search_lag_events',
      'Events that are not in the search index yet',
      Math.max(0, lastSeq - search.at),
    ),
    gauge('gantry_subscribers', 'Readers of events and of the bus', feed.size + bus.size),
  ]
}

function ofHooks({ store, pipeline, metrics }: Services): (Metric | HistogramMetric)[] {
  const kinds = new Map<string, number>()
  const missed = new Map<string, number>()
  for (const { kind, key, count } of store.counters.all()) {
    kinds.set(kind, (kinds.get(kind) ?? 0) + count)
    if (kind !== 'missed') continue
    const reason = missedReason(key).reason.split(':', 1)[0] ?? ''
    missed.set(reason, (missed.get(reason) ?? 0) + count)
  }
  return [
    {
      name: 'gantry_hook_duration_seconds',
      help: 'From the receipt of a hook to its answer; asked="yes" where a handler or a person was asked',
      type: 'histogram',
      of: [
        { labels: { asked: 'no' }, times: metrics.atOnce },
        { labels: { asked: 'yes' }, times: metrics.asked },
      ],
    },
    counter('gantry_hooks_taken_total', 'Events taken in, repeated ones included', pipeline.taken),
    counter(
      'gantry_hooks_unstored_total',
      'Events that could not be stored; their senders kept them',
      pipeline.unstored,
    ),
    gauge('gantry_hooks_held', 'Agents that wait for a handler or a person now', pipeline.held),
    gauge('gantry_fault', '1 while events cannot be stored', pipeline.fault === undefined ? 0 : 1),
    counter(
      'gantry_events_total',
      'Events stored since the start, by agent and type',
      byTwo(metrics.events, 'type'),
    ),
    counter(
      'gantry_decisions_total',
      'Answers with a decision since the start',
      byTwo(metrics.decisions, 'decision'),
    ),
    counter(
      'gantry_decisions_missed_total',
      'Decisions that were not made, or did not reach the agent',
      byOne(missed, 'reason'),
    ),
    counter('gantry_anomalies_total', 'What gantry doctor counts, by kind', byOne(kinds, 'kind')),
  ]
}

function ofSessions({ tracker, metricCosts }: Services): Metric[] {
  const counts: Counts = new Map()
  let needs = 0
  for (const session of tracker.sessions.all()) {
    if (session.endedAt !== undefined) continue
    const agent = agentOf(session)
    const phases = counts.get(agent) ?? new Map<string, number>()
    counts.set(agent, phases)
    const phase = phaseOf(session)
    phases.set(phase, (phases.get(phase) ?? 0) + 1)
    if (phase === 'blocked') needs += 1
  }
  return [
    gauge('gantry_sessions', 'Living sessions by agent and phase', byTwo(counts, 'phase')),
    gauge('gantry_sessions_blocked', 'Living sessions that wait for a person', needs),
    counter(
      'gantry_cost_usd_total',
      'What sessions have cost since the start, as agents say or at list prices',
      byOne(metricCosts.now(), 'agent'),
    ),
  ]
}

/** Through the calls, so that it does not matter where the parts of the bus run. */
async function ofBus(rpc: RpcRegistry): Promise<Metric[]> {
  const ask = async <T>(cmd: string): Promise<T | undefined> => {
    const answer = await within(rpc.call({ cmd }), BUS_MS)
    return answer && 'ok' in answer && answer.ok ? (answer.data as T) : undefined
  }
  const [status, consumers = []] = await Promise.all([
    ask<BusStatus>('bus.status'),
    ask<readonly BusConsumer[]>('bus.consumers'),
  ])
  const { nats } = status ?? {}
  const streams = nats?.mode === 'off' ? [] : (nats?.streams ?? [])
  const webhooks = (status?.webhooks ?? []) as readonly WebhookStatus[]
  const lag = [
    ...streams.map(({ name, backlog }) => target('jetstream', name, backlog)),
    ...webhooks.map(({ name, stream, backlog, waiting }) =>
      target(`webhook:${name}`, stream, backlog + waiting),
    ),
    ...consumers.map(({ name, stream, lag }) => target(`consumer:${name}`, stream, lag)),
  ]
  return [
    gauge('gantry_bus_lag_messages', 'Messages of a stream that a target does not have yet', bounded(lag)),
    gauge(
      'gantry_bus_lag_seconds',
      'Age of the oldest message that NATS does not have yet',
      streams.map(({ name, lagMs }) => ({ labels: { stream: name }, value: lagMs / 1000 })),
    ),
    gauge('gantry_bus_connected', '1 while NATS is connected', nats?.connected ? 1 : 0),
  ]
}

function target(name: string, stream: string, value: number): Sample {
  return { labels: { target: name, stream }, value }
}

function bounded(samples: readonly Sample[]): readonly Sample[] {
  const rest = samples.slice(MAX_TARGETS).reduce((sum, { value }) => sum + value, 0)
  const more = samples.length > MAX_TARGETS ? [target(OTHER, OTHER, rest)] : []
  return [...samples.slice(0, MAX_TARGETS), ...more]
}

function gauge(name: string, help: string, value: number | readonly Sample[]): Metric {
  return { name, help, type: 'gauge', samples: typeof value === 'number' ? [{ value }] : value }
}

function counter(name: string, help: string, value: number | readonly Sample[]): Metric {
  return { ...gauge(name, help, value), type: 'counter' }
}

function byOne(counts: ReadonlyMap<string, number>, label: string): Sample[] {
  return [...counts].map(([name, value]) => ({ labels: { [label]: name }, value }))
}

function byTwo(counts: Counts, label: string): Sample[] {
  return [...counts].flatMap(([agent, own]) =>
    [...own].map(([name, value]) => ({ labels: { agent, [label]: name }, value })),
  )
}
