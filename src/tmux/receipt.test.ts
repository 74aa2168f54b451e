/** What counts as a receipt: nobody may colour a server by a file that is not one. */
import { describe, expect, test } from 'bun:test'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { tempDir } from '../../test/kit.ts'
import { type Places, places } from '../core/files/paths.ts'
import { type Receipt, readReceipt, readReceipts, receiptFile, writeReceipt } from './receipt.ts'

const GOOD: Receipt = {
  v: 1,
  socket: '/tmp/tmux-1/default',
  pid: 4711,
  state: 'applied',
  options: [{ name: 'status-right', at: '-g', before: 'x', ours: 'y' }],
  hook: '',
  keys: ['J'],
}

function home(): Places {
  return places({}, tempDir())
}

describe('a receipt', () => {
  test('is read as written, and belongs to the one server it names', () => {
    const at = home()
    writeReceipt(at, GOOD)
    expect(readReceipts(at)).toEqual([GOOD])
    expect(readReceipt(at, { socket: GOOD.socket, pid: 4711 })).toEqual(GOOD)
    expect(readReceipt(at, { socket: GOOD.socket, pid: 4712 })).toBeUndefined()
  })

  const wrong: Record<string, unknown> = {
    'of another version': { ...GOOD, v: 2 },
    'with a socket that is no path': { ...GOOD, socket: '-L' },
    'without a process': { ...GOOD, pid: 0 },
    'with a process that is no number': { ...GOOD, pid: '4711' },
    'in a state nobody knows': { ...GOOD, state: 'done' },
    'without its hook': { ...GOOD, hook: undefined },
    'with keys that are no list': { ...GOOD, keys: 'J' },
    'with a key that is none': { ...GOOD, keys: [1] },
    'with an option that is none': { ...GOOD, options: [{ name: 'status-right' }] },
    'with nothing for an option': { ...GOOD, options: [null] },
    'that is nothing': null,
    'that is a list': [],
    'that is text': 'x',
  }
  for (const [what, value] of Object.entries(wrong)) {
    test(`${what} is as none`, () => {
      const at = home()
      mkdirSync(at.tmux, { recursive: true })
      writeFileSync(receiptFile(at, GOOD.socket), JSON.stringify(value))
      writeFileSync(join(at.tmux, 'cut.json'), '{"v":1')
      expect(readReceipts(at)).toEqual([])
    })
  }
})
