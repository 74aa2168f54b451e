/**
 * What this host shares while a connection lasts: a heartbeat every few seconds, each session when it changes, and the files that
 * it wrote. What other hosts' sessions write is heard at once.
 * Imports the NATS packages, so it is loaded only with a connection.
 */
import { pause } from '../../core/time/waits.ts'
import type { Connection } from '../nats/index.ts'
import { token } from '../streams/index.ts'
import { type Buckets, bucketKeyOf, openBuckets } from './buckets.ts'
import type { HostsParts, HostsSettings } from './hosts.ts'

const BEAT_MS = 5_000
const COALESCE_MS = 200 // a session that changes all the time is sent five times a second
const AT_ONCE = 32
const RENEW_MS = 86_400_000 // before the bucket expires unchanged entries

export async function openShare(
  connection: Connection,
  settings: HostsSettings,
  parts: HostsParts,
): Promise<HostShare> {
  return new HostShare(await openBuckets(connection, settings.replicas), settings.host, parts)
}

export class HostShare {
  readonly buckets: Buckets
  readonly #host: string
  readonly #parts: HostsParts
  readonly #dirty = new Set<string>()
  /** Sessions whose files others have to hear of. */
  readonly #wrote = new Set<string>()
  #wake: () => void = () => {}
  #isDuplicate = false

  constructor(buckets: Buckets, host: string, parts: HostsParts) {
    this.buckets = buckets
    this.#host = host
    this.#parts = parts
  }

  /** Another gantry uses the same host name. */
  get isDuplicate(): boolean {
    return this.#isDuplicate
  }

  changed(keys: Iterable<string>): void {
    for (const key of keys) this.#dirty.add(key)
    this.#wake()
  }

  wrote(key: string): void {
    this.#wrote.add(key)
    this.#wake()
  }

  /** Runs until the signal aborts or an error; calls `works` each time everything was sent. */
  async run(stop: AbortSignal, works: () => void): Promise<void> {
    await this.#put(false)
    await this.#forgetEnded()
    this.changed(this.#parts.keys())
    for (const key of this.#parts.keys()) this.wrote(key)
    const failed = Promise.withResolvers<never>()
    void this.#hear(stop).catch(failed.reject)
    await Promise.race([this.#share(stop, works), failed.promise])
  }

  async #share(stop: AbortSignal, works: () => void): Promise<void> {
    let [nextBeat, nextRenewal] = [performance.now() + BEAT_MS, performance.now() + RENEW_MS]
    while (!stop.aborted) {
      await this.#flush()
      works()
      await pause(COALESCE_MS, stop)
      if (this.#dirty.size + this.#wrote.size === 0) await this.#changeOr(nextBeat - performance.now(), stop)
      if (performance.now() >= nextBeat && !stop.aborted) {
        await this.#beat()
        nextBeat = performance.now() + BEAT_MS
      }
      if (performance.now() < nextRenewal) continue
      nextRenewal = performance.now() + RENEW_MS
      this.changed(this.#parts.keys())
    }
  }

  /** Does not wait for an answer: the connection is about to close, or gone already. */
  leave(): Promise<void> {
    return this.#put(true).catch(() => {})
  }

  async #beat(): Promise<void> {
    const last = (await this.buckets.hosts.get(token(this.#host)))?.value as
      | { instance?: unknown; left?: unknown }
      | null
      | undefined
    const isOther = typeof last?.instance === 'string' && last.instance !== this.#parts.instance
    this.#isDuplicate = isOther && last?.left !== true
    await this.#put(false)
  }

  #put(left: boolean): Promise<void> {
    const { about, instance } = this.#parts
    return this.buckets.hosts.put(token(this.#host), { ...about(), host: this.#host, instance, left })
  }

  /** Sends the current state of a session, however often it changed before. */
  async #flush(): Promise<void> {
    await this.#each(this.#dirty, (key) => this.#tell(key))
    await this.#each(this.#wrote, (key) => this.#tellWrites(key))
  }

  async #each(waiting: Set<string>, tell: (key: string) => Promise<void>): Promise<void> {
    const keys = [...waiting]
    for (let at = 0; at < keys.length; at += AT_ONCE) {
      const some = keys.slice(at, at + AT_ONCE)
      for (const key of some) waiting.delete(key)
      const done = await Promise.allSettled(some.map(tell))
      const failed = done.find((one): one is PromiseRejectedResult => one.status === 'rejected')
      if (failed) throw failed.reason
    }
  }

  async #tell(key: string): Promise<void> {
    const { sessions } = this.buckets
    const at = bucketKeyOf(this.#host, key)
    const view = this.#parts.view(key)
    if (view === undefined) await sessions.remove(at)
    else await sessions.put(at, { host: this.#host, instance: this.#parts.instance, view })
  }

  async #tellWrites(key: string): Promise<void> {
    const { writes } = this.buckets
    const at = bucketKeyOf(this.#host, key)
    const shared = this.#parts.writes?.(key)
    if (shared !== undefined)
      await writes.put(at, { host: this.#host, instance: this.#parts.instance, shared })
    else if (await writes.get(at)) await writes.remove(at)
  }

  async #hear(stop: AbortSignal): Promise<void> {
    const { heardWrites, instance: own } = this.#parts
    const mine = `${token(this.#host)}.`
    await this.buckets.writes.watch(stop, (key, value) => {
      const { host, instance, shared } = (value ?? {}) as Record<string, unknown>
      if (key.startsWith(mine) || instance === own) return
      heardWrites?.(typeof host === 'string' ? host : key, key, shared)
    })
  }

  /** Removes sessions that ended while this host was disconnected. */
  async #forgetEnded(): Promise<void> {
    const living = new Set([...this.#parts.keys()].map((key) => bucketKeyOf(this.#host, key)))
    for (const { key, value } of await this.buckets.sessions.all(token(this.#host))) {
      const { instance } = (value ?? {}) as { instance?: unknown }
      if (living.has(key) || instance !== this.#parts.instance) continue
      await this.buckets.sessions.remove(key)
      if (await this.buckets.writes.get(key)) await this.buckets.writes.remove(key)
    }
  }

  #changeOr(ms: number, stop: AbortSignal): Promise<void> {
    const soon = new AbortController()
    this.#wake = () => soon.abort()
    return pause(Math.max(0, ms), AbortSignal.any([soon.signal, stop]))
  }
}
