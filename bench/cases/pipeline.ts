/** Inside the daemon: durable events per second, and the latency of one. */
import { join } from 'node:path'
import { load } from '../load.ts'
import { median, type Result, round, spread, versus } from '../measure.ts'
import { interleave, numbers, type Stage } from '../stage.ts'

const CLIENTS = 64
const SESSIONS = 200

/** 64 clients, a new connection per 2 KB event, every event on disk before its answer. */
export async function pipelineThroughput(stage: Stage): Promise<Result[]> {
  const [real, stored, bare] = [stage.home(), stage.home(), stage.home()]
  const servers = [await stage.daemon(real), await stage.bareStore(stored), await stage.echo(bare)]
  const events = Math.max(2000, Math.round(30_000 * stage.effort))
  const latencies: number[] = []
  const storeLatencies: number[] = []
  let seed = 0
  const rate = (at: typeof real, kept?: number[]) => async () => {
    const wanted = { clients: CLIENTS, events, sessions: SESSIONS, seed: seed++ }
    const { ms, seconds } = await load(stage, at, wanted)
    kept?.push(...ms)
    return [events / seconds]
  }
  const [rates = [], stores = [], floors = []] = await interleave(
    3,
    ...[rate(real, latencies), rate(stored, storeLatencies), rate(bare)],
  )
  for (const server of servers) await server.stop()
  const floor = median(floors)
  const result = (name: string, all: readonly number[], ms: readonly number[]) => ({
    ...{ name, unit: 'events/s', p50: median(all) },
    ...{ p95: round(Math.min(...all)), p99: round(Math.min(...all)), n: events * all.length },
    ...{ floor, ratio: round(floor / median(all)) },
    against: 'an echo server in C under the same load; a ratio of 3 is a third of its rate',
    latencyMs: spread(ms),
  })
  return [result('pipeline-throughput', rates, latencies), result('bun-and-sqlite', stores, storeLatencies)]
}

/** One client at a time: connect, frame, commit, answer; against the same without storing, plus one fdatasync. */
export async function pipelineLatency(stage: Stage): Promise<Result[]> {
  const [real, stored, bare] = [stage.home(), stage.home(), stage.home()]
  const servers = [await stage.daemon(real), await stage.bareStore(stored), await stage.echo(bare)]
  const events = Math.round(1000 * stage.effort)
  let seed = 1000
  const lone = (at: typeof real) => async () =>
    (await load(stage, at, { clients: 1, events, sessions: SESSIONS, seed: seed++ })).ms
  const disk = () => numbers([stage.program('fsync'), join(stage.dir, 'fsync.tmp'), '100'], {})
  const [ours = [], stores = [], echoes = [], syncs = []] = await interleave(
    4,
    ...[lone(real), lone(stored), lone(bare), disk],
  )
  for (const server of servers) await server.stop()
  const floor = [median(echoes) + median(syncs) / 1000]
  const against = 'an echo in C plus one fdatasync of 4 KB'
  return [
    versus('pipeline-latency', 'ms', ours, floor, against),
    versus('bun-and-sqlite-lone', 'ms', stores, floor, against),
  ]
}
