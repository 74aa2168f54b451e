import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { cpuMsOf, eventOf, fixtureLines, rawEvent, tempDir } from '../../test/kit.ts'
import type { RawEvent } from '../events/index.ts'
import { openStore } from '../store/index.ts'
import { toWire } from './event-filter.ts'
import { parseRow, rawOf, readEvent, withoutSecrets } from './parse-event.ts'

const came = (raw: RawEvent['raw'], parts: Partial<RawEvent> = {}) =>
  readEvent(rawEvent({ id: 'x', raw, ...parts }))

describe('a journal row', () => {
  test('is parsed into the original event', () => {
    const store = openStore(join(tempDir(), 'gantry.db'))
    const events = fixtureLines('claude/2.1.325/_one-of-each.jsonl').map(({ payload, event }, i) =>
      came(JSON.stringify(payload), { id: `e${i}`, event }),
    )
    expect(events.length).toBeGreaterThan(10)
    store.journal.commit(() => {
      for (const event of events) store.journal.append(event)
    })
    for (const [i, event] of events.entries()) {
      const row = store.byId(`e${i}`)
      if (!row) throw new Error(`e${i} is not in the journal`)
      expect(parseRow(row)).toEqual({ ...event, seq: i + 1 })
    }
  })
})

describe('a payload that is not JSON', () => {
  for (const raw of ['', '{', 'null', '[]', '"text"', '5', 'nonsense', Buffer.from([0xff, 0x00])]) {
    test(`is still an event: ${JSON.stringify(raw).slice(0, 30)}`, () => {
      const event = came(raw, { event: 'Stop' })
      expect(event).toMatchObject({ id: 'x', agent: 'claude', sessionId: '', raw })
    })
  }
})

describe('a payload that was cut', () => {
  const whole = JSON.stringify({
    session_id: 's1',
    hook_event_name: 'PostToolUse',
    cwd: '/home/dev/"quoted" ü',
    tool_name: 'Bash',
    tool_response: { stdout: 'x'.repeat(100_000) },
  })
  const cut = (text: string) => came(text, { cutFrom: 9_000_000 })

  test('still has its session and tool', () => {
    expect(cut(whole.slice(0, 50_000))).toMatchObject({
      sessionId: 's1',
      type: 'PostToolUse',
      cwd: '/home/dev/"quoted" ü',
      tool: { name: 'Bash' },
      cutFrom: 9_000_000,
    })
  })

  test('within its first field yields nothing', () => {
    expect(cut('{"session_id":"s')).toMatchObject({ sessionId: '', cutFrom: 9_000_000 })
  })

  test('may contain text that only looks like JSON', () => {
    for (const value of ['"\\q"', '"\\u12"', '"a\nb"', '"\\\\\\"']) {
      expect(() => cut(`{"session_id":${value},"hook_event_name":"Stop","x":"`)).not.toThrow()
    }
    expect(cut('{"session_id":"\\q","hook_event_name":"Stop","x":"')).toMatchObject({
      sessionId: '',
      type: 'Stop',
    })
  })

  test('is searched only in its beginning', () => {
    const took = cpuMsOf(() => {
      cut(`{"session_id":"${'\\'.repeat(8_000_000)}`)
      cut('"session_id"'.repeat(600_000))
    })
    expect(took).toBeLessThan(500)
  })
})

describe('a too deeply nested payload', () => {
  const nested = (open: string, close: string, depth: number) =>
    `{"session_id":"s1","hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":${open.repeat(depth)}1${close.repeat(depth)}}`

  test('still has its session and tool, and can be shown', () => {
    for (const [open, close] of [
      ['[', ']'],
      ['{"a":', '}'],
      ['[{"a":', '}]'],
    ] as const) {
      const event = came(nested(open, close, 100_000))
      expect(event).toMatchObject({ sessionId: 's1', type: 'PreToolUse', tool: { name: 'Bash' } })
      expect(JSON.stringify(toWire(event))).toContain('"s1"')
    }
  })

  test('is distinguished from one that only has many brackets', () => {
    const wide = JSON.stringify({
      session_id: 's1',
      hook_event_name: 'Stop',
      list: Array.from({ length: 9999 }, () => [{}]),
    })
    expect(came(wide).fields?.list).toHaveLength(9999)
    const text = JSON.stringify({
      session_id: 's1',
      hook_event_name: 'Stop',
      last_assistant_message: '[{"\\'.repeat(9999),
    })
    expect(came(text).message).toHaveLength(4 * 9999)
    const deep = came(nested('[', ']', 500))
    expect(deep.tool?.input).toBeArray()
  })
})

describe('secrets', () => {
  const secret = `ghp_${'a1B2'.repeat(9)}`

  test('are removed from text, and from binary data', () => {
    expect(withoutSecrets(`{"a":"${secret}"}`)).toEqual({ raw: '{"a":"[redacted]"}', count: 1 })
    const bytes = Buffer.concat([Buffer.from([0xff, 0x00]), Buffer.from(` ${secret} `), Buffer.from([0xfe])])
    const { raw, count } = withoutSecrets(bytes)
    expect(count).toBe(1)
    expect(raw).toEqual(
      Buffer.concat([Buffer.from([0xff, 0x00]), Buffer.from(' [redacted] '), Buffer.from([0xfe])]),
    )
  })

  test('leave the same object if there are none', () => {
    const bytes = Buffer.from([0xff, 0x61])
    expect(withoutSecrets(bytes).raw).toBe(bytes)
  })
})

test('text with a zero byte is kept as bytes', () => {
  expect(rawOf(Buffer.from('a\0b'))).toEqual(Buffer.from('a\0b'))
  expect(rawOf(Buffer.from('äb'))).toBe('äb')
  expect(eventOf().raw).toBeString()
})
