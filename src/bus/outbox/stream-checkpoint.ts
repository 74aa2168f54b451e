/**
 * How far a publisher has come, on the disk: its checkpoint, and with each mark what it knows of the stream on NATS. What a
 * power cut takes back is found in the stream again.
 */
import { objectIn } from '../../core/json.ts'
import type { FollowerStore } from '../../store/index.ts'
import { Checkpoint, type Lanes } from '../delivery/index.ts'
import type { BusLog } from '../nats/index.ts'
import { type BusMessage, messageAt, type Source, type StreamName } from '../streams/index.ts'
import { floorOf, type Sending } from './message.ts'
import type { StreamState } from './reconcile.ts'

const TARGET = 'jetstream'
const SAVE_EVERY_MS = 1_000
const SAVE_QUIET_MS = 100 // all is delivered
const SAVE_MESSAGES = 2_000 // a fraction of what the stream holds: what is not saved must be in it to be found
const SAVE_BYTES = 16 * 1024 * 1024
const PRUNE_EVERY = 100 // marks
const MAX_WAITING = 256 // letters that are taken in at a time

export class StreamCheckpoint extends Checkpoint {
  readonly #stream: StreamName
  readonly #store: FollowerStore
  readonly #lanes: () => Lanes<Sending>
  #created: string | undefined
  #acked = 0
  /** Where the last look into the stream began. */
  #scanned = 0
  /** Something of what was found there is not taken in yet. */
  #isHolding = false
  #floor = -1
  #messages = 0
  #bytes = 0
  #saves = 0

  constructor(stream: StreamName, store: FollowerStore, log: BusLog, lanes: () => Lanes<Sending>) {
    super({
      store,
      target: TARGET,
      stream,
      warn: (message) => log.warn('nats', `${stream}: ${message}`),
      mark: () => (this.#created === undefined ? undefined : lanes().mark),
      isStale: () => this.state()?.floor !== this.#floor,
      writeMark: (mark, at) => this.#writeMark(mark, at),
    })
    this.#stream = stream
    this.#store = store
    this.#lanes = lanes
    const state = parse(store.outbox.state(stream))
    if (!state) return
    this.#created = state.created
    this.#acked = state.acked
    this.#scanned = state.floor
    this.#isHolding = true
  }

  /** The last sequence that the stream is known to have. */
  get acked(): number {
    return this.#acked
  }

  get scanned(): number {
    return this.#scanned
  }

  /** Undefined before the stream was looked at for the first time. */
  state(): StreamState | undefined {
    if (this.#created === undefined) return undefined
    const scanned = this.#isHolding ? this.#scanned : Number.POSITIVE_INFINITY
    return {
      created: this.#created,
      floor: Math.min(floorOf(this.#lanes().entries()), scanned, this.#acked),
      acked: this.#acked,
    }
  }

  /** The stream is as it was, and was looked at. */
  resume({ created, floor, acked }: StreamState): void {
    this.#created = created
    this.#scanned = floor
    this.#acked = acked
    this.#isHolding = true
  }

  /** Another stream, or none of ours before. */
  startOver(mark: number, state: StreamState): void {
    this.resume(state)
    this.#store.journal.relaxed(() => {
      this.#store.outbox.rewind(this.#stream, mark, Date.now())
      this.#store.outbox.setState(this.#stream, JSON.stringify(state))
    })
    this.saved = mark
  }

  /** Everything that was found in the stream is taken in. */
  release(): void {
    this.#isHolding = false
  }

  answered(seq: number): void {
    this.#acked = Math.max(this.#acked, seq)
  }

  /** Another message was dealt with. True when this was written down. */
  moved(bytes: number, isLast: boolean): boolean {
    this.#messages += 1
    this.#bytes += bytes
    if (this.#messages >= SAVE_MESSAGES || this.#bytes >= SAVE_BYTES) return this.save()
    this.saveWithin(isLast ? SAVE_QUIET_MS : SAVE_EVERY_MS)
    return false
  }

  override save(): boolean {
    this.#messages = 0
    this.#bytes = 0
    const isWritten = super.save()
    if (isWritten) this.#floor = this.state()?.floor ?? -1
    return isWritten
  }

  /** Dead letters that got another chance, with what they are about. */
  requeued(source: Source): BusMessage[] {
    const found: BusMessage[] = []
    for (const letter of this.waiting().slice(0, MAX_WAITING)) {
      const message = messageAt(source, letter.seq)
      if (message?.id === letter.id) found.push(message)
      else {
        const lastError = 'the journal does not have it any more'
        this.write(() => this.#store.deliveries.put({ ...letter, lastError, deadAt: Date.now() }))
      }
    }
    return found
  }

  #writeMark(mark: number, at: number): void {
    const { outbox } = this.#store
    outbox.setMark(this.#stream, mark, at)
    outbox.setState(this.#stream, JSON.stringify(this.state()))
    if (this.#saves++ % PRUNE_EVERY === 0) outbox.prune(this.#stream, at)
  }
}

/** Undefined if it was never written. */
function parse(text: string | undefined): StreamState | undefined {
  const state: Partial<StreamState> = objectIn(text) ?? {}
  const { created, floor, acked } = state
  if (typeof created !== 'string' || !Number.isInteger(floor) || !Number.isInteger(acked)) return undefined
  return state as StreamState
}
