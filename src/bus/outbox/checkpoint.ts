/**
 * Where a publisher is, on the disk: its mark, what it knows of the stream, and the letters that the stream would not
 * take. Written without an fsync of its own: what a power cut takes back is found in the stream again.
 */
import { Alarm } from '../../core/alarm.ts'
import { messageOf } from '../../core/errors.ts'
import type { Letter, Store } from '../../store/index.ts'
import type { BusLog } from '../nats/index.ts'
import type { BusMessage, Source, StreamName } from '../streams/index.ts'
import type { Entry, Flight } from './in-flight.ts'
import type { StreamState } from './reconcile.ts'

const TARGET = 'jetstream'
const SAVE_EVERY_MS = 1_000
const SAVE_QUIET_MS = 100 // all is delivered
const SAVE_MESSAGES = 2_000 // a fraction of what the stream holds: what is not saved must be in it to be found
const SAVE_BYTES = 16 * 1024 * 1024
const PRUNE_EVERY = 100 // marks
const MAX_DEAD = 1_000
const MAX_WAITING = 256 // letters that are taken in at a time

export class OutboxPlace {
  readonly #stream: StreamName
  readonly #store: Store
  readonly #log: BusLog
  #created: string | undefined
  #acked = 0
  /** Where the last look into the stream began. */
  #scanned = 0
  /** Something of what was found there is not taken in yet. */
  #isHolding = false
  #mark: number | undefined
  #floor = -1
  readonly #saver = new Alarm(() => this.#unsaved && this.save(this.#unsaved))
  #unsaved: Flight | undefined
  #messages = 0
  #bytes = 0
  #saves = 0

  constructor(stream: StreamName, store: Store, log: BusLog) {
    this.#stream = stream
    this.#store = store
    this.#log = log
    this.#mark = store.outbox.mark(stream)
    const state = parse(store.outbox.state(stream))
    if (!state) return
    this.#created = state.created
    this.#acked = state.acked
    this.#scanned = state.floor
    this.#isHolding = true
  }

  /** As it was written last; undefined before the first time. */
  get mark(): number | undefined {
    return this.#mark
  }

  /** The last sequence that the stream is known to have. */
  get acked(): number {
    return this.#acked
  }

  get scanned(): number {
    return this.#scanned
  }

  state(flight: Flight): StreamState | undefined {
    if (this.#created === undefined) return undefined
    const scanned = this.#isHolding ? this.#scanned : Number.POSITIVE_INFINITY
    return {
      created: this.#created,
      floor: Math.min(flight.floor(), scanned, this.#acked),
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
    this.#saver.clear()
    this.resume(state)
    this.#store.journal.relaxed(() => {
      this.#store.outbox.rewind(this.#stream, mark, Date.now())
      this.#store.outbox.setState(this.#stream, JSON.stringify(state))
    })
    this.#mark = mark
  }

  /** Everything that was found in the stream is taken in. */
  release(): void {
    this.#isHolding = false
  }

  answered(seq: number): void {
    this.#acked = Math.max(this.#acked, seq)
  }

  /** Another message was dealt with. True when this was written down. */
  moved(flight: Flight, bytes: number, isLast: boolean): boolean {
    this.#messages += 1
    this.#bytes += bytes
    if (this.#messages >= SAVE_MESSAGES || this.#bytes >= SAVE_BYTES) return this.save(flight)
    this.#saveWithin(isLast ? SAVE_QUIET_MS : SAVE_EVERY_MS, flight)
    return false
  }

  save(flight: Flight): boolean {
    this.#saver.clear()
    this.#messages = 0
    this.#bytes = 0
    const state = this.state(flight)
    if (!state || (flight.mark === this.#mark && state.floor === this.#floor)) return false
    const { journal, outbox } = this.#store
    const isWritten = this.#safely(() =>
      journal.relaxed(() => {
        outbox.setMark(this.#stream, flight.mark, Date.now())
        outbox.setState(this.#stream, JSON.stringify(state))
        if (this.#saves++ % PRUNE_EVERY === 0) outbox.prune(this.#stream, Date.now())
      }),
    )
    if (!isWritten) {
      this.#saveWithin(SAVE_EVERY_MS, flight)
      return false
    }
    this.#mark = flight.mark
    this.#floor = state.floor
    return true
  }

  /** Dead letters that got another chance, with what they are about. */
  waiting(source: Source): BusMessage[] {
    const found: BusMessage[] = []
    for (const letter of this.#store.letters.waiting(TARGET, this.#stream).slice(0, MAX_WAITING)) {
      const message = [...source.read(letter.seq - 1, 1)].find(({ id }) => id === letter.id)
      if (message) found.push(message)
      else this.#bury(letter, 'the journal does not have it any more')
    }
    return found
  }

  /** False when it could not be written: then it is not dealt with. */
  giveUp({ message, refusals }: Entry, error: string, firstSeq: number): boolean {
    const now = Date.now()
    const { letters, journal } = this.#store
    return this.#safely(() =>
      journal.relaxed(() => {
        letters.put({
          target: TARGET,
          stream: this.#stream,
          seq: message.seq,
          id: message.id,
          sessionId: message.session,
          attemptCount: Math.max(1, refusals),
          nextAttemptAt: now,
          lastError: error,
          deadAt: now,
        })
        letters.trimDead(TARGET, this.#stream, MAX_DEAD, firstSeq)
      }),
    )
  }

  /** A letter that was delivered after all. */
  forget(seq: number): void {
    const { letters, journal } = this.#store
    this.#safely(() => journal.relaxed(() => letters.remove(TARGET, this.#stream, seq)))
  }

  close(flight: Flight): void {
    this.save(flight)
    this.#saver.clear()
  }

  #saveWithin(ms: number, flight: Flight): void {
    this.#unsaved = flight
    this.#saver.within(ms)
  }

  #bury(letter: Letter, error: string): void {
    const { letters, journal } = this.#store
    this.#safely(() =>
      journal.relaxed(() => letters.put({ ...letter, lastError: error, deadAt: Date.now() })),
    )
  }

  #safely(work: () => void): boolean {
    try {
      work()
      return true
    } catch (error) {
      this.#log.warn('nats', `${this.#stream}: its place cannot be written: ${messageOf(error)}`)
      return false
    }
  }
}

function parse(text: string | undefined): StreamState | undefined {
  try {
    const state = JSON.parse(text ?? '') as Partial<StreamState>
    const { created, floor, acked } = state
    if (typeof created !== 'string' || !Number.isInteger(floor) || !Number.isInteger(acked)) return undefined
    return state as StreamState
  } catch {
    return undefined // never written
  }
}
