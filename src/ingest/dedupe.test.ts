import { describe, expect, test } from 'bun:test'
import { eventOf } from '../../test/kit.ts'
import type { HookEvent, Transport } from '../events/index.ts'
import { Dedupe } from './dedupe.ts'

const event = (transport: Transport, parts: Partial<HookEvent> = {}) => eventOf({ transport, ...parts })

/** For a sequence of events: true for those that are dropped. */
function dropped(events: HookEvent[], now = 0): boolean[] {
  const dedupe = new Dedupe()
  return events.map((one) => dedupe.isDuplicate(one, now))
}

describe('the same payload', () => {
  test('over two transports counts once, whichever comes first', () => {
    expect(dropped([event('socket'), event('http')])).toEqual([false, true])
    expect(dropped([event('http'), event('socket')])).toEqual([false, true])
    expect(dropped([event('http'), event('spool')])).toEqual([false, true])
    expect(dropped([event('rpc'), event('socket'), event('relay')])).toEqual([false, true, true])
    expect(dropped([event('relay'), event('rpc'), event('rpc')])).toEqual([false, true, false])
  })

  test('twice over one transport counts twice', () => {
    expect(dropped([event('socket'), event('socket')])).toEqual([false, false])
    expect(dropped([event('http'), event('http')])).toEqual([false, false])
    expect(dropped([event('socket'), event('spool')])).toEqual([false, false]) // both are the client's
  })

  test('twice over both transports counts twice, in any order', () => {
    expect(dropped([event('socket'), event('http'), event('socket'), event('http')])).toEqual([
      false,
      true,
      false,
      true,
    ])
    expect(dropped([event('socket'), event('socket'), event('http'), event('http')])).toEqual([
      false,
      false,
      true,
      true,
    ])
    expect(dropped([event('http'), event('http'), event('socket'), event('http'), event('socket')])).toEqual([
      false,
      false,
      true,
      false,
      true,
    ])
  })

  test('from a source that cannot be installed twice always counts', () => {
    for (const transport of ['healer', 'emit', 'replay'] as const) {
      expect(dropped([event('socket'), event(transport), event(transport)])).toEqual([false, false, false])
    }
  })
})

describe('other payloads', () => {
  test('are not duplicates, nor are other sessions or agents', () => {
    const first = event('socket')
    expect(dropped([first, event('http', { raw: `${String(first.raw)} ` })])).toEqual([false, false])
    expect(dropped([first, event('http', { sessionId: 's2' })])).toEqual([false, false])
    expect(dropped([first, event('http', { agent: 'codex' })])).toEqual([false, false])
  })

  test('as bytes are distinguished like text', () => {
    const raw = new Uint8Array([1, 2, 255])
    expect(dropped([event('socket', { raw }), event('http', { raw: new Uint8Array([1, 2, 255]) })])).toEqual([
      false,
      true,
    ])
    expect(dropped([event('socket', { raw }), event('http', { raw: new Uint8Array([1, 2, 254]) })])).toEqual([
      false,
      false,
    ])
  })
})

describe('the same id again', () => {
  test('after it was dropped as a duplicate is dropped again: its client waited too long and spooled it', () => {
    const late = event('socket')
    expect(dropped([event('http'), late, { ...late, transport: 'spool' }])).toEqual([false, true, true])
  })

  test('does not use up the position of the next event', () => {
    const late = event('socket')
    const again = { ...late, transport: 'spool' as const }
    // One hook over both transports with a late spool, then only HTTP works: its second copy is a new event.
    expect(dropped([late, again, event('http'), event('http')])).toEqual([false, false, true, false])
  })
})

describe('time', () => {
  test('a copy that comes ten seconds later is a new event', () => {
    const dedupe = new Dedupe()
    expect(dedupe.isDuplicate(event('socket'), 0)).toBe(false)
    expect(dedupe.isDuplicate(event('http'), 9_999)).toBe(true)
    expect(dedupe.isDuplicate(event('socket'), 10_000)).toBe(false)
    expect(dedupe.isDuplicate(event('http'), 20_000)).toBe(false)
  })

  test('a clock that jumps back does not keep old payloads forever', () => {
    const dedupe = new Dedupe()
    dedupe.isDuplicate(event('socket'), 1_000_000)
    expect(dedupe.isDuplicate(event('http'), 500_000)).toBe(false)
  })

  test('cleared payloads are forgotten', () => {
    const dedupe = new Dedupe()
    dedupe.isDuplicate(event('socket'), 0)
    dedupe.clear()
    expect(dedupe.isDuplicate(event('http'), 0)).toBe(false)
  })

  test('cleared payloads are forgotten, also behind thousands of others', () => {
    const after = (clears: boolean) => {
      const dedupe = new Dedupe()
      dedupe.isDuplicate(event('socket'), 0)
      for (let i = 0; i < 10_000; i++) dedupe.isDuplicate(event('socket', { raw: `${i}` }), 0)
      if (clears) dedupe.clear()
      return dedupe.isDuplicate(event('http'), 0)
    }
    expect([after(false), after(true)]).toEqual([true, false])
  })
})

describe('memory', () => {
  test('is bounded, and the newest are kept', () => {
    const dedupe = new Dedupe()
    const start = process.memoryUsage().heapUsed
    for (let i = 0; i < 100_000; i++) dedupe.isDuplicate(event('socket', { raw: `${i}` }), 0)
    Bun.gc(true)
    expect(process.memoryUsage().heapUsed - start).toBeLessThan(20 * 1024 * 1024)
    expect(dedupe.isDuplicate(event('http', { raw: '99999' }), 0)).toBe(true)
    expect(dedupe.isDuplicate(event('http', { raw: '1' }), 0)).toBe(false)
  })

  test('is bounded for copies of one payload, too', () => {
    const dedupe = new Dedupe()
    const start = process.memoryUsage().heapUsed
    for (let i = 0; i < 100_000; i++) dedupe.isDuplicate(event('socket'), 0)
    Bun.gc(true)
    expect(process.memoryUsage().heapUsed - start).toBeLessThan(20 * 1024 * 1024)
  })
})
