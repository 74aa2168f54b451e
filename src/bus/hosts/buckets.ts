/**
 * What the hosts of a fleet share, in three KV buckets: presence, the state of their sessions, and the files that these wrote
 * lately. Bounded: one value per key, a limit per value and in total, and entries expire after days without renewal. Imports
 * the NATS packages, so it is loaded only with a connection.
 */
import { createHash } from 'node:crypto'
import { type KV, type KvEntry, Kvm } from '@nats-io/kv'
import { DAY_MS } from '../../core/time/days.ts'
import type { Connection } from '../nats/index.ts'
import { token } from '../streams/index.ts'

const SESSIONS_BUCKET = 'GANTRY_SESSIONS'
const HOSTS_BUCKET = 'GANTRY_HOSTS'
const WRITES_BUCKET = 'GANTRY_WRITES'
const SESSIONS_KEPT_MS = 3 * DAY_MS // live sessions are written again every day
const HOSTS_KEPT_MS = 7 * DAY_MS // how long a silent host is still listed
const WRITES_KEPT_MS = DAY_MS // no write counts for longer
const SESSIONS_MAX_BYTES = 32 * 1024 * 1024
const WRITES_MAX_BYTES = 8 * 1024 * 1024
const HOSTS_MAX_BYTES = 1024 * 1024
/** Per value; writers stay well below. */
const VALUE_MAX_BYTES = 64 * 1024
const READ_DEADLINE_MS = 5_000
const PLAIN_KEY = /^([\w-]+):([\w-]{1,100})$/

export interface Entry {
  readonly key: string
  readonly value: unknown
  /** By the server's clock. */
  readonly at: number
}

export interface Buckets {
  readonly sessions: Bucket
  readonly hosts: Bucket
  readonly writes: Bucket
}

export async function openBuckets({ js }: Connection, replicas: number): Promise<Buckets> {
  const kvm = new Kvm(js)
  const common = { history: 1, replicas, maxValueSize: VALUE_MAX_BYTES }
  const [sessions, hosts, writes] = [
    await kvm.create(SESSIONS_BUCKET, { ...common, ttl: SESSIONS_KEPT_MS, max_bytes: SESSIONS_MAX_BYTES }),
    await kvm.create(HOSTS_BUCKET, { ...common, ttl: HOSTS_KEPT_MS, max_bytes: HOSTS_MAX_BYTES }),
    await kvm.create(WRITES_BUCKET, { ...common, ttl: WRITES_KEPT_MS, max_bytes: WRITES_MAX_BYTES }),
  ]
  return { sessions: new Bucket(sessions), hosts: new Bucket(hosts), writes: new Bucket(writes) }
}

class Bucket {
  readonly #kv: KV

  constructor(kv: KV) {
    this.#kv = kv
  }

  /** Skips a value that is too long: one session must not block the others. */
  async put(key: string, value: unknown): Promise<void> {
    const text = JSON.stringify(value)
    if (Buffer.byteLength(text) <= VALUE_MAX_BYTES) await this.#kv.put(key, text)
  }

  async remove(key: string): Promise<void> {
    await this.#kv.delete(key)
  }

  async get(key: string): Promise<Entry | undefined> {
    const entry = await this.#kv.get(key)
    return entry ? entryOf(entry) : undefined
  }

  /** All entries; with `first`, only keys with that first part. */
  async all(first?: string): Promise<Entry[]> {
    const found = await this.#kv.history({ key: first === undefined ? '>' : `${first}.>` })
    const late = setTimeout(() => found.stop(), READ_DEADLINE_MS)
    const entries: Entry[] = []
    try {
      for await (const one of found) {
        const entry = entryOf(one)
        if (entry) entries.push(entry)
      }
    } finally {
      clearTimeout(late)
    }
    return entries
  }

  /** Every entry as it is, then each change, until the signal aborts; the value is undefined if it was deleted. */
  async watch(stop: AbortSignal, changed: (key: string, value: unknown) => void): Promise<void> {
    const found = await this.#kv.watch()
    const leave = () => found.stop()
    stop.addEventListener('abort', leave)
    if (stop.aborted) leave()
    try {
      for await (const one of found) changed(one.key, entryOf(one)?.value)
    } finally {
      stop.removeEventListener('abort', leave)
    }
  }
}

/** Readable if the key allows it, and unique per session. */
export function bucketKeyOf(host: string, key: string): string {
  const plain = PLAIN_KEY.exec(key)
  const name = plain
    ? `${plain[1]}=${plain[2]}`
    : `${token(key).slice(0, 60)}=${createHash('sha256').update(key).digest('hex').slice(0, 24)}`
  return `${token(host)}.${name}`
}

/** Undefined if it was deleted or is not JSON: others may write here, too. */
function entryOf(entry: KvEntry): Entry | undefined {
  if (entry.operation !== 'PUT') return undefined
  try {
    return { key: entry.key, value: entry.json(), at: entry.created.getTime() }
  } catch {
    return undefined
  }
}
