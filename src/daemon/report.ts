/** What the daemon says of itself: its status in a line, and what is wrong with it and its rooms. */
import type { Finding, Status } from '../client/protocol.ts'
import { VERSION } from '../version.ts'
import { readerFindings } from './bus-findings.ts'
import { daemonFindings } from './findings.ts'
import { fleetFindings } from './fleet-calls.ts'
import type { HttpEntrance } from './http-entrance.ts'
import type { LiveConfig } from './live-config.ts'
import { natsFindings, natsLine } from './nats.ts'
import { notifyFindings } from './notify.ts'
import type { Rooms } from './rooms.ts'
import { searchFindings } from './search/calls.ts'
import { webhookFindings } from './webhooks.ts'

export interface ReportParts {
  readonly rooms: Rooms
  readonly live: LiveConfig
  readonly http: HttpEntrance
  readonly connections: () => number
  /** What happened at the start. */
  readonly notes: readonly Finding[]
}

export function statusOf({ rooms, live, http, connections }: ReportParts): Status {
  const { places, store, startedAt, pipeline, spool, feed, bus, nats, rules } = rooms
  return {
    version: VERSION,
    pid: process.pid,
    startedAt,
    socket: places.socket,
    http: http.url ?? null,
    database: places.database,
    events: store.count(),
    lastSeq: store.journal.lastSeq,
    taken: pipeline.taken,
    unstored: pipeline.unstored,
    fault: pipeline.fault ?? null,
    spooled: spool.waiting(),
    databaseBytes: store.usedBytes(),
    memoryBytes: process.memoryUsage.rss(),
    connections: connections(),
    subscribers: feed.size + bus.size,
    configProblem: live.problem ?? rules.problem ?? null,
    log: places.log,
    nats: natsLine(nats.glance()),
  }
}

export async function findingsOf({ rooms, live, http, notes }: ReportParts): Promise<Finding[]> {
  const { places, store, pipeline, spool, clientVersions, search, insight, notifier, handlers } = rooms
  return daemonFindings({
    store,
    pipeline,
    spool,
    configProblem: live.problem ?? rooms.rules.problem,
    clientVersions,
    notes: [
      ...notes,
      ...http.findings(),
      ...searchFindings(search.problem),
      ...insight.findings(),
      ...notifyFindings(notifier, store, live.now, places.config),
      ...(await busProblems(rooms)),
    ],
    handlers: handlers.list(),
    drifts: store.schemas.drifts(),
  })
}

/** Of what carries messages to others; `bus status` shows them, too. */
export async function busProblems({ bus, nats, fleet, webhooks, config, places }: Rooms): Promise<Finding[]> {
  return [
    ...readerFindings(bus),
    ...(await natsFindings(nats)),
    ...fleetFindings(fleet),
    ...webhookFindings(webhooks, config(), places.config),
  ]
}
