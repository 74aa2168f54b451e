/**
 * How the other side of a webhook is: how often it failed in a row, since when, and until when it is left alone. Several
 * requests that fail at the same time are one failure.
 */
import type { Backoff } from '../../core/time/waits.ts'
import { isDue } from '../delivery/index.ts'

const SUSPECT_FAILURES = 3 // in a row: then it is the other side, not a message

export class Health {
  readonly #now: () => number
  readonly #backoff: Backoff
  #failures = 0
  /** When the last failure was counted, by the clock that is never set back. */
  #countedAt = 0
  #failingSince: number | undefined
  #resumeAt = 0

  constructor(now: () => number, backoff: Backoff) {
    this.#now = now
    this.#backoff = backoff
  }

  get isFailing(): boolean {
    return this.#failures > 0
  }

  /** It gets one request at a time. */
  get isSuspect(): boolean {
    return this.#failures >= SUSPECT_FAILURES
  }

  get failingSince(): number | undefined {
    return this.#failingSince
  }

  /** Undefined when it may be asked now. */
  get pausedUntil(): number | undefined {
    return isDue(this.#resumeAt, this.#now()) ? undefined : this.#resumeAt
  }

  /** Any answer that is not an excuse. True when it had failed before. */
  answered(): boolean {
    const wasFailing = this.isFailing
    this.#failures = 0
    this.#failingSince = undefined
    this.#resumeAt = 0
    return wasFailing
  }

  /** A request that left at `sentAt` failed. True when it is the first. */
  failed(sentAt: number): boolean {
    const isFirst = this.#failures === 0
    if (isFirst || sentAt >= this.#countedAt) {
      this.#failures += 1
      this.#countedAt = performance.now()
    }
    this.#failingSince ??= this.#now()
    return isFirst
  }

  /** For as long as it asked for, or as its failures suggest. */
  pause(ms = this.#backoff(this.#failures)): void {
    this.#resumeAt = Math.max(this.#resumeAt, this.#now() + ms)
  }
}
