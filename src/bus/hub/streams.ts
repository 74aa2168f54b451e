/**
 * The streams of a fleet. Those on the hub have one source for each host: the same stream in that host's JetStream domain, and
 * of it what is published under the host. Those of a host are larger than without a hub, because they keep what the hub does
 * not have yet. Imports the NATS packages.
 */
import type { JetStreamManager, StreamConfig, StreamSource } from '@nats-io/jetstream'
import { pause } from '../../core/time/waits.ts'
import { KEPT } from '../../store/kept.ts'
import type { Connection } from '../nats/index.ts'
import { findStream, streamSettings } from '../outbox/jetstream.ts'
import { PREFIX, STREAMS, type StreamName } from '../streams/index.ts'

const GIB = 1024 ** 3
const MAX_MESSAGES = 1_000_000 // at its start a hub reads backwards through a stream until it has met every source
/** Of a hub that sets no limit for its account. */
const HUB_BYTES = 8 * GIB
/** Parts of the hub's space; a tenth is left for sessions and hosts. */
const SHARES: Readonly<Record<StreamName, number>> = {
  HOOK_EVENTS: 0.6,
  SESSION_EVENTS: 0.1,
  DECISION_EVENTS: 0.1,
  GANTRY_EVENTS: 0.1,
}
const LEAF_BYTES: Readonly<Record<StreamName, number>> = {
  HOOK_EVENTS: GIB,
  SESSION_EVENTS: GIB / 4,
  DECISION_EVENTS: GIB / 4,
  GANTRY_EVENTS: GIB / 4,
}
/**
 * The least there is. A source knows by its sequence what it has, and a second message with a known id stops it until the id
 * is forgotten (2.9.10), such as one that two hosts have, or one of a host whose streams were filled again.
 */
const DUPLICATES_NS = 100_000_000
const SETTLE_MS = 1_500 // another host that read the sources before us has written them by then

interface HubSource {
  /** JetStream domain of the host. */
  readonly domain: string
  /** Messages that the hub knows of and does not have. */
  readonly lag: number
  /** Since the hub last heard of it. */
  readonly quietMs: number
}

interface HubStream {
  readonly name: StreamName
  readonly messages: number
  readonly bytes: number
  readonly sources: readonly HubSource[]
}

/** Makes the hub's streams where they are missing, and this host a source of each. */
export async function join(hub: Connection, domain: string, replicas: number): Promise<void> {
  const joinOne = async (name: StreamName) => {
    while (!hub.ended.aborted && !(await isJoined(hub, name, domain, replicas)))
      await pause(Math.random() * SETTLE_MS, hub.ended)
  }
  await Promise.all(STREAMS.map(joinOne))
}

/** Takes a host out of the hub's streams; what it sent stays. */
export async function leave(hub: Connection, domain: string): Promise<void> {
  for (const name of STREAMS) {
    const config = (await findStream(hub.jsm, name))?.config
    const left = config?.sources?.filter((source) => domainOf(source) !== domain)
    if (config && left?.length !== config.sources?.length)
      await hub.jsm.streams.update(name, { ...config, sources: left ?? [] })
  }
}

export async function look({ jsm }: Connection): Promise<HubStream[]> {
  const infos = await Promise.all(STREAMS.map((name) => findStream(jsm, name)))
  return STREAMS.flatMap((name, n) => {
    const info = infos[n]
    if (!info) return []
    const { messages, bytes } = info.state
    const sources = (info.sources ?? []).map((one) => ({
      domain: domainOf(one as Pick<StreamSource, 'external'>),
      lag: one.lag,
      quietMs: Math.round(one.active / 1e6),
    }))
    return [{ name, messages, bytes, sources }]
  })
}

/** Room for what the hub does not have yet; without a hub, as much as every other host has. */
export async function fitOwn({ jsm }: Connection, isLeaf: boolean): Promise<void> {
  for (const name of STREAMS) {
    const config = (await findStream(jsm, name))?.config
    if (!config) continue
    const usual = { max_msgs: KEPT.streamMessages, max_bytes: KEPT.streamBytes }
    const large = { max_msgs: MAX_MESSAGES, max_bytes: LEAF_BYTES[name] }
    const [from, to] = isLeaf ? [usual, large] : [large, usual]
    // Somebody's own settings are left alone.
    if (config.max_msgs === from.max_msgs && config.max_bytes === from.max_bytes)
      await jsm.streams.update(name, { ...config, ...to })
  }
}

/**
 * True if it needed nothing. An update replaces all sources, so two hosts that join at once may undo each other's: whoever
 * changed something looks again after a while.
 */
async function isJoined(
  { jsm }: Connection,
  name: StreamName,
  domain: string,
  replicas: number,
): Promise<boolean> {
  const config = (await findStream(jsm, name))?.config
  if (config?.sources?.some((source) => domainOf(source) === domain)) return true
  const sources = [...(config?.sources ?? []), sourceOf(name, domain)]
  if (config) await jsm.streams.update(name, { ...config, sources })
  else {
    const settings = settingsOf(name, replicas, await roomOf(jsm))
    const failed = await jsm.streams.add({ ...settings, sources }).catch((error: unknown) => error ?? true)
    // Another host was quicker; the server then complains of anything, such as no room for a second one.
    if (failed instanceof Error && !(await findStream(jsm, name))) throw failed
  }
  return false
}

function sourceOf(name: StreamName, domain: string): StreamSource {
  const external = { api: `$JS.${domain}.API`, deliver: '' }
  return { name, external, filter_subject: `${PREFIX[name]}.${domain}.>` }
}

function domainOf({ external }: Pick<StreamSource, 'external'>): string {
  return /^\$JS\.([^.]+)\.API$/.exec(external?.api ?? '')?.[1] ?? ''
}

/** Hosts without a leaf node publish to the same streams, so they have subjects, too. */
function settingsOf(
  name: StreamName,
  replicas: number,
  room: number,
): Partial<StreamConfig> & { name: string } {
  return {
    ...streamSettings(name, replicas, {
      max_msgs: MAX_MESSAGES,
      max_bytes: Math.floor((room * SHARES[name]) / replicas), // the account's limit counts every copy
    }),
    duplicate_window: DUPLICATES_NS,
  }
}

async function roomOf(jsm: JetStreamManager): Promise<number> {
  const { max_storage } = (await jsm.getAccountInfo()).limits
  return max_storage > 0 ? max_storage : HUB_BYTES
}
