import { afterAll, describe, expect, test } from 'bun:test'
import { renameSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { eventOf, tempDir } from '../../test/kit.ts'
import { applyWrites, openFollowerStore, openStore, type Write } from './index.ts'

const path = join(tempDir(), 'gantry.db')
const owner = openStore(path)
const sent: (readonly Write[])[] = []
const store = openFollowerStore(path, {
  identity: owner.files.identity,
  lastSeq: () => owner.journal.lastSeq,
  send: (writes) => sent.push(writes),
})
afterAll(() => {
  store.close()
  owner.close()
})

describe('the store in another thread', () => {
  test('is not opened where another file is by now: that would empty the index of the owner’s log', () => {
    const place = join(tempDir(), 'gantry.db')
    const first = openStore(place)
    first.journal.commit(() => first.journal.append(eventOf({ id: 'kept', sessionId: 's' })))
    const other = join(tempDir(), 'other.db')
    openStore(other).close()
    renameSync(other, place)
    const { identity } = first.files
    expect(() => openFollowerStore(place, { identity, lastSeq: () => 0, send: () => {} })).toThrow(
      'was removed or replaced',
    )
    expect(first.byId('kept')?.id).toBe('kept')
    first.close()
  })

  test('moves the log into the database while the owner goes on, so the log begins anew', () => {
    const place = join(tempDir(), 'gantry.db')
    const first = openStore(place)
    const { identity } = first.files
    const beside = openFollowerStore(place, { identity, lastSeq: () => 0, send: () => {} })
    const append = (count: number) =>
      first.journal.commit(() => {
        for (let n = 0; n < count; n++) first.journal.append(eventOf({ raw: 'x'.repeat(4_000) }))
      })
    append(500)
    const before = statSync(place).size
    beside.checkpoint()
    expect(statSync(place).size).toBeGreaterThan(before + 500 * 4_000)
    const log = statSync(`${place}-wal`).size
    append(100)
    first.checkpoint()
    append(100)
    expect(statSync(`${place}-wal`).size).toBe(log)
    expect(first.count()).toBe(700)
    beside.close()
    first.close()
  })

  test('reads what the owner has committed, at once', () => {
    owner.journal.commit(() => owner.journal.append(eventOf({ id: 'e1', sessionId: 's' })))
    expect([...store.oldest({ after: 0 }, 10)].map(({ id }) => id)).toEqual(['e1'])
    expect(store.journal.lastSeq).toBe(1)
    expect(store.count()).toBe(1)
  })

  test('writes nothing itself, and the owner writes the same', () => {
    const letter = {
      target: 'webhook:ci',
      stream: 'HOOK_EVENTS',
      seq: 1,
      id: 'e1',
      sessionId: 's',
      attemptCount: 2,
      nextAttemptAt: 5,
      lastError: 'away',
      deadAt: null,
    }
    store.journal.relaxed(() => {
      store.marks.set('schema', 41)
      store.outbox.setState('HOOK_EVENTS', '{}')
      store.deliveries.put(letter)
    })
    expect(store.marks.get('schema')).toBe(0)
    for (const writes of sent.splice(0)) owner.journal.relaxed(() => applyWrites(owner, writes))
    expect(store.marks.get('schema')).toBe(41)
    expect(store.outbox.state('HOOK_EVENTS')).toBe('{}')
    expect(store.deliveries.waiting('webhook:ci', 'HOOK_EVENTS')).toEqual([letter])
  })

  test('knows the marks that it sent before they are written, and none of a transaction that failed', () => {
    const { deliveries, journal } = store
    journal.relaxed(() => deliveries.setMark('webhook:w', 'HOOK_EVENTS', 7, 1))
    expect(deliveries.mark('webhook:w', 'HOOK_EVENTS')).toBe(7)
    expect(owner.deliveries.mark('webhook:w', 'HOOK_EVENTS')).toBeUndefined()
    const failing = () =>
      journal.relaxed(() => {
        deliveries.setMark('webhook:w', 'HOOK_EVENTS', 8, 1)
        throw new Error('no')
      })
    expect(failing).toThrow('no')
    expect(deliveries.mark('webhook:w', 'HOOK_EVENTS')).toBe(7)
    journal.relaxed(() => deliveries.forget('webhook:w', 'HOOK_EVENTS'))
    expect(deliveries.mark('webhook:w', 'HOOK_EVENTS')).toBeUndefined()
    sent.length = 0
  })

  test('sends nothing of a transaction that failed, and takes no write outside of one', () => {
    const fails = () =>
      store.journal.commit(() => {
        store.marks.set('schema', 42)
        throw new Error('no')
      })
    expect(fails).toThrow('no')
    expect(() => store.marks.set('schema', 43)).toThrow('outside a transaction')
    expect(sent).toEqual([])
  })
})
