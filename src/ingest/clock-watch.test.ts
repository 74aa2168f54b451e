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

describe('the system clock', () => {
  test('reports nothing while it runs', () => {
    const { told, passes } = scene()
    for (let i = 0; i < 100; i++) passes(10 + i)
    expect(told).toEqual([])
  })

  test('reports by how much it was set back, once, after any time without a check', () => {
    const { told, passes } = scene()
    passes(60_000, 30_000)
    passes(1_000)
    passes(10, 10 - 3 * 3_600_000)
    expect(told).toEqual([30_000, 3 * 3_600_000])
  })

  test('is not reported when set forward or after a sleep; setting it back from there is', () => {
    const { told, passes } = scene()
    passes(1_000, 8 * 3_600_000)
    expect(told).toEqual([])
    passes(1_000, -5_000)
    expect(told).toEqual([6_000])
  })

  test('set back in small steps is reported when they add up', () => {
    const { told, passes } = scene()
    for (let i = 0; i < 3; i++) passes(100, 60)
    expect(told).toEqual([120])
  })

  test('behind the last sign of a previous daemon was set back meanwhile', () => {
    const { watch, time, told } = scene()
    expect(watch.begin(time.wall - 5_000)).toBe(false)
    expect(watch.begin(time.wall + 30_000)).toBe(true)
    expect(told).toEqual([32_000])
    watch.close()
  })
})
