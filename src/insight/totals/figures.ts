/** Collected figures: percentiles, and time by day, weekday and hour of this machine's clock. */
import { dayOf } from '../../core/time/days.ts'

const MAX_SAMPLES = 20_000

/** Keeps every sample while there are few, then every second one, every fourth, …: enough for percentiles. */
export class Samples {
  #kept: number[] = []
  #every = 1
  count = 0
  total = 0
  max = 0

  add(value: number): void {
    this.total += value
    this.max = Math.max(this.max, value)
    if (this.count++ % this.#every !== 0) return
    this.#kept.push(value)
    if (this.#kept.length < MAX_SAMPLES) return
    this.#kept = this.#kept.filter((_, at) => at % 2 === 0)
    this.#every *= 2
  }

  /** The smallest value that is not below this share of all; null if there is none. */
  at(share: number): number | null {
    const sorted = this.#kept.toSorted((a, b) => a - b)
    return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? null
  }
}

export type Spent = 'working' | 'waiting' | 'idle'

const DAYS = 7
const HOURS = 24
const MAX_DAYS = 400

export class Clock {
  readonly total: Record<Spent, number> = { working: 0, waiting: 0, idle: 0 }
  readonly heat = { working: week(), waiting: week(), idle: week() }
  readonly #days = new Map<string, Record<Spent, number> & { prompts: number; toolCalls: number }>()

  /** A stretch of time, which may pass midnight. */
  add(spent: Spent, from: number, to: number): void {
    for (let at = from; at < to; ) {
      const date = new Date(at)
      const [weekday, hour] = [date.getDay(), date.getHours()]
      const next = Math.min(to, date.setMinutes(60, 0, 0))
      const ms = next - at
      this.total[spent] += ms
      const row = this.heat[spent][weekday]
      if (row) row[hour] = (row[hour] ?? 0) + ms
      const day = this.#day(at)
      if (day) day[spent] += ms
      at = Math.max(next, at + 1)
    }
  }

  count(what: 'prompts' | 'toolCalls', at: number): void {
    const day = this.#day(at)
    if (day) day[what] += 1
  }

  days() {
    return [...this.#days]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([day, { working, waiting, idle, prompts, toolCalls }]) => ({
        ...{ day, workedMs: working, waitedMs: waiting, idleMs: idle, prompts, toolCalls },
      }))
  }

  #last = { from: 0, to: 0, name: '' }

  #day(at: number) {
    if (at < this.#last.from || at >= this.#last.to) {
      const date = new Date(at)
      const name = dayOf(at)
      const from = date.setHours(0, 0, 0, 0)
      this.#last = { from, to: date.setHours(HOURS, 0, 0, 0), name }
    }
    const { name } = this.#last
    const known = this.#days.get(name)
    if (known || this.#days.size >= MAX_DAYS) return known
    const day = { working: 0, waiting: 0, idle: 0, prompts: 0, toolCalls: 0 }
    this.#days.set(name, day)
    return day
  }
}

function week(): number[][] {
  return Array.from({ length: DAYS }, () => new Array<number>(HOURS).fill(0))
}
