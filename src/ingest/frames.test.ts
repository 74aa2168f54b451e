import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { cpuMsOf } from '../../test/kit.ts'
import { rounds } from '../../test/long.ts'
import { HEADER_LIMIT_BYTES, PAYLOAD_LIMIT_BYTES } from '../client/wire.ts'
import { type ClientMessage, FrameReader } from './frames.ts'

const header = (fields: Record<string, unknown>) => `${JSON.stringify({ v: 1, kind: 'hook', ...fields })}\n`

function frameOf(payload: Uint8Array, fields: Record<string, unknown> = {}): Buffer {
  return Buffer.concat([Buffer.from(header({ agent: 'claude', len: payload.length, ...fields })), payload])
}

/** The reader's messages for bytes in chunks of these sizes; the last size repeats. */
function read(
  bytes: Buffer,
  sizes: readonly number[] = [bytes.length],
): { messages: ClientMessage[]; reader: FrameReader } {
  const reader = new FrameReader()
  const messages: ClientMessage[] = []
  for (let at = 0, i = 0; at < bytes.length; i++) {
    const size = Math.max(1, sizes[Math.min(i, sizes.length - 1)] ?? bytes.length)
    // A copy, as from a socket: the reader must not rely on bytes after the chunk.
    messages.push(...reader.push(Buffer.from(bytes.subarray(at, at + size))))
    at += size
  }
  return { messages, reader }
}

/** Payloads as printable bytes that compare exactly. */
const comparable = (messages: ClientMessage[]) =>
  messages.map((message) =>
    message.kind === 'hook' ? { ...message, payload: message.payload.toString('base64') } : message,
  )

const hook = fc
  .record({
    payload: fc.uint8Array({ maxLength: 200 }),
    event: fc.string({ unit: 'grapheme', maxLength: 10 }),
  })
  .map(({ payload, event }) => ({
    bytes: frameOf(payload, { event }),
    message: {
      kind: 'hook' as const,
      header: { v: 1, kind: 'hook', agent: 'claude', len: payload.length, event },
      payload: Buffer.from(payload),
    },
  }))
const request = fc
  .record({ cmd: fc.string(), args: fc.dictionary(fc.string(), fc.jsonValue()) })
  .map((value) => ({
    bytes: Buffer.from(`${JSON.stringify(value)}\n`),
    message: {
      kind: 'request' as const,
      request: JSON.parse(JSON.stringify(value)) as Record<string, unknown>,
    },
  }))
const stream = fc.array(fc.oneof(hook, request), { maxLength: 6 })
const splits = fc.array(fc.integer({ min: 1, max: 300 }), { minLength: 1, maxLength: 20 })

describe('any sequence of messages', () => {
  test('comes out unchanged, however it was split', () => {
    fc.assert(
      fc.property(stream, splits, (sent, sizes) => {
        const { messages, reader } = read(Buffer.concat(sent.map(({ bytes }) => bytes)), sizes)
        expect(comparable(messages)).toEqual(comparable(sent.map(({ message }) => message)))
        expect(reader.pending).toBe(0)
      }),
      { numRuns: rounds(100, 2_000) },
    )
  })

  test('byte by byte gives the same as all at once', () => {
    fc.assert(
      fc.property(stream, (sent) => {
        const bytes = Buffer.concat(sent.map((one) => one.bytes))
        expect(comparable(read(bytes, [1]).messages)).toEqual(comparable(read(bytes).messages))
      }),
      { numRuns: 50 },
    )
  })

  test('garbage gives the same however it is split, and never throws', () => {
    const line = fc.oneof(
      fc.uint8Array({ maxLength: 50 }).map((bytes) => Buffer.concat([Buffer.from(bytes), Buffer.from('\n')])),
      fc.jsonValue().map((value) => Buffer.from(`${JSON.stringify(value)}\n`)),
      fc.jsonValue().map((len) => Buffer.from(header({ len }))),
      hook.map(({ bytes }) => bytes),
    )
    fc.assert(
      fc.property(fc.array(line, { maxLength: 5 }), splits, (lines, sizes) => {
        const bytes = Buffer.concat(lines)
        expect(comparable(read(bytes, sizes).messages)).toEqual(comparable(read(bytes).messages))
      }),
      { numRuns: rounds(100, 2_000) },
    )
  })

  test('an empty chunk changes nothing', () => {
    const reader = new FrameReader()
    const bytes = frameOf(Buffer.from('{}'))
    expect(reader.push(Buffer.alloc(0))).toEqual([])
    expect(reader.push(bytes.subarray(0, 20))).toEqual([])
    expect(reader.push(Buffer.alloc(0))).toEqual([])
    expect(reader.push(bytes.subarray(20))).toHaveLength(1)
  })
})

describe('an incomplete message', () => {
  test('yields nothing, and counts as pending', () => {
    const bytes = frameOf(Buffer.alloc(1000, 'x'))
    for (const length of [1, 30, bytes.indexOf(10), bytes.indexOf(10) + 1, bytes.length - 1]) {
      const { messages, reader } = read(bytes.subarray(0, length), [7])
      expect(messages).toEqual([])
      const afterHeader = length - bytes.indexOf(10) - 1
      expect(reader.pending).toBe(afterHeader >= 0 ? afterHeader : length)
    }
  })

  test('counts as pending while the rest of an oversized payload is dropped', () => {
    const { messages, reader } = read(
      Buffer.concat([
        Buffer.from(header({ len: PAYLOAD_LIMIT_BYTES + 10 })),
        Buffer.alloc(PAYLOAD_LIMIT_BYTES),
      ]),
    )
    expect(messages).toEqual([])
    expect(reader.pending).toBe(PAYLOAD_LIMIT_BYTES)
  })
})

describe('a frame is invalid', () => {
  const bad: Record<string, [string, RegExp]> = {
    'when its first line is not JSON': ['GET / HTTP/1.1\r\n', /not JSON/],
    'when its first line is empty': ['\n', /not JSON/],
    'when it is cut JSON': ['{"v":1,"kind":"hook"\n', /not JSON/],
    'when it is not an object': ['[1,2]\n', /not a JSON object/],
    'when it is null': ['null\n', /not a JSON object/],
    'without a len': [header({}), /len/],
    'with a len as text': [header({ len: '2' }), /len/],
    'with a len below zero': [header({ len: -1 }), /len/],
    'with a broken len': [header({ len: 1.5 }), /len/],
    'with a len that no number can hold': [header({ len: 1e300 }), /len/],
    'with a len of null': [header({ len: null }), /len/],
  }
  for (const [name, [text, reason]] of Object.entries(bad)) {
    test(name, () => {
      for (const sizes of [[1], [1000]]) {
        const { messages, reader } = read(Buffer.from(text), sizes)
        expect(messages).toEqual([{ kind: 'bad', reason: expect.stringMatching(reason) }])
        expect(reader.pending).toBe(0)
      }
    })
  }

  test('and nothing after it is read as a message', () => {
    const good = frameOf(Buffer.from('{}'))
    for (const sizes of [[1], [3, 1000], [1000]]) {
      const { messages, reader } = read(Buffer.concat([Buffer.from('nonsense\n'), good, good]), sizes)
      expect(messages).toMatchObject([{ kind: 'bad' }])
      expect(reader.pending).toBe(0)
    }
  })

  test('but messages before it count', () => {
    const { messages } = read(Buffer.concat([frameOf(Buffer.from('{}')), Buffer.from('nonsense\n')]))
    expect(messages.map(({ kind }) => kind)).toEqual(['hook', 'bad'])
  })
})

describe('a header', () => {
  const headerOf = (bytes: number) => {
    const empty = header({ len: 0, pad: '' }).length - 1
    return Buffer.from(header({ len: 0, pad: 'x'.repeat(bytes - empty) }))
  }
  const splitting = [[1 << 20], [1000], [1, 70_000], [40_000, 1]]

  test('of exactly 64 KB is accepted', () => {
    for (const sizes of splitting) {
      expect(read(headerOf(HEADER_LIMIT_BYTES), sizes).messages).toMatchObject([{ kind: 'hook' }])
    }
  })

  test('over 64 KB is refused, in one chunk or many', () => {
    for (const sizes of splitting) {
      expect(read(headerOf(HEADER_LIMIT_BYTES + 1), sizes).messages).toEqual([
        { kind: 'bad', reason: 'header over 64 KB' },
      ])
    }
  })

  test('without an end is refused at 64 KB', () => {
    const reader = new FrameReader()
    const results = Array.from({ length: 200 }, () => reader.push(Buffer.alloc(1024, '{'))).flat()
    expect(results).toEqual([{ kind: 'bad', reason: 'header over 64 KB' }])
    expect(reader.pending).toBe(0)
  })
})

describe('a call', () => {
  const callOf = (bytes: number, start = '{"cmd":"x","args":"') =>
    Buffer.from(`${start}${'a'.repeat(bytes - start.length - 2)}"}\n`)

  test('may have megabytes, whatever the size of its first chunk', () => {
    for (const sizes of [[10 << 20], [65_536], [1, 65_536], [3, 1, 5, 100_000]]) {
      expect(read(callOf(5 << 20), sizes).messages).toMatchObject([{ kind: 'request' }])
    }
  })

  test('may have its fields in any order', () => {
    const start = '{"args":{"text":"'
    const bytes = Buffer.from(`${start}${'a'.repeat(200_000)}"},"cmd":"x"}\n`)
    for (const sizes of [[1 << 20], [1, 65_536]]) {
      expect(read(bytes, sizes).messages).toMatchObject([{ kind: 'request', request: { cmd: 'x' } }])
    }
  })

  test('over the limit is refused, in one chunk or many', () => {
    const bytes = callOf(PAYLOAD_LIMIT_BYTES + HEADER_LIMIT_BYTES + 1)
    for (const sizes of [[bytes.length], [65_536]]) {
      expect(read(bytes, sizes).messages).toEqual([{ kind: 'bad', reason: 'call over 8 MB' }])
    }
  })

  test('cannot be used to send a long hook header', () => {
    const text = `{"cmd":"x","kind":"hook","len":0,"pad":"${'x'.repeat(HEADER_LIMIT_BYTES)}"}\n`
    expect(read(Buffer.from(text)).messages).toEqual([{ kind: 'bad', reason: 'header over 64 KB' }])
  })
})

describe('a payload', () => {
  test('may be empty', () => {
    expect(read(frameOf(Buffer.alloc(0))).messages).toMatchObject([
      { kind: 'hook', payload: Buffer.alloc(0) },
    ])
  })

  test('of exactly 8 MB is complete', () => {
    const payload = Buffer.alloc(PAYLOAD_LIMIT_BYTES, 'x')
    const [message] = read(frameOf(payload), [65_536]).messages
    expect(message?.kind === 'hook' && message.payload.equals(payload)).toBe(true)
    expect(message).not.toHaveProperty('cutFrom')
  })

  test('over 8 MB is cut, marked with its full length, and the next message is found after it', () => {
    const payload = Buffer.concat([Buffer.alloc(PAYLOAD_LIMIT_BYTES, 'x'), Buffer.alloc(1_000_000, 'y')])
    const bytes = Buffer.concat([frameOf(payload), frameOf(Buffer.from('{"next":1}'))])
    for (const sizes of [[bytes.length], [65_536], [1000, PAYLOAD_LIMIT_BYTES, 1_000_000]]) {
      const { messages, reader } = read(bytes, sizes)
      expect(messages.map(({ kind }) => kind)).toEqual(['hook', 'hook'])
      const [cut, next] = messages
      expect(cut?.kind === 'hook' && cut.cutFrom).toBe(payload.length)
      expect(cut?.kind === 'hook' && cut.payload.equals(payload.subarray(0, PAYLOAD_LIMIT_BYTES))).toBe(true)
      expect(next?.kind === 'hook' && next.payload.toString()).toBe('{"next":1}')
      expect(reader.pending).toBe(0)
    }
  })

  test('in many small chunks takes linear time', () => {
    const bytes = frameOf(Buffer.alloc(4 << 20, 'x'))
    const took = cpuMsOf(() => expect(read(bytes, [512]).messages).toHaveLength(1))
    expect(took).toBeLessThan(1000) // joining the chunks each time would take minutes
  })
})
