/**
 * Twenty hosts on one NATS, two thousand events a second in all: the delay at a consumer, and the cost of reading the
 * fleet.
 */
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { AckPolicy, DeliverPolicy, jetstream, jetstreamManager } from '@nats-io/jetstream'
import type { NatsConnection } from '@nats-io/transport-node'
import { HostsBus, NatsBus, Sources } from '../../src/bus/index.ts'
import { STREAMS } from '../../src/events/index.ts'
import type { NatsInfo } from '../../src/rpc/index.ts'
import { openStore } from '../../src/store/index.ts'
import { eventOf, until } from '../../test/kit.ts'
import { median, type Result, round, versus } from '../measure.ts'
import { payloadOf, type Stage } from '../stage.ts'
import { startedNats } from './nats.ts'

/** A real host has its own disk; twenty on one would measure that disk. */
const MEMORY = '/dev/shm'
const HOSTS = 20
const EVENTS_A_SECOND = 2_000
const SECONDS = 10
const SESSIONS_A_HOST = 10
const TICK_MS = 10
const PAYLOAD_BYTES = 2048
const VIEW_CHARS = 1_500 // typical size of a session's record
const READS = 20
const READY_DEADLINE_MS = 20_000
const DEADLINE_MS = 30_000

/** From the commit on a host to the message at a plain consumer, against a plain publish at the same rate. */
export async function fleet20(stage: Stage): Promise<Result[]> {
  const dir = mkdtempSync(join(existsSync(MEMORY) ? MEMORY : stage.dir, 'gantry-fleet-'))
  try {
    return [await measured(stage, dir)]
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
}

async function measured(stage: Stage, dir: string): Promise<Result> {
  const { daemon, nc, info } = await startedNats(stage, stage.home())
  await (await jetstreamManager(nc)).streams.add({ name: 'FLOOR', subjects: ['floor.>'], max_msgs: 10_000 })
  const hosts = Array.from({ length: HOSTS }, (_, n) => simulate(join(dir, `${n}`), n, info))
  await until(() => hosts.every((host) => host.isReady()), 'all hosts', READY_DEADLINE_MS)
  const seconds = Math.max(2, SECONDS * stage.effort)
  const payload = payloadOf(PAYLOAD_BYTES)
  const js = jetstream(nc)
  const ours = await timed(nc, 'HOOK_EVENTS', seconds, (n, id) => hosts[n % HOSTS]?.say(id, n, payload))
  const plain = (_: number, id: string) => void js.publish('floor.x', payload, { msgID: id })
  const floor = await timed(nc, 'FLOOR', seconds, plain)
  const looks: number[] = []
  for (let i = 0; i < READS; i++) {
    const begin = performance.now()
    const found = await hosts[0]?.fleet.read()
    looks.push(performance.now() - begin)
    if (found?.sessions.length !== HOSTS * SESSIONS_A_HOST)
      throw new Error(`${found?.sessions.length} sessions were told of`)
  }
  await Promise.all(hosts.map((host) => host.close()))
  await nc.close()
  await daemon.stop()
  const against = 'plain publishing from one connection at the same rate, on the same server'
  return {
    ...versus('fleet-20-hosts', 'ms', ours, floor, against),
    eventsASecond: round(ours.length / seconds),
    sessionsOfAllMs: median(looks),
  }
}

/** Sends at the rate; returns how long each message took to the consumer. */
async function timed(
  nc: NatsConnection,
  stream: string,
  seconds: number,
  send: (n: number, id: string) => void,
): Promise<number[]> {
  const sent = new Map<string, number>()
  const took: number[] = []
  const jsm = await jetstreamManager(nc)
  const { name } = await jsm.consumers.add(stream, {
    ack_policy: AckPolicy.None,
    deliver_policy: DeliverPolicy.New,
    mem_storage: true,
  })
  const messages = await (await jetstream(nc).consumers.get(stream, name)).consume({
    callback: ({ headers }) => {
      const id = headers?.get('Nats-Msg-Id') ?? ''
      const at = sent.get(id)
      if (at === undefined) return // of the daemon that runs the server, or a duplicate
      sent.delete(id)
      took.push(performance.now() - at)
    },
  })
  const total = seconds * EVENTS_A_SECOND
  const begin = performance.now()
  for (let n = 0; n < total; ) {
    const due = Math.min(total, Math.floor(((performance.now() - begin) / 1000) * EVENTS_A_SECOND))
    for (; n < due; n++) {
      const id = `${stream}-${n}`
      sent.set(id, performance.now())
      send(n, id)
    }
    await Bun.sleep(TICK_MS)
  }
  await until(() => took.length === total, `${total} messages`, DEADLINE_MS)
  await messages.close()
  return took
}

/** A host without agents: its journal, its outbox, its part in the fleet. */
function simulate(dir: string, n: number, { url, token }: NatsInfo) {
  mkdirSync(dir, { recursive: true })
  const store = openStore(join(dir, 'gantry.db'))
  const sources = new Sources(store)
  const log = { debug() {}, info() {}, warn() {}, error() {} }
  const host = `host-${n}`
  const nats = new NatsBus({
    store,
    sources,
    log,
    dir: join(dir, 'nats'),
    infoFile: join(dir, 'nats-info.json'),
    beadsDir: undefined,
    token: () => '',
    rested: () => {},
  })
  const keys = Array.from({ length: SESSIONS_A_HOST }, (_, i) => `claude:${host}-${i}`)
  const fleet = new HostsBus({
    settings: () => ({ mode: 'on', host, replicas: 1 }),
    instance: host,
    about: () => ({ version: '0' }),
    keys: () => keys,
    view: (key) => ({ key, at: Date.now(), text: 'x'.repeat(VIEW_CHARS) }),
    log,
  })
  nats.listen((connection) => void fleet.use(connection))
  nats.apply(() => ({
    mode: 'external',
    servers: [url.replace('nats://', '')],
    auth: { kind: 'token', token },
    tls: undefined,
    form: { subjects: 'scoped', host, replicas: 1 },
  }))
  return {
    fleet,
    isReady: () =>
      fleet.isSharing && nats.glance().streams.filter(({ exists }) => exists).length === STREAMS.length,
    say: (id: string, at: number, raw: string) => {
      const which = Math.floor(at / HOSTS) % SESSIONS_A_HOST
      const now = Date.now()
      const call = { type: 'PreToolUse', native: 'PreToolUse', sessionId: `${host}-${which}` }
      const event = eventOf({ id, at: now, receivedAt: now, ...call, raw })
      store.journal.commit(() => void Object.assign(event, { seq: store.journal.append(event) }))
      sources.committed([event])
      fleet.changed([keys[which] ?? ''])
    },
    close: async () => {
      await nats.stop()
      store.close()
    },
  }
}
