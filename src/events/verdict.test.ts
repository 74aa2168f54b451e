import { describe, expect, test } from 'bun:test'
import { mergeVerdicts, NO_VERDICT, type Verdict } from './verdict.ts'

const decided = (decision: Verdict['decision'], by: string): Verdict => ({ decision, by, reason: `of ${by}` })

describe('two verdicts become one', () => {
  test('nothing and something is that something', () => {
    const deny = decided('deny', 'a')
    expect(mergeVerdicts(NO_VERDICT, deny)).toBe(deny)
    expect(mergeVerdicts(deny, NO_VERDICT)).toBe(deny)
  })

  test('the first objection wins', () => {
    expect(mergeVerdicts(decided('ask', 'a'), decided('deny', 'b'))).toMatchObject(decided('ask', 'a'))
  })

  test('an objection beats an allow, whichever came first', () => {
    expect(mergeVerdicts(decided('allow', 'a'), decided('deny', 'b'))).toMatchObject(decided('deny', 'b'))
    expect(mergeVerdicts(decided('deny', 'a'), decided('allow', 'b'))).toMatchObject(decided('deny', 'a'))
  })

  test('an allow stands beside mere words', () => {
    const words: Verdict = { decision: 'none', context: ['x'], by: 'b' }
    expect(mergeVerdicts(decided('allow', 'a'), words)).toMatchObject({
      ...decided('allow', 'a'),
      context: ['x'],
    })
    expect(mergeVerdicts(words, decided('allow', 'a'))).toMatchObject({
      ...decided('allow', 'a'),
      context: ['x'],
    })
  })

  test('contexts and messages add up in their order', () => {
    const first: Verdict = { decision: 'none', context: ['1'], systemMessage: 'one' }
    const second: Verdict = { decision: 'none', context: ['2'], systemMessage: 'two' }
    expect(mergeVerdicts(first, second)).toMatchObject({ context: ['1', '2'], systemMessage: 'one\ntwo' })
  })
})
