import { describe, expect, test } from 'bun:test'
import { ClockWatch } from './clock-watch.ts'

function scene() {
  const time = { wall: 1_000_000, steady: 0 }
  const told: number[] = []
  const watch = new ClockWatch((byMs) => told.push(byMs), {
    wall: () => time.wall,
    steady: () => time.steady,
  })
  const passes = (ms: number, wallMs = ms) => {
    time.steady += ms
    time.wall += wallMs
    watch.look()
  }
  return { watch, time, told, passes }
}

describe('a clock', () => {
  test('that goes on says nothing', () => {
    const { told, passes } = scene()
    for (let i = 0; i < 100; i++) passes(10 + i)
    expect(told).toEqual([])
  })

  test('that is set back says by how much, once, however long nobody looked', () => {
    const { told, passes } = scene()
    passes(60_000, 30_000)
    passes(1_000)
    passes(10, 10 - 3 * 3_600_000)
    expect(told).toEqual([30_000, 3 * 3_600_000])
  })

  test('that is set forward, or a system that slept, changes nothing; back from there counts', () => {
    const { told, passes } = scene()
    passes(1_000, 8 * 3_600_000)
    expect(told).toEqual([])
    passes(1_000, -5_000)
    expect(told).toEqual([6_000])
  })

  test('that is set back in small steps is noticed when they add up', () => {
    const { told, passes } = scene()
    for (let i = 0; i < 3; i++) passes(100, 60)
    expect(told).toEqual([120])
  })

  test('that is behind the last sign of a daemon before was set back while nobody looked', () => {
    const { watch, time, told } = scene()
    expect(watch.begin(time.wall - 5_000)).toBe(false)
    expect(watch.begin(time.wall + 30_000)).toBe(true)
    expect(told).toEqual([32_000])
    watch.close()
  })
})
