import { Database } from 'bun:sqlite'
import { describe, expect, test } from 'bun:test'
import { statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { tempDir } from '../../test/kit.ts'
import { openSearchIndex, type SearchRow } from './index.ts'

const row = (seq: number, said: string, more: Partial<SearchRow> = {}): SearchRow => ({
  seq,
  said,
  did: '',
  facts: 'aclaude',
  ...more,
})
const any = (word: string) => `{said did} : ("${word}")`
const newest = { order: 'newest', limit: 10 } as const
const best = { order: 'best', limit: 10 } as const

function filled(...rows: SearchRow[]) {
  const path = join(tempDir(), 'search.db')
  const index = openSearchIndex(path)
  index.put(rows, { seq: rows.at(-1)?.seq ?? 0, id: 'last' })
  return { path, index }
}

describe('the search index', () => {
  test('returns the newest first, or the best first', () => {
    const { index } = filled(
      row(1, 'upload'),
      row(2, `upload ${'and other things '.repeat(20)}`),
      row(3, '', { did: 'upload' }),
    )
    expect(index.find(any('upload'), newest)).toEqual([3, 2, 1])
    expect(index.find(any('upload'), best)[0]).toBe(1)
    expect(index.find(any('upload'), best)).toHaveLength(3)
  })

  test('returns at most the requested number, and only those after a sequence', () => {
    const { index } = filled(...Array.from({ length: 50 }, (_, i) => row(i + 1, 'word')))
    expect(index.find(any('word'), { order: 'newest', limit: 2 })).toEqual([50, 49])
    expect(index.find(any('word'), { order: 'newest', limit: 99, after: 47 })).toEqual([50, 49, 48])
    expect(index.find(any('word'), { order: 'best', limit: 99, after: 47 })).toEqual([50, 49, 48])
  })

  test('keeps its rows and mark when it is reopened', () => {
    const { path, index } = filled(row(7, 'hello'))
    index.close()
    const again = openSearchIndex(path)
    expect(again.mark()).toEqual({ seq: 7, id: 'last' })
    expect(again.find(any('hello'), newest)).toEqual([7])
    expect(statSync(path).mode & 0o777).toBe(0o600)
  })

  test('stores rows and mark together, or neither', () => {
    const { index } = filled(row(1, 'first'))
    const broken = Object.defineProperty(row(3, 'third'), 'said', {
      get: () => {
        throw new Error('killed')
      },
    })
    expect(() => index.put([row(2, 'second'), broken], { seq: 3, id: 'b' })).toThrow('killed')
    expect(index.mark()).toEqual({ seq: 1, id: 'last' })
    expect(index.find(any('second'), newest)).toEqual([])
  })

  test('has parts: they are searched together, and forgotten once all of their events are', () => {
    const path = join(tempDir(), 'search.db')
    const index = openSearchIndex(path, 10)
    const rows = Array.from({ length: 35 }, (_, i) =>
      row(i + 1, i % 2 === 0 ? 'word' : `word ${'other '.repeat(9)}`),
    )
    index.put(rows.slice(0, 12), { seq: 12, id: 'a' })
    index.put(rows.slice(12), { seq: 35, id: 'b' })
    expect(index.count()).toBe(35)
    expect(index.find(any('word'), { order: 'newest', limit: 99 })).toEqual(
      rows.map(({ seq }) => seq).reverse(),
    )
    expect(index.find(any('word'), { order: 'newest', limit: 99, after: 33 })).toEqual([35, 34])
    const ranked = index.find(any('word'), { order: 'best', limit: 18 })
    expect(ranked.every((seq) => seq % 2 === 1)).toBe(true) // the short ones, of all parts
    expect(new Set(ranked.map((seq) => Math.floor(seq / 10))).size).toBe(4)
    expect(index.forget(25)).toBe(true) // 1 to 9
    expect(index.forget(25)).toBe(true) // 10 to 19
    expect(index.forget(25)).toBe(false) // 20 to 24 wait for 25 to 29
    expect(index.count()).toBe(16)
    expect(index.find(any('word'), { order: 'newest', limit: 99, after: 24 })).toHaveLength(11)
    index.close()
    expect(openSearchIndex(path, 10).count()).toBe(16)
  })

  test('does not grow by forgetting: new rows take the room of the old ones', () => {
    const path = join(tempDir(), 'search.db')
    const index = openSearchIndex(path, 500)
    const text = (n: number) => Array.from({ length: 40 }, (_, i) => `w${(n * 31 + i * 7) % 5_000}`).join(' ')
    const fill = (from: number, to: number) => {
      for (let seq = from; seq < to; seq += 100)
        index.put(
          Array.from({ length: 100 }, (_, i) => row(seq + i, text(seq + i))),
          { seq: seq + 99, id: 'x' },
        )
    }
    fill(0, 5_000)
    const pages = () => {
      const db = new Database(path, { readonly: true })
      const { page_count: count } = db.query<{ page_count: number }, []>('PRAGMA page_count').get() ?? {
        page_count: 0,
      }
      db.close()
      return count
    }
    const before = pages()
    for (let seq = 5_000; seq < 15_000; seq += 500) {
      while (index.forget(seq - 4_500));
      fill(seq, seq + 500)
    }
    expect(index.count()).toBeLessThanOrEqual(5_500)
    expect(pages()).toBeLessThan(before * 1.3)
    index.close()
  }, 120_000)

  test('is rebuilt if it is broken or of another version', () => {
    const { path, index } = filled(row(1, 'hello'))
    index.close()
    const other = new Database(path)
    other.exec('PRAGMA user_version = 999')
    other.close()
    const anew = openSearchIndex(path)
    expect(anew.mark()).toEqual({ seq: 0, id: '' })
    anew.close()
    writeFileSync(path, 'this is no database, and never was one'.repeat(1000))
    expect(openSearchIndex(path).mark()).toEqual({ seq: 0, id: '' })
  })
})
