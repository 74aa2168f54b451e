import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { rounds } from '../../test/long.ts'
import { hookEventSchema } from '../events/hook-event.ts'
import { isAgentName, isId } from '../events/index.ts'
import { readEvent } from '../journal/parse-event.ts'
import { rawEventOf } from './raw-event.ts'

const NOW = 1_763_000_000_000
const DAY = 86_400_000
const delivery = { payload: Buffer.from('{"a":1}'), transport: 'socket', receivedAt: NOW } as const

describe('a valid header', () => {
  test('is used unchanged', () => {
    const header = {
      id: '01KA2Z5V3C7Q9M0XW4T8R6Y1BN',
      at: NOW - 3,
      agent: 'claude',
      event: 'PreToolUse',
      pid: 7,
      ppid: 6,
      pane: '%3',
      tmux: '/tmp/tmux-0/default,1,0',
      env: { PWD: '/home/dev' },
      client: '0.1.0',
      len: 7,
    }
    expect(rawEventOf(header, delivery)).toEqual({
      id: header.id,
      at: NOW - 3,
      receivedAt: NOW,
      agent: 'claude',
      event: 'PreToolUse',
      client: { pid: 7, ppid: 6, pane: '%3', tmux: header.tmux, version: '0.1.0', env: { PWD: '/home/dev' } },
      transport: 'socket',
      raw: '{"a":1}',
    })
  })

  test('of a client that cut the payload says so', () => {
    expect(rawEventOf({ cut: 9_000_000 }, delivery).cutFrom).toBe(9_000_000)
    expect(rawEventOf({ cut: 9_000_000 }, { ...delivery, cutFrom: 10_000_000 }).cutFrom).toBe(10_000_000)
  })
})

describe('an empty header', () => {
  test('still makes an event, with a new id', () => {
    const rawEvent = rawEventOf({}, delivery)
    expect(rawEvent).toEqual({
      id: expect.any(String),
      at: NOW,
      receivedAt: NOW,
      agent: 'unknown',
      client: { env: {} },
      transport: 'socket',
      raw: '{"a":1}',
    })
    expect(isId(rawEvent.id)).toBe(true)
    expect(rawEventOf({}, delivery).id).not.toBe(rawEvent.id)
  })
})

describe('only an invalid fact is dropped', () => {
  const wrong: Record<string, [string, unknown[]]> = {
    agent: ['unknown', ['Claude', '', 'a b', '../x', 'x'.repeat(33), 5, null, {}]],
    event: ['nothing', ['', 'a b', 'x'.repeat(65), 'a\nb', '\u001b[31m', 5, null, []]],
    pid: ['nothing', [-1, 1.5, '7', null, Number.NaN, 1e300, {}]],
    pane: ['nothing', [5, null, {}, 'x'.repeat(5000)]],
    env: ['empty', [5, null, 'PWD', [1, 2]]],
  }
  test('the agent', () => {
    for (const agent of wrong.agent?.[1] ?? []) expect(rawEventOf({ agent }, delivery).agent).toBe('unknown')
  })
  test('the event', () => {
    for (const event of wrong.event?.[1] ?? [])
      expect(rawEventOf({ event }, delivery)).not.toHaveProperty('event')
  })
  test('the process', () => {
    for (const pid of wrong.pid?.[1] ?? []) {
      const { client } = rawEventOf({ pid, ppid: pid, cut: pid }, delivery)
      expect(client).toEqual({ env: {} })
    }
  })
  test('the pane', () => {
    for (const pane of wrong.pane?.[1] ?? []) {
      expect(rawEventOf({ pane, tmux: pane, client: pane, pid: 3 }, delivery).client).toEqual({
        pid: 3,
        env: {},
      })
    }
  })
  test('the environment', () => {
    for (const env of wrong.env?.[1] ?? []) expect(rawEventOf({ env }, delivery).client.env).toEqual({})
    const env = { PWD: '/', LEVEL: 5, LONG: 'x'.repeat(5000), NOTHING: null }
    expect(rawEventOf({ env }, delivery).client.env).toEqual({ PWD: '/' })
  })
  test('an environment of a thousand values is cut', () => {
    const env = Object.fromEntries(Array.from({ length: 1000 }, (_, i) => [`N${i}`, 'x']))
    expect(Object.keys(rawEventOf({ env }, delivery).client.env)).toHaveLength(64)
  })
  test('an invalid id', () => {
    for (const id of ['', 'two words', 'x'.repeat(129), 5, null, {}]) {
      expect(isId(rawEventOf({ id }, delivery).id)).toBe(true)
    }
  })
})

describe("the sender's clock", () => {
  test('is accepted within a year', () => {
    for (const at of [NOW, NOW - 30 * DAY]) expect(rawEventOf({ at }, delivery).at).toBe(at)
    expect(rawEventOf({ at: NOW + 0.4 }, delivery).at).toBe(NOW)
  })
  test('is not accepted if it is ahead: what was received has happened', () => {
    for (const at of [NOW + 1, NOW + 30_000, NOW + DAY]) expect(rawEventOf({ at }, delivery).at).toBe(NOW)
  })
  test('is not accepted if it is broken', () => {
    for (const at of [0, -1, NOW - 400 * DAY, NOW + 400 * DAY, Number.NaN, 1e300, '2026', null, {}]) {
      expect(rawEventOf({ at }, delivery).at).toBe(NOW)
    }
  })
})

describe('the payload', () => {
  test('is text if it is valid text', () => {
    const text = '{"a":"ü 日本 🚂"}'
    expect(rawEventOf({}, { ...delivery, payload: Buffer.from(text) }).raw).toBe(text)
    expect(rawEventOf({}, { ...delivery, payload: Buffer.alloc(0) }).raw).toBe('')
    const mark = Buffer.from('\ufeff{}')
    expect(Buffer.from(rawEventOf({}, { ...delivery, payload: mark }).raw).equals(mark)).toBe(true)
  })
  test('is bytes otherwise, or if SQLite would read it as shorter text', () => {
    for (const bytes of [[0xff, 0xfe], [0xc3], [0x61, 0x00, 0x62], [0xed, 0xa0, 0x80]]) {
      expect(rawEventOf({}, { ...delivery, payload: Buffer.from(bytes) }).raw).toEqual(Buffer.from(bytes))
    }
  })
})

test('any header and any payload make a valid event', () => {
  const value = fc.oneof(fc.jsonValue(), fc.constantFrom('claude', 'codex', 'Stop', NOW, 8_000_000))
  const names = [
    'id',
    'at',
    'agent',
    'event',
    'pid',
    'ppid',
    'pane',
    'tmux',
    'env',
    'client',
    'cut',
    'len',
    'hold',
  ]
  const header = fc.dictionary(fc.constantFrom(...names, '__proto__'), value)
  fc.assert(
    fc.property(header, fc.uint8Array({ maxLength: 50 }), (fields, payload) => {
      const event = readEvent(rawEventOf(fields, { ...delivery, payload: Buffer.from(payload) }))
      expect(hookEventSchema.safeParse(event).error).toBeUndefined()
      expect(Buffer.from(event.raw).equals(Buffer.from(payload))).toBe(true)
    }),
    { numRuns: rounds(100, 2_000) },
  )
})

test('a name that could be a path or a tag is not an agent', () => {
  for (const name of ['claude', 'my-agent_2']) expect(isAgentName(name)).toBe(true)
  for (const name of ['', 'Claude', '..', 'a/b', '<b>', 'a b', 'x'.repeat(33)])
    expect(isAgentName(name)).toBe(false)
})
