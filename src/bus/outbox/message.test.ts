import { expect, test } from 'bun:test'
import type { BusMessage } from '../streams/index.ts'
import { floorOf, leave, refuse, sendingOf, strike } from './message.ts'

const message = (seq: number): BusMessage => ({
  stream: 'HOOK_EVENTS',
  seq,
  id: `id-${seq}`,
  at: seq,
  subject: 'hooks.Stop',
  type: 'Stop',
  agent: 'claude',
  native: 'Stop',
  session: 'a',
  data: '{}',
})
const sending = (seq: number) => sendingOf(message(seq), [{ subject: 'hooks.Stop', id: `id-${seq}` }])

test('the floor is where the stream was before the oldest of them left', () => {
  const [first, second, third] = [sending(1), sending(2), sending(3)]
  expect(floorOf([first, second, third])).toBe(Number.POSITIVE_INFINITY)
  leave(first, 100)
  leave(second, 105)
  expect(floorOf([first, second, third])).toBe(100)
  leave(first, 200) // once more
  expect(first.floor).toBe(100)
  expect(floorOf([second, third])).toBe(105)
})

test('what is in the stream already is struck out; with two copies, the one that is missing is left', () => {
  expect(strike(sending(1), new Set(['id-1', 'id-2']))).toBe(true)
  const both = [
    { subject: 'hooks.Stop', id: 'id-1' },
    { subject: 'hooks.box.Stop', id: 'id-1:h' },
  ]
  const twice = sendingOf(message(1), both)
  expect(strike(twice, new Set(['id-1']))).toBe(false)
  expect(twice.copies).toEqual([{ subject: 'hooks.box.Stop', id: 'id-1:h' }])
})

test('without copies it is done', () => {
  expect(sendingOf(message(1), [], 7)).toMatchObject({ state: 'done', floor: 7 })
})

test('a refusal counts only when others get through', () => {
  const one = sending(1)
  expect([refuse(one, 4), refuse(one, 4)]).toEqual([0, 0])
  expect(refuse(one, 5)).toBe(3)
})
