/** The daemon's status line. */
import { natsLine } from '../bus/service.ts'
import { countLosses } from '../client/losses.ts'
import { VERSION } from '../core/version.ts'
import type { Finding, Status } from '../rpc/index.ts'
import type { HttpEntrance } from '../server/http-entrance.ts'
import type { LiveConfig } from './config/live.ts'
import type { Services } from './services.ts'

export interface ReportParts {
  readonly services: Services
  readonly live: LiveConfig
  readonly http: HttpEntrance
  readonly connections: () => number
  /** What happened at the start. */
  readonly notes: readonly Finding[]
}

/** With how messages go out right now. */
export async function freshStatus(parts: ReportParts): Promise<Status> {
  await parts.services.background.look()
  return statusOf(parts)
}

export function statusOf({ services, live, http, connections, notes }: ReportParts): Status {
  const { places, store, startedAt, pipeline, spool, feed, bus, background, rules } = services
  const { nats, natsServer, problems } = background.glance
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
    spooled: spool.waiting,
    lost: countLosses(places),
    unreadable: store.counters.total('unreadable'),
    sessionless: store.counters.total('sessionless'),
    strangers: store.counters.total('stranger'),
    missed: store.counters.total('missed'),
    databaseBytes: store.usedBytes(),
    memoryBytes: process.memoryUsage.rss(),
    connections: connections(),
    subscribers: feed.size + bus.size,
    config: places.config,
    configProblem: live.problem ?? null,
    rulesProblem: rules.problem ?? null,
    problems: [...notes, ...http.findings(), ...problems].map(({ about, message, fix }) => ({
      about,
      message,
      ...(fix === undefined ? {} : { fix }),
    })),
    log: places.log,
    nats: natsLine(nats),
    natsServer,
  }
}
