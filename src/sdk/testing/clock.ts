/**
 * A clock that a test moves by hand: for code that takes `now` as an argument.
 *
 *   const clock = fakeClock()
 *   const limiter = makeLimiter({ now: clock.now })
 *   clock.advance(60_000)
 */
export interface FakeClock {
  /** UTC milliseconds. */
  readonly now: () => number
  advance(ms: number): void
  /** Resolves once the clock has been advanced that far; takes no real time. */
  sleep(ms: number): Promise<void>
}

const START_MS = Date.UTC(2026, 0, 1, 12)

export function fakeClock(start: Date | number = START_MS): FakeClock {
  let time = Number(start)
  let sleepers: { readonly at: number; readonly wake: () => void }[] = []
  return {
    now: () => time,
    advance(ms) {
      if (!(ms >= 0)) throw new RangeError(`A clock does not go back: advance(${ms})`)
      time += ms
      const due = sleepers.filter(({ at }) => at <= time).sort((a, b) => a.at - b.at)
      sleepers = sleepers.filter(({ at }) => at > time)
      for (const { wake } of due) wake()
    },
    sleep: (ms) =>
      new Promise((wake) => {
        if (ms <= 0) wake()
        else sleepers.push({ at: time + ms, wake })
      }),
  }
}
