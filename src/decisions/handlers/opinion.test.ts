import { describe, expect, test } from 'bun:test'
import type { Verdict } from '../../events/index.ts'
import { blockBy, NO_OPINION, readOpinion, withOpinion } from './opinion.ts'

describe('what a handler prints', () => {
  test('is an opinion, with what it does not say left out', () => {
    expect(readOpinion('{"block":true,"reason":"no","inject":["a","b"],"warnings":["c"]}\n')).toEqual({
      block: true,
      reason: 'no',
      inject: ['a', 'b'],
      warnings: ['c'],
    })
    expect(readOpinion('{}')).toEqual(NO_OPINION)
    expect(readOpinion(' \n')).toEqual(NO_OPINION)
  })

  test('is understood over several lines, and after other talk', () => {
    expect(readOpinion('{\n "block": true\n}')?.block).toBe(true)
    expect(readOpinion('checking…\ndone\n{"inject":"one text"}\n')?.inject).toEqual(['one text'])
  })

  test.each([
    'hello',
    '[]',
    '[{"block":true}]',
    'true',
    '"block"',
    'null',
    '{"block":',
    '{"block":true} done',
  ])('%s makes no sense', (text) => expect(readOpinion(text)).toBeUndefined())

  test('of the wrong kind is left out, never guessed at', () => {
    expect(readOpinion('{"block":"yes","reason":7,"inject":{"a":1},"warnings":["x",null,3,""]}')).toEqual({
      block: false,
      inject: [],
      warnings: ['x'],
    })
  })

  test('on stderr with exit 2 is the reason, as text or as bd writes it', () => {
    expect(blockBy('not on main\n', NO_OPINION)).toEqual({
      ...NO_OPINION,
      block: true,
      reason: 'not on main',
    })
    expect(blockBy('{"decision":"block","reason":"gate"}', NO_OPINION).reason).toBe('gate')
    expect(blockBy('', { ...NO_OPINION, reason: 'printed' }).reason).toBe('printed')
    expect(blockBy('', NO_OPINION)).toEqual({ ...NO_OPINION, block: true })
  })
})

describe('a verdict with an opinion', () => {
  const ruled: Verdict = { decision: 'allow', by: 'rule', context: ['first'], systemMessage: 'one' }

  test('is the same when there is nothing to add', () => {
    expect(withOpinion(ruled, NO_OPINION, 'h', 'PreToolUse')).toBe(ruled)
  })

  test('refuses, also what a rule allowed; contexts and messages add up in order', () => {
    const opinion = { block: true, reason: 'no', inject: ['second'], warnings: ['two', 'three'] }
    expect(withOpinion(ruled, opinion, 'h', 'PreToolUse')).toEqual({
      decision: 'deny',
      reason: 'no',
      by: 'handler:h',
      context: ['first', 'second'],
      systemMessage: 'one\ntwo\nthree',
    })
  })

  test('asks a person, unless it blocks; at the end of a turn there is nothing to ask', () => {
    const said = readOpinion('{"ask":true,"reason":"sure?"}') ?? NO_OPINION
    expect(withOpinion(ruled, said, 'h', 'PreToolUse')).toEqual({
      ...ruled,
      decision: 'ask',
      reason: 'sure?',
      by: 'handler:h',
    })
    expect(withOpinion(ruled, { ...said, block: true }, 'h', 'PreToolUse').decision).toBe('deny')
    expect(withOpinion(ruled, said, 'h', 'Stop')).toBe(ruled)
    expect(readOpinion('{"ask":"yes"}')).toEqual(NO_OPINION)
  })

  test('approves a tool where nobody decided, and no command can', () => {
    const said = { ...NO_OPINION, approve: true, reason: 'harmless' } as const
    const approved = { decision: 'allow', reason: 'harmless', by: 'handler:h' } as const
    expect(withOpinion({ decision: 'none' }, said, 'h', 'PreToolUse')).toEqual(approved)
    expect(withOpinion({ decision: 'none' }, said, 'h', 'Stop')).toEqual({ decision: 'none' })
    expect(withOpinion(approved, { ...NO_OPINION, block: true }, 'g', 'PreToolUse').decision).toBe('deny')
    expect(readOpinion('{"approve":true,"reason":"x"}')).toEqual({ ...NO_OPINION, reason: 'x' })
  })

  test('gives the tool another input; what is no object is left out', () => {
    const said = readOpinion('{"input":{"command":"ls"}}') ?? NO_OPINION
    expect(withOpinion({ decision: 'none' }, said, 'h', 'PreToolUse')).toEqual({
      decision: 'none',
      input: { command: 'ls' },
      by: 'handler:h',
    })
    expect(withOpinion(ruled, said, 'h', 'PreToolUse')).toEqual({ ...ruled, input: { command: 'ls' } })
    for (const wrong of ['"ls"', '[1]', 'null', '7'])
      expect(readOpinion(`{"input":${wrong}}`)).toEqual(NO_OPINION)
  })

  test('keeps a turn going where the turn would end', () => {
    const block = { ...NO_OPINION, block: true }
    for (const type of ['Stop', 'SubagentStop'])
      expect(withOpinion({ decision: 'none' }, block, 'h', type)).toEqual({
        decision: 'block-stop',
        reason: 'Blocked by the handler h.',
        by: 'handler:h',
      })
    expect(withOpinion({ decision: 'none' }, block, 'h', 'UserPromptSubmit').decision).toBe('deny')
  })
})

describe('an answer in the words of agents', () => {
  test.each([
    ['{"decision":"deny","reason":"no"}', { block: true, reason: 'no' }],
    ['{"decision":"block"}', { block: true }],
    ['{"decision":"ask"}', { block: false, ask: true }],
    ['{"decision":"allow"}', { block: false }],
    ['{"decision":"approve"}', { block: false }],
    [
      '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"no"}}',
      { block: true, reason: 'no' },
    ],
    ['{"continue":true}', { block: false }],
    ['{}', { block: false }],
  ])('%s is understood', (text, opinion) => {
    expect(readOpinion(text)).toMatchObject(opinion)
  })

  test.each(['{"decision":"denied"}', '{"blocked":true}', '{"verdict":"deny"}', '{"decision":1}'])(
    '%s is not, and is no silent consent',
    (text) => {
      expect(readOpinion(text)).toBeUndefined()
    },
  )
})
