/** Starts the services in order, and stops them without losing an answer. */
import { existsSync, rmSync } from 'node:fs'
import { hostname } from 'node:os'
import { basename } from 'node:path'
import { GantryError, isCorrupt, messageOf } from '../core/errors.ts'
import { takeLock } from '../core/files/lock.ts'
import type { Places } from '../core/files/paths.ts'
import {
  linkSocket,
  makeFolders,
  readOrMakeToken,
  readToken,
  unlinkSocket,
  writeAtomic,
} from '../core/files/private-files.ts'
import { readPlain } from '../core/files/small-file.ts'
import { lazy } from '../core/lazy.ts'
import { type Log, openLog } from '../core/log.ts'
import { Slices } from '../core/time/slices.ts'
import { within } from '../core/time/waits.ts'
import { VERSION } from '../core/version.ts'
import { applyNotify } from '../notify/service.ts'
import type { Finding, Status } from '../rpc/index.ts'
import { RpcRegistry } from '../rpc/rpc.ts'
import { HttpEntrance } from '../server/http-entrance.ts'
import { openDoor } from '../server/socket.ts'
import { watchSocket } from '../server/socket-watch.ts'
import { openStore, type Store, setAside } from '../store/index.ts'
import type { Config } from './config/config.ts'
import { LiveConfig } from './config/live.ts'
import { preloadModules } from './preload.ts'
import { openServices, type Services } from './services.ts'
import { freshStatus, statusOf } from './status.ts'
import { startWatchdog } from './watchdog.ts'

export interface Daemon {
  readonly url: string | undefined
  /** A link to the page that works once; undefined without HTTP. */
  link(): Promise<string | undefined>
  status(): Status
  /** Answers waiting hooks, closes all inputs, and closes the database. */
  stop(): Promise<void>
  /** Resolves when the daemon has stopped, for whatever reason. */
  readonly stopped: Promise<void>
}

const calls = lazy(() => import('./all-calls.ts'))
const queries = lazy(() => require('../journal/event-query.ts') as typeof import('../journal/event-query.ts'))
const metrics = lazy(() => import('./metrics/index.ts'))
const rescue = lazy(() => import('./begin-anew.ts'))

const DRAIN_BEFORE_DOOR_MS = 1_000 // older events first, but a huge spool must not delay the socket
const DRAIN_ON_STOP_MS = 2_000
const LAST_ANSWER_MS = 10 // for the reply to the call that stops it
const NOTIFY_ON_STOP_MS = 500
const WATCHDOG_AFTER_MS = 1_000 // its thread would take time that the first hooks need

export async function startDaemon({ places }: { places: Places }): Promise<Daemon> {
  process.umask(0o077)
  makeFolders(places)
  const lock = takeLock(places.lock)
  if (!lock) throw alreadyRunning(places)
  const startedAt = Date.now()
  const notes: Finding[] = []
  const live = new LiveConfig(places)
  await live.load()
  const log = openConfiguredLog(places, live)
  const context = { places, log, startedAt, config: () => live.now }
  const { store, services } = openOrReplace(places.database, log, notes, (store) =>
    openServices({ ...context, store }),
  )
  const { pipeline, observers, lastAlive, spool, background } = services
  // The user's rules may hang, so the watchdog covers the start, too.
  let stopWatchdog = services.rules.isEmpty ? undefined : startWatchdog({ log: places.log })
  await services.rules.load()
  services.rules.watch()
  await services.handlers.open(places.handlers, log)
  if (services.tracker.isWhole) applyNotify(services.notifier, live.now, places.config, log)
  readOrMakeToken(places.approvalKey)
  const resume = resumer(services)
  try {
    if (services.clock.begin(lastAlive.at)) await pipeline.drained()
    resume([...services.tracker.sessions.all()].map(({ key }) => key))
    await spool.drain(DRAIN_BEFORE_DOOR_MS)
  } catch (error) {
    throw isCorrupt(error) ? await replaced(store, log) : error
  }
  spool.watch()

  const rpc = new RpcRegistry(log)
  const parseQuery = (value: unknown) => queries().parseQuery(value)
  const openedDoor = () => openDoor({ ...services, path: places.socket, rpc, parseQuery })
  let door = openedDoor()
  linkSocket(places)
  const http = new HttpEntrance(places, {
    ...{ ...services, rpc, parseQuery, sessions: services.sessionFeed, search: services },
    host: () => live.now.nats.host || hostname(),
    metrics: async () => (await metrics()).metricsPage(services, rpc),
    metricsToken: () => readToken(places.metricsToken),
  })
  http.open(live.now.http)
  writeAtomic(places.pid, `${process.pid}\n`)
  const openedAt = Date.now()
  void loadOldSessions(services, resume).then(async () => {
    void services.collisions.begin()
    void services.display.refresh().catch((error) => log.warn('tmux', messageOf(error)))
    await observers.recover(spool, openedAt)
    lastAlive.begin()
  })
  if (!services.tracker.isWhole)
    void services.tracker.whole.then(() => applyNotify(services.notifier, live.now, places.config, log))
  background.start()
  services.otlp.apply()

  const report = { services, live, http, notes, connections: () => door.connections }
  let stopping: Promise<void> | undefined
  const done = Promise.withResolvers<void>()
  const stop = () => {
    stopping ??= shutDown().then(done.resolve, done.reject)
    return stopping
  }
  const shutDown = async () => {
    log.info('daemon', 'stopping')
    try {
      await leave()
    } finally {
      await closeStore(store, log)
      clearTimeout(watching)
      stopWatchdog?.()
      lock.release()
      log.info('daemon', 'stopped')
      log.close()
    }
  }
  const leave = async () => {
    live.close()
    store.files.unwatch()
    stopLoading()
    socket.close()
    stopInputs(services)
    services.approvals.close()
    await Bun.sleep(0) // hooks held for an approval get their answer, as at any other end of one
    door.close()
    rmSync(places.socket, { force: true })
    unlinkSocket(places)
    pipeline.release()
    services.handlers.close()
    await within(pipeline.drained(), DRAIN_ON_STOP_MS)
    await Bun.sleep(5) // lets the last replies leave before their connections close
    door.end()
    await http.close()
    await closeServices(services)
    for (const file of [places.pid, places.http]) rmSync(file, { force: true })
  }
  const watching = setTimeout(() => {
    stopWatchdog ??= startWatchdog({ log: places.log })
  }, WATCHDOG_AFTER_MS)
  const stopLoading = preloadModules(() => pipeline.taken, log)
  const stopSoon = () => {
    setTimeout(stop, LAST_ANSWER_MS)
    return { stopping: true, whole: store.files.look() }
  }
  rpc.atOnce('status', () => freshStatus(report))
  rpc.atOnce('stop', stopSoon)
  rpc.later(async () => {
    await services.tracker.whole // an answer about sessions is about all of them
    ;(await calls()).addCalls(rpc, report, stopSoon)
  })
  live.watch(async (before) => {
    if (!stopping) await applyConfig(before, live.now, services, http)
  }, log)

  store.files.watch(({ kind, what }) => {
    const found = kind === 'removed' ? `${what} was removed or replaced` : `the database is broken: ${what}`
    log.error('daemon', `${found}; saving its content and ending; the next hook starts a new daemon`)
    if (kind === 'removed') {
      store.counters.count('removed', basename(what), Date.now())
      safely(log, () => store.counters.write((work) => store.journal.relaxed(work)))
      safely(log, () => store.moveLog()) // before anything else can happen
    }
    void stop()
  })
  const reachAgain = () => {
    if (stopping) return false
    if (!store.files.look()) return false
    try {
      makeFolders(places)
      if (!existsSync(places.socket)) {
        log.warn('door', 'the socket was removed; listening again')
        door.close()
        door = openedDoor()
      }
      writeAtomic(places.pid, `${process.pid}\n`)
      if (!existsSync(places.http)) http.writeFile()
      if (!existsSync(places.natsInfo)) void background.call('writeInfoFile').catch(() => {})
      return true
    } catch (error) {
      log.error('door', `cannot listen again: ${messageOf(error)}`)
      return false
    }
  }
  const socket = watchSocket({
    path: places.socket,
    log,
    hasOthers: () => existsSync(places.pid) && (http.url === undefined || existsSync(places.http)),
    restore: reachAgain,
    catchUp: () => {
      store.counters.count('stuck', 'hooks', Date.now())
      return spool.drain()
    },
  })

  const { url } = http
  log.info(
    'daemon',
    `gantry ${VERSION} (pid ${process.pid}) listens on ${places.socket}${url ? ` and ${url}` : ''}`,
  )
  const link = async () => http.url && (await http.page()).link(http.url)
  return { url, link, status: () => statusOf(report), stop, stopped: done.promise }
}

/** Goes on with sessions that were there before; each once. */
function resumer({ tracker, observers, grace }: Services): (keys: readonly string[]) => void {
  const resumed = new Set<string>()
  return (keys) => {
    const fresh = keys.filter((key) => !resumed.has(key))
    for (const key of fresh) resumed.add(key)
    observers.resume(fresh)
    grace.resume(fresh.flatMap((key) => tracker.sessions.get(key) ?? []))
  }
}

/** Sessions that were active before the last few hundred: in slices, while hooks are answered. */
async function loadOldSessions(services: Services, resume: (keys: readonly string[]) => void): Promise<void> {
  const { tracker, hosts, store, log } = services
  const slices = new Slices(true)
  try {
    for (let keys = tracker.loadMore(); keys !== undefined; keys = tracker.loadMore()) {
      resume(keys)
      if (hosts.isSharing) hosts.changed([...keys])
      await slices.rest()
    }
  } catch (error) {
    log.error('sessions', `older sessions cannot be read: ${messageOf(error)}`)
    if (isCorrupt(error)) store.files.broke(messageOf(error))
    tracker.giveUp()
  }
}

/** Stops everything that produces events. */
function stopInputs({
  rules,
  collisions,
  clock,
  observers,
  grace,
  lastAlive,
  work,
  spool,
  reserve,
  journalCheck,
}: Services): void {
  rules.close()
  collisions.close()
  clock.close()
  observers.close()
  grace.close()
  lastAlive.close()
  work.close()
  spool.close()
  reserve.close()
  journalCheck.close()
}

/** Closes everything that publishes or writes, once no event comes any more. */
async function closeServices(services: Services): Promise<void> {
  const { bus, notifier, background, hostsLink, search, otlp, display, insight, housekeeping } = services
  bus.close()
  await Promise.all([
    notifier.close(NOTIFY_ON_STOP_MS),
    hostsLink.close().then(() => background.close()),
    search.close(),
    otlp.close(),
    display.close(),
  ])
  await insight.close()
  housekeeping.stop()
}

async function applyConfig(
  before: Config,
  now: Config,
  services: Services,
  http: HttpEntrance,
): Promise<void> {
  const { places, log, notifier, background, hosts, hub, hostsLink, housekeeping, display } = services
  if (now.http.port !== before.http.port || now.http.enabled !== before.http.enabled) {
    await http.close()
    http.open(now.http)
  }
  background.apply()
  applyNotify(notifier, now, places.config, log)
  hosts.apply()
  hub.apply()
  hostsLink.apply()
  services.otlp.apply()
  housekeeping.retainNow()
  await display.refresh()
}

function openConfiguredLog(places: Places, { now, problem }: LiveConfig): Log {
  const { level, max_mb, keep } = now.log
  const log = openLog(places.log, { level, maxBytes: max_mb * 1024 * 1024, keep })
  if (problem) log.error('config', problem)
  return log
}

/** Never throws, because the remaining steps must run, too. */
async function closeStore(store: Store, log: Log): Promise<void> {
  try {
    store.files.look()
    const { trouble } = store.files
    if (trouble?.kind === 'broken') return (await rescue()).beginAnew(store, log)
    const place = trouble && (await store.save(Date.now()))
    if (place !== undefined) log.warn('store', `the database was saved as ${place}`)
  } catch (error) {
    log.error('store', `the database could not be saved: ${messageOf(error)}`)
  }
  store.close()
}

function safely(log: Log, work: () => void): void {
  try {
    work()
  } catch (error) {
    log.error('store', messageOf(error))
  }
}

/** A database that SQLite calls broken, or whose sessions cannot be read, is kept aside; agents go on with a new one. */
function openOrReplace<T>(
  path: string,
  log: Log,
  notes: Finding[],
  build: (store: Store) => T,
): { store: Store; services: T } {
  const open = () => {
    const store = openStore(path)
    try {
      return { store, services: build(store) }
    } catch (error) {
      store.close()
      throw error
    }
  }
  try {
    return open()
  } catch (error) {
    if (!isCorrupt(error)) throw error
  }
  const kept = setAside(path, Date.now())
  const message = `the database was broken and is kept as ${kept}; a new one was started`
  log.error('store', message)
  notes.push({ level: 'fail', about: 'journal', message, fix: `Look at it with: sqlite3 ${kept} .recover` })
  return open()
}

/** For a database that only turns out to be broken when the sessions resume. */
async function replaced(store: Store, log: Log): Promise<GantryError> {
  ;(await rescue()).beginAnew(store, log)
  return new GantryError(
    'HANDLER_ERROR',
    'The database was broken. It is kept aside, and a new one is ready. Run: gantry up',
  )
}

function alreadyRunning(places: Places): GantryError {
  const known = readPlain(places.pid) // not there if it is only just starting
  const pid = known === undefined ? '' : ` (pid ${known.trim()})`
  return new GantryError(
    'ALREADY_RUNNING',
    `gantry is already running${pid} for ${places.state}. "gantry status" shows it, "gantry down" stops it.`,
  )
}
