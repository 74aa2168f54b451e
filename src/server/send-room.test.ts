import { expect, test } from 'bun:test'
import { until } from '../../test/kit.ts'
import { type Reader, SendRoom } from './send-room.ts'

/** One that takes nothing unless a test says so. */
function reader(): Reader & { unsent: number; isOver: boolean } {
  const one = {
    unsent: 0,
    isOver: false,
    getBufferedAmount: () => one.unsent,
    terminate: () => {
      one.isOver = true
    },
  }
  return one
}

test('one after the other, and only while there is room', async () => {
  const room = new SendRoom({ unsentBytes: 100 })
  const [a, b, c] = [reader(), reader(), reader()]
  for (const one of [a, b, c]) room.join(one)
  const sent: string[] = []
  const { promise, resolve } = Promise.withResolvers<void>()
  room.whenFree(a, async () => {
    await promise
    a.unsent = 100
    sent.push('a')
  })
  room.whenFree(b, () => void sent.push('b'))
  room.whenFree(c, () => void sent.push('c'))
  expect(sent).toEqual([])
  resolve()
  await until(() => sent.length > 0, 'the first')
  expect(sent).toEqual(['a'])
  room.leave(b) // nobody reads it any more
  a.unsent = 99
  room.drained(a)
  expect(sent).toEqual(['a', 'c'])
  for (const one of [a, c]) room.leave(one)
})

test('whoever takes nothing is ended, and whoever takes little is not', async () => {
  const room = new SendRoom({ unsentBytes: 100, stalledMs: 2_000, lookMs: 10 }) // on a busy machine a timer may be a second late
  const [stuck, slow, idle] = [reader(), reader(), reader()]
  for (const one of [stuck, slow, idle]) room.join(one)
  const since = performance.now()
  stuck.unsent = 1_000
  slow.unsent = 1_000
  const taking = setInterval(() => {
    slow.unsent += 10 // as much comes as it takes
    room.drained(slow)
  }, 20)
  await until(() => stuck.isOver, 'its end')
  expect(performance.now() - since).toBeGreaterThanOrEqual(1_980)
  await Bun.sleep(2_200)
  clearInterval(taking)
  expect({ slow: slow.isOver, idle: idle.isOver }).toEqual({ slow: false, idle: false })
  for (const one of [stuck, slow, idle]) room.leave(one)
})

test('while others wait for the room it is ended sooner', async () => {
  const room = new SendRoom({ unsentBytes: 100, stalledMs: 60_000, heldUpMs: 100, lookMs: 10 })
  const [stuck, next] = [reader(), reader()]
  room.join(stuck)
  stuck.unsent = 100
  await Bun.sleep(200)
  expect(stuck.isOver).toBe(false)
  room.join(next)
  let isSent = false
  room.whenFree(next, () => {
    isSent = true
  })
  await until(() => stuck.isOver, 'its end')
  expect(isSent).toBe(false)
  room.leave(stuck)
  expect(isSent).toBe(true)
  room.leave(next)
})
