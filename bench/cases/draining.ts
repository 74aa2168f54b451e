/** Hooks while a backlog is published to NATS: p99 latency, against the same hooks without a backlog. */
import { appendFileSync } from 'node:fs'
import { jetstreamManager } from '@nats-io/jetstream'
import type { Places } from '../../src/core/files/paths.ts'
import type { NatsInfo } from '../../src/rpc/index.ts'
import { load } from '../load.ts'
import { percentile, type Result, round, spread } from '../measure.ts'
import { cpuMs } from '../process.ts'
import type { Running, Stage } from '../stage.ts'
import { fill, startedNats } from './nats.ts'

const BACKLOG = 100_000
const CLIENTS = 16
const HOOKS_A_SECOND = 500
const HOOKS_A_ROUND = 500
const WARM_HOOKS = 50 // a process that was idle has cold caches and late timers
const SESSIONS = 200
const GOAL_RATIO = 1.5
const READY_DEADLINE_MS = 120_000
const LOOK_MS = 500
const IDLE_MS = 25 // CPU time within one look: only timers

/** Disables what would disturb both and is measured elsewhere. */
const ALONE =
  '[nats]\nfleet = "off"\n[search]\nenabled = false\n[schema]\nenabled = false\n[summary]\nmode = "off"\n'

/**
 * Two daemons with the same journal on one server. They take turns at the same hooks, and the other one is stopped
 * meanwhile, so that a noisy minute hits both alike and the backlog drains only while it is measured.
 */
export async function hookWhileDraining(stage: Stage): Promise<Result[]> {
  const { daemon: host, nc, info } = await startedNats(stage, stage.home())
  const events = Math.max(10_000, Math.round(BACKLOG * stage.effort))
  const hooks = Math.max(100, Math.round(HOOKS_A_ROUND * stage.effort))
  const [idle, busy] = await Promise.all([
    prepared(stage, 'idle', events),
    prepared(stage, 'busy', events, info), // a daemon that knows the stream already has all of it to send, not only the newest
  ])
  const jsm = await jetstreamManager(nc)
  const delivered = async () => (await jsm.streams.info('HOOK_EVENTS')).state.last_seq
  const throttle = await started(stage, idle, info)
  await untilIdle(throttle)
  const before = await delivered()
  const draining = await started(stage, busy, info)
  const rounds: { busy: number[]; idle: number[]; rate: number }[] = []
  for (let seed = 1; ; seed++) {
    const [count, begin] = [await delivered(), performance.now()]
    const slow = await paused(throttle, () => hooksOf(stage, busy, hooks, seed))
    const [now, seconds] = [await delivered(), (performance.now() - begin) / 1000]
    if (now - before >= events) break // it finished meanwhile, so these do not measure a drain
    const floor = await paused(draining, () => hooksOf(stage, idle, hooks, -seed))
    rounds.push({ busy: slow, idle: floor, rate: (now - count) / seconds })
  }
  await nc.close()
  for (const one of [draining, throttle, host]) await one.stop()
  return [resultOf(rounds)]
}

function resultOf(rounds: readonly { busy: number[]; idle: number[]; rate: number }[]): Result {
  const [ours, floor] = [
    spread(rounds.flatMap(({ busy }) => busy)),
    spread(rounds.flatMap(({ idle }) => idle)),
  ]
  const each = rounds.map(({ busy, idle }) => spread(busy).p99 / spread(idle).p99).sort((a, b) => a - b)
  const rates = rounds.map(({ rate }) => rate).sort((a, b) => a - b)
  return {
    name: 'hook-p99-while-draining',
    unit: 'ms',
    ...ours,
    floor: floor.p99,
    ratio: round(ours.p99 / floor.p99),
    against: 'p99 of the same hooks with nothing to drain',
    goal: GOAL_RATIO,
    nothingToDrainMs: floor,
    ratioOfRounds: round(percentile(each, 0.5)),
    rounds: rounds.length,
    drainedASecond: round(percentile(rates, 0.5)),
  }
}

/** A home with this many events in its journal, which everything but NATS has processed. */
async function prepared(stage: Stage, name: string, events: number, info?: NatsInfo): Promise<Places> {
  const at = stage.home()
  appendFileSync(at.configFile, ALONE)
  if (info) await untilIdle(await started(stage, at, info), true)
  fill(at.database, events, name)
  await untilIdle(await stage.daemon(at), true)
  return at
}

function started(stage: Stage, at: Places, { url, token }: NatsInfo): Promise<Running> {
  return stage.daemon(at, { GANTRY_NATS: 'external', BD_NATS_URL: url, BD_DAEMON_TOKEN: token })
}

/** Waits until it is connected, has drained everything and is idle. */
async function untilIdle(daemon: Running, thenStop = false): Promise<void> {
  const until = performance.now() + READY_DEADLINE_MS
  for (let used = Number.POSITIVE_INFINITY; used > IDLE_MS; ) {
    if (performance.now() > until) throw new Error('the daemon is still busy after two minutes')
    const before = cpuMs(daemon.pid)
    await Bun.sleep(LOOK_MS)
    used = cpuMs(daemon.pid) - before
  }
  if (thenStop) await daemon.stop()
}

async function paused<T>({ pid }: Running, work: () => Promise<T>): Promise<T> {
  process.kill(pid, 'SIGSTOP')
  try {
    return await work()
  } finally {
    process.kill(pid, 'SIGCONT')
  }
}

/** Latencies in milliseconds, without the warm-up. */
async function hooksOf(stage: Stage, at: Places, hooks: number, seed: number): Promise<number[]> {
  const wanted = { clients: CLIENTS, sessions: SESSIONS, seed, rate: HOOKS_A_SECOND }
  const { ms } = await load(stage, at, { ...wanted, events: WARM_HOOKS + hooks })
  return ms.slice(WARM_HOOKS)
}
