/**
 * Builds all services in the order of an event's path, each from those above it: the pipeline, the journal and its
 * streams, sessions, the deciders, the followers, the outputs. The last step wires them to the pipeline. Nothing
 * accepts connections yet; the daemon opens its inputs when everything is ready.
 */
import { readdirSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { hostsTeller, openHosts } from '../bus/hosts/service.ts'
import { openHub } from '../bus/hub/service.ts'
import { HostsLink, ownMessage, Sources, Subscriptions } from '../bus/index.ts'
import { Inbound } from '../bus/webhooks/inbound.ts'
import { homeOf, type Places } from '../core/files/paths.ts'
import { readOrMakeToken, writeAtomic } from '../core/files/private-files.ts'
import { readPlain } from '../core/files/small-file.ts'
import { watchAnew } from '../core/files/watch-files.ts'
import type { Log } from '../core/log.ts'
import { openApprovals } from '../decisions/approvals/service.ts'
import { Budgets } from '../decisions/budgets/service.ts'
import { Collisions } from '../decisions/collisions/service.ts'
import { Decisions } from '../decisions/decisions.ts'
import { Guards } from '../decisions/guards/service.ts'
import { Handlers, handlerEnv } from '../decisions/index.ts'
import { Loops } from '../decisions/loops.ts'
import { SPOKEN_BYTES } from '../decisions/rules/cooldowns.ts'
import { Policy } from '../decisions/rules/index.ts'
import { RuleFiles } from '../decisions/rules/rule-files.ts'
import { worldOf } from '../decisions/rules/world.ts'
import { decisionMessage, isTold, sessionMessage } from '../decisions/stream-messages.ts'
import { ToolCalls } from '../decisions/tool-calls.ts'
import { keyOf, type RawEvent } from '../events/index.ts'
import { Git } from '../git/index.ts'
import { AgentProcesses } from '../ingest/agent-process.ts'
import { ClockWatch } from '../ingest/clock-watch.ts'
import { Pipeline } from '../ingest/pipeline.ts'
import { isAsked } from '../ingest/replies.ts'
import { Spool } from '../ingest/spool.ts'
import { Search } from '../insight/search/search.ts'
import { Insight } from '../insight/service.ts'
import { Feed } from '../journal/feed.ts'
import { Followers, followerFailed } from '../journal/followers.ts'
import { ReadTurns } from '../journal/index.ts'
import { clockEvent } from '../journal/internal-events.ts'
import { openNotifier } from '../notify/service.ts'
import { Otlp } from '../otlp/service.ts'
import { redact } from '../redaction/index.ts'
import { SessionFeed } from '../sessions/feed.ts'
import { Grace } from '../sessions/grace.ts'
import { openLastAlive } from '../sessions/last-alive.ts'
import { Observers } from '../sessions/observers/index.ts'
import { SessionTracker } from '../sessions/tracker.ts'
import type { Store } from '../store/index.ts'
import { TmuxDisplay } from '../tmux/display.ts'
import { Work } from '../work/service.ts'
import { allFollowers } from './all-followers.ts'
import { Background } from './background/background.ts'
import { type Config, retentionLimits } from './config/config.ts'
import { Housekeeping } from './housekeeping.ts'
import { JournalCheck } from './journal-check.ts'
import { MetricCosts } from './metrics/costs.ts'
import { MetricsRecorder } from './metrics/recorder.ts'
import { Reserve } from './reserve.ts'

export interface DaemonContext {
  readonly places: Places
  readonly store: Store
  readonly log: Log
  readonly startedAt: number
  readonly config: () => Config
}

const MAX_CLIENT_VERSIONS = 8

/** A file of the installer's: gantry's hooks are in this agent's settings. */
function hasReceipt({ state }: Places, agent: string): boolean {
  try {
    const names = readdirSync(join(state, 'install'))
    return names.some((name) => name === `${agent}.json` || name.startsWith(`${agent}-`))
  } catch {
    return false
  }
}

export type Services = ReturnType<typeof openServices>

export function openServices(context: DaemonContext) {
  const { places, store, log, startedAt, config } = context
  const redaction = () => config().redaction.enabled
  const limits = () => retentionLimits(config())
  const failed = followerFailed(store, log)

  // Input.
  const pipeline = new Pipeline({ store, log, redaction })
  const raise = (rawEvent: RawEvent) => pipeline.take(rawEvent, () => {})
  const spool = new Spool({
    dir: places.spool,
    pipeline,
    log,
    redaction,
    cleared: (what) => store.counters.count('spool', what, Date.now()),
  })
  const inbound = new Inbound({
    sources: () => config().inbound,
    configDir: places.config,
    pipeline,
    store,
    log,
  })
  const clock = new ClockWatch((byMs) => {
    log.warn('clock', `the system's clock was set back by ${byMs} ms`)
    raise(clockEvent(byMs, Date.now()))
    setImmediate(watchAnew) // so that what they find has a later time
  })
  const processes = new AgentProcesses()

  // The journal: its readers, and the streams derived from it.
  const turns = new ReadTurns(() => pipeline.taken)
  const feed = new Feed(store, turns)
  const sources = new Sources(
    store,
    (data) => (redaction() ? redact(data).text : data),
    (stream, error) => failed(stream, 'nothing; readers find the messages in the stream', error),
  )
  const bus = new Subscriptions({ store, sources, turns, trouble: (message) => log.warn('bus', message) })
  const housekeeping = new Housekeeping({ store, log, limits })

  // Sessions, and the people who see them.
  const git = new Git({
    env: process.env,
    places: { home: homeOf(), xdg: process.env.XDG_CONFIG_HOME },
    asksGit: () => config().enrichment.dirty,
  })
  const tracker = new SessionTracker(store, startedAt, {
    changed: (event, change) => {
      const message = () => (change && isTold(event, change) ? sessionMessage(event, change) : undefined)
      try {
        sources.sessions.follow(event.seq, message)
        sources.own.follow(event.seq, () => ownMessage(event))
      } catch (error) {
        failed('streams', 'a message about a session, or of gantry, comes later, or not', error)
      }
    },
    failed: (event, error) => failed('sessions', `a ${event.type} did not change its session`, error),
    placeOf: (cwd) => git.locationOf(cwd),
  })
  const session = (key: string) => tracker.sessions.get(key)
  const approvals = openApprovals({ store, sources, tracker, config, log, raise })
  const sessionFeed = new SessionFeed(tracker, git, (key) => approvals.of(key))
  approvals.listen((key) => sessionFeed.touched(key))
  const notifier = openNotifier(store, tracker, git, log)

  // Deciders.
  const home = homeOf()
  const calls = new ToolCalls({ home, rootOf: (folder) => git.locationOf(folder).root })
  const world = worldOf({
    ...{ calls, session, git },
    effort: ({ agent, sessionId }) => {
      const window = store.work.sessionOf(agent, sessionId, '')
      return (window && store.work.effort(window.effortId)?.skill) ?? null
    },
    host: () => config().nats.host || hostname(),
  })
  const policy = new Policy([], world, ({ id }) => store.counters.count('rule', id, Date.now()))
  policy.spoken.load(readPlain(places.rulesSpoken, SPOKEN_BYTES))
  const rules = new RuleFiles(
    places.rules,
    policy,
    log,
    () => readOrMakeToken(places.approvalKey),
    places.lastRules,
  )
  const guards = new Guards({
    settings: () => config().guards,
    places,
    home,
    calls,
    count: (what) => store.counters.count('guard', what, Date.now()),
    log,
  })
  const collisions = new Collisions({
    ...{ calls, git, session, store, raise },
    settings: () => config().collisions,
    sessions: () => tracker.sessions.all(),
    warn: (message) => log.warn('collisions', message),
  })
  const budgets = new Budgets({
    ...{ store, session, home, raise },
    settings: () => config().budgets,
    sessions: () => tracker.sessions.all(),
    projectOf: (cwd = '') => git.rootsOf(cwd).at(-1) ?? (git.hasSeen(cwd) || cwd === '' ? cwd : undefined),
    // An agent can finish its effort and start another: that must not give it a fresh budget.
    effortOf: (agent, sessionId) => String(store.work.firstEffortOf(agent, sessionId) ?? ''),
  })
  const loops = new Loops({ settings: () => config().loops, raise })
  const work = new Work({
    store,
    tracker,
    git,
    pipeline,
    settings: () => config().work,
    home: places.home,
    tasks: places.tasks,
    attends: (run) => feed.attends(run),
  })
  const handlers = new Handlers({
    store,
    dir: places.state,
    env: handlerEnv(process.env, places.home),
    warn: (message) => log.warn('handler', message),
    session: (event) => sessionFeed.read(keyOf(event)),
    sessionAhead: (event) => sessionFeed.ahead(event),
  })
  const decisions = new Decisions({
    policy,
    guards,
    others: [work, collisions, budgets, loops],
    handlers,
    approvals,
    contexts: places.contexts,
    session,
    raise,
    notify: (event, says) => notifier.told(keyOf(event), event, says),
  })

  // Derived data.
  const lastAlive = openLastAlive(places.lock, store)
  const observers = new Observers({
    store,
    log,
    heardUntil: Math.min(lastAlive.at, startedAt), // the clock may have been set back since
    session,
    isSessionless: (event) => tracker.sessions.isSessionless(event),
    isQueued: (holds) => pipeline.isQueued(holds),
    spooled: () => spool.left(),
    comparesTranscripts: () => config().sessions.compare_transcripts,
    isWired: (agent) => hasReceipt(places, agent),
    isHeld: (key, agentId) => approvals.of(key).some((one) => one.agentId === agentId),
    raise,
  })
  const grace = new Grace({ graceMs: () => config().sessions.grace_s * 1000, session, raise })
  const insight = new Insight({ store, tracker, log, places, git, config, raise, budgets })
  const search = new Search({
    places: { database: places.database, index: places.searchIndex },
    log,
    enabled: () => config().search.enabled,
    lastSeq: () => store.journal.lastSeq,
  })

  // Outputs: people, other hosts, other programs.
  const otlp = new Otlp({
    places,
    log,
    settings: () => config().otlp,
    lastSeq: () => store.journal.lastSeq,
  })
  const display = new TmuxDisplay({
    places,
    log,
    settings: () => config().tmux,
    sessions: () => tracker.sessions.all(),
  })
  const hosts = openHosts({
    ...{ store, tracker, git, log, config },
    writes: (key) => collisions.shared(key),
    heardWrites: (host, id, value) => collisions.heard(host, id, value),
  })
  collisions.listen((key) => hosts.wrote(key))
  const hub = openHub({ log, config })
  const hostsLink = new HostsLink({
    isOn: (where) => hosts.isOn(where) || hub.isOn(where),
    use: (connection) => {
      hub.onConnection(connection)
      return hosts.use(connection)
    },
    name: `gantry on ${config().nats.host || hostname()}, its sessions`,
    log,
  })
  const background = new Background({
    ...{ store, sources, places, log, config },
    raise: (rawEvent, done) => pipeline.take(rawEvent, (reply) => done(reply !== undefined)),
    connected: (endpoint) => hostsLink.at(endpoint),
  })

  // Followers.
  const metrics = new MetricsRecorder()
  const metricCosts = new MetricCosts(() => tracker.sessions.all())
  const clientVersions = new Set<string>()
  const followers = new Followers(
    allFollowers({
      ...{
        insight,
        housekeeping,
        feed,
        sessionFeed,
        display,
        notifier,
        approvals,
        sources,
        decisions,
        collisions,
        budgets,
        loops,
      },
      ...{ observers, grace, work, background, search, metrics, metricCosts, otlp },
      tellHosts: hostsTeller(hosts),
      setBack: (byMs) => {
        approvals.setBack(byMs)
        notifier.setBack(byMs)
      },
    }),
    failed,
  )
  git.onMoved((cwd) => {
    const here = [...tracker.sessions.all()].filter((session) => session.cwd === cwd).map(({ key }) => key)
    for (const key of here) sessionFeed.touched(key)
    tracker.touched(here)
    housekeeping.touched()
    if (hosts.isSharing) hosts.changed(here)
  })
  housekeeping.start({
    sessions: () => {
      sources.sessions.write()
      sources.own.write()
      tracker.write()
      budgets.write()
      policy.spoken.save((text) => writeAtomic(places.rulesSpoken, text))
    },
    streams: (isQuiet) => bus.tidy(isQuiet),
    tidy: () => {
      observers.tidy([...tracker.sessions.all()], Date.now())
      tracker.tidy(Date.now())
    },
    spool: () => void spool.tidy(),
    checkpointBeside: () => background.checkpoint(),
  })
  const leavesFirst = { name: 'background', missing: 'nothing; the next commit sends it' }
  pipeline.wire({
    first: () => clock.look(),
    locate: (event, peer) => {
      work.lookAhead(event, isAsked(event))
      observers.ahead(event)
      const key = keyOf(event)
      if (policy.asksRepository || guards.areOn) git.locationOf(event.cwd ?? session(key)?.cwd)
      return processes.locate(event, peer, session(key), () => observers.knowsProcessOf(key))
    },
    decide: (event) => decisions.decide(event),
    observe: (event) => work.observe(event),
    repeat: (event) => work.repeat(event, isAsked(event)),
    record: (event, verdict) => sources.decisions.record(decisionMessage(event, verdict, Date.now())),
    hurry: () => handlers.hurry(),
    fit: (event, verdict) => decisions.fit(event, verdict),
    answered: (event, verdict) => decisions.answered(event, verdict),
    took: (event, verdict, ms, wasAsked) => metrics.took(event, verdict, ms, wasAsked),
    committed: (events) => {
      followers.safely(leavesFirst, () => background.stored(events))
      followers.committed(events, tracker.apply(events))
      for (const { client } of events) {
        if (client.version !== undefined && clientVersions.size < MAX_CLIENT_VERSIONS)
          clientVersions.add(client.version)
      }
    },
  })
  return {
    ...context,
    ...{ pipeline, spool, inbound, clock, feed, sources, bus, housekeeping, git, tracker, sessionFeed },
    ...{
      policy,
      guards,
      collisions,
      budgets,
      rules,
      work,
      handlers,
      approvals,
      lastAlive,
      observers,
      grace,
      insight,
      search,
    },
    ...{ display, notifier, background, hosts, hub, hostsLink, clientVersions, metrics, metricCosts, otlp },
    reserve: new Reserve(places, log),
    journalCheck: new JournalCheck(places, log),
  }
}
