import { expect, test } from 'bun:test'
import type { HookReply } from '../events/index.ts'
import { type HookPeer, ReplyQueue } from './reply-queue.ts'

function open() {
  const said: string[] = []
  const line: HookPeer = {
    send: (bytes) => said.push(bytes.toString()),
    hangUp: () => said.push('(hung up)'),
    mayBeSilent: (may) => said.push(may ? '(silent)' : '(listening)'),
    tooMany: () => said.push('(too many)'),
  }
  return { said, turns: new ReplyQueue(line) }
}

const reply = (stdout: string): HookReply => ({ exit: 0, stdout, stderr: '' })

test('replies leave in the order of the hooks, whichever is answered first', () => {
  const { said, turns } = open()
  const [a, b, c] = [turns.take({}), turns.take({}), turns.take({})]
  b.done(reply('b'))
  c.done(reply('c'))
  expect(said).toEqual([])
  a.done(reply('a'))
  expect(said).toEqual(['0 1 0\na', '0 1 0\nb', '0 1 0\nc'])
})

test('only the hook whose reply is next is told to wait', () => {
  const { said, turns } = open()
  const [a, b] = [turns.take({ hold: true }), turns.take({ hold: true })]
  a.waiter.hold?.(5000)
  b.waiter.hold?.(5000)
  a.done(reply('a'))
  b.waiter.hold?.(5000)
  b.done(reply('b'))
  expect(said.filter((line) => !line.startsWith('('))).toEqual([
    'hold 5000\n',
    '0 1 0\na',
    'hold 5000\n',
    '0 1 0\nb',
  ])
})

test('a client that cannot wait is never told to', () => {
  const { turns } = open()
  for (const hold of [undefined, false, 1, 'true']) expect(turns.take({ hold }).waiter.hold).toBeUndefined()
})

test('an event that was not stored ends the connection in its turn', () => {
  const { said, turns } = open()
  const [a, b] = [turns.take({}), turns.take({})]
  b.done(undefined)
  a.done(reply('a'))
  expect(said).toEqual(['0 1 0\na', '(hung up)'])
})

test('a client that keeps sending while held is disconnected', () => {
  const { said, turns } = open()
  for (let i = 0; i < 20_000; i++) turns.take({})
  expect(said).toEqual([])
  turns.take({})
  expect(said).toEqual(['(too many)'])
})

test('held decisions learn once that the client is gone, answered ones do not', () => {
  const { turns } = open()
  const left: string[] = []
  const [a, b, c] = [turns.take({ hold: true }), turns.take({ hold: true }), turns.take({ hold: true })]
  b.waiter.hold?.(5000, () => left.push('b'))
  c.waiter.hold?.(5000, () => left.push('c'))
  c.done(reply('c'))
  turns.close()
  expect(left).toEqual(['b'])
  a.waiter.hold?.(5000, () => left.push('a'))
  expect(left).toEqual(['b', 'a'])
})
