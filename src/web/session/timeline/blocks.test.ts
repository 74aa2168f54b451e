import { describe, expect, test } from 'bun:test'
import type { Span } from '../../../timeline/lanes.ts'
import { blockAt, blocksOf, rowsOf } from './blocks.ts'

const span = (from: number, to: number, more: Partial<Span> = {}): Span => ({
  ...{ from, to, label: 'Bash', text: 'ls', tone: 'tool', row: 0 },
  ...more,
})
const range = { from: 1_000, to: 2_000 }

describe('blocks', () => {
  test('are what is in view, cut at its edges', () => {
    const row = [span(0, 500), span(900, 1_100), span(1_500, 1_600), span(1_900, 5_000), span(6_000, 7_000)]
    expect(blocksOf(row, range, 100).map(({ x, width }) => [x, width])).toEqual([
      [0, 10],
      [50, 10],
      [90, 10],
    ])
  })

  test('below a pixel are merged; an error among them is seen', () => {
    const row = Array.from({ length: 10_000 }, (_, n) =>
      span(1_000 + n / 10, 1_000 + n / 10 + 0.05, n === 5_000 ? { tone: 'error' } : {}),
    )
    const blocks = blocksOf(row, range, 200)
    expect(blocks.length).toBeLessThanOrEqual(200)
    expect(blocks.reduce((sum, { count }) => sum + count, 0)).toBe(10_000)
    expect(blocks.some(({ tone }) => tone === 'error')).toBe(true)
    // Nearer, each is there again.
    expect(blocksOf(row, { from: 1_400, to: 1_401 }, 500)).toHaveLength(11)
  })

  test('that touch each other stay two', () => {
    expect(blocksOf([span(1_000, 1_400), span(1_400, 1_900)], range, 100)).toHaveLength(2)
  })

  test('a moment has a width, and can be hit', () => {
    const blocks = blocksOf([span(1_500, 1_500)], range, 100)
    expect(blocks).toMatchObject([{ x: 50, width: 2 }])
    expect(blockAt(blocks, 48)).toBe(blocks[0])
    expect(blockAt(blocks, 30)).toBeUndefined()
  })
})

test('rows of a lane', () => {
  const lane = {
    id: 'tools',
    kind: 'tools',
    name: 'tools',
    rows: 2,
    spans: [span(1, 5), span(2, 3, { row: 1 })],
  } as const
  expect(rowsOf(lane).map((row) => row.length)).toEqual([1, 1])
})
