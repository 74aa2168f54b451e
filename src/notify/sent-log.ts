/** When each channel last sent something, for cool-downs and rate limits. */
import type { Channel } from './channels/channel.ts'
import type { Occasion } from './occasion.ts'
import { MINUTE_MS } from './rules.ts'

const MAX_REMEMBERED = 2_000 // pairs of channel and session

export class SentLog {
  readonly #last = new Map<string, number>()
  readonly #recent = new Map<string, number[]>()

  of({ name }: Channel, { session }: Occasion): { toldAt: number | undefined; recent: readonly number[] } {
    return { toldAt: this.#last.get(`${name}\n${session}`), recent: this.#recent.get(name) ?? [] }
  }

  note({ name }: Channel, { session }: Occasion, now: number): void {
    if (this.#last.size >= MAX_REMEMBERED) this.#last.clear()
    this.#last.set(`${name}\n${session}`, now)
    const recent = (this.#recent.get(name) ?? []).filter((at) => at > now - MINUTE_MS)
    this.#recent.set(name, [...recent, now])
  }

  /** A failed attempt reached nobody, so it must not delay the next one. */
  forget({ name }: Channel, { session }: Occasion): void {
    this.#last.delete(`${name}\n${session}`)
  }
}
