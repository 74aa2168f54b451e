import { expect, test } from 'bun:test'
import { linesOf } from './line-cutter.ts'

const TEXT = 'é\u2028b\r\n\nlong é line\nrest é'

async function* inChunks(text: string, size: number): AsyncGenerator<Uint8Array> {
  const bytes = new TextEncoder().encode(text)
  const memory = new Uint8Array(size) // as a reader does that uses its memory again
  for (let at = 0; at < bytes.length; at += size) {
    const part = bytes.subarray(at, at + size)
    memory.set(part)
    yield memory.subarray(0, part.length)
  }
}

test('lines are the same in chunks of any size, and only a line feed ends one', async () => {
  const whole = ['é\u2028b\r', '', 'long é line']
  for (const size of [1, 2, 3, 7, 100]) {
    expect(await Array.fromAsync(linesOf(inChunks(TEXT, size)))).toEqual(whole)
    expect(await Array.fromAsync(linesOf(inChunks(TEXT, size), { keepLast: true }))).toEqual([
      ...whole,
      'rest é',
    ])
  }
})

test('a line that is too long is cut, and the next one is whole', async () => {
  const lines = await Array.fromAsync(
    linesOf(inChunks(`${'x'.repeat(10_000)}\nnext\n`, 10), { maxBytes: 100 }),
  )
  expect(lines).toEqual([expect.stringMatching(/^x{100,120}$/), 'next'])
})
