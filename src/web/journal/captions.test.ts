import { expect, test } from 'bun:test'
import { verdictWords } from './captions.tsx'
import { JournalWindow } from './window.ts'

test('that older verdicts are not kept is said to whoever filters by them, or looks at older events', () => {
  const all = new JournalWindow(() => Promise.reject(new Error('nobody asks'))).get()
  const some = { ...all, verdictsFrom: 4_711 }
  expect(verdictWords(all, { verdict: 'deny' }, 1)).toBeUndefined()
  expect(verdictWords(some, {}, 4_711)).toBeUndefined()
  expect(verdictWords(some, {}, undefined)).toBeUndefined()
  expect(verdictWords(some, {}, 4_710)).toBe('verdicts are known from event 4,711 on')
  expect(verdictWords(some, { verdict: 'deny' }, 9_000)).toBe('verdicts are known from event 4,711 on')
})
