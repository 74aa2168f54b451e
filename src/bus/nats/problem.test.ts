import { expect, test } from 'bun:test'
import { distinct, streamProblem } from './problem.ts'
import { diskFull } from './server-process.ts'

test('a full disk is reported once, other problems once per stream', () => {
  const where = { url: 'nats://127.0.0.1:1', managed: true, log: '' }
  const streams = ['HOOK_EVENTS', 'SESSION_EVENTS']
  const full = streams.map((stream) => streamProblem(diskFull('/state/nats'), stream, where))
  expect(distinct(full)).toEqual(full.slice(0, 1))
  const other = streams.map((stream) => streamProblem(new Error('no'), stream, where))
  expect(distinct(other)).toHaveLength(2)
})
