import { expect, test } from 'bun:test'
import { randomFrom } from '../random.ts'
import { growths, line } from './growth.ts'
import type { Sample } from './samples.ts'

const HOUR = 3_600

/** An hour of samples: a daemon a minute, and one for the last quarter. */
function hour(daemonMb: (at: number, age: number) => number): Sample[] {
  return Array.from({ length: HOUR / 10 }, (_, n) => {
    const at = n * 10
    const [pid, age] = at > HOUR * 0.75 ? [1, at - HOUR * 0.75] : [2 + Math.floor(at / 60), at % 60]
    return {
      at,
      pid,
      age,
      daemonMb: daemonMb(at, age),
      childrenMb: 100,
      natsMb: 50,
      daemonFds: 40,
      natsFds: 20,
    } as Sample
  })
}

const verdicts = (samples: Sample[]) =>
  growths(samples)
    .filter(({ what }) => what.startsWith("the daemon's memory"))
    .map(({ verdict }) => verdict)

test('a line through points on a line is that line', () => {
  const { mean, slope, error } = line(Array.from({ length: 10 }, (_, x) => [x, 3 + 2 * x] as const))
  expect([mean, slope]).toEqual([12, 2])
  expect(error).toBeCloseTo(0, 9)
})

test('memory that only wavers is flat, also when each daemon starts small', () => {
  const random = randomFrom(1)
  expect(verdicts(hour((_, age) => 90 + Math.min(age, 60) / 2 + 30 * random()))).toEqual(['flat', 'flat'])
})

test('memory that grows with the journal is noticed over the restarts', () => {
  const random = randomFrom(2)
  expect(verdicts(hour((at) => 90 + at / 40 + 10 * random()))[0]).toBe('grows')
})

test('memory that a daemon leaks is noticed in its life', () => {
  const random = randomFrom(3)
  expect(verdicts(hour((_, age) => 90 + age / 20 + 10 * random()))).toEqual(['flat', 'grows'])
})

test('a run of three minutes is not judged by its memory', () => {
  expect(verdicts(hour(() => 100).slice(0, 18))).toEqual(['too short to judge', 'too short to judge'])
})
