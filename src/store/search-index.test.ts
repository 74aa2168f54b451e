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

  test('deletes one slice at a time', () => {
    const { index } = filled(...Array.from({ length: 25 }, (_, i) => row(i + 1, 'word')))
    expect(index.forget(21, 15)).toBe(true)
    expect(index.count()).toBe(10)
    expect(index.forget(21, 15)).toBe(false)
    expect(index.find(any('word'), newest)).toEqual([25, 24, 23, 22, 21])
    expect(index.forget(21, 15)).toBe(false)
  })

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
