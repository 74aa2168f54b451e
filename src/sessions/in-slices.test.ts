import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { Slices } from '../core/time/slices.ts'
import { encodedInSlices, sortedInSlices } from './in-slices.ts'

test('sorts as the runtime does, also what is equal', async () => {
  const one = fc.record({ rank: fc.integer({ min: 0, max: 9 }), id: fc.nat() })
  await fc.assert(
    fc.asyncProperty(fc.array(one, { maxLength: 600 }), async (items) => {
      const byRank = (a: { rank: number }, b: { rank: number }) => a.rank - b.rank
      expect(await sortedInSlices(items, byRank, new Slices(false))).toEqual(items.toSorted(byRank))
    }),
  )
})

test('encodes the envelope of an answer', async () => {
  const items = [{ a: 'ü' }, { b: [1, null] }]
  for (const all of [items, []]) {
    const { line } = await encodedInSlices(all, new Slices(false))
    expect(line.toString()).toBe(`${JSON.stringify({ ok: true, data: all })}\n`)
  }
})

test('lets others have the thread in between', async () => {
  const items = Array.from({ length: 60_000 }, (_, id) => ({ id, text: 'x'.repeat(300) }))
  const slices = new Slices(true)
  const sorted = await sortedInSlices(items, (a, b) => b.id - a.id, slices)
  let turns = 0
  const counting = setInterval(() => {
    turns += 1
  }, 1)
  await encodedInSlices(sorted, slices)
  clearInterval(counting)
  expect(turns).toBeGreaterThan(3)
})
