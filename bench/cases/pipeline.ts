/** Inside the daemon: durable events per second, and the latency of one. */
import { join } from 'node:path'
import { load } from '../load.ts'
import { median, type Result, round, spread, versus } from '../measure.ts'
import { interleave, numbers, type Stage } from '../stage.ts'

const CLIENTS = 64
const SESSIONS = 200

/** 64 clients, a new connection per 2 KB event, every event on disk before its answer. */
export async function pipelineThroughput(stage: Stage): Promise<Result[]> {
  const [real, bare] = [stage.home(), stage.home()]
  const daemon = await stage.daemon(real)
  const echo = await stage.echo(bare)
  const events = Math.max(2000, Math.round(30_000 * stage.effort))
  const latencies: number[] = []
  let seed = 0
  const rate = (at: typeof real, kept?: number[]) => async () => {
    const wanted = { clients: CLIENTS, events, sessions: SESSIONS, seed: seed++ }
    const { ms, seconds } = await load(stage, at, wanted)
    kept?.push(...ms)
    return [events / seconds]
  }
  const [rates = [], floors = []] = await interleave(3, rate(real, latencies), rate(bare))
  await daemon.stop()
  await echo.stop()
  const sorted = [...rates].sort((a, b) => b - a)
  const floor = median(floors)
  return [
    {
      name: 'pipeline-throughput',
      unit: 'events/s',
      p50: median(rates),
      p95: round(sorted.at(-1) ?? 0),
      p99: round(sorted.at(-1) ?? 0),
      n: events * rates.length,
      floor,
      ratio: round(floor / median(rates)),
      against: 'an echo server in C under the same load; a ratio of 3 is a third of its rate',
      latencyMs: spread(latencies),
    },
  ]
}

/** One client at a time: connect, frame, commit, answer; against the same without storing, plus one fdatasync. */
export async function pipelineLatency(stage: Stage): Promise<Result[]> {
  const [real, bare] = [stage.home(), stage.home()]
  const daemon = await stage.daemon(real)
  const echo = await stage.echo(bare)
  const events = Math.round(1000 * stage.effort)
  let seed = 1000
  const lone = (at: typeof real) => async () =>
    (await load(stage, at, { clients: 1, events, sessions: SESSIONS, seed: seed++ })).ms
  const disk = () => numbers([stage.program('fsync'), join(stage.dir, 'fsync.tmp'), '100'], {})
  const [ours = [], echoes = [], syncs = []] = await interleave(4, lone(real), lone(bare), disk)
  await daemon.stop()
  await echo.stop()
  const floor = median(echoes) + median(syncs) / 1000
  return [versus('pipeline-latency', 'ms', ours, [floor], 'an echo in C plus one fdatasync of 4 KB')]
}
