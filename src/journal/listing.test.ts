import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { eventOf, rawEvent, tempDir } from '../../test/kit.ts'
import type { EventQuery } from '../client/index.ts'
import { openEventReader, openStore, type Store } from '../store/index.ts'
import { findEvents, glance, readEvents } from './listing.ts'
import { readEvent } from './parse-event.ts'

const T0 = 1_763_000_000_000
const COUNT = 5000

/** Every 7th event is of session s7, every 100th a Stop, every 1000th from Codex; 4321 has a unique word. */
const path = join(tempDir(), 'gantry.db')
const store = openStore(path)
store.journal.commit(() => {
  for (let i = 1; i <= COUNT; i++) {
    const payload = {
      session_id: i % 7 === 0 ? 's7' : 's1',
      hook_event_name: i % 100 === 0 ? 'Stop' : 'PreToolUse',
      note: i === 4321 || i === 21 ? 'the Needle' : '',
    }
    const agent = i % 1000 === 0 ? 'codex' : 'claude'
    store.journal.append(readEvent(rawEvent({ agent, receivedAt: T0 + i, raw: JSON.stringify(payload) })))
  }
})

const all = Array.from({ length: COUNT }, (_, i) => i + 1)
const reader = openEventReader(path)
const list = (query: EventQuery, limit: number, from = reader) =>
  [...readEvents(from, findEvents(from, query, limit))].map(({ seq }) => seq)

const look = (of: Store, query: EventQuery, limit: number) =>
  glance({ ...of, row: of.bySeq, lastSeq: () => of.journal.lastSeq }, query, limit)?.map(({ seq }) => seq)

describe('the newest matching events', () => {
  const cases: Record<string, [EventQuery, number[]]> = {
    nothing: [{}, all],
    session: [{ session: 's7' }, all.filter((i) => i % 7 === 0)],
    type: [{ type: 'Stop' }, all.filter((i) => i % 100 === 0)],
    agent: [{ agent: 'codex' }, all.filter((i) => i % 1000 === 0)],
    after: [{ after: 4990 }, all.slice(4990)],
    before: [{ before: 11 }, all.slice(0, 10)],
    'after and before': [{ after: 100, before: 104 }, [101, 102, 103]],
    since: [{ since: T0 + 4998 }, [4998, 4999, 5000]],
    grep: [{ grep: 'needle' }, [21, 4321]],
    'grep and session': [{ grep: 'needle', session: 's7' }, [21]],
    'grep and nothing there': [{ grep: 'thread' }, []],
    'everything at once': [
      { session: 's7', type: 'Stop', agent: 'claude', after: 700, before: 4000, since: T0 + 1500 },
      [2100, 2800, 3500],
    ],
    'a range that is empty': [{ after: 7, before: 8 }, []],
    'a range beyond the end': [{ after: 9999 }, []],
  }
  for (const [name, [query, seqs]] of Object.entries(cases)) {
    test(`${name}: all, oldest first`, () => {
      expect(list(query, 10_000)).toEqual(seqs)
    })
    test(`${name}: the newest three`, () => {
      expect(list(query, 3)).toEqual(seqs.slice(-3))
    })
    test(`${name}: a quick look returns the same, or leaves it to a process`, () => {
      expect(look(store, query, 3) ?? seqs.slice(-3)).toEqual(seqs.slice(-3))
      expect(look(store, query, 10_000) ?? seqs).toEqual(seqs)
    })
  }
})

test('an empty journal gives an empty list', () => {
  const own = join(tempDir(), 'gantry.db')
  const empty = openStore(own)
  expect(list({}, 10, openEventReader(own))).toEqual([])
  expect(look(empty, {}, 10)).toEqual([])
})

describe('text in payloads', () => {
  const own = join(tempDir(), 'gantry.db')
  const texts = ['100%', 'a_b', 'back\\slash', 'ÄPFEL und Birnen', 'plain', "it's"]
  const written = openStore(own)
  written.journal.commit(() => {
    for (const text of texts) written.journal.append(eventOf({ raw: `"${text}"` }))
    written.journal.append(eventOf({ raw: Buffer.from([0xff, 0, ...Buffer.from('Bytes')]) }))
    written.journal.append(eventOf({ raw: `"${'x'.repeat(3_000)}y"` }))
  })
  const cases: Record<string, number[]> = {
    '0%': [1],
    '%': [1],
    A_B: [2],
    _: [2],
    'back\\': [3],
    'äpfel UND': [4],
    äpfel: [4],
    "IT'S": [6],
    bytes: [7],
    [`${'X'.repeat(2_500)}y`]: [8],
    [`${'x'.repeat(3_001)}y`]: [],
  }
  for (const [grep, seqs] of Object.entries(cases)) {
    test(`${grep.slice(0, 20)} is found literally, in any case`, () => {
      expect(list({ grep }, 10, openEventReader(own))).toEqual(seqs)
    })
  }
})

describe('a quick look', () => {
  test("at the newest events, or a session's, needs no process", () => {
    expect(look(store, {}, 3)).toEqual([4998, 4999, 5000])
    expect(look(store, { session: 's7' }, 2)).toEqual([4991, 4998])
    expect(look(store, { type: 'Stop' }, 2)).toEqual([4900, 5000])
    expect(look(store, { agent: 'nobody', after: 4_000 }, 2)).toEqual([])
    expect(look(store, { agent: 'nobody', since: T0 + 4_500 }, 2)).toEqual([])
  })

  test('leaves old, long and payload searches to a process', () => {
    expect(look(store, { agent: 'nobody' }, 1)).toBeUndefined()
    expect(look(store, { type: 'Nothing', session: 's1' }, 1)).toBeUndefined()
    expect(look(store, {}, 1_000)).toBeUndefined()
    expect(look(store, { grep: 'needle' }, 1)).toBeUndefined()
  })

  test('leaves huge events to a process', () => {
    const own = openStore(join(tempDir(), 'gantry.db'))
    own.journal.commit(() => own.journal.append(eventOf({ raw: JSON.stringify('x'.repeat(1_000_000)) })))
    expect(look(own, {}, 10)).toBeUndefined()
  })
})
