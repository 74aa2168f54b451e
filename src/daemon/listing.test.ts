import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { arrival, eventOf, tempDir } from '../../test/kit.ts'
import type { EventQuery } from '../client/index.ts'
import { openStore } from '../store/index.ts'
import { listEvents } from './listing.ts'
import { readEvent } from './revive.ts'

const T0 = 1_763_000_000_000
const COUNT = 5000

/** Every 7th is session s7's, every 100th a Stop, every 1000th Codex's; 4321 holds a word of its own. */
const store = openStore(join(tempDir(), 'gantry.db'))
store.journal.commit(() => {
  for (let i = 1; i <= COUNT; i++) {
    const payload = {
      session_id: i % 7 === 0 ? 's7' : 's1',
      hook_event_name: i % 100 === 0 ? 'Stop' : 'PreToolUse',
      note: i === 4321 || i === 21 ? 'the Needle' : '',
    }
    const agent = i % 1000 === 0 ? 'codex' : 'claude'
    store.journal.append(readEvent(arrival({ agent, receivedAt: T0 + i, raw: JSON.stringify(payload) })))
  }
})

const all = Array.from({ length: COUNT }, (_, i) => i + 1)
const list = async (query: EventQuery, limit = 100) =>
  (await listEvents(store, query, limit)).map(({ seq }) => seq)

describe('the newest events that pass', () => {
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
    test(`${name}: all, oldest first`, async () => {
      expect(await list(query, 10_000)).toEqual(seqs)
    })
    test(`${name}: the newest three`, async () => {
      expect(await list(query, 3)).toEqual(seqs.slice(-3))
    })
  }
})

test('an event that comes while the list is made does not disturb it', async () => {
  const own = openStore(join(tempDir(), 'gantry.db'))
  const add = () => own.journal.commit(() => own.journal.append(eventOf()))
  for (let i = 0; i < 10; i++) add()
  const listing = listEvents(own, {}, 100)
  add()
  expect((await listing).map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
})

test('an empty journal gives an empty list', async () => {
  expect(await listEvents(openStore(join(tempDir(), 'gantry.db')), {}, 10)).toEqual([])
})

test('huge events give a shorter list, not a larger daemon', async () => {
  const own = openStore(join(tempDir(), 'gantry.db'))
  for (let i = 0; i < 30; i++) {
    own.journal.commit(() =>
      own.journal.append(eventOf({ raw: JSON.stringify({ a: 'x'.repeat(2_000_000) }) })),
    )
  }
  const listed = await listEvents(own, {}, 1000)
  expect(listed.length).toBeGreaterThan(10)
  expect(listed.length).toBeLessThan(20)
  expect(listed.at(-1)?.seq).toBe(30)
})

test('a search through large events lets others have their turn', async () => {
  const own = openStore(join(tempDir(), 'gantry.db'))
  own.journal.commit(() => {
    for (let i = 0; i < 30; i++)
      own.journal.append(eventOf({ raw: JSON.stringify({ a: 'x'.repeat(2_000_000) }) }))
  })
  let turns = 0
  const timer = setInterval(() => {
    turns += 1
  }, 0)
  expect(await listEvents(own, { grep: 'needle' }, 10)).toEqual([])
  clearInterval(timer)
  expect(turns).toBeGreaterThan(5)
})
