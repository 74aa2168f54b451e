import { describe, expect, test } from 'bun:test'
import type { Occasion } from './occasion.ts'
import { channelOf } from './testkit.ts'
import { Waiting } from './waiting.ts'

const about = (key: string): Occasion => ({ key, session: 's', reason: 'permission', since: 0, says: '' })
const entry = (key: string, dueAt: number, channel = channelOf()) => ({
  channel,
  occasion: about(key),
  dueAt,
  attempts: 0,
})
const free = () => false

describe('the queue of notifications', () => {
  test('returns what is due, the oldest first, and only for free channels', () => {
    const waiting = new Waiting(10)
    waiting.put(entry('late', 200))
    waiting.put(entry('early', 100))
    waiting.put(entry('other', 50, channelOf({ name: 'busy' })))
    const isHeld = (name: string) => name === 'busy'
    expect(waiting.nextAt(isHeld)).toBe(100)
    expect(waiting.take(99, isHeld)).toBeUndefined()
    expect(waiting.take(300, isHeld)?.occasion.key).toBe('early')
    expect(waiting.take(300, isHeld)?.occasion.key).toBe('late')
    expect(waiting.take(300, isHeld)).toBeUndefined()
    expect(waiting.take(300, free)?.occasion.key).toBe('other')
  })

  test('holds each once per channel, within its limit; drops are counted', () => {
    const waiting = new Waiting(3)
    for (const key of ['a', 'a', 'b', 'c', 'd', 'e']) waiting.put(entry(key, 1))
    expect(waiting.size).toBe(3)
    expect(waiting.dropped).toBe(2)
    waiting.put(entry('a', 5)) // one that is there may be put off
    expect(waiting.dropped).toBe(2)
  })

  test('removes what is over when it is full', () => {
    const waiting = new Waiting(2)
    waiting.put(entry('over', 1))
    waiting.put(entry('stands', 1))
    waiting.prune(({ key }) => key === 'stands')
    waiting.put(entry('new', 1))
    expect(waiting.size).toBe(2)
    expect(waiting.dropped).toBe(0)
  })

  test('follows a changed configuration', () => {
    const waiting = new Waiting(10)
    waiting.put(entry('a', 1))
    waiting.retain([channelOf({ cooldownMs: 7 })])
    expect(waiting.take(1, free)?.channel.cooldownMs).toBe(7)
    waiting.put(entry('a', 1))
    waiting.retain([channelOf({ reasons: ['error'] })])
    expect(waiting.size).toBe(0)
  })
})
