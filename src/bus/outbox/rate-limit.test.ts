import { describe, expect, test } from 'bun:test'
import { Pace } from './rate-limit.ts'

/** So many turns, each of which leaves something undone; how long they took. */
function turns(pace: Pace, count: number, work: () => void = () => {}): Promise<number> {
  const begin = performance.now()
  return new Promise((resolve) => {
    let done = 0
    const turn = () => {
      work()
      done += 1
      if (done < count) pace.soon(turn)
      else resolve(performance.now() - begin)
      return true
    }
    pace.soon(turn)
  })
}

/** Takes the processor for so long. */
function spin(ms: number): void {
  for (const until = performance.now() + ms; performance.now() < until; );
}

describe('the pace of publishing', () => {
  test('is as fast as it goes while no hooks come', async () => {
    const pace = new Pace()
    expect(pace.slice.messages).toBeGreaterThanOrEqual(64)
    expect(await turns(pace, 2_000)).toBeLessThan(4_000) // with a rest after each it would be eight seconds
  })

  test('while they come, rests after every small slice', async () => {
    const pace = new Pace()
    pace.hooked()
    expect(pace.slice.messages).toBeLessThanOrEqual(16)
    expect(pace.slice.ms).toBeLessThanOrEqual(1)
    expect(await turns(pace, 11, () => pace.hooked())).toBeGreaterThanOrEqual(39)
  })

  test('rests for longer where slices take longer than they should', async () => {
    const pace = new Pace()
    const took = await turns(pace, 6, () => {
      spin(4)
      pace.hooked()
    })
    expect(took).toBeGreaterThanOrEqual(5 * 18)
  })

  test('does not rest when nothing is left undone', async () => {
    const pace = new Pace()
    const begin = performance.now()
    for (let i = 0; i < 1_000; i++) {
      pace.hooked()
      await new Promise<void>((resolve) =>
        pace.soon(() => {
          resolve()
          return false
        }),
      )
    }
    expect(performance.now() - begin).toBeLessThan(3_000) // with rests it would be four seconds
  })

  test('is full again when they have stopped', async () => {
    const pace = new Pace()
    pace.hooked()
    await Bun.sleep(50)
    expect(pace.slice.messages).toBeGreaterThanOrEqual(64)
  })

  test('is shared: publishers take turns, one for each turn of the event loop', async () => {
    const pace = new Pace()
    const seen: string[] = []
    const loop: number[] = []
    let round = 0
    const publisher = (name: string) => () => {
      seen.push(name)
      loop.push(round)
      if (seen.length < 8) pace.soon(publisher(name))
      return false
    }
    pace.soon(publisher('a'))
    pace.soon(publisher('b'))
    while (seen.length < 8) {
      await new Promise(setImmediate)
      round += 1
    }
    expect(seen.slice(0, 8).join('')).toBe('abababab')
    expect(new Set(loop).size).toBeGreaterThan(4)
  })
})
