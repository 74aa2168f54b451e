import { Database } from 'bun:sqlite'
import { describe, expect, spyOn, test } from 'bun:test'
import { closeSync, copyFileSync, fstatSync, openSync, statSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { eventOf, tempDir } from '../../test/kit.ts'
import { openStore } from './index.ts'

function openTemp() {
  const path = join(tempDir(), 'gantry.db')
  return { path, store: openStore(path) }
}

/** What another program sees: only committed rows. */
function fromOutside(path: string, sql: string): unknown[] {
  const db = new Database(path, { readonly: true })
  try {
    return db.query(sql).values()
  } finally {
    db.close()
  }
}

describe('appending', () => {
  test('events get sequences from 1 on, in order', () => {
    const { path, store } = openTemp()
    const seqs = store.journal.commit(() =>
      [eventOf(), eventOf()].map((event) => store.journal.append(event)),
    )
    seqs.push(store.journal.commit(() => store.journal.append(eventOf())))
    expect(seqs).toEqual([1, 2, 3])
    expect(store.journal.lastSeq).toBe(3)
    expect(fromOutside(path, 'SELECT seq FROM events ORDER BY seq')).toEqual([[1], [2], [3]])
  })

  test('a known id gives 0, changes nothing and uses no sequence', () => {
    const { path, store } = openTemp()
    const { journal } = store
    const seqs = journal.commit(() => [
      journal.append(eventOf({ id: 'a', raw: 'first' })),
      journal.append(eventOf({ id: 'a', raw: 'again, in the same commit' })),
      journal.append(eventOf({ id: 'b' })),
    ])
    seqs.push(journal.commit(() => journal.append(eventOf({ id: 'a', raw: 'again, later' }))))
    seqs.push(journal.commit(() => journal.append(eventOf({ id: 'c' }))))
    expect(seqs).toEqual([1, 0, 2, 0, 3])
    expect(fromOutside(path, 'SELECT seq, id, raw FROM events WHERE id = "a"')).toEqual([[1, 'a', 'first']])
  })

  test('every column matches the event', () => {
    const { path, store } = openTemp()
    const event = eventOf({
      id: 'x',
      at: 1,
      receivedAt: 2,
      agent: 'codex',
      agentVersion: '0.166.0',
      type: 'PreToolUse',
      native: 'pre_tool_use',
      sessionId: 's9',
      agentId: 'a1',
      tool: { name: 'Bash', input: {} },
      cwd: '/home/dev',
      transport: 'spool',
      client: { pid: 4, pane: '%1', env: { PWD: '/' } },
      cutFrom: 9,
      raw: '{}',
    })
    store.journal.commit(() => store.journal.append(event))
    const row = new Database(path, { readonly: true }).query('SELECT * FROM events').get()
    expect(row).toEqual({
      seq: 1,
      id: 'x',
      at: 1,
      received_at: 2,
      agent: 'codex',
      agent_version: '0.166.0',
      type: 'PreToolUse',
      native: 'pre_tool_use',
      session_id: 's9',
      agent_id: 'a1',
      tool_name: 'Bash',
      cwd: '/home/dev',
      transport: 'spool',
      client: '{"pid":4,"pane":"%1","env":{"PWD":"/"}}',
      cut_from: 9,
      raw: '{}',
    })
  })
})

describe('a commit', () => {
  test('that throws keeps nothing, and its sequences are reused', () => {
    const { path, store } = openTemp()
    const { journal } = store
    journal.commit(() => journal.append(eventOf({ id: 'kept' })))
    expect(() =>
      journal.commit(() => {
        journal.append(eventOf({ id: 'lost' }))
        journal.append(eventOf())
        throw new Error('no verdict')
      }),
    ).toThrow('no verdict')
    expect(journal.lastSeq).toBe(1)
    expect(journal.commit(() => journal.append(eventOf({ id: 'lost' })))).toBe(2)
    expect(fromOutside(path, 'SELECT seq, id FROM events ORDER BY seq')).toEqual([
      [1, 'kept'],
      [2, 'lost'],
    ])
  })

  test('that another process blocks throws at once and works later', () => {
    const { path, store } = openTemp()
    const { journal } = store
    const other = new Database(path)
    other.exec('BEGIN IMMEDIATE')
    const start = performance.now()
    expect(() => journal.commit(() => journal.append(eventOf()))).toThrow(/locked/)
    expect(performance.now() - start).toBeLessThan(4_900) // a start waits for 5 s
    expect(journal.lastSeq).toBe(0)
    other.exec('COMMIT')
    other.close()
    expect(journal.commit(() => journal.append(eventOf()))).toBe(1)
  })

  test('is invisible to others until it is done', () => {
    const { path, store } = openTemp()
    const { journal } = store
    journal.commit(() => {
      journal.append(eventOf())
      expect(fromOutside(path, 'SELECT count(*) FROM events')).toEqual([[0]])
    })
    expect(fromOutside(path, 'SELECT count(*) FROM events')).toEqual([[1]])
  })
})

test('the log is synced with each commit, and not with a relaxed one, which is visible at once', () => {
  const { path, store } = openTemp()
  const { journal } = store
  const sync = spyOn(store.files, 'sync')
  journal.relaxed(() => journal.append(eventOf({ id: 'a' })))
  expect(sync).toHaveBeenCalledTimes(0)
  expect(fromOutside(path, 'SELECT id FROM events')).toEqual([['a']])
  journal.commit(() => journal.append(eventOf({ id: 'b' })))
  expect(sync).toHaveBeenCalledTimes(1)
})

test('after a sync that failed, nothing counts until the database file itself has what was in the log', () => {
  const { path, store } = openTemp()
  const { journal } = store
  spyOn(store.files, 'sync').mockImplementationOnce(() => {
    throw new Error('EIO')
  })
  expect(() => journal.commit(() => journal.append(eventOf({ id: 'a' })))).toThrow('EIO')
  const reader = new Database(path, { readonly: true })
  reader.exec('BEGIN')
  reader.query('SELECT count(*) FROM events').get() // holds the log where it is
  expect(() => journal.commit(() => journal.append(eventOf({ id: 'b' })))).toThrow('The disk has failed')
  reader.close()
  journal.commit(() => {})
  copyFileSync(path, `${path}.alone`) // without its log
  const rows = new Database(`${path}.alone`, { readonly: true }).query('SELECT id FROM events').values()
  expect(rows).toEqual([['a'], ['b']])
})

test('a store that is closed twice closes no other file', () => {
  const { path, store } = openTemp()
  store.close()
  const other = openSync(path, 'r')
  expect(() => store.files.close()).not.toThrow()
  expect(fstatSync(other).size).toBeGreaterThan(0)
  closeSync(other)
})

describe('a journal counts', () => {
  test('the bytes its commits wrote to the log: payloads, and some pages each', () => {
    const { journal } = openTemp().store
    const grows = (work: () => void) => {
      const before = journal.loggedBytes
      journal.commit(work)
      return journal.loggedBytes - before
    }
    const page = 4096
    const empty = grows(() => {})
    expect(empty).toBeGreaterThanOrEqual(page)
    const raw = 'x'.repeat(10 * page)
    expect(grows(() => journal.append(eventOf({ id: 'a', raw })))).toBe(empty + raw.length)
    expect(grows(() => journal.append(eventOf({ id: 'a', raw })))).toBe(empty)
  })

  test('its rollbacks', () => {
    const { journal } = openTemp().store
    journal.commit(() => {})
    expect(journal.rollbacks).toBe(0)
    for (let n = 1; n <= 2; n++) {
      expect(() =>
        journal.commit(() => {
          throw new Error('no')
        }),
      ).toThrow('no')
      expect(journal.rollbacks).toBe(n)
    }
  })
})

describe('a journal that is opened again', () => {
  test('continues with the next sequence and knows its ids', () => {
    const { path, store } = openTemp()
    store.journal.commit(() => {
      for (const id of ['a', 'b', 'c']) store.journal.append(eventOf({ id }))
    })
    store.close()
    const again = openStore(path)
    expect(again.journal.lastSeq).toBe(3)
    expect(again.journal.commit(() => again.journal.append(eventOf({ id: 'b' })))).toBe(0)
    expect(again.journal.commit(() => again.journal.append(eventOf({ id: 'd' })))).toBe(4)
    expect(again.count()).toBe(4)
  })

  test('is one file after a clean close, without a log', () => {
    const { path, store } = openTemp()
    store.journal.commit(() => store.journal.append(eventOf()))
    store.close()
    expect(statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0).toBe(0)
    expect(fromOutside(path, 'SELECT count(*) FROM events')).toEqual([[1]])
  })
})

describe('raw comes back byte for byte', () => {
  const { store } = openTemp()
  const roundTrip = (raw: string | Uint8Array) => {
    const event = eventOf({ raw })
    store.journal.commit(() => store.journal.append(event))
    return store.byId(event.id)?.raw
  }

  for (const [name, text] of Object.entries({
    empty: '',
    JSON: '{"a":"\\u0000\\ud83d\\ude82","b":1.0,"b":2}',
    'no ASCII': 'ünïcode 日本 🚂 \u2028 \u200f',
    'a byte order mark': '\ufeff{}',
    'line ends of all kinds': 'a\r\nb\nc\rd\n',
    'quotes and wildcards': `'"%_\\;--`,
    'a number': '007',
    'a megabyte': '{"a":"é"}'.repeat(100_000),
  })) {
    test(`text: ${name}`, () => expect(roundTrip(text)).toBe(text))
  }

  test('any text', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 300 }).filter((value) => !value.includes('\0'))
    fc.assert(
      fc.property(text, (value) => expect(roundTrip(value)).toBe(value)),
      { numRuns: 50 },
    )
  })

  test('any bytes stay bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        expect(roundTrip(bytes)).toEqual(bytes)
      }),
      { numRuns: 50 },
    )
  })
})
