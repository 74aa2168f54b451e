/** Inside the daemon: durable events per second, and the latency of one. */
import { join } from 'node:path'
import { median, type Result, round, spread, versus } from '../measure.ts'
import { interleave, numbers, type Stage } from '../stage.ts'

const CLIENTS = 64
const SESSIONS = 200
const PAYLOAD_BYTES = 2048

/** 64 clients, a new connection per 2 KB event, every event on disk before its answer. */
export async function pipelineThroughput(stage: Stage): Promise<Result[]> {
  const [real, bare] = [stage.home(), stage.home()]
  const daemon = await stage.daemon(real)
  const echo = await stage.echo(bare)
  const events = Math.max(2000, Math.round(30_000 * stage.effort))
  const latencies: number[] = []
  let seed = 0
  const load = (at: typeof real, kept?: number[]) => async () => {
    const [seconds = 1, ...us] = await run(stage, at, CLIENTS, events, seed++)
    kept?.push(...us)
    return [events / seconds]
  }
  const [rates = [], floors = []] = await interleave(3, load(real, latencies), load(bare))
  await daemon.stop()
  await echo.stop()
  const sorted = [...rates].sort((a, b) => b - a)
  const latency = spread(latencies.map((us) => us / 1000))
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
      latencyMs: latency,
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
  const lone = (at: typeof real) => async () => (await run(stage, at, 1, events, seed++)).slice(1)
  const disk = () => numbers([stage.program('fsync'), join(stage.dir, 'fsync.tmp'), '100'], {})
  const [ours = [], echoes = [], syncs = []] = await interleave(4, lone(real), lone(bare), disk)
  await daemon.stop()
  await echo.stop()
  const floor = (median(echoes) + median(syncs)) / 1000
  const ms = ours.map((us) => us / 1000)
  return [versus('pipeline-latency', 'ms', ms, [floor], 'an echo in C plus one fdatasync of 4 KB')]
}

function run(
  stage: Stage,
  at: ReturnType<Stage['home']>,
  clients: number,
  events: number,
  seed: number,
): Promise<number[]> {
  const args = [at.socket, clients, events, PAYLOAD_BYTES, SESSIONS, seed].map(String)
  return numbers([stage.program('load'), ...args], {})
}
