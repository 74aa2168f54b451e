/**
 * Publishing to NATS: the delay of an event at a consumer, and the rate at which a backlog drains. With gantry's own
 * server.
 */
import { readFileSync } from 'node:fs'
import { AckPolicy, DeliverPolicy, jetstream, jetstreamManager, StorageType } from '@nats-io/jetstream'
import { connect, type NatsConnection } from '@nats-io/transport-node'
import type { Places } from '../../src/core/files/paths.ts'
import type { NatsInfo } from '../../src/rpc/index.ts'
import { eventOf, sendFrame } from '../../test/kit.ts'
import { fillJournal } from '../journals.ts'
import { median, type Result, round, spread, versus } from '../measure.ts'
import { interleave, payloadOf, type Running, type Stage } from '../stage.ts'

const MANAGED = { GANTRY_NATS: 'managed', BD_NATS_PORT: '0' }
const PAYLOAD_BYTES = 2048
const SESSIONS = 200
const IN_FLIGHT = 192 // as many as gantry has in flight on this stream
const READY_DEADLINE_MS = 20_000
const GOAL_MS = 10
const GOAL_A_SECOND = 8_000

/** From the hook's first byte to the message at a plain consumer, against a plain publish to a plain consumer. */
export async function toJetstream(stage: Stage): Promise<Result[]> {
  const at = stage.home()
  const { daemon, nc } = await startedNats(stage, at)
  const floorStream = await makeStream(nc, 'FLOOR', 'floor.>')
  const [events, plain] = [await rawEvents(nc, 'HOOK_EVENTS'), await rawEvents(nc, floorStream)]
  const payload = payloadOf(PAYLOAD_BYTES)
  const js = jetstream(nc)
  let count = 0
  const timed = async (seen: Arrivals, send: (id: string) => unknown) => {
    const id = `bench-${++count}`
    const arrived = seen(id)
    const begin = performance.now()
    await send(id)
    await arrived
    return performance.now() - begin
  }
  const batch = Math.max(20, Math.round(100 * stage.effort))
  const many = (one: () => Promise<number>) => async () => {
    const samples: number[] = []
    for (let i = 0; i < batch; i++) samples.push(await one())
    return samples
  }
  const [ours = [], floor = []] = await interleave(
    5,
    many(() => timed(events, (id) => sendFrame(at, { id, payload }))),
    many(() => timed(plain, (id) => js.publish('floor.x', payload, { msgID: id }))),
  )
  await nc.close()
  await daemon.stop()
  const against = 'a plain publish to a plain consumer on the same server'
  return [{ ...versus('to-jetstream', 'ms', ours, floor, against), goal: GOAL_MS }]
}

/** Drains backlogs without concurrent hooks, in turns with plain publishing to the same nats-server while no daemon runs. */
export async function publishRate(stage: Stage): Promise<Result[]> {
  const at = stage.home()
  const events = Math.max(10_000, Math.round(50_000 * stage.effort))
  const first = await startedNats(stage, at) // so that the backlogs start after its mark, and the stream is known
  await first.nc.close()
  await first.daemon.stop()
  let { info } = first
  let backlog = 0
  const [rates = [], floor = []] = await interleave(
    3,
    async () => {
      fill(at.database, events, `backlog-${++backlog}`)
      const drained = await drain(stage, at, events * backlog)
      info = drained.info
      return [drained.rate]
    },
    async () => [await plainRate(stage, at, info, events)],
  )
  const ours = spread(rates)
  const against = `plain publishing, ${IN_FLIGHT} in flight, without a daemon; a ratio of 3 is a third of its rate`
  const ratio = round(median(floor) / ours.p50)
  return [
    {
      name: 'publish-rate',
      unit: 'events/s',
      ...ours,
      floor: median(floor),
      ratio,
      against,
      goal: GOAL_A_SECOND,
    },
  ]
}

/** Starts a daemon, and ends it once its stream has had `last` messages. */
async function drain(stage: Stage, at: Places, last: number): Promise<{ rate: number; info: NatsInfo }> {
  const { daemon, nc, info } = await startedNats(stage, at)
  const jsm = await jetstreamManager(nc)
  const delivered = async () => (await jsm.streams.info('HOOK_EVENTS')).state.last_seq
  const [startCount, startAt] = [await delivered(), performance.now()]
  while ((await delivered()) < last) await Bun.sleep(20)
  const rate = (last - startCount) / ((performance.now() - startAt) / 1000)
  await nc.close()
  await daemon.stop()
  return { rate, info }
}

async function plainRate(stage: Stage, at: Places, info: NatsInfo, count: number): Promise<number> {
  const server = await stage.natsServer(at)
  const nc = await retried(async () => {
    const nc = await connected(info)
    await makeStream(nc, 'FLOOR', 'floor.>')
    return nc
  })
  const payload = payloadOf(PAYLOAD_BYTES)
  const js = jetstream(nc)
  const begin = performance.now()
  let next = 0
  const lane = async () => {
    while (next < count) await js.publish('floor.x', payload, { msgID: `floor-${next++}` })
  }
  await Promise.all(Array.from({ length: IN_FLIGHT }, lane))
  const rate = count / ((performance.now() - begin) / 1000)
  await (await jetstreamManager(nc)).streams.delete('FLOOR')
  await nc.close()
  await server.stop()
  return rate
}

/** A daemon with its own nats-server, and a plain connection to that. */
export async function startedNats(
  stage: Stage,
  at: Places,
): Promise<{ daemon: Running; nc: NatsConnection; info: NatsInfo }> {
  const daemon = await stage.daemon(at, MANAGED)
  return retried(async () => {
    const info = JSON.parse(readFileSync(at.natsInfo, 'utf8')) as NatsInfo
    const nc = await connected(info)
    await (await jetstreamManager(nc)).streams.info('HOOK_EVENTS')
    return { daemon, nc, info }
  })
}

async function connected({ url, token }: NatsInfo): Promise<NatsConnection> {
  return connect({ servers: url, token, noAsyncTraces: true })
}

async function retried<T>(attempt: () => Promise<T>): Promise<T> {
  const until = performance.now() + READY_DEADLINE_MS
  for (;;) {
    try {
      return await attempt()
    } catch (error) {
      if (performance.now() > until) throw error
      await Bun.sleep(5)
    }
  }
}

async function makeStream(nc: NatsConnection, name: string, subjects: string): Promise<string> {
  const jsm = await jetstreamManager(nc)
  const limits = { max_msgs: 10_000, max_bytes: 100 * 1024 * 1024 }
  await jsm.streams.add({ name, subjects: [subjects], storage: StorageType.File, ...limits })
  return name
}

type Arrivals = (id: string) => Promise<void>

/** Resolves for each id when its message arrives. */
async function rawEvents(nc: NatsConnection, stream: string): Promise<Arrivals> {
  const jsm = await jetstreamManager(nc)
  const { name } = await jsm.consumers.add(stream, {
    ack_policy: AckPolicy.None,
    deliver_policy: DeliverPolicy.New,
  })
  const consumer = await jetstream(nc).consumers.get(stream, name)
  const waiting = new Map<string, () => void>()
  await consumer.consume({ callback: ({ headers }) => waiting.get(headers?.get('Nats-Msg-Id') ?? '')?.() })
  return (id) => new Promise((resolve) => waiting.set(id, resolve))
}

/** Adds events to a journal whose daemon is down. */
export function fill(database: string, count: number, name: string): void {
  const raw = payloadOf(PAYLOAD_BYTES)
  const at = Date.now()
  fillJournal(database, count, (n) => {
    const id = `${name}-${String(n).padStart(12, '0')}`
    const call = { type: 'PreToolUse', native: 'PreToolUse', sessionId: `session-${n % SESSIONS}` }
    return eventOf({ id, at, receivedAt: at, ...call, raw })
  })
}
