/** Every call that the daemon answers, from the rooms that answer them. None is built before somebody asks. */
import { busCalls } from './bus-calls.ts'
import { daemonCalls } from './calls.ts'
import { deadLetterCalls } from './dead-letters.ts'
import { fleetCalls } from './fleet-calls.ts'
import { handlerCalls } from './handler-calls.ts'
import { natsCalls } from './nats.ts'
import { notifyCalls } from './notify.ts'
import { busProblems, findingsOf, type ReportParts, statusOf } from './report.ts'
import type { RpcRegistry } from './rpc.ts'
import { schemaCalls } from './schema-calls.ts'
import { searchCalls } from './search/calls.ts'
import { sessionCalls } from './session-calls.ts'
import { tmuxCalls } from './tmux-calls.ts'
import { webhookCalls } from './webhooks.ts'
import { workCalls } from './work-calls.ts'

export function registerCalls(rpc: RpcRegistry, parts: ReportParts, stop: () => void): void {
  const { places, store, config, keeper, pipeline, policy, insight, ...rooms } = parts.rooms
  const { bus, nats, webhooks, handlers, notifier, display, search, fleet, schemas, work } = rooms
  const status = () => statusOf(parts)
  const findings = () => findingsOf(parts)
  rpc.later(() => daemonCalls({ store, database: places.database, status, findings, policy, stop }, rpc))
  rpc.later(() => sessionCalls({ keeper, store, pipeline }))
  rpc.later(() => tmuxCalls({ display, sessions: () => keeper.fleet.all(), pipeline }))
  rpc.later(() => searchCalls({ search, keeper }))
  rpc.later(() => insight.calls())
  const sections = async () => ({
    nats: await nats.status(),
    webhooks: webhooks.status(),
    problems: await busProblems(parts.rooms),
  })
  rpc.later(() => busCalls({ subscriptions: bus, sections }))
  rpc.later(() => natsCalls(nats))
  rpc.later(() => fleetCalls({ fleet, keeper, config }))
  const requeued = () => {
    webhooks.requeued()
    nats.requeued()
  }
  rpc.later(() => deadLetterCalls({ store, requeued }))
  rpc.later(() => webhookCalls(webhooks))
  rpc.later(() => notifyCalls({ notifier, store, config, configDir: places.config }))
  rpc.later(() => handlerCalls({ handlers, store, pipeline }))
  rpc.later(() => schemaCalls({ keeper: schemas, store }))
  rpc.later(() =>
    workCalls({
      work,
      commit: (act) => store.journal.commit(act),
      tasks: places.tasks,
      redaction: () => config().redaction.enabled,
    }),
  )
}
