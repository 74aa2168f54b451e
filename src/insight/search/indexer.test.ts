import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { eventOf, tempDir } from '../../../test/kit.ts'
import type { SearchQuery } from '../../rpc/index.ts'
import { openEventReader, openSearchIndex, openStore } from '../../store/index.ts'
import { answer } from './answer.ts'
import { Indexer, isOf } from './indexer.ts'

const prompt = (id: string, text: string, session = 's1', agent = 'claude') => {
  const raw = JSON.stringify({ hook_event_name: 'UserPromptSubmit', session_id: session, prompt: text })
  return eventOf({ id, agent, type: 'UserPromptSubmit', native: 'UserPromptSubmit', sessionId: session, raw })
}
const asking = (text: string, more: Partial<SearchQuery> = {}): SearchQuery => ({
  text,
  order: 'newest',
  limit: 20,
  ...more,
})

function stage() {
  const dir = tempDir()
  const path = join(dir, 'gantry.db')
  const store = openStore(path)
  const add = (...events: ReturnType<typeof prompt>[]) =>
    store.journal.commit(() => {
      for (const event of events) store.journal.append(event)
    })
  const open = (partSeqs?: number) => {
    const journal = openEventReader(path)
    const index = openSearchIndex(join(dir, 'search.db'), partSeqs)
    const indexer = new Indexer(journal, index)
    const ids = (query: SearchQuery) => answer(query, journal, index).hits.map(({ id }) => id)
    const work = () => {
      while (indexer.step());
    }
    return { journal, index, indexer, ids, work }
  }
  return { dir, path, store, add, open }
}

describe('the indexer', () => {
  test('indexes each event of the journal once, also after a restart', () => {
    const { add, open } = stage()
    add(prompt('a', 'hello there'), prompt('b', 'nothing'), prompt('c', 'hello again'))
    const first = open()
    first.work()
    expect(first.ids(asking('hello'))).toEqual(['c', 'a'])
    first.index.close()
    add(prompt('d', 'hello once more'))
    const second = open()
    expect(second.indexer.behind()).toBe(1)
    second.work()
    expect(second.ids(asking('hello'))).toEqual(['d', 'c', 'a'])
    expect(second.index.count()).toBe(4)
  })

  test('continues in slices, with the mark at the end of each', () => {
    const { add, open } = stage()
    add(...Array.from({ length: 4_800 }, (_, i) => prompt(`p${i}`, 'word')))
    const { indexer, index } = open()
    expect(indexer.step()).toBe(true)
    expect(indexer.mark).toEqual({ seq: 2_000, id: 'p1999' })
    expect(index.mark()).toEqual(indexer.mark)
    expect(indexer.step()).toBe(true)
    expect(indexer.step()).toBe(false)
    expect(indexer.behind()).toBe(0)
  })

  test('deletes what retention has deleted', () => {
    const { add, open, store } = stage()
    add(...Array.from({ length: 300 }, (_, i) => prompt(`p${i}`, 'word')))
    const { work, ids, index } = open(60)
    work()
    while (store.retain({ maxAgeMs: 1, maxBytes: Number.MAX_SAFE_INTEGER }, Date.now()));
    expect(ids(asking('word'))).toEqual(['p299'])
    work()
    expect(index.count()).toBe(1) // the last part; the others are gone
  })

  test('recognizes another journal by its events', () => {
    const { add, open } = stage()
    add(prompt('a', 'hello'), prompt('b', 'hello'))
    const { work, index } = open()
    work()
    const other = stage()
    expect(isOf(index.mark(), other.open().journal)).toBe(false)
    other.add(prompt('x', 'hello'), prompt('y', 'hello'), prompt('z', 'hello'))
    expect(isOf(index.mark(), other.open().journal)).toBe(false)
    expect(isOf(index.mark(), open().journal)).toBe(true)
    expect(isOf({ seq: 0, id: '' }, other.open().journal)).toBe(true)
  })
})

describe('an answer', () => {
  const { add, open } = stage()
  const old = Date.now() - 3_600_000
  add(
    { ...prompt('a', 'fix the upload', 'one'), receivedAt: old },
    { ...prompt('b', 'fix the download', 'two', 'codex'), receivedAt: old + 1 },
    { ...prompt('c', 'upload it', 'one-2'), receivedAt: Date.now() },
  )
  const { ids, work, journal, index } = open()
  work()

  test('is limited to the session, the agent, the type and the time', () => {
    expect(ids(asking('upload', { session: 'one' }))).toEqual(['a'])
    expect(ids(asking('fix', { agent: 'codex' }))).toEqual(['b'])
    expect(ids(asking('fix', { agent: 'CODEX', type: 'userpromptsubmit' }))).toEqual(['b'])
    expect(ids(asking('fix', { type: 'Stop' }))).toEqual([])
    expect(ids(asking('upload', { since: old + 60_000 }))).toEqual(['c'])
    expect(ids(asking('upload', { session: '"one" OR x' }))).toEqual([])
    // The same letters, and another session.
    expect(ids(asking('upload', { session: 'one2' }))).toEqual([])
  })

  test('says when there is more', () => {
    expect(answer(asking('upload', { limit: 1 }), journal, index)).toMatchObject({
      more: true,
      hits: [{ id: 'c' }],
    })
    expect(answer(asking('upload', { limit: 2 }), journal, index)).toMatchObject({ more: false })
  })

  test('without a word to search for says so', () => {
    expect(() => ids(asking(' "*" '))).toThrow('no word')
  })
})
