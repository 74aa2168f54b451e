import { describe, expect, test } from 'bun:test'
import { RateLimit } from './rate-limit.ts'

/** So many turns, each of which leaves something undone; how long they took. */
function turns(rateLimit: RateLimit, count: number, work: () => void = () => {}): Promise<number> {
  const begin = performance.now()
  return new Promise((resolve) => {
    let done = 0
    const turn = () => {
      work()
      done += 1
      if (done < count) rateLimit.soon(turn)
      else resolve(performance.now() - begin)
      return true
    }
    rateLimit.soon(turn)
  })
}

/** Takes the processor for so long. */
function spin(ms: number): void {
  for (const until = performance.now() + ms; performance.now() < until; );
}

describe('the rateLimit of publishing', () => {
  test('is as fast as it goes while no hooks come', async () => {
    const rateLimit = new RateLimit()
    expect(rateLimit.slice.messages).toBeGreaterThanOrEqual(64)
    expect(await turns(rateLimit, 2_000)).toBeLessThan(4_000) // with a rest after each it would be eight seconds
  })

  test('while they come, rests after every small slice', async () => {
    const rateLimit = new RateLimit()
    rateLimit.hooked()
    expect(rateLimit.slice.messages).toBeLessThanOrEqual(16)
    expect(rateLimit.slice.ms).toBeLessThanOrEqual(1)
    expect(await turns(rateLimit, 11, () => rateLimit.hooked())).toBeGreaterThanOrEqual(39)
  })

  test('rests for longer where slices take longer than they should', async () => {
    const rateLimit = new RateLimit()
    const took = await turns(rateLimit, 6, () => {
      spin(4)
      rateLimit.hooked()
    })
    expect(took).toBeGreaterThanOrEqual(5 * 18)
  })

  test('does not rest when nothing is left undone', async () => {
    const rateLimit = new RateLimit()
    const begin = performance.now()
    for (let i = 0; i < 1_000; i++) {
      rateLimit.hooked()
      await new Promise<void>((resolve) =>
        rateLimit.soon(() => {
          resolve()
          return false
        }),
      )
    }
    expect(performance.now() - begin).toBeLessThan(3_000) // with rests it would be four seconds
  })

  test('is full again when they have stopped', async () => {
    const rateLimit = new RateLimit()
    rateLimit.hooked()
    await Bun.sleep(50)
    expect(rateLimit.slice.messages).toBeGreaterThanOrEqual(64)
  })

  test('is shared: publishers take turns, one for each turn of the event loop', async () => {
    const rateLimit = new RateLimit()
    const seen: string[] = []
    const loop: number[] = []
    let round = 0
    const publisher = (name: string) => () => {
      seen.push(name)
      loop.push(round)
      if (seen.length < 8) rateLimit.soon(publisher(name))
      return false
    }
    rateLimit.soon(publisher('a'))
    rateLimit.soon(publisher('b'))
    while (seen.length < 8) {
      await new Promise(setImmediate)
      round += 1
    }
    expect(seen.slice(0, 8).join('')).toBe('abababab')
    expect(new Set(loop).size).toBeGreaterThan(4)
  })
})
