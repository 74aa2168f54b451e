import { describe, expect, test } from 'bun:test'
import { until } from '../../test/kit.ts'
import { ReadTurns } from './read-turns.ts'

/** A number of readers with a number of pages each; `order` records who read when. */
function readers(turns: ReadTurns, count: number, pages: number) {
  const order: number[] = []
  const begin = (who: number, left: number) =>
    turns.soon(() => {
      order.push(who)
      if (left > 1) begin(who, left - 1)
    })
  for (let who = 0; who < count; who++) begin(who, pages)
  return order
}

const turnOfTheLoop = () => new Promise(setImmediate)

describe('readers', () => {
  test('take turns, one page per turn of the event loop', async () => {
    const order = readers(new ReadTurns(), 3, 3)
    for (let turn = 1; turn <= 9; turn++) {
      await turnOfTheLoop()
      expect(order.length).toBeLessThanOrEqual(turn)
    }
    await until(() => order.length === 9, 'all pages')
    expect(order).toEqual([0, 1, 2, 0, 1, 2, 0, 1, 2])
  })

  test('that ask twice before their turn have one', async () => {
    const turns = new ReadTurns()
    const order: string[] = []
    const read = () => order.push('again')
    turns.soon(read)
    turns.soon(() => order.push('other'))
    turns.soon(read)
    await until(() => order.length === 2, 'both')
    await turnOfTheLoop()
    expect(order).toEqual(['again', 'other'])
    turns.soon(read)
    await until(() => order.length === 3, 'once more')
  })

  test('read no page in a turn with a hook, and still make progress', async () => {
    let hooks = 0
    const turns = new ReadTurns(() => hooks)
    const reads: number[] = []
    const begin = () =>
      turns.soon(() => {
        reads.push(performance.now())
        begin()
      })
    begin()
    while (reads.length < 10) {
      hooks += 1
      await turnOfTheLoop()
    }
    const [first = 0, last = 0] = [reads[0], reads.at(-1)]
    expect((last - first) / 9).toBeGreaterThan(15) // a starving reader gets its page anyway
  })

  test('get a fifth of the thread while hooks arrive, and all of it soon after', async () => {
    let hooks = 0
    const turns = new ReadTurns(() => hooks)
    let reading = 0
    let isOver = false
    const begin = () =>
      turns.soon(() => {
        const end = performance.now() + 5
        while (performance.now() < end);
        reading += 5
        if (!isOver) begin()
      })
    begin()
    const start = performance.now()
    while (performance.now() - start < 500) {
      hooks += 1
      await Bun.sleep(1)
    }
    const share = reading / (performance.now() - start)
    isOver = true
    expect(share).toBeGreaterThan(0.01)
    expect(share).toBeLessThan(0.3)
  })
})
