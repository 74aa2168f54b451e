/**
 * Notices that the system's clock was set back, by a clock beside it that never is. Everything that sessions remember is
 * by the first: it has to move along, before anything that happens next is compared with it.
 *
 *   const clock = new ClockWatch((byMs) => raise(clockEvent(byMs, Date.now())))
 *   clock.look()   // before each event is taken, and now and then
 */
const SET_BACK_MS = 100 // smaller steps are made up for by what hooks take; they add up until they count
const SLOW_LOOK_MS = 5 // a look that was held up between its two clocks says nothing
const LOOK_EVERY_MS = 100 // for what is found out without a hook
const MEANWHILE_MS = 2_000 // the hook that starts a daemon, and those that came meanwhile, are later than all before

export interface Clocks {
  readonly wall: () => number
  /** Does not run while the system sleeps, so that a sleep looks like a clock that was set forward, and changes nothing. */
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

  /** How far the wall clock is ahead of the steady one: less than before means that it was set back. */
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

  /** From now on. Whether it was set back since the last sign of a daemon before this one: then by at least so much. */
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
