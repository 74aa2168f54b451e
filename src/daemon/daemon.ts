/** Brings the rooms up in order, keeps them together, and takes them down without losing an answer. */
import { existsSync, readFileSync, rmSync, watch } from 'node:fs'
import { basename } from 'node:path'
import { Handlers, handlerEnv, Sources, Subscriptions } from '../bus/index.ts'
import type { Finding, Status } from '../client/protocol.ts'
import { GantryError, messageOf } from '../errors.ts'
import type { HookEvent } from '../events/index.ts'
import type { Places } from '../places.ts'
import { Policy } from '../policy/index.ts'
import { isCorrupt, openStore, type Store, setAside } from '../store/index.ts'
import { VERSION } from '../version.ts'
import { busCalls } from './bus-calls.ts'
import { readerFindings } from './bus-findings.ts'
import { daemonCalls, parseQuery } from './calls.ts'
import { type Config, DEFAULT_CONFIG, loadConfig, retentionLimits } from './config.ts'
import { deadLetterCalls } from './dead-letters.ts'
import { Decisions } from './decisions.ts'
import { openDoor } from './door.ts'
import { Feed } from './feed.ts'
import { linkSocket, makeFolders, readOrMakeToken, unlinkSocket, writeAtomic } from './files.ts'
import { daemonFindings } from './findings.ts'
import { fleetCalls, fleetFindings, openFleet, tellFleet } from './fleet-calls.ts'
import { handlerCalls } from './handler-calls.ts'
import { Healers } from './healers/index.ts'
import { Housekeeping } from './housekeeping.ts'
import { type HttpDoor, type HttpOptions, openHttp } from './http.ts'
import { Inbound } from './inbound.ts'
import { Insight } from './insight.ts'
import { Keeper } from './keeper.ts'
import { takeLock } from './lock.ts'
import { type Log, openLog } from './log.ts'
import { applyNats, natsCalls, natsFindings, natsLine, openNats, startNats } from './nats.ts'
import { applyNotify, notifyCalls, notifyFindings, openNotifier } from './notify.ts'
import { Pipeline } from './pipeline.ts'
import { openPresence } from './presence.ts'
import { isAsked } from './replies.ts'
import { RpcRegistry } from './rpc.ts'
import { RuleFiles } from './rules.ts'
import { schemaCalls } from './schema-calls.ts'
import { SchemaKeeper } from './schema-keeper.ts'
import { searchCalls, searchFindings } from './search/calls.ts'
import { Search } from './search/search.ts'
import { sessionCalls } from './session-calls.ts'
import { SessionFeed } from './session-feed.ts'
import { whenSettled } from './settled.ts'
import { Spool } from './spool.ts'
import { decisionMessage, sessionMessage } from './stream-messages.ts'
import { tmuxCalls } from './tmux-calls.ts'
import { TmuxDisplay } from './tmux-display.ts'
import { applyWebhooks, openWebhooks, webhookCalls, webhookFindings } from './webhooks.ts'
import { Work } from './work.ts'
import { workCalls } from './work-calls.ts'

export interface Daemon {
  readonly url: string | undefined
  status(): Status
  /** Answers what waits, closes the doors, brings the database to rest. */
  stop(): Promise<void>
  /** Settles when the daemon has stopped, however it was asked to. */
  readonly stopped: Promise<void>
}

const DRAIN_BEFORE_DOOR_MS = 1_000 // older events first, but a huge spool must not keep the door shut
const DRAIN_ON_STOP_MS = 2_000
const NOTIFY_ON_STOP_MS = 500
const WEBHOOKS_ON_STOP_MS = 500 // for requests under way; what does not end is sent again

export async function startDaemon({ places }: { places: Places }): Promise<Daemon> {
  process.umask(0o077)
  makeFolders(places)
  const lock = takeLock(places.lock)
  if (!lock) throw alreadyRunning(places)
  const startedAt = Date.now()
  const notes: Finding[] = []
  let configProblem: string | undefined
  let config = DEFAULT_CONFIG
  const reload = async () => {
    try {
      config = await loadConfig(places.configFile)
      configProblem = undefined
    } catch (error) {
      configProblem = messageOf(error)
    }
  }
  await reload()

  const log = openLog(places.log, {
    level: config.log.level,
    maxBytes: config.log.max_mb * 1024 * 1024,
    keep: config.log.keep,
  })
  if (configProblem) log.error('config', configProblem)
  const store = openOrReplace(places.database, log, notes)
  const feed = new Feed(store)
  const clientVersions = new Set<string>()
  const sources = new Sources(store)
  const bus = new Subscriptions({ store, sources, trouble: (message) => log.warn('bus', message) })
  const keeper = new Keeper(store, startedAt, (event, change) => {
    sources.sessions.follow(event.seq, () => (change?.visible ? sessionMessage(event, change) : undefined))
  })
  const sessionFeed = new SessionFeed(keeper, store)
  const fleetBus = openFleet({ store, keeper, log, config: () => config })
  const search = new Search({
    places: { database: places.database, index: places.searchIndex },
    log,
    enabled: () => config.search.enabled,
    lastSeq: () => store.journal.lastSeq,
  })
  const allSessions = () => keeper.fleet.all()
  const display = new TmuxDisplay({ places, log, settings: () => config.tmux, sessions: allSessions })
  const notifier = openNotifier(store, keeper, log)
  const committed = (events: readonly HookEvent[]) => {
    const changes = keeper.apply(events)
    insight.committed(events) // soon: it looks at files that tools are about to write
    housekeeping.committed()
    feed.committed(events)
    sessionFeed.committed(changes)
    tellFleet(fleetBus, changes)
    display.committed(changes)
    notifier.committed(changes)
    sources.committed(events)
    decisions.committed(events)
    healers.committed(events, changes)
    work.committed(events)
    schemas.committed()
    search.committed()
    for (const { client } of events) {
      if (client.version !== undefined && clientVersions.size < 8) clientVersions.add(client.version)
    }
  }
  const insight = new Insight({
    store,
    keeper,
    log,
    places,
    config: () => config,
    raise: (arrival) => pipeline.take(arrival, () => {}),
  })
  const policy = new Policy()
  const rules = new RuleFiles(places.rules, policy, log)
  await rules.load()
  rules.watch()
  const work = new Work({
    store,
    keeper,
    pipeline: () => pipeline,
    settings: () => config.work,
    attends: (run) => feed.attends(run),
  })
  const handlers = new Handlers({
    store,
    dir: places.state,
    env: handlerEnv(process.env, places.home),
    warn: (message) => log.warn('handler', message),
  })
  const decisions = new Decisions({
    policy,
    work,
    handlers,
    contexts: places.contexts,
    raise: (arrival) => pipeline.take(arrival, () => {}),
  })
  const pipeline = new Pipeline({
    store,
    log,
    redaction: () => config.redaction.enabled,
    decide: (event) => decisions.decide(event),
    observe: (event) => work.observe(event),
    repeat: (event) => work.repeat(event, isAsked(event)),
    record: (event, verdict) => sources.decisions.record(decisionMessage(event, verdict, Date.now())),
    committed,
  })
  const schemas = new SchemaKeeper({
    store,
    log,
    settings: () => config.schema,
    raise: (arrival, done) => pipeline.take(arrival, (reply) => done(reply !== undefined)),
  })
  const spool = new Spool({ dir: places.spool, pipeline, log })
  const housekeeping = new Housekeeping({
    store,
    log,
    limits: () => retentionLimits(config),
    sessions: () => {
      sources.sessions.write()
      keeper.write()
    },
    streams: () => bus.tidy(),
    tidy: () => {
      const { maxAgeMs } = retentionLimits(config)
      keeper.tidy(Date.now(), maxAgeMs)
      work.tidy(Date.now() - maxAgeMs)
      webhooks.tidy()
      insight.tidy(Date.now() - maxAgeMs)
    },
    spool: () => void spool.drain(),
  })
  const webhooks = openWebhooks(store, sources, log)
  applyWebhooks(webhooks, config, places.config, log)
  applyNotify(notifier, config, places.config, log)
  const inbound = new Inbound({
    sources: () => config.inbound,
    configDir: places.config,
    pipeline,
    store,
    log,
  })
  const presence = openPresence(places.lock, store)
  const healers = new Healers({
    store,
    log,
    heardUntil: presence.last,
    session: (key) => keeper.fleet.get(key),
    raise: (arrival) => pipeline.take(arrival, () => {}),
  })
  healers.resume([...keeper.fleet.all()].map(({ key }) => key))
  await spool.drain(DRAIN_BEFORE_DOOR_MS)
  spool.watch()

  const rpc = new RpcRegistry(log)
  const openedDoor = () =>
    openDoor({
      path: places.socket,
      pipeline,
      rpc,
      feed,
      sessionFeed,
      bus,
      fleet: fleetBus,
      keeper,
      log,
      parseQuery,
    })
  let door = openedDoor()
  linkSocket(places)
  const httpRooms = { pipeline, sessions: sessionFeed, bus, inbound, search: { search, keeper }, log }
  let http = openHttpDoor(config, places, httpRooms, notes)
  writeAtomic(places.pid, `${process.pid}\n`)
  void healers.recover(spool).then(() => presence.begin())
  void display.refresh().catch((error) => log.warn('tmux', messageOf(error)))
  const nats = openNats({
    store,
    sources,
    log,
    places,
    rested: (count) => housekeeping.published(count),
  })
  nats.invite(fleetBus.guest)
  startNats(nats, config, places)

  let stopping: Promise<void> | undefined
  const done = Promise.withResolvers<void>()
  const stop = () => {
    stopping ??= shutDown().then(done.resolve, done.reject)
    return stopping
  }
  const shutDown = async () => {
    log.info('daemon', 'stopping')
    configWatch.close()
    configChange.close()
    runWatch.close()
    rules.close()
    healers.close()
    presence.close()
    work.close()
    spool.close()
    door.close()
    rmSync(places.socket, { force: true })
    unlinkSocket(places)
    pipeline.release()
    handlers.close()
    await Promise.race([pipeline.drained(), Bun.sleep(DRAIN_ON_STOP_MS)])
    await Bun.sleep(5) // answers that were just written leave before their connections end
    door.end()
    await http?.stop()
    bus.close()
    await Promise.all([
      notifier.close(NOTIFY_ON_STOP_MS),
      webhooks.close(WEBHOOKS_ON_STOP_MS),
      nats.stop(),
      search.close(),
      display.close(),
    ])
    await insight.close()
    housekeeping.stop()
    schemas.stop()
    for (const file of [places.pid, places.http]) rmSync(file, { force: true })
    store.close()
    lock.release()
    log.info('daemon', 'stopped')
    log.close()
  }

  const problem = () => configProblem ?? rules.problem
  const status = (): Status => ({
    version: VERSION,
    pid: process.pid,
    startedAt,
    socket: places.socket,
    http: http?.url ?? null,
    database: places.database,
    events: store.count(),
    lastSeq: store.journal.lastSeq,
    taken: pipeline.taken,
    unstored: pipeline.unstored,
    fault: pipeline.fault ?? null,
    spooled: spool.waiting(),
    databaseBytes: store.usedBytes(),
    memoryBytes: process.memoryUsage.rss(),
    connections: door.connections,
    subscribers: feed.size + bus.size,
    configProblem: problem() ?? null,
    log: places.log,
    nats: natsLine(nats.glance()),
  })
  const findings = async () =>
    daemonFindings({
      store,
      pipeline,
      spool,
      configProblem: problem(),
      clientVersions,
      notes: [
        ...notes,
        ...readerFindings(bus),
        ...searchFindings(search.problem),
        ...insight.findings(),
        ...webhookFindings(webhooks, config, places.config),
        ...notifyFindings(notifier, store, config, places.config),
        ...(await natsFindings(nats)),
        ...fleetFindings(fleetBus),
      ],
      handlers: handlers.list(),
      drifts: store.schemas.drifts(),
    })
  rpc.later(() =>
    daemonCalls({ store, database: places.database, status, findings, policy, stop: () => void stop() }, rpc),
  )

  rpc.later(() => sessionCalls({ keeper, store, pipeline }))
  rpc.later(() => tmuxCalls({ display, sessions: allSessions, pipeline }))
  rpc.later(() => searchCalls({ search, keeper }))
  rpc.later(() => insight.calls())
  const sections = async () => ({
    nats: await nats.status(),
    webhooks: webhooks.status(),
    problems: [
      ...readerFindings(bus),
      ...(await natsFindings(nats)),
      ...fleetFindings(fleetBus),
      ...webhookFindings(webhooks, config, places.config),
    ],
  })
  rpc.later(() => busCalls({ subscriptions: bus, sections }))
  rpc.later(() => natsCalls(nats))
  rpc.later(() => fleetCalls({ fleet: fleetBus, keeper, config: () => config }))
  const requeued = () => {
    webhooks.requeued()
    nats.requeued()
  }
  rpc.later(() => deadLetterCalls({ store, requeued }))
  rpc.later(() => webhookCalls(webhooks))
  rpc.later(() => notifyCalls({ notifier, store, config: () => config, configDir: places.config }))
  rpc.later(() => handlerCalls({ handlers, store, pipeline }))
  rpc.later(() => schemaCalls({ keeper: schemas, store }))
  rpc.later(() =>
    workCalls({
      work,
      commit: (act) => store.journal.commit(act),
      tasks: places.tasks,
      redaction: () => config.redaction.enabled,
    }),
  )

  const applyConfig = async () => {
    if (stopping) return
    const before = config
    await reload()
    if (configProblem) log.error('config', `${configProblem}; the last good configuration stays`)
    else log.info('config', 'reloaded')
    if (config.http.port !== before.http.port || config.http.enabled !== before.http.enabled) {
      await http?.stop()
      http = openHttpDoor(config, places, httpRooms, notes)
    }
    if (config !== before) applyWebhooks(webhooks, config, places.config, log)
    if (config !== before) applyNotify(notifier, config, places.config, log)
    if (config !== before) applyNats(nats, config, places)
    if (config !== before) fleetBus.apply()
    if (config !== before) housekeeping.retainNow()
    if (config !== before) await display.refresh()
  }
  const configChange = whenSettled(applyConfig, (error) =>
    log.error('config', `cannot be applied: ${messageOf(error)}`),
  )
  const configWatch = watch(places.config, (_kind, name) => {
    if (name === basename(places.configFile)) configChange.soon()
  })
  // Cleaners of temporary folders remove sockets; a daemon nobody can reach is no use.
  const watchRun = () => watch(places.run, () => !stopping && !existsSync(places.socket) && reachAgain())
  const reachAgain = () => {
    log.warn('door', 'the socket was removed; listening again')
    try {
      makeFolders(places)
      door.close()
      door = openedDoor()
      writeAtomic(places.pid, `${process.pid}\n`)
      if (!existsSync(places.http)) writeHttpFile(places, http)
      if (!existsSync(places.natsInfo)) nats.tell()
      runWatch.close() // the folder may be another one now
      runWatch = watchRun()
    } catch (error) {
      log.error('door', `cannot listen again: ${messageOf(error)}`)
    }
  }
  let runWatch = watchRun()

  log.info(
    'daemon',
    `gantry ${VERSION} (pid ${process.pid}) listens on ${places.socket}${http ? ` and ${http.url}` : ''}`,
  )
  return { url: http?.url, status, stop, stopped: done.promise }
}

/** A database that SQLite calls broken is kept aside; agents go on with a new one. */
function openOrReplace(path: string, log: Log, notes: Finding[]): Store {
  try {
    return openStore(path)
  } catch (error) {
    if (!isCorrupt(error)) throw error
    const kept = setAside(path, Date.now())
    const message = `the database was broken and is kept as ${kept}; a new one was started`
    log.error('store', message)
    notes.push({ level: 'fail', about: 'journal', message, fix: `Look at it with: sqlite3 ${kept} .recover` })
    return openStore(path)
  }
}

/** HTTP is a convenience; without it the hook clients still have the socket. */
function openHttpDoor(
  config: Config,
  places: Places,
  rooms: Pick<HttpOptions, 'pipeline' | 'sessions' | 'bus' | 'inbound' | 'search' | 'log'>,
  notes: Finding[],
): HttpDoor | undefined {
  rmSync(places.http, { force: true })
  const past = notes.findIndex(({ about }) => about === 'http')
  if (past >= 0) notes.splice(past, 1)
  if (!config.http.enabled) return undefined
  try {
    const token = readOrMakeToken(places.token)
    const http = openHttp({ port: config.http.port, token, ...rooms })
    writeHttpFile(places, http)
    return http
  } catch (error) {
    const message = `no HTTP door: ${messageOf(error)}`
    rooms.log.error('http', message)
    notes.push({ level: 'fail', about: 'http', message, fix: 'Set another http.port in gantry.toml.' })
    return undefined
  }
}

function writeHttpFile(places: Places, http: HttpDoor | undefined): void {
  if (!http) return
  const { url, port, token } = http
  if (!existsSync(places.token)) writeAtomic(places.token, `${token}\n`) // agents' settings have this one
  writeAtomic(places.http, `${JSON.stringify({ url, host: '127.0.0.1', port, pid: process.pid })}\n`)
}

function alreadyRunning(places: Places): GantryError {
  let pid = ''
  try {
    pid = ` (pid ${readFileSync(places.pid, 'utf8').trim()})`
  } catch {
    // it is only just starting, or the file was removed
  }
  return new GantryError(
    'ALREADY_RUNNING',
    `gantry is already running${pid} for ${places.state}. "gantry status" shows it, "gantry down" stops it.`,
  )
}
