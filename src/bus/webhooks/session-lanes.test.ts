import { describe, expect, test } from 'bun:test'
import { backoff } from '../../core/waits.ts'
import { type Item, SessionLanes } from './session-lanes.ts'

const NOW = 1_763_000_000_000

function item(seq: number, lane: string, more: Partial<Item> = {}): Item {
  return {
    seq,
    id: `e${seq}`,
    session: lane,
    lane,
    attempts: 0,
    dueAt: 0,
    inFlight: false,
    kept: false,
    ...more,
  }
}

function lanes(...items: Item[]): SessionLanes {
  const made = new SessionLanes()
  for (const one of items) made.add(one)
  return made
}

describe('the next to be sent', () => {
  test('is the oldest, and only the first of its session', () => {
    const a1 = item(1, 'a')
    const b3 = item(3, 'b')
    const made = lanes(a1, item(2, 'a'), b3)
    expect(made.next(NOW, false)?.seq).toBe(1)
    a1.inFlight = true
    expect(made.next(NOW, false)?.seq).toBe(3)
    b3.inFlight = true
    expect(made.next(NOW, false)).toBeUndefined()
    made.remove(a1)
    expect(made.next(NOW, false)?.seq).toBe(2)
  })

  test('waits for its time, and those behind it wait with it', () => {
    const made = lanes(item(1, 'a', { dueAt: NOW + 500, kept: true }), item(2, 'a'))
    expect(made.next(NOW, false)).toBeUndefined()
    expect(made.nextDueAt(NOW)).toBe(NOW + 500)
    expect(made.next(NOW + 500, false)?.seq).toBe(1)
  })

  test('is none that is new while too many are to be tried again', () => {
    const made = lanes(item(1, 'a', { dueAt: NOW + 9, kept: true }), item(2, 'b'))
    expect(made.next(NOW, true)).toBeUndefined()
    expect(made.next(NOW + 9, true)?.seq).toBe(1)
  })

  test('does not wait for a time that only a clock set back can explain', () => {
    expect(lanes(item(1, 'a', { dueAt: NOW + 86_400_000 })).next(NOW, false)?.seq).toBe(1)
  })
})

test('the mark passes what is settled or has a letter, and nothing else', () => {
  const first = item(4, 'a')
  const made = lanes(first, item(6, 'b'))
  expect(made.mark(9)).toBe(3)
  first.kept = true
  expect(made.mark(9)).toBe(5)
  expect(lanes().mark(9)).toBe(9)
})

test('a letter that comes back takes its old place', () => {
  const made = lanes(item(5, 'a'), item(6, 'b'))
  made.add(item(2, 'a', { kept: true }))
  expect(made.next(NOW, false)?.seq).toBe(2)
  expect(made.mark(9)).toBe(4)
})

test('waits double from a second to ten minutes, and are never all the same', () => {
  const waits = Array.from({ length: 14 }, (_, i) => backoff(i + 1))
  waits.forEach((wait, i) => {
    const whole = Math.min(600_000, 1_000 * 2 ** i)
    expect(wait).toBeWithin(whole * 0.8, whole + 1)
  })
  expect(new Set(Array.from({ length: 50 }, () => backoff(9))).size).toBeGreaterThan(10)
  expect(backoff(10_000)).toBeWithin(480_000, 600_001)
})
