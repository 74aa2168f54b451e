/**
 * The process that sends traces, so that neither the journal's reading nor OpenTelemetry's packages are on the daemon's
 * thread. It follows the journal from its own mark, a few seconds behind, because usage is known a moment after a turn. The mark
 * moves when the collector has taken the spans: after a crash some are sent again, with the same ids. Ends with its stdin.
 *
 *   {"open":{"database":"…","mark":"…/otlp-mark.json","target":{…}}}
 *   {"grown":1700}   →  {"at":1700}
 */
import { messageOf } from '../core/errors.ts'
import { writeAtomic } from '../core/files/private-files.ts'
import { readPlain } from '../core/files/small-file.ts'
import { jsonIn } from '../core/json.ts'
import { Alarm } from '../core/time/alarm.ts'
import { BackgroundFollower } from '../journal/index.ts'
import { type EventReader, isBusy, openEventReader } from '../store/index.ts'
import { Exporter, type Target } from './exporter.ts'
import type { SpanRecord } from './spans.ts'
import { type Ended, mayEnd, spansAt } from './turns.ts'

export interface WorkerPlaces {
  readonly database: string
  readonly mark: string
  readonly target: Target
  /** For tests. */
  readonly settleMs?: number
}

export type ToWorker = { readonly open: WorkerPlaces } | { readonly grown: number }
export type FromWorker = { readonly at: number } | { readonly trouble: string }

interface Mark {
  readonly seq: number
  /** The event's id tells whether the journal is still the same. */
  readonly id: string
}

const SETTLE_MS = 5_000
const SLICE = 500 // events that are looked at, without their payloads
const MAX_SPANS = 512 // of one request
const SAVE_MS = 500
const MAX_MARK_BYTES = 1_000

export class OtlpWorker {
  readonly #places: WorkerPlaces
  readonly #say: (message: FromWorker) => void
  readonly #reader: EventReader
  readonly #exporter: Exporter
  readonly #follower: BackgroundFollower<Ended>
  readonly #settleMs: number
  #ended: Ended[] = []
  readonly #again = new Alarm(() => this.#lookAgain())

  constructor(places: WorkerPlaces, say: (message: FromWorker) => void) {
    this.#places = places
    this.#say = say
    this.#settleMs = places.settleMs ?? SETTLE_MS
    this.#reader = openEventReader(places.database)
    this.#exporter = new Exporter(places.target)
    this.#follower = new BackgroundFollower<Ended>({
      after: this.#begin(),
      lastSeq: () => this.#settled(),
      read: (after, limit) => this.#read(after, limit),
      enabled: () => true,
      take: (ended) => {
        if (mayEnd(ended)) this.#ended.push(ended)
      },
      flush: () => this.#flush(),
      slice: SLICE,
      queue: SLICE,
      save: (seq) => this.#save(seq),
      saveMs: SAVE_MS,
      failed: (error) => {
        this.#ended = []
        this.#say({ trouble: messageOf(error) })
      },
    })
  }

  /** The journal has grown. What came just now is not settled, so it looks again later, too. */
  heard(): void {
    this.#follower.wake(0)
    this.#again.within(this.#settleMs)
  }

  async close(): Promise<void> {
    this.#again.clear()
    await this.#follower.close()
    await this.#exporter.close()
    this.#reader.close()
  }

  #lookAgain(): void {
    this.#follower.wake(0)
    if (this.#follower.mark < this.#reader.lastSeq()) this.heard()
  }

  /** From its mark, or from now on: nobody asked for what was before. */
  #begin(): number {
    const { seq, id } = (jsonIn(readPlain(this.#places.mark, MAX_MARK_BYTES)) ?? {}) as Partial<Mark>
    const [first, last] = [this.#reader.firstSeq(), this.#reader.lastSeq()]
    const isOfIt = seq !== undefined && seq <= last && (seq < first || this.#reader.idAt(seq) === id)
    if (isOfIt) return seq
    this.#save(last)
    return last
  }

  #settled(): number {
    return this.#reader.seqBefore(Date.now() - this.#settleMs)
  }

  *#read(after: number, limit: number): Iterable<Ended> {
    const from = Math.max(after, this.#reader.firstSeq() - 1) // what retention has deleted is gone
    const upTo = Math.min(from + limit, this.#settled())
    for (const [seq, , , agent, type, sessionId, agentId] of this.#reader.rows.glances(from, upTo))
      yield { seq, agent, type, sessionId, agentId: agentId || undefined }
  }

  async #flush(): Promise<void> {
    const ended = this.#ended.splice(0)
    let spans: SpanRecord[] = []
    for (const one of ended) {
      spans.push(...this.#spansOf(one))
      if (spans.length >= MAX_SPANS) {
        await this.#send(spans)
        spans = []
      }
    }
    await this.#send(spans)
    this.#say({ at: this.#follower.mark })
  }

  /** One turn that cannot be told must not hold up the others. */
  #spansOf(ended: Ended): SpanRecord[] {
    try {
      return spansAt(ended, this.#reader)
    } catch (error) {
      if (isBusy(error)) throw error
      this.#say({ trouble: `the turn that ends with event ${ended.seq} is left out: ${messageOf(error)}` })
      return []
    }
  }

  async #send(spans: readonly SpanRecord[]): Promise<void> {
    for (let from = 0; from < spans.length; from += MAX_SPANS) {
      const sent = await this.#exporter.send(spans.slice(from, from + MAX_SPANS))
      if (sent.ok) continue
      if (!sent.isHopeless) throw new Error(sent.why)
      this.#say({ trouble: `the collector refused spans, and they are left out: ${sent.why}` })
    }
  }

  #save(seq: number): boolean {
    const mark: Mark = { seq, id: this.#reader.idAt(seq) ?? '' }
    writeAtomic(this.#places.mark, `${JSON.stringify(mark)}\n`)
    this.#say({ at: seq })
    return true
  }
}
