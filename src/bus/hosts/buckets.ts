/**
 * What the hosts of a fleet tell each other, in two KV buckets: who is there, and what their sessions do. Small and
 * bounded: one value a key, a limit for each value and for all of them, and what nobody renews is gone after days.
 * Loads the packages of NATS, so it is loaded itself only with a connection.
 */
import { createHash } from 'node:crypto'
import { type KV, type KvEntry, Kvm } from '@nats-io/kv'
import type { Connection } from '../nats/index.ts'
import { token } from '../streams/index.ts'

const SESSIONS_BUCKET = 'GANTRY_SESSIONS'
const HOSTS_BUCKET = 'GANTRY_HOSTS'
const DAY_MS = 86_400_000
const SESSIONS_KEPT_MS = 3 * DAY_MS // living ones are written again every day
const HOSTS_KEPT_MS = 7 * DAY_MS // so long a host that went silent is still listed
const SESSIONS_MAX_BYTES = 32 * 1024 * 1024
const HOSTS_MAX_BYTES = 1024 * 1024
/** Of one value; whoever tells of a session keeps it well below. */
const VALUE_MAX_BYTES = 64 * 1024
const READ_DEADLINE_MS = 5_000
const PLAIN_KEY = /^([\w-]+):([\w-]{1,100})$/

export interface Entry {
  readonly key: string
  readonly value: unknown
  /** By the clock of the server. */
  readonly at: number
}

export interface Buckets {
  readonly sessions: Bucket
  readonly hosts: Bucket
}

export async function openBuckets({ js }: Connection, replicas: number): Promise<Buckets> {
  const kvm = new Kvm(js)
  const common = { history: 1, replicas, maxValueSize: VALUE_MAX_BYTES }
  const [sessions, hosts] = [
    await kvm.create(SESSIONS_BUCKET, { ...common, ttl: SESSIONS_KEPT_MS, max_bytes: SESSIONS_MAX_BYTES }),
    await kvm.create(HOSTS_BUCKET, { ...common, ttl: HOSTS_KEPT_MS, max_bytes: HOSTS_MAX_BYTES }),
  ]
  return { sessions: new Bucket(sessions), hosts: new Bucket(hosts) }
}

export class Bucket {
  readonly #kv: KV

  constructor(kv: KV) {
    this.#kv = kv
  }

  /** What is too long is left out: one session must not keep the others from being told. */
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

  /** All that is there; under a first part of the keys, if one is given. */
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
}

/** Readable where the key allows it, and never the same for two sessions. */
export function sessionKeyOf(host: string, key: string): string {
  const plain = PLAIN_KEY.exec(key)
  const name = plain
    ? `${plain[1]}=${plain[2]}`
    : `${token(key).slice(0, 60)}=${createHash('sha256').update(key).digest('hex').slice(0, 24)}`
  return `${token(host)}.${name}`
}

/** Nothing for what was deleted, and for what is no JSON: others may write here, too. */
function entryOf(entry: KvEntry): Entry | undefined {
  if (entry.operation !== 'PUT') return undefined
  try {
    return { key: entry.key, value: entry.json(), at: entry.created.getTime() }
  } catch {
    return undefined
  }
}
