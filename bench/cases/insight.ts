/** Processing payloads while hooks come in: schemas, contexts, search and summaries, all beside the hook path. */
import { Database } from 'bun:sqlite'
import { appendFileSync, existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Places } from '../../src/core/files/paths.ts'
import { agentsAtWork } from '../agents-at-work.ts'
import { load } from '../load.ts'
import { median, type Result, round, spread } from '../measure.ts'
import { childOf, cpuMs, memoryMb } from '../process.ts'
import type { Running, Stage } from '../stage.ts'

const EVENTS_A_SECOND = 2_000
const ROUNDS = 10
const ROUND_S = 5
const SUSTAINED_S = 30
const CLIENTS = 256 // a late answer must not delay the next hook
const LOOK_MS = 500
const CAUGHT_UP_MS = 60_000
const OFF =
  '[schema]\nenabled = false\n[enrichment]\nenabled = false\n[summary]\nmode = "off"\n[search]\nenabled = false\n'

type Name = 'schema' | 'context' | 'search'

interface Side {
  readonly at: Places
  readonly daemon: Running
  /** Latencies of this many seconds of load, in ms. */
  load(seconds: number): Promise<number[]>
}

/**
 * Hooks of 400 sessions, 2,000 a second, in turns at a daemon that learns, enriches and indexes payloads and at one
 * that only stores them. Then half a minute without a pause: whether the followers keep up.
 */
export function insightP99(stage: Stage): Promise<Result[]> {
  return measured(stage, 'insight-p99', '[summary]\nmode = "off"\n')
}

/** The same, with a summary of every turn. */
export function summariesP99(stage: Stage): Promise<Result[]> {
  return measured(stage, 'summaries-p99', '')
}

async function measured(stage: Stage, name: string, config: string): Promise<Result[]> {
  const [on, off] = [await side(stage, config), await side(stage, OFF)]
  const seconds = Math.max(1, ROUND_S * stage.effort)
  for (const one of [off, on]) await one.load(seconds) // warms both up before measuring
  await caughtUp(on.at)
  const began = [on, off].map(({ daemon }) => ({ cpu: cpuMs(daemon.pid), mb: memoryMb(daemon.pid) }))
  const rounds: { on: number[]; off: number[] }[] = []
  for (let n = 0; n < Math.max(3, ROUNDS * stage.effort); n++) {
    const took = { on: [] as number[], off: [] as number[] }
    for (const which of n % 2 === 0 ? (['off', 'on'] as const) : (['on', 'off'] as const)) {
      took[which] = await { on, off }[which].load(seconds)
      await caughtUp(on.at)
    }
    rounds.push(took)
  }
  const events = rounds.length * seconds * EVENTS_A_SECOND
  const usPerEvent = [on, off].map(({ daemon }, n) =>
    round(((cpuMs(daemon.pid) - (began[n]?.cpu ?? 0)) / events) * 1000),
  )
  const sustained = await keepsUp(on, Math.max(3, SUSTAINED_S * stage.effort))
  const grown = [on, off].map(({ daemon }, n) => round(memoryMb(daemon.pid) - (began[n]?.mb ?? 0)))
  for (const { daemon } of [on, off]) await daemon.stop()
  const p99 = rounds.map((one) => [spread(one.on).p99, spread(one.off).p99] as const)
  const p50 = rounds.map((one) => [spread(one.on).p50, spread(one.off).p50] as const)
  return [
    {
      name,
      unit: 'ms',
      ...spread(rounds.flatMap((one) => one.on)),
      floor: median(p99.map(([, floor]) => floor)),
      ratio: median(p99.map(([ours, floor]) => ours / floor)),
      against: 'p99 of a daemon that only stores; the ratio is the median of the rounds',
      rounds: p99,
      p50Ratio: median(p50.map(([ours, floor]) => ours / floor)),
      daemonUsPerEvent: usPerEvent[0],
      storingUsPerEvent: usPerEvent[1],
      grownMb: grown[0],
      storingGrownMb: grown[1],
      ...sustained,
    },
  ]
}

async function side(stage: Stage, config: string): Promise<Side> {
  const at = stage.home()
  appendFileSync(at.configFile, config)
  const daemon = await stage.daemon(at)
  const agents = agentsAtWork(join(at.home ?? '', 'work'), at.home ?? '')
  const file = join(at.home ?? '', 'frames')
  return {
    at,
    daemon,
    load: async (seconds) => {
      const events = Math.round(seconds * EVENTS_A_SECOND)
      agents.frames(file, events, EVENTS_A_SECOND)
      const { ms } = await load(stage, at, { clients: CLIENTS, events, rate: EVENTS_A_SECOND, file })
      rmSync(file)
      return ms
    },
  }
}

/** A long load without a pause; returns each follower's maximum lag, and how long it took to catch up. */
async function keepsUp({ at, daemon, load }: Side, seconds: number): Promise<Record<string, unknown>> {
  const behind = { schema: 0, context: 0, search: 0 }
  const worker = childOf(daemon.pid, 'search-worker')
  const before = worker === undefined ? undefined : cpuMs(worker)
  let isOver = false
  const watching = (async () => {
    while (!isOver) {
      const now = marks(at)
      for (const name of ['context', 'search'] as const)
        behind[name] = Math.max(behind[name], now.last - now[name])
      await Bun.sleep(LOOK_MS)
    }
  })()
  const took = await load(seconds)
  isOver = true
  await watching
  behind.schema = marks(at).last - marks(at).schema // written every ten seconds, so only its end is known
  const caughtUpS = round((await caughtUp(at)) / 1000)
  const schemasWrittenS = round((await caughtUp(at, ['schema'])) / 1000)
  const after = worker === undefined ? undefined : cpuMs(worker)
  const cpu =
    before === undefined || after === undefined ? undefined : ((after - before) / took.length) * 1000
  return {
    sustainedMs: spread(took),
    mostBehind: behind,
    caughtUpS,
    schemasWrittenS,
    ...(cpu === undefined
      ? {}
      : { searchWorkerUsPerEvent: round(cpu), searchWorkerMb: memoryMb(worker ?? 0) }),
  }
}

/** How long until nothing lags any more, in ms. */
async function caughtUp(at: Places, names: readonly Name[] = ['context', 'search']): Promise<number> {
  const began = performance.now()
  for (;;) {
    const now = marks(at)
    const took = performance.now() - began
    if (now.last > 0 && names.every((name) => now[name] >= now.last)) return took
    if (took > CAUGHT_UP_MS) throw new Error(`not caught up: ${JSON.stringify(now)}`)
    await Bun.sleep(LOOK_MS / 5)
  }
}

function marks({ database, searchIndex }: Places): {
  last: number
  schema: number
  context: number
  search: number
} {
  const one = (path: string, sql: string) => {
    if (!existsSync(path)) return 0 // the index is created with its first entry
    const db = new Database(path, { readonly: true })
    try {
      return db.query<{ seq: number | null }, []>(sql).get()?.seq ?? 0
    } finally {
      db.close()
    }
  }
  const mark = (name: string) => one(database, `SELECT seq FROM marks WHERE name = '${name}'`)
  return {
    last: one(database, 'SELECT max(seq) AS seq FROM events'),
    schema: mark('schema'),
    context: mark('context'),
    search: one(searchIndex, 'SELECT seq FROM mark'),
  }
}
