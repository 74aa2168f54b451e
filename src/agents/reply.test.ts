import { describe, expect, test } from 'bun:test'
import { EMPTY_REPLY } from '../events/index.ts'
import { answerOf, joinContext, jsonReply, reasonOf, saysNothing } from './reply.ts'

describe('context', () => {
  test('is joined with blank lines, without empty parts', () => {
    expect(joinContext(['one', '', 'two\n'], 100)).toBe('one\n\ntwo\n')
    expect(joinContext([], 100)).toBe('')
    expect(joinContext(undefined, 100)).toBe('')
  })

  test('of exactly the limit is kept whole', () => {
    expect(joinContext(['x'.repeat(100)], 100)).toBe('x'.repeat(100))
  })

  test('beyond the limit ends with a count of what is missing, all within the limit', () => {
    const cut = joinContext(['x'.repeat(1_000)], 100)
    const [, kept = '', missing] = /^(x+)\n\[gantry left out (\d+) more characters\]$/.exec(cut) ?? []
    expect(cut.length).toBeLessThanOrEqual(100)
    expect(kept.length + Number(missing)).toBe(1_000)
  })

  test('is never cut inside a character', () => {
    for (let limit = 60; limit < 70; limit++) {
      const cut = joinContext(['\u{1f600}'.repeat(100)], limit)
      expect(cut.isWellFormed()).toBe(true)
      expect(cut.length).toBeLessThanOrEqual(limit)
    }
  })
})

test('every refusal has a reason', () => {
  expect(reasonOf({ decision: 'deny', reason: 'no rm' })).toBe('no rm')
  expect(reasonOf({ decision: 'deny', reason: ' ', by: 'no-rm' })).toBe('Denied by gantry rule no-rm.')
  expect(reasonOf({ decision: 'deny' })).toBe('Denied by a gantry rule.')
  expect(reasonOf({ decision: 'ask', by: 'care' })).toBe('Confirmation asked for by gantry rule care.')
})

test.each([
  ['half a \ud800 character', 'half a \ufffd character'],
  ['\udfff\ud800\ud800', '\ufffd\ufffd\ufffd'],
  ['whole \u{1f600}', 'whole \u{1f600}'],
  ['\\\ud800', '\\\ufffd'],
  ['spelled \\ud800 and \\\\ud800', 'spelled \\ud800 and \\\\ud800'],
])('%j is valid JSON for a strict reader', (text, said) => {
  const { stdout } = jsonReply({ text })
  expect(stdout.isWellFormed()).toBe(true)
  expect(JSON.parse(stdout)).toEqual({ text: said })
})

test('no answer is the same empty reply each time', () => {
  expect(jsonReply({})).toBe(EMPTY_REPLY)
  expect(answerOf(EMPTY_REPLY, [])).toBe(answerOf(EMPTY_REPLY, []))
  expect(saysNothing({ decision: 'none', context: [], systemMessage: '' })).toBe(true)
  expect(saysNothing({ decision: 'none', input: {} })).toBe(false)
})
