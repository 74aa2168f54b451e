import { describe, expect, test } from 'bun:test'
import { until } from '../../test/kit.ts'
import { BackgroundFollower, type BackgroundOptions } from './background-follower.ts'
import { Follower } from './follower.ts'

interface Item {
  readonly seq: number
}

const items = (from: number, to: number): Item[] =>
  Array.from({ length: to - from + 1 }, (_, n) => ({ seq: from + n }))

/** A journal of numbers; those in `gone` were deleted. */
function journal(length: number, gone: readonly number[] = []) {
  const state = { last: length, reads: 0 }
  const read = (after: number, limit: number) => {
    state.reads += 1
    return items(after + 1, state.last)
      .filter(({ seq }) => !gone.includes(seq))
      .slice(0, limit)
  }
  return { state, read, lastSeq: () => state.last }
}

describe('a follower', () => {
  test('takes pushed items while they are the next, and reads the others', () => {
    const { state, read, lastSeq } = journal(0)
    const taken: number[] = []
    const take = ({ seq }: Item) => taken.push(seq)
    const follower = new Follower({ after: 0, lastSeq, read, take, slice: { rows: 3 } })
    state.last = 2
    follower.push(items(1, 2))
    state.last = 8
    follower.push(items(5, 8))
    expect(taken).toEqual([1, 2])
    while (follower.readOn());
    expect(taken).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
    expect(state.reads).toBe(2)
  })

  test('stops when there is no room, and counts items deleted before it got there', () => {
    const { read, lastSeq } = journal(9, [2, 3, 8, 9])
    const taken: number[] = []
    const follower = new Follower({
      after: 0,
      lastSeq,
      read,
      take: ({ seq }) => taken.push(seq),
      hasRoom: () => taken.length < 3,
      slice: { rows: 100 },
    })
    expect(follower.readOn()).toBe(false)
    expect(taken).toEqual([1, 4, 5])
    taken.length = 0
    while (follower.readOn());
    expect(taken).toEqual([6, 7])
    follower.readOn()
    expect({ at: follower.at, missed: follower.missed }).toEqual({ at: 9, missed: 4 })
  })
})

function background(length: number, more: Partial<BackgroundOptions<Item>> = {}) {
  const { state, read, lastSeq } = journal(length)
  const taken: number[] = []
  const saved: number[] = []
  const failures: unknown[] = []
  const follower = new BackgroundFollower<Item>({
    after: 0,
    lastSeq,
    read,
    enabled: () => true,
    take: ({ seq }) => taken.push(seq),
    slice: 4,
    queue: 6,
    save: (seq) => saved.push(seq) > 0,
    saveMs: 10_000,
    failed: (error) => failures.push(error),
    ...more,
  })
  const commit = (count: number) => {
    const events = items(state.last + 1, state.last + count)
    state.last += count
    follower.push(events, (event) => event)
    follower.wake(0)
  }
  return { follower, taken, saved, failures, commit, state }
}

describe('a background follower', () => {
  test('takes each item once and in order, from the queue or the journal', async () => {
    const { follower, taken, saved, commit, state } = background(5)
    follower.wake(0)
    commit(3)
    await until(() => follower.mark === 8, 'the first')
    const { reads } = state
    commit(2)
    await until(() => follower.mark === 10, 'what was pushed')
    expect(state.reads).toBe(reads)
    commit(20)
    await follower.reached(30, 5_000)
    expect(taken).toEqual(items(1, 30).map(({ seq }) => seq))
    follower.close()
    expect(saved).toEqual([30])
  })

  test('repeats a failed slice, and skips an item that cannot be taken', async () => {
    let isBroken = true
    const done: number[] = []
    let slice: number[] = []
    const { follower, failures, saved } = background(6, {
      take: ({ seq }) => {
        if (seq === 2) throw new Error('no such item')
        slice.push(seq)
      },
      flush: async () => {
        const seqs = slice
        slice = []
        if (isBroken) throw new Error('disk full')
        done.push(...seqs)
      },
    })
    follower.wake(0)
    await until(() => failures.length === 2, 'the failure')
    expect(follower.mark).toBe(0)
    isBroken = false
    await until(() => follower.mark === 6, 'another try')
    expect(done).toEqual([1, 3, 4, 5, 6])
    await follower.close()
    expect(saved).toEqual([6])
  })

  test('skips items while it is off', async () => {
    let isOn = false
    const { follower, taken, commit } = background(3, { enabled: () => isOn })
    commit(2)
    await until(() => follower.mark === 5, 'the end')
    isOn = true
    commit(1)
    await until(() => follower.mark === 6, 'the next')
    expect(taken).toEqual([6])
  })
})
