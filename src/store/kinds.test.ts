/** What is skipped never passes, whatever the journal holds and however it came to be. */
import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { join } from 'node:path'
import fc from 'fast-check'
import { eventOf, tempDir } from '../../test/kit.ts'
import { rounds } from '../../test/long.ts'
import { type EventFilter, openStore, type Store } from './index.ts'

const BLOCK = 4_096
let count = 0

function fill(store: Store, kinds: readonly { agent?: string; type?: string; tool?: string }[]): void {
  store.journal.commit(() => {
    for (const { agent = 'claude', type = 'PreToolUse', tool } of kinds) {
      count += 1
      store.journal.append(
        eventOf({
          id: `kind-${count}`,
          agent,
          type,
          ...(tool === undefined ? {} : { tool: { name: tool, input: {} } }),
        }),
      )
    }
  })
}

/** Every sequence that is passed over on the way from one end to the other. */
function seen(store: Store, filter: EventFilter, order: 'ASC' | 'DESC'): Set<number> {
  const last = store.journal.lastSeq
  const looked = new Set<number>()
  const by = order === 'ASC' ? 1 : -1
  for (let seq = order === 'ASC' ? 1 : last; seq >= 1 && seq <= last; ) {
    const next = store.skipTo(filter, seq, order)
    if (next === seq) {
      looked.add(seq)
      seq += by
    } else {
      expect((next - seq) * by).toBeGreaterThan(0)
      seq = next
    }
  }
  return looked
}

test('a rare kind is found in both directions, and most of the journal is skipped', () => {
  const store = openStore(join(tempDir(), 'gantry.db'))
  const rare = 3 * BLOCK + 17
  fill(
    store,
    Array.from({ length: 6 * BLOCK }, (_, n) => (n + 1 === rare ? { tool: 'Rare' } : { tool: 'Bash' })),
  )
  for (const order of ['ASC', 'DESC'] as const) {
    const looked = seen(store, { tool: 'Rare' }, order)
    expect(looked.has(rare)).toBe(true)
    expect(looked.size).toBeLessThanOrEqual(2 * BLOCK) // its block, and the oldest, of which nothing is known for sure
    expect(seen(store, { tool: 'Rare', type: 'Stop' }, order).size).toBeLessThan(BLOCK)
    expect(seen(store, { except: 'claude' }, order).size).toBeLessThan(BLOCK)
    expect(seen(store, {}, order).size).toBe(6 * BLOCK)
  }
  store.close()
})

test('a block with more kinds than are noted may have anything', () => {
  const store = openStore(join(tempDir(), 'gantry.db'))
  fill(
    store,
    Array.from({ length: 2 * BLOCK }, (_, n) => (n < BLOCK ? {} : { tool: `tool ${n}` })),
  )
  expect(seen(store, { tool: `tool ${2 * BLOCK - 1}` }, 'DESC').has(2 * BLOCK)).toBe(true)
  fill(store, [{ tool: 'x'.repeat(5_000) }, ...Array.from({ length: BLOCK }, () => ({}))])
  expect(seen(store, { tool: 'x'.repeat(5_000) }, 'DESC').has(2 * BLOCK + 1)).toBe(true)
  store.close()
})

test('after a rollback, a restart, and in a journal from before, nothing is skipped that passes', () => {
  const path = join(tempDir(), 'gantry.db')
  let store = openStore(path)
  fill(
    store,
    Array.from({ length: 2 * BLOCK + 5 }, () => ({ tool: 'Old' })),
  )
  store.close()
  new Database(path).run('DELETE FROM event_kinds') // as if stored by an older gantry
  store = openStore(path)
  expect(seen(store, { tool: 'None' }, 'ASC').size).toBe(2 * BLOCK + 5)
  expect(() =>
    store.journal.commit(() => {
      store.journal.append(eventOf({ id: 'gone', tool: { name: 'New', input: {} } }))
      throw new Error('no')
    }),
  ).toThrow('no')
  fill(store, [{ tool: 'New' }])
  store.close()
  store = openStore(path)
  fill(store, [...Array.from({ length: 2 * BLOCK }, () => ({ tool: 'Bash' })), { tool: 'New' }])
  for (const order of ['ASC', 'DESC'] as const) {
    const looked = seen(store, { tool: 'New' }, order)
    expect(looked.has(2 * BLOCK + 6)).toBe(true)
    expect(looked.has(store.journal.lastSeq)).toBe(true)
    expect(seen(store, { tool: 'Old' }, order).size).toBeGreaterThanOrEqual(2 * BLOCK + 5)
  }
  store.close()
})

test('any journal: what passes is never skipped', () => {
  const kind = fc.record({
    agent: fc.constantFrom('claude', 'codex'),
    type: fc.constantFrom('Stop', 'PreToolUse'),
    tool: fc.constantFrom('Bash', 'Read'),
    count: fc.integer({ min: 1, max: 6_000 }),
  })
  const value = <T>(...some: T[]) => fc.option(fc.constantFrom(...some), { nil: undefined })
  const asked = fc.record({
    agent: value('claude', 'codex'),
    type: value('Stop', 'PreToolUse'),
    tool: value('Bash', 'Read'),
  })
  fc.assert(
    fc.property(fc.array(kind, { minLength: 1, maxLength: 8 }), asked, (parts, wanted) => {
      const store = openStore(join(tempDir(), 'gantry.db'))
      const all = parts.flatMap(({ count: times, ...one }) => Array.from({ length: times }, () => one))
      fill(store, all)
      const filter = Object.fromEntries(
        Object.entries(wanted).filter(([, one]) => one !== undefined),
      ) as EventFilter
      for (const order of ['ASC', 'DESC'] as const) {
        const looked = seen(store, filter, order)
        const passing = all.flatMap((one, n) =>
          Object.entries(filter).every(([name, one_]) => one[name as keyof typeof one] === one_)
            ? [n + 1]
            : [],
        )
        expect(passing.every((seq) => looked.has(seq))).toBe(true)
      }
      store.close()
    }),
    { numRuns: rounds(4, 20) },
  )
})
