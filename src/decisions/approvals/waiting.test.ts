import { describe, expect, test } from 'bun:test'
import { ApprovalBook, type Question } from './waiting.ts'

const question = (parts: Partial<Question> = {}): Question => ({
  eventId: 'e1',
  native: 'PermissionRequest',
  agent: 'claude',
  sessionId: 's1',
  key: 'claude:s1',
  tool: 'Bash',
  line: 'ls',
  input: { command: 'ls' },
  isLarge: false,
  ...parts,
})

describe('a book of approvals', () => {
  test('gives each an id that can be typed, a secret word, and an end of its wait', () => {
    const book = new ApprovalBook()
    const all = Array.from({ length: 300 }, () => book.open(question(), 1_000, 5))
    expect(new Set(all.map(({ id }) => id)).size).toBe(300)
    expect(new Set(all.map(({ nonce }) => nonce)).size).toBe(300)
    for (const { id } of all) expect(id).toMatch(/^([bdfgklmnprstvz][aeiou]){2}\d$/)
    expect(all[0]).toMatchObject({ since: 5, until: 1_005, line: 'ls' })
    expect(book.all().map(({ id }) => id)).toEqual(all.map(({ id }) => id))
  })

  test('ends each once, and remembers how', () => {
    const book = new ApprovalBook()
    const { id, until } = book.open(question(), 999.6, 0)
    expect(until).toBe(1_000)
    expect(book.find(id)?.state).toBe('open')
    expect(book.end(id, { how: 'denied', at: 7, by: 'cli' })?.id).toBe(id)
    expect(book.end(id, { how: 'allowed', at: 8 })).toBeUndefined()
    expect(book.find(id)).toMatchObject({ state: 'over', ending: { how: 'denied', at: 7, by: 'cli' } })
    expect(book.size).toBe(0)
    expect(book.find('nope')).toBeUndefined()
  })

  test('knows those of a session, and forgets old endings', () => {
    const book = new ApprovalBook()
    const other = book.open(question({ key: 'codex:s2' }), 1, 0)
    const ids = Array.from({ length: 600 }, () => {
      const { id } = book.open(question(), 1, 0)
      book.end(id, { how: 'expired', at: 1 })
      return id
    })
    expect(book.of('codex:s2')).toEqual([other])
    expect(book.of('claude:s1')).toEqual([])
    expect(book.find(ids.at(-1) ?? '')?.state).toBe('over')
    expect([...new Set(ids)].filter((id) => book.find(id)).length).toBe(500)
  })
})
