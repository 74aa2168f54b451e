/** The bounded queue of notifications to send, each occasion once per channel. */
import type { Channel } from './channels/channel.ts'
import type { Occasion } from './occasion.ts'

export interface Entry {
  readonly channel: Channel
  readonly occasion: Occasion
  readonly dueAt: number
  readonly attempts: number
}

export class Waiting {
  readonly #limit: number
  readonly #entries = new Map<string, Entry>()
  dropped = 0

  constructor(limit: number) {
    this.#limit = limit
  }

  get isFull(): boolean {
    return this.#entries.size >= this.#limit
  }

  get size(): number {
    return this.#entries.size
  }

  /** Drops the new entry if the queue is full: the others have waited longer. */
  put(entry: Entry): void {
    const key = keyOf(entry)
    if (!this.#entries.has(key) && this.isFull) this.dropped += 1
    else this.#entries.set(key, entry)
  }

  /** Removes and returns the oldest entry that is due and not held back. */
  take(now: number, isHeld: (channel: string) => boolean): Entry | undefined {
    let found: [string, Entry] | undefined
    for (const [key, entry] of this.#entries) {
      if (entry.dueAt > now || isHeld(entry.channel.name)) continue
      if (!found || entry.dueAt < found[1].dueAt) found = [key, entry]
    }
    if (found) this.#entries.delete(found[0])
    return found?.[1]
  }

  /** When the next entry that is not held back is due. */
  nextAt(isHeld: (channel: string) => boolean): number | undefined {
    let next: number | undefined
    for (const { dueAt, channel } of this.#entries.values())
      if (!isHeld(channel.name) && (next === undefined || dueAt < next)) next = dueAt
    return next
  }

  /** Renames each entry; drops those for which `named` returns nothing. */
  rename(named: (entry: Entry) => Entry | undefined): void {
    const entries = [...this.#entries.values()]
    this.#entries.clear()
    for (const entry of entries.map(named)) if (entry) this.put(entry)
  }

  /**
   * Updates each entry to its channel's current settings; drops entries whose channel is gone or no longer wants them.
   */
  retain(channels: readonly Channel[]): void {
    for (const [key, entry] of this.#entries) {
      const channel = channels.find(({ name }) => name === entry.channel.name)
      if (!channel?.enabled || !channel.reasons.includes(entry.occasion.reason)) this.#entries.delete(key)
      else this.#entries.set(key, { ...entry, channel })
    }
  }

  /** Drops what is over; quiet hours collect many of these. */
  prune(stands: (occasion: Occasion) => boolean): void {
    for (const [key, { occasion }] of this.#entries) if (!stands(occasion)) this.#entries.delete(key)
  }

  clear(): void {
    this.#entries.clear()
  }
}

function keyOf({ channel, occasion }: Entry): string {
  return `${channel.name}\n${occasion.key}`
}
