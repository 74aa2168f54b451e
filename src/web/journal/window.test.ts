import { describe, expect, test } from 'bun:test'
import type { Line } from './line.ts'
import { JournalWindow, type Page, type Where } from './window.ts'

const event = (seq: number) => ({
  ...{ seq, id: `id${seq}`, at: seq, receivedAt: seq, agent: 'claude', type: 'Stop', native: 'Stop' },
  ...{ sessionId: 's1', client: { env: {} }, transport: 'socket' as const, bytes: 10 },
})

/** A journal from `first` to `last`, of which every `each`th passes. */
function journal(first: number, last: number, each = 1) {
  const asked: Where[] = []
  const load = async (where: Where): Promise<Page> => {
    asked.push(where)
    const { at, after, limit } = where
    let from = Math.max(first, (where.before ?? last + 1) - limit)
    if (after !== undefined) from = after + 1
    if (at !== undefined) from = Math.max(first, Math.min(at - limit / 2, last - limit + 1))
    const to = Math.min(last, (where.before ?? from + limit) - 1, from + limit - 1)
    const seqs = Array.from({ length: Math.max(0, to - from + 1) }, (_, n) => from + n)
    const events = seqs.filter((seq) => seq % each === 0).map(event)
    return { events, first, last, total: last - first + 1, from, to, older: from > first, newer: to < last }
  }
  return { load, asked }
}

const seqs = (part: { readonly lines: readonly Line[] }) => part.lines.map(({ seq }) => seq)

describe('the part of the journal in memory', () => {
  test('begins with the newest, and goes on to the first', async () => {
    const part = new JournalWindow(journal(1, 1_000).load)
    await part.newest()
    expect(part.get()).toMatchObject({ from: 801, to: 1_000, older: true, newer: false, aim: { end: true } })
    while (part.get().older) await part.older()
    expect(seqs(part.get())).toEqual(Array.from({ length: 1_000 }, (_, n) => n + 1))
  })

  test('jumps to any place, and has both neighbours', async () => {
    const part = new JournalWindow(journal(1, 5_000_000).load)
    await part.jump(2_500_000)
    await part.older()
    await part.newer()
    const { from, to, lines } = part.get()
    expect([from, to, lines.length]).toEqual([2_499_700, 2_500_299, 600])
  })

  test('forgets what is far away, and says that there is more', async () => {
    const part = new JournalWindow(journal(1, 50_000).load)
    await part.jump(10_000)
    for (let n = 0; n < 20; n += 1) await part.newer()
    const down = part.get()
    expect(down.lines.length).toBe(2_000)
    expect(down.from).toBe(seqs(down)[0] as number)
    expect(down.older).toBe(true)
    for (let n = 0; n < 20; n += 1) await part.older()
    const up = part.get()
    expect(up.lines.length).toBe(2_000)
    expect([up.to, up.newer]).toEqual([seqs(up).at(-1) as number, true])
  })

  test('takes what is stored meanwhile only where it follows', async () => {
    const part = new JournalWindow(journal(1, 1_000).load)
    const fresh = (seq: number): Line => ({ ...part.get().lines[0], seq, id: `id${seq}` }) as Line
    await part.newest()
    part.append([fresh(1_000), fresh(1_001)], 1_001)
    expect(seqs(part.get()).slice(-2)).toEqual([1_000, 1_001])
    await part.jump(100)
    part.append([fresh(1_002)], 1_002)
    expect(part.get()).toMatchObject({ last: 1_002, newer: true, to: 200 })
  })

  test('an answer for the place before does not replace the place now', async () => {
    const slow = Promise.withResolvers<void>()
    const { load } = journal(1, 10_000)
    const part = new JournalWindow(async (where) => {
      if (where.at === 100) await slow.promise
      return load(where)
    })
    const first = part.jump(100)
    await part.jump(9_000)
    slow.resolve()
    await first
    expect(part.get().from).toBe(8_900)
  })

  test('says why it could not read, and can be asked again', async () => {
    let fails = true
    const { load } = journal(1, 500)
    const part = new JournalWindow(async (where) => {
      if (fails) throw new Error('The daemon does not answer.')
      return load(where)
    })
    await part.newest()
    expect(part.get()).toMatchObject({ known: false, busy: false })
    expect(part.get().error?.message).toBe('The daemon does not answer.')
    fails = false
    await part.newest()
    expect(part.get().error).toBeUndefined()
  })
})
