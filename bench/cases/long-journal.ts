/**
 * What depends on the length of the journal: everything that was found to grow once, at 10,000 events and at millions.
 *
 *   npm run bench -- long-journal
 *   GANTRY_BENCH_JOURNALS=/big/disk GANTRY_BENCH_EVENTS='1000000 5000000' npm run bench -- long-journal
 *
 * Journals in GANTRY_BENCH_JOURNALS are kept for the next run; five million events take 12 GB there, and as much again
 * while the backup is made.
 */
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { call } from '../../src/client/index.ts'
import type { Places } from '../../src/core/files/paths.ts'
import { childrenOf } from '../../src/core/processes/proc.ts'
import { glance } from '../../src/journal/listing.ts'
import { openStore } from '../../src/store/index.ts'
import { hookOnce, load } from '../load.ts'
import { makeJournal, sessionId } from '../long-journal/make.ts'
import { median, type Result, round, spread } from '../measure.ts'
import { writtenBytes } from '../process.ts'
import { GANTRY, type Running, type Stage } from '../stage.ts'

const SIZES = [10_000, 100_000, 1_000_000]
const CLIENTS = 64 // a late answer must not delay the next hook
const HOOKS_A_SECOND = 300
const HOOKS = 1_500
const SESSIONS_AT_WORK = 50
const STARTS = 3
const LOOKS = 20
const POLL_MS = 2
const IDLE_MS = 3_000 // after a start: modules load, the log gets its room
const POLL_RETENTION_MS = 100
const STILL_MS = 2_000 // nothing was deleted for so long
const AFTERWARDS_MS = 10_000
const DEADLINE_MS = 600_000

export async function longJournal(stage: Stage): Promise<Result[]> {
  const results: Result[] = []
  for (const events of sizes(stage)) {
    const result = await measured(stage, events)
    process.stderr.write(`${JSON.stringify(result)}\n`)
    results.push(result)
  }
  const [first] = results
  return results.map((one) => ({
    ...one,
    floor: first?.p50 ?? one.p50,
    ratio: round(one.p50 / (first?.p50 ?? one.p50)),
  }))
}

function sizes({ effort }: Stage): readonly number[] {
  const { GANTRY_BENCH_EVENTS: wanted } = process.env
  if (wanted !== undefined) return wanted.split(/\s+/).map(Number)
  return effort < 1 ? SIZES.slice(0, 1) : SIZES
}

async function measured(stage: Stage, events: number): Promise<Result> {
  const folder = process.env.GANTRY_BENCH_JOURNALS ?? stage.dir
  const { at, sessions } = makeJournal(join(folder, `journal-${events}`), events)
  const inDaemon = last100(at, sessions)
  const starts: number[] = []
  for (let i = 0; i < STARTS; i++) starts.push(await startToHook(stage, at))
  const daemon = await stage.daemon(at)
  await Bun.sleep(IDLE_MS)
  const writtenBefore = writtenOf(daemon)
  const hooks = await hooksOf(stage, at, HOOKS)
  const bytesPerHook = (writtenOf(daemon) - writtenBefore) / HOOKS
  const listMs: number[] = []
  const listed = await during(stage, at, async () => {
    for (let i = 0; i < 5; i++) listMs.push(await timed(() => call(at, 'sessions.list', { all: true })))
  })
  const some = (i: number) => sessionId((i * 37) % sessions)
  const looks = {
    last100Ms: await times((i) => call(at, 'events.list', { session: some(i), limit: 100 })),
    searchMs: await times((i) => call(at, 'search', { text: i % 2 ? 'w0' : 'w3k9', order: 'newest' })),
    queryMs: await times((i) =>
      call(at, 'query', { sql: `SELECT count(*) FROM events WHERE session_id = '${some(i)}'` }),
    ),
    timelineMs: await times((i) => cli(stage, at, 'session', some(i), '--timeline', '--json'), 3),
    versionMs: await times(() => cli(stage, at, '--version'), 3),
  }
  const backup = await backedUp(stage, at, folder)
  const retention = await retained(stage, at, daemon, bytesPerHook)
  await daemon.stop()
  if (folder === stage.dir) rmSync(at.home ?? '', { recursive: true })
  return {
    ...{ name: 'long-journal', unit: 'ms', ...spread(starts) },
    ...{ floor: 0, ratio: 0, against: 'the start to the first answered hook with the shortest journal' },
    ...{ events, sessions, hookMs: brief(hooks), lastInDaemonMs: inDaemon },
    ...{ listMs: median(listMs), hookWhileListedMs: brief(listed) },
    ...looks,
    ...{ backup, retention },
  }
}

/** From the start of the process to the first answer of a hook that keeps trying. */
async function startToHook(stage: Stage, at: Places): Promise<number> {
  const begin = performance.now()
  const starting = stage.daemon(at)
  while (!(await hookOnce(at).catch(() => false))) await Bun.sleep(POLL_MS)
  const took = performance.now() - begin
  await (await starting).stop()
  return took
}

/** What the daemon does for the call, without the socket: read, parse, encode. */
function last100({ database }: Places, sessions: number): number {
  const store = openStore(database)
  const source = { ...store, row: store.bySeq, lastSeq: () => store.journal.lastSeq }
  const samples = Array.from({ length: LOOKS * 5 }, (_, i) => {
    const begin = performance.now()
    const found = glance(source, { session: sessionId((i * 37) % sessions) }, 100)
    if (found === undefined) throw new Error('the daemon would not answer this itself')
    JSON.stringify(found)
    return performance.now() - begin
  })
  store.close()
  return median(samples)
}

async function backedUp(stage: Stage, at: Places, folder: string): Promise<object> {
  const target = join(folder, 'backup')
  rmSync(target, { recursive: true, force: true })
  let ms = 0
  let walMb = 0
  const watch = setInterval(() => {
    walMb = Math.max(walMb, statSync(`${at.database}-wal`).size / 1024 ** 2)
  }, 200)
  const hooks = await during(stage, at, async () => {
    ms = await timed(() => cli(stage, at, 'backup', target, '--json'))
  })
  clearInterval(watch)
  rmSync(target, { recursive: true, force: true })
  return { ms: round(ms), hookMs: brief(hooks), logMb: round(walMb) }
}

/** Deletes the oldest tenth by the limit of size. Hooks go on for a while, because free space is returned afterwards. */
async function retained(stage: Stage, at: Places, daemon: Running, bytesPerHook: number): Promise<object> {
  const config = readFileSync(at.configFile, 'utf8')
  const before = await call(at, 'status')
  const maxMb = Math.floor((before.databaseBytes * 0.9) / 1024 ** 2)
  const written = writtenOf(daemon)
  const sizesBefore = sizesOf(at)
  let ms = 0
  const hooks = await during(stage, at, async () => {
    const begin = performance.now()
    writeFileSync(at.configFile, config.replace(/max_mb = \d+/, `max_mb = ${maxMb}`))
    let [deleted, lately] = [-1, begin]
    while (performance.now() - lately < STILL_MS && performance.now() - begin < DEADLINE_MS) {
      await Bun.sleep(POLL_RETENTION_MS)
      const { lastSeq, events } = await call(at, 'status')
      if (lastSeq - events === deleted) continue
      deleted = lastSeq - events
      lately = performance.now()
    }
    ms = lately - begin
    await Bun.sleep(AFTERWARDS_MS)
  })
  const after = await call(at, 'status')
  writeFileSync(at.configFile, config)
  return {
    ms: round(ms),
    deleted: after.lastSeq - after.events - (before.lastSeq - before.events),
    // Without what the hooks wrote that came meanwhile.
    writtenMb: round((writtenOf(daemon) - written - hooks.length * bytesPerHook) / 1024 ** 2),
    hooks: hooks.length,
    hookMs: brief(hooks),
    sizesMb: { before: sizesBefore, after: sizesOf(at) },
  }
}

function sizesOf({ database, searchIndex }: Places): object {
  const mb = (path: string) => round((statSync(path, { throwIfNoEntry: false })?.size ?? 0) / 1024 ** 2)
  return { journal: mb(database), search: mb(searchIndex) }
}

function writtenOf({ pid }: Running): number {
  return [pid, ...childrenOf(pid)].reduce((sum, one) => sum + writtenBytes(one), 0)
}

/** Hooks for as long as the work takes. */
async function during(stage: Stage, at: Places, work: () => Promise<unknown>): Promise<number[]> {
  let done = false
  const working = work().finally(() => {
    done = true
  })
  const samples: number[] = []
  while (!done) samples.push(...(await hooksOf(stage, at, HOOKS_A_SECOND)))
  await working
  return samples
}

let seed = Date.now() % 1_000_000

async function hooksOf(stage: Stage, at: Places, events: number): Promise<number[]> {
  const wanted = { clients: CLIENTS, sessions: SESSIONS_AT_WORK, seed: ++seed, rate: HOOKS_A_SECOND }
  return (await load(stage, at, { ...wanted, events })).ms
}

async function times(one: (i: number) => Promise<unknown>, count = LOOKS): Promise<number> {
  const samples: number[] = []
  for (let i = 0; i < count; i++) samples.push(await timed(() => one(i)))
  return median(samples)
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const begin = performance.now()
  await work()
  return performance.now() - begin
}

async function cli(stage: Stage, at: Places, ...args: string[]): Promise<void> {
  const child = Bun.spawn([GANTRY, ...args], { env: stage.env(at), stdout: 'ignore', stderr: 'inherit' })
  if ((await child.exited) !== 0) throw new Error(`gantry ${args.join(' ')} failed`)
}

function brief(samples: readonly number[]): object {
  const { p50, p99, n } = spread(samples)
  return { p50, p99, n }
}
