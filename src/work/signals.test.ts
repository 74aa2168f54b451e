import { describe, expect, test } from 'bun:test'
import { type Signal, Signals } from './signals.ts'

const CHILD: Signal = { kind: 'CHILD', about: 'tester', detail: 'done', at: 1 }
const WORK: Signal = { kind: 'WORK', about: 'effort 2', at: 2 }

describe('a coordinator', () => {
  test('gets what came before it waited, at once, and only once', async () => {
    const signals = new Signals()
    signals.send(WORK)
    expect(await signals.wait(0)).toMatchObject({ result: 'WORK', signals: [WORK] })
    expect(await signals.wait(0)).toEqual({ result: 'TIMEOUT', signals: [] })
  })

  test('is woken; a child comes before new work', async () => {
    const signals = new Signals()
    const waiting = signals.wait(5_000)
    signals.send(WORK)
    signals.send(CHILD)
    expect(await waiting).toMatchObject({ result: 'CHILD', signals: [WORK, CHILD] })
  })

  test('keeps waiting when another took what came', async () => {
    const signals = new Signals()
    const first = signals.wait(5_000)
    const second = signals.wait(5_000)
    signals.send(CHILD)
    expect(await first).toMatchObject({ result: 'CHILD' })
    await Bun.sleep(5)
    signals.send(WORK)
    expect(await second).toMatchObject({ result: 'WORK', signals: [WORK] })
  })

  test('that dies before it has heard a signal leaves it to the next', async () => {
    const signals = new Signals()
    signals.send(CHILD)
    const kept = await signals.wait(0, true)
    const again = await signals.wait(0, true)
    expect(again).toEqual(kept)
    signals.heard(again.signals[0]?.n ?? 0)
    expect(await signals.wait(0, true)).toEqual({ result: 'TIMEOUT', signals: [] })
  })

  test('gets the newest when nobody waited for long', async () => {
    const signals = new Signals()
    for (let at = 0; at < 1_000; at++) signals.send({ ...CHILD, at })
    const { signals: kept } = await signals.wait(0)
    expect(kept).toHaveLength(100)
    expect(kept.at(-1)).toMatchObject({ at: 999 })
  })
})
