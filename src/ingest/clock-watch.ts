/**
 * Notices that the system clock was set back, by comparing it with the monotonic clock. All times that sessions remember
 * are by the system clock: they must move along before anything new is compared with them.
 *
 *   const clock = new ClockWatch((byMs) => raise(clockEvent(byMs, Date.now())))
 *   clock.look()   // before each event is taken, and periodically
 */
const SET_BACK_MS = 100 // smaller steps are within the duration of a hook; they add up until they count
const SLOW_LOOK_MS = 5 // a check that was delayed between its two clocks proves nothing
const LOOK_EVERY_MS = 100 // for observers, which raise events without a hook
const MEANWHILE_MS = 2_000 // the hook that starts a daemon, and those since then, are later than all before

export interface Clocks {
  readonly wall: () => number
  /** Pauses while the system sleeps, so that a sleep looks like a clock set forward, which has no effect. */
  readonly steady: () => number
}

const SYSTEM: Clocks = { wall: Date.now, steady: () => performance.now() }

export class ClockWatch {
  readonly #setBack: (byMs: number) => void
  readonly #clocks: Clocks
  #ahead = Number.NEGATIVE_INFINITY
  #timer: ReturnType<typeof setInterval> | undefined

  constructor(setBack: (byMs: number) => void, clocks = SYSTEM) {
    this.#setBack = setBack
    this.#clocks = clocks
    this.look()
  }

  /** How far the wall clock is ahead of the monotonic one: a decrease means that it was set back. */
  look(): void {
    const { wall, steady } = this.#clocks
    const began = steady()
    const ahead = wall() - began
    if (ahead > this.#ahead - SET_BACK_MS) {
      if (ahead > this.#ahead && steady() - began < SLOW_LOOK_MS) this.#ahead = ahead
      return
    }
    const byMs = Math.round(this.#ahead - ahead)
    this.#ahead = ahead
    this.#setBack(byMs)
  }

  /**
   * Starts the checks. Returns whether the clock was set back since a previous daemon's last sign, by at least that
   * difference.
   */
  begin(last: number): boolean {
    this.#timer ??= setInterval(() => this.look(), LOOK_EVERY_MS)
    const byMs = Math.round(last - this.#clocks.wall())
    if (byMs <= SET_BACK_MS) return false
    this.#setBack(byMs + MEANWHILE_MS)
    return true
  }

  close(): void {
    clearInterval(this.#timer)
  }
}
