/** Every call that the daemon answers, from the rooms that answer them. Loaded when the first call comes. */
import { approvalCalls } from './approval-calls.ts'
import { askedInput } from './asked-input.ts'
import { busCalls } from './bus-calls.ts'
import { daemonCalls } from './calls.ts'
import { configCalls } from './config-calls.ts'
import { deadLetterCalls } from './dead-letters.ts'
import { enrichCalls } from './enrich-calls.ts'
import { readOrMakeToken } from './files.ts'
import { fleetCalls } from './fleet-calls.ts'
import { handlerCalls } from './handler-calls.ts'
import { importCalls } from './import-calls.ts'
import { natsCalls } from './nats-calls.ts'
import { notifyCalls } from './notify-calls.ts'
import { ReadProcesses } from './read-process.ts'
import { busProblems, findingsOf } from './report.ts'
import type { Rpc, RpcRegistry } from './rpc.ts'
import { schemaCalls } from './schema-calls.ts'
import { searchCalls } from './search/calls.ts'
import { sessionCalls } from './session-calls.ts'
import { type ReportParts, statusOf } from './status.ts'
import { tmuxCalls } from './tmux-calls.ts'
import { webhookCalls } from './webhook-calls.ts'
import { workCalls } from './work-calls.ts'

export function allCalls(rpc: RpcRegistry, parts: ReportParts, stop: () => unknown): Rpc[] {
  const { places, store, config, keeper, pipeline, policy, insight, git, ...rooms } = parts.rooms
  const { bus, nats, webhooks, handlers, notifier, display, search, fleet, schemas, work, approvals } = rooms
  const status = () => statusOf(parts)
  const findings = () => findingsOf(parts)
  const sessions = () => keeper.fleet.all()
  const redaction = () => config().redaction.enabled
  const sections = async () => ({
    nats: await nats.status(),
    webhooks: webhooks.status(),
    problems: await busProblems(parts.rooms),
  })
  const requeued = () => {
    webhooks.requeued()
    nats.requeued()
  }
  const processes = new ReadProcesses(places.database)
  return [
    ...daemonCalls({ store, processes, status, findings, policy, stop }, rpc),
    ...configCalls(parts.live),
    ...sessionCalls({ keeper, store, pipeline, git, approvalsOf: (key) => approvals.of(key) }),
    ...approvalCalls({
      approvals,
      sessions,
      key: () => readOrMakeToken(places.approvalKey),
      askedInput: (session, attention) => askedInput(store, session, attention),
    }),
    ...tmuxCalls({ display, sessions, pipeline }),
    ...searchCalls({ search, keeper, store }),
    ...enrichCalls({ store, keeper, redaction, processes, enricher: insight.enricher, usage: insight.usage }),
    ...busCalls({ subscriptions: bus, sections }),
    ...natsCalls(nats),
    ...fleetCalls({ fleet, keeper, git, config }),
    ...deadLetterCalls({ store, requeued }),
    ...webhookCalls(webhooks),
    ...notifyCalls({ notifier, store, config, configDir: places.config }),
    ...handlerCalls({ handlers, store, pipeline }),
    ...importCalls({ store, pipeline }),
    ...schemaCalls({ keeper: schemas, store }),
    ...workCalls({
      ...{ work, pipeline, keeper, redaction },
      commit: (act) => store.journal.commit(act),
      tasks: places.tasks,
    }),
  ]
}

/** All calls without a daemon behind them, for the docs. */
export function describeCalls(): Pick<Rpc, 'name' | 'summary' | 'example' | 'args'>[] {
  const nobody = undefined as never
  return [
    ...daemonCalls(nobody, nobody),
    ...configCalls(nobody),
    ...sessionCalls(nobody),
    ...approvalCalls(nobody),
    ...enrichCalls(nobody),
    ...tmuxCalls({ display: nobody, sessions: nobody, pipeline: nobody }),
    ...searchCalls(nobody),
    ...busCalls(nobody),
    ...handlerCalls(nobody),
    ...importCalls(nobody),
    ...webhookCalls(nobody),
    ...notifyCalls(nobody),
    ...natsCalls(nobody),
    ...fleetCalls({ fleet: nobody, keeper: nobody, git: nobody, config: nobody }),
    ...deadLetterCalls({ store: nobody, requeued: nobody }),
    ...schemaCalls(nobody),
    ...workCalls({
      ...{ work: nobody, pipeline: nobody, keeper: nobody },
      ...{ commit: nobody, tasks: nobody, redaction: nobody },
    }),
  ]
}
