import { describe, expect, test } from 'bun:test'
import { mergeVerdicts, NO_VERDICT, type Verdict } from './verdict.ts'

const decided = (decision: Verdict['decision'], by: string): Verdict => ({ decision, by, reason: `of ${by}` })

describe('merging two verdicts', () => {
  test('keeps the only verdict there is', () => {
    const deny = decided('deny', 'a')
    expect(mergeVerdicts(NO_VERDICT, deny)).toBe(deny)
    expect(mergeVerdicts(deny, NO_VERDICT)).toBe(deny)
  })

  test('lets a denial outweigh a question, and otherwise the first objection win', () => {
    expect(mergeVerdicts(decided('ask', 'a'), decided('deny', 'b'))).toMatchObject(decided('deny', 'b'))
    expect(mergeVerdicts(decided('ask', 'a'), decided('ask', 'b'))).toMatchObject(decided('ask', 'a'))
  })

  test('prefers an objection to an allow, whichever came first', () => {
    expect(mergeVerdicts(decided('allow', 'a'), decided('deny', 'b'))).toMatchObject(decided('deny', 'b'))
    expect(mergeVerdicts(decided('deny', 'a'), decided('allow', 'b'))).toMatchObject(decided('deny', 'a'))
  })

  test('keeps an allow beside a verdict with only text', () => {
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

  test('joins contexts and messages in order', () => {
    const first: Verdict = { decision: 'none', context: ['1'], systemMessage: 'one', notify: ['a'] }
    const second: Verdict = { decision: 'none', context: ['2'], systemMessage: 'two', notify: ['b'] }
    expect(mergeVerdicts(first, second)).toMatchObject({
      context: ['1', '2'],
      systemMessage: 'one\ntwo',
      notify: ['a', 'b'],
    })
  })
})
