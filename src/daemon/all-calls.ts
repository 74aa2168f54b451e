/** Collects the features' call handlers. Loaded with the first call. */
import { hostname } from 'node:os'
import { hostsCalls } from '../bus/hosts/rpc.ts'
import { hubCalls } from '../bus/hub/rpc.ts'
import { busCalls } from '../bus/rpc.ts'
import { pinnedHome } from '../core/files/paths.ts'
import { readOrMakeToken } from '../core/files/private-files.ts'
import { askedInput } from '../decisions/approvals/asked-input.ts'
import { approvalCalls } from '../decisions/approvals/rpc.ts'
import { budgetCalls } from '../decisions/budgets/rpc.ts'
import { collisionCalls } from '../decisions/collisions/rpc.ts'
import { handlerCalls } from '../decisions/handlers/rpc.ts'
import { ruleCalls } from '../decisions/rules/rpc.ts'
import { importCalls } from '../ingest/rpc.ts'
import { enrichCalls } from '../insight/rpc.ts'
import { searchCalls } from '../insight/search/rpc.ts'
import { ReadProcesses } from '../journal/query-process.ts'
import { ReadTurns } from '../journal/read-turns.ts'
import { notifyCalls } from '../notify/rpc.ts'
import { CALLS } from '../rpc/calls/index.ts'
import type { CallResult, RpcRegistry } from '../rpc/index.ts'
import { Demo } from '../server/page/demo.ts'
import { webCalls } from '../server/page/rpc.ts'
import { sessionCalls } from '../sessions/rpc.ts'
import { tmuxCalls } from '../tmux/rpc.ts'
import { workCalls } from '../work/rpc.ts'
import { metricsPage } from './metrics/index.ts'
import { busProblems, findingsOf } from './report.ts'
import { daemonCalls } from './rpc.ts'
import { freshStatus, type ReportParts } from './status.ts'

/** The compiler requires one handler per definition. */
export function addCalls(rpc: RpcRegistry, parts: ReportParts, stop: () => CallResult<'stop'>): void {
  const { places, store, config, tracker, pipeline, policy, insight, git, ...services } = parts.services
  const {
    bus,
    sources,
    background,
    handlers,
    guards,
    collisions,
    notifier,
    display,
    search,
    hosts,
    hostsLink,
    hub,
    work,
    approvals,
    budgets,
  } = services
  const status = () => freshStatus(parts)
  const findings = () => findingsOf(parts)
  const sessions = () => tracker.sessions.all()
  const redaction = () => config().redaction.enabled
  const problems = () => busProblems(parts.services)
  const key = () => readOrMakeToken(places.approvalKey)
  const processes = new ReadProcesses(places.database)
  const turns = new ReadTurns(() => pipeline.taken)
  const demo = new Demo({
    home: pinnedHome(places),
    living: () => [...sessions()].filter((one) => one.endedAt === undefined && !one.replayed).length,
    isHeard: () => background.glance.nats.mode !== 'off' && background.glance.natsServer === null,
  })
  rpc.add(CALLS, {
    ...daemonCalls({
      ...{ store, processes, turns, status, findings, stop, live: parts.live },
      metrics: () => metricsPage(parts.services, rpc),
      host: () => config().nats.host || hostname(),
      sessionId: (text) => tracker.sessions.find(text)?.id ?? text,
    }),
    ...sessionCalls({
      ...{ tracker, store, pipeline, git, changes: sources.sessions },
      approvalsOf: (key) => approvals.of(key),
    }),
    ...ruleCalls({
      ...{ policy, guards, key, places, processes, dir: places.rules },
      see: (folders) => git.see(folders),
      guardSettings: () => config().guards,
      counters: () => store.counters.all(),
    }),
    ...approvalCalls({
      approvals,
      sessions,
      key,
      askedInput: (session, attention) => askedInput(store, session, attention),
    }),
    ...collisionCalls({ collisions, session: (key) => tracker.sessions.get(key) }),
    ...budgetCalls({ budgets, key }),
    ...tmuxCalls({ display, sessions, pipeline, find: (text) => tracker.sessions.find(text) }),
    ...searchCalls({ search, tracker, store }),
    ...enrichCalls({
      store,
      tracker,
      redaction,
      processes,
      turns,
      enricher: insight.enricher,
      usage: insight.usage,
      rootOf: async (cwd) => {
        await git.see([cwd])
        return git.locationOf(cwd).root
      },
    }),
    ...busCalls({
      ...{ subscriptions: bus, store, problems },
      outgoing: {
        status: () => background.call('bus.status'),
        info: () => background.call('bus.natsInfo'),
        requeued: () => background.call('requeued'),
        test: (name, id) => background.call('bus.webhooks.test', name, id),
      },
    }),
    ...hostsCalls({ hosts, hostsLink, tracker, git, config }),
    ...hubCalls({ hub }),
    ...notifyCalls({ notifier, store, config, configDir: places.config }),
    ...handlerCalls({ handlers, store, pipeline }),
    ...importCalls({ store, pipeline }),
    'schema.shapes': (args) => background.call('schema.shapes', args),
    'schema.diff': (args) => background.call('schema.diff', args),
    'schema.drifts': () => background.call('schema.drifts'),
    'schema.baseline': (args) => background.call('schema.baseline', args),
    ...webCalls({ page: () => parts.http.page(), url: () => parts.http.url, key, demo }),
    ...workCalls({
      ...{ work, pipeline, tracker, redaction },
      commit: (act) => store.journal.commit(act),
    }),
  })
}
