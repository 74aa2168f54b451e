/**
 * What this host shares while a connection lasts: a heartbeat every few seconds, and each session when it changes.
 * Imports the NATS packages, so it is loaded only with a connection.
 */

import { pause } from '../../core/time/waits.ts'
import type { Connection } from '../nats/index.ts'
import { token } from '../streams/index.ts'
import { type Buckets, openBuckets, sessionKeyOf } from './buckets.ts'
import type { FleetParts, FleetSettings } from './hosts.ts'

const BEAT_MS = 5_000
const COALESCE_MS = 200 // a session that changes all the time is sent five times a second
const AT_ONCE = 32
const RENEW_MS = 86_400_000 // before the bucket expires unchanged entries

export async function openShare(
  connection: Connection,
  settings: FleetSettings,
  parts: FleetParts,
): Promise<HostShare> {
  return new HostShare(await openBuckets(connection, settings.replicas), settings.host, parts)
}

export class HostShare {
  readonly buckets: Buckets
  readonly #host: string
  readonly #parts: FleetParts
  readonly #dirty = new Set<string>()
  #wake: () => void = () => {}
  #isDuplicate = false

  constructor(buckets: Buckets, host: string, parts: FleetParts) {
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

  /** Runs until the signal aborts or an error; calls `works` each time everything was sent. */
  async run(stop: AbortSignal, works: () => void): Promise<void> {
    await this.#put(false)
    await this.#forgetEnded()
    this.changed(this.#parts.keys())
    let [nextBeat, nextRenewal] = [performance.now() + BEAT_MS, performance.now() + RENEW_MS]
    while (!stop.aborted) {
      await this.#flush()
      works()
      await pause(COALESCE_MS, stop)
      if (this.#dirty.size === 0) await this.#changeOr(nextBeat - performance.now(), stop)
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
  leave(): void {
    void this.#put(true).catch(() => {})
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
    const keys = [...this.#dirty]
    for (let at = 0; at < keys.length; at += AT_ONCE) {
      const some = keys.slice(at, at + AT_ONCE)
      for (const key of some) this.#dirty.delete(key)
      const done = await Promise.allSettled(some.map((key) => this.#tell(key)))
      const failed = done.find((one): one is PromiseRejectedResult => one.status === 'rejected')
      if (failed) throw failed.reason
    }
  }

  async #tell(key: string): Promise<void> {
    const { sessions } = this.buckets
    const at = sessionKeyOf(this.#host, key)
    const view = this.#parts.view(key)
    if (view === undefined) await sessions.remove(at)
    else await sessions.put(at, { host: this.#host, instance: this.#parts.instance, view })
  }

  /** Removes sessions that ended while this host was disconnected. */
  async #forgetEnded(): Promise<void> {
    const living = new Set([...this.#parts.keys()].map((key) => sessionKeyOf(this.#host, key)))
    for (const { key, value } of await this.buckets.sessions.all(token(this.#host))) {
      const { instance } = (value ?? {}) as { instance?: unknown }
      if (!living.has(key) && instance === this.#parts.instance) await this.buckets.sessions.remove(key)
    }
  }

  #changeOr(ms: number, stop: AbortSignal): Promise<void> {
    const soon = new AbortController()
    this.#wake = () => soon.abort()
    return pause(Math.max(0, ms), AbortSignal.any([soon.signal, stop]))
  }
}
