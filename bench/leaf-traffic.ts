/**
 * The publishers of the bare hosts in `cases/fleet-leaves.ts`, and the counter of the hub's messages: in one process, because
 * twenty would measure themselves. Reads its orders as lines on stdin, and answers by lines on stdout.
 */
import { AckPolicy, DeliverPolicy, jetstream, jetstreamManager } from '@nats-io/jetstream'
import { connect, type NatsConnection } from '@nats-io/transport-node'
import { fitOwn, join } from '../src/bus/hub/streams.ts'
import { throughHub } from '../src/bus/hub/through.ts'
import type { Connection } from '../src/bus/index.ts'
import { ensureStream } from '../src/bus/outbox/jetstream.ts'
import { STREAMS } from '../src/events/index.ts'
import { payloadOf } from './stage.ts'

interface About {
  readonly bare: readonly { readonly name: string; readonly url: string; readonly token: string }[]
  readonly hub: { readonly clientUrl: string }
  /** Hosts that have daemons. */
  readonly gantry: readonly string[]
  readonly rate: number
}

type Ids = Readonly<Record<string, readonly string[]>>

const PAYLOAD = payloadOf(2048)
const READY_MS = 60_000
const CATCH_UP_MS = 90_000
const LOOK_MS = 250
const PAGE = 2_000

const about = JSON.parse(process.argv[2] ?? '{}') as About
const publishers = await Promise.all(about.bare.map(openHost))
let isOver = false
await until(
  async () => (await sourcesOf()) >= about.bare.length + about.gantry.length,
  READY_MS,
  () => 'not all are sources',
)
const publishing = publishers.map((one) => publish(one))
say({ ready: true })

for await (const line of console) {
  const { back, check } = JSON.parse(line) as { back?: Record<string, number>; check?: Ids }
  if (back) say({ caughtUpMs: await caughtUp(back) })
  if (!check) continue
  isOver = true
  await Promise.all(publishing)
  say({ checked: await checked(check) })
  process.exit(0)
}

interface Host {
  readonly name: string
  readonly nc: NatsConnection
  /** Ids that its own server has acknowledged. */
  readonly sent: string[]
}

async function openHost({ name, url, token }: About['bare'][number]): Promise<Host> {
  const nc = await retried(() => connect({ servers: url, token, maxReconnectAttempts: -1 }))
  const jsm = await jetstreamManager(nc, { checkAPI: false })
  const ended = new AbortController().signal
  const where = { url, managed: true, log: '' }
  const endpoint = { servers: [url], auth: { kind: 'token', token }, tls: undefined, where } as const
  const own: Connection = { nc, jsm, js: jetstream(nc), ended, where, endpoint }
  for (const stream of STREAMS) await ensureStream(own, stream, 1)
  await fitOwn(own, true)
  const joined = async () => {
    await join(await throughHub(own, 'hub'), name, 1)
    return true
  }
  await retried(joined)
  return { name, nc, sent: [] }
}

/** At its rate, each until the host's own server has it. */
async function publish({ name, nc, sent }: Host): Promise<void> {
  const js = jetstream(nc)
  const begin = performance.now() + Math.random() * 1_000
  for (let n = 0; !isOver; n++) {
    await Bun.sleep(Math.max(0, begin + (n * 1_000) / about.rate - performance.now()))
    const id = `${name}-${n}`
    const headers = { msgID: id }
    await retried(() => js.publish(`hooks.${name}.PreToolUse`, PAYLOAD, headers))
    sent.push(id)
  }
}

/** Until the hub has what every host had when it came back. */
async function caughtUp(gantry: Record<string, number>): Promise<number> {
  const begin = performance.now()
  const wanted = new Map([
    ...publishers.map(({ name, sent }) => [name, sent.length] as const),
    ...Object.entries(gantry),
  ])
  let behind = 'none'
  const isThere = async () => {
    const has = await countsOf()
    const late = [...wanted].filter(([name, count]) => (has.get(name) ?? 0) < count)
    behind = late.map(([name, count]) => `${name} has ${has.get(name) ?? 0} of ${count}`).join(', ')
    return late.length === 0
  }
  await until(isThere, CATCH_UP_MS, () => `the hub is behind: ${behind}`)
  return performance.now() - begin
}

async function checked(gantry: Ids) {
  const wanted = new Set([...publishers.flatMap(({ sent }) => sent), ...Object.values(gantry).flat()])
  await until(
    async () => total(await countsOf()) >= wanted.size,
    CATCH_UP_MS,
    () => '',
  ).catch(() => {})
  await Bun.sleep(2_000) // time for what comes twice
  const ids = await idsOnHub()
  const have = new Set(ids)
  const lost = [...wanted].filter((id) => !have.has(id)).length
  return { messages: wanted.size, lost, doubled: ids.length - have.size }
}

async function sourcesOf(): Promise<number> {
  return onHub(async (nc) => {
    const { config } = await (await jetstreamManager(nc)).streams.info('HOOK_EVENTS')
    return config.sources?.length ?? 0
  })
}

/** Messages of each host. */
async function countsOf(): Promise<Map<string, number>> {
  return onHub(async (nc) => {
    const { state } = await (await jetstreamManager(nc)).streams.info('HOOK_EVENTS', { subjects_filter: '>' })
    const counts = new Map<string, number>()
    for (const [subject, count] of Object.entries(state.subjects ?? {})) {
      const host = subject.split('.')[1] ?? ''
      counts.set(host, (counts.get(host) ?? 0) + count)
    }
    return counts
  })
}

async function idsOnHub(): Promise<string[]> {
  return onHub(async (nc) => {
    const jsm = await jetstreamManager(nc)
    const { state } = await jsm.streams.info('HOOK_EVENTS')
    const { name } = await jsm.consumers.add('HOOK_EVENTS', {
      ack_policy: AckPolicy.None,
      deliver_policy: DeliverPolicy.All,
      headers_only: true,
      mem_storage: true,
    })
    const consumer = await jetstream(nc).consumers.get('HOOK_EVENTS', name)
    const ids: string[] = []
    for (let seen = 0; seen < state.messages; ) {
      const before = seen
      for await (const { headers } of await consumer.fetch({ max_messages: PAGE, expires: 5_000 })) {
        seen += 1
        if (headers?.get('Gantry-Agent') !== 'gantry')
          ids.push(headers?.get('Nats-Msg-Id').replace(/:h$/, '') ?? '')
      }
      if (seen === before) break
    }
    return ids
  })
}

async function onHub<T>(work: (nc: NatsConnection) => Promise<T>): Promise<T> {
  const nc = await connect({ servers: about.hub.clientUrl, user: 'admin', pass: 'bench', reconnect: false })
  try {
    return await work(nc)
  } finally {
    await nc.close()
  }
}

function total(counts: ReadonlyMap<string, number>): number {
  return [...counts.values()].reduce((sum, one) => sum + one, 0)
}

async function retried<T>(work: () => Promise<T>): Promise<T> {
  for (const end = performance.now() + READY_MS; ; await Bun.sleep(LOOK_MS)) {
    try {
      return await work()
    } catch (error) {
      if (performance.now() > end) throw error
    }
  }
}

async function until(check: () => Promise<boolean>, limitMs: number, what: () => string): Promise<void> {
  for (const end = performance.now() + limitMs; ; await Bun.sleep(LOOK_MS)) {
    if (await check().catch(() => false)) return
    if (performance.now() > end) throw new Error(`not within ${limitMs} ms: ${what()}`)
  }
}

function say(what: object): void {
  console.log(JSON.stringify(what))
}
