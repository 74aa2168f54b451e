import { describe, expect, test } from 'bun:test'
import type { WireMessage } from '../../client/index.ts'
import { busFrame } from './bus-frame.ts'
import { type BusState, cursorOf, firstBusState, passing, pressBus, withMessages } from './bus-state.ts'
import type { Key } from './keys.ts'
import { busiest, counted, NO_RATES, perSecond, sessionsSeen, sparkline } from './rates.ts'
import { NOW, textsOf } from './testkit.ts'

function message(seq: number, type = 'Stop', parts: Partial<WireMessage> = {}): WireMessage {
  return {
    stream: 'HOOK_EVENTS',
    seq,
    id: `e${seq}`,
    at: NOW,
    subject: `hooks.${type}`,
    type,
    agent: 'claude',
    native: type,
    session: `s${seq % 3}`,
    data: '{"prompt":"hello\\u001b[2J"}',
    ...parts,
  }
}

const first = firstBusState('HOOK_EVENTS', undefined)
const some = withMessages(
  first,
  [message(1), message(2, 'PreToolUse'), message(3), message(4, 'PreToolUse')],
  NOW,
)

function after(state: BusState, ...keys: string[]): BusState {
  let now = state
  for (const text of keys) {
    const key: Key = text.length === 1 ? { kind: 'text', text } : { kind: 'key', name: text }
    const next = pressBus(now, key, 10)
    if (next !== 'quit') now = next
  }
  return now
}

const seqs = (state: BusState) => passing(state).map(({ seq }) => seq)

describe('the view of a stream', () => {
  test('follows the newest until the cursor is moved, and again from the end', () => {
    expect(cursorOf(some, passing(some))).toBe(3)
    const up = after(some, 'k')
    const more = withMessages(up, [message(5)], NOW)
    expect(passing(more)[cursorOf(more, passing(more))]?.seq).toBe(3)
    const back = after(more, 'G')
    expect(passing(back)[cursorOf(back, passing(back))]?.seq).toBe(5)
  })

  test('pauses the screen while more comes, and says how much', () => {
    const held = withMessages(after(some, 'p'), [message(5), message(6)], NOW)
    expect(seqs(held)).toEqual([1, 2, 3, 4])
    expect(textsOf(busFrame(held, { width: 100, height: 20 }, 0, NOW).lines)[0]).toContain('‖ held +2')
    expect(seqs(after(held, 'p'))).toEqual([1, 2, 3, 4, 5, 6])
  })

  test('shows one type, one session, or messages with these words', () => {
    expect(seqs(after(some, 'f'))).toEqual([2, 4])
    expect(seqs(after(some, 'f', 'f'))).toEqual([1, 2, 3, 4])
    expect(seqs(after(some, 'o'))).toEqual([1, 4])
    expect(seqs(after(some, '/', 'p', 'r', 'e', 'return'))).toEqual([2, 4])
    expect(seqs(after(some, '/', 'z', 'return', 'escape'))).toEqual([1, 2, 3, 4])
  })

  test('the payload of one is shown as JSON, without control sequences', () => {
    const lines = textsOf(busFrame(after(some, 'return'), { width: 80, height: 30 }, 0, NOW).lines)
    expect(lines.some((line) => line.includes('hooks.PreToolUse  4'))).toBe(true)
    expect(lines.join('\n')).toContain('"prompt": "hello')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what must not be there
    expect(lines.join('')).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/)
  })

  test('keeps the newest two thousand, whatever comes', () => {
    const flood = withMessages(
      first,
      Array.from({ length: 9_000 }, (_, n) => message(n)),
      NOW,
    )
    expect(flood.messages.length).toBe(2_000)
    expect(flood.messages.at(-1)?.seq).toBe(8_999)
    expect(flood.rates.total).toBe(9_000)
  })

  test('fits every size', () => {
    for (const width of [20, 60, 100, 200])
      for (const height of [4, 15, 50]) {
        const { lines } = busFrame(after(some, 'return'), { width, height }, 0, NOW)
        expect(lines.length).toBe(height)
        for (const line of textsOf(lines)) expect(Bun.stringWidth(line)).toBeLessThanOrEqual(width)
      }
  })
})

describe('rates', () => {
  test('are those of the last ten seconds, and forget the rest', () => {
    let rates = NO_RATES
    for (let n = 0; n < 50; n++)
      rates = counted(
        rates,
        [{ type: n % 5 === 0 ? 'Stop' : 'PreToolUse', session: `s${n % 5}` }],
        NOW + n * 100,
      )
    expect(perSecond(rates, NOW + 5_000)).toBe(5)
    expect(sessionsSeen(rates, NOW + 5_000)).toBe(5)
    expect(busiest(rates, NOW + 5_000, 1)).toEqual([{ type: 'PreToolUse', rate: 4 }])
    expect(perSecond(rates, NOW + 60_000)).toBe(0)
    expect(rates.total).toBe(50)
  })

  test('the bar chart has a column per second, empty where nothing came', () => {
    const rates = counted(
      counted(NO_RATES, [{ type: 'a', session: '' }], NOW),
      Array(8).fill({ type: 'a', session: '' }),
      NOW + 2_000,
    )
    expect(sparkline(rates, NOW + 3_000)).toBe(`${' '.repeat(27)}▁ █`)
  })
})
