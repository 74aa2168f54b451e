/** Every call that the daemon answers, from the rooms that answer them. Loaded when the first call comes. */

import { deadLetterCalls } from '../bus/dead-letters.ts'
import { fleetCalls } from '../bus/hosts/rpc.ts'
import { natsCalls } from '../bus/nats/rpc.ts'
import { busCalls } from '../bus/rpc.ts'
import { webhookCalls } from '../bus/webhooks/rpc.ts'
import { readOrMakeToken } from '../core/private-files.ts'
import { askedInput } from '../decisions/approvals/asked-input.ts'
import { approvalCalls } from '../decisions/approvals/rpc.ts'
import { handlerCalls } from '../decisions/handlers/rpc.ts'
import { importCalls } from '../ingest/rpc.ts'
import { enrichCalls } from '../insight/rpc.ts'
import { schemaCalls } from '../insight/schema/rpc.ts'
import { searchCalls } from '../insight/search/rpc.ts'
import { ReadProcesses } from '../journal/query-process.ts'
import { notifyCalls } from '../notify/rpc.ts'
import type { Rpc, RpcRegistry } from '../rpc/rpc.ts'
import { sessionCalls } from '../sessions/rpc.ts'
import { tmuxCalls } from '../tmux/rpc.ts'
import { workCalls } from '../work/rpc.ts'
import { daemonCalls } from './calls.ts'
import { configCalls } from './config/rpc.ts'
import { busProblems, findingsOf } from './report.ts'
import { type ReportParts, statusOf } from './status.ts'

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
