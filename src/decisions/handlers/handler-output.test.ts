import { describe, expect, test } from 'bun:test'
import type { Verdict } from '../../events/index.ts'
import { blockBy, NO_OUTPUT, readOutput, withOutput } from './handler-output.ts'

describe('what a handler prints', () => {
  test('is read, with what it does not say left out', () => {
    expect(readOutput('{"block":true,"reason":"no","inject":["a","b"],"warnings":["c"]}\n')).toEqual({
      block: true,
      reason: 'no',
      inject: ['a', 'b'],
      warnings: ['c'],
    })
    expect(readOutput('{}')).toEqual(NO_OUTPUT)
    expect(readOutput(' \n')).toEqual(NO_OUTPUT)
  })

  test('is understood over several lines, and after other talk', () => {
    expect(readOutput('{\n "block": true\n}')?.block).toBe(true)
    expect(readOutput('checking…\ndone\n{"inject":"one text"}\n')?.inject).toEqual(['one text'])
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
  ])('%s makes no sense', (text) => expect(readOutput(text)).toBeUndefined())

  test('of the wrong kind is left out, never guessed at', () => {
    expect(readOutput('{"block":"yes","reason":7,"inject":{"a":1},"warnings":["x",null,3,""]}')).toEqual({
      block: false,
      inject: [],
      warnings: ['x'],
    })
  })

  test('on stderr with exit 2 is the reason, as text or as bd writes it', () => {
    expect(blockBy('not on main\n', NO_OUTPUT)).toEqual({
      ...NO_OUTPUT,
      block: true,
      reason: 'not on main',
    })
    expect(blockBy('{"decision":"block","reason":"gate"}', NO_OUTPUT).reason).toBe('gate')
    expect(blockBy('', { ...NO_OUTPUT, reason: 'printed' }).reason).toBe('printed')
    expect(blockBy('', NO_OUTPUT)).toEqual({ ...NO_OUTPUT, block: true })
  })
})

describe('a verdict with the output of a handler', () => {
  const ruled: Verdict = { decision: 'allow', by: 'rule', context: ['first'], systemMessage: 'one' }

  test('is the same when there is nothing to add', () => {
    expect(withOutput(ruled, NO_OUTPUT, 'h', 'PreToolUse')).toBe(ruled)
  })

  test('refuses, also what a rule allowed; contexts and messages add up in order', () => {
    const output = { block: true, reason: 'no', inject: ['second'], warnings: ['two', 'three'] }
    expect(withOutput(ruled, output, 'h', 'PreToolUse')).toEqual({
      decision: 'deny',
      reason: 'no',
      by: 'handler:h',
      context: ['first', 'second'],
      systemMessage: 'one\ntwo\nthree',
    })
  })

  test('asks a person, unless it blocks; at the end of a turn there is nothing to ask', () => {
    const said = readOutput('{"ask":true,"reason":"sure?"}') ?? NO_OUTPUT
    expect(withOutput(ruled, said, 'h', 'PreToolUse')).toEqual({
      ...ruled,
      decision: 'ask',
      reason: 'sure?',
      by: 'handler:h',
    })
    expect(withOutput(ruled, { ...said, block: true }, 'h', 'PreToolUse').decision).toBe('deny')
    expect(withOutput(ruled, said, 'h', 'Stop')).toBe(ruled)
    expect(readOutput('{"ask":"yes"}')).toEqual(NO_OUTPUT)
  })

  test('approves a tool where nobody decided, and no command can', () => {
    const said = { ...NO_OUTPUT, approve: true, reason: 'harmless' } as const
    const approved = { decision: 'allow', reason: 'harmless', by: 'handler:h' } as const
    expect(withOutput({ decision: 'none' }, said, 'h', 'PreToolUse')).toEqual(approved)
    expect(withOutput({ decision: 'none' }, said, 'h', 'Stop')).toEqual({ decision: 'none' })
    expect(withOutput(approved, { ...NO_OUTPUT, block: true }, 'g', 'PreToolUse').decision).toBe('deny')
    expect(readOutput('{"approve":true,"reason":"x"}')).toEqual({ ...NO_OUTPUT, reason: 'x' })
  })

  test('gives the tool another input; what is no object is left out', () => {
    const said = readOutput('{"input":{"command":"ls"}}') ?? NO_OUTPUT
    expect(withOutput({ decision: 'none' }, said, 'h', 'PreToolUse')).toEqual({
      decision: 'none',
      input: { command: 'ls' },
      by: 'handler:h',
    })
    expect(withOutput(ruled, said, 'h', 'PreToolUse')).toEqual({ ...ruled, input: { command: 'ls' } })
    for (const wrong of ['"ls"', '[1]', 'null', '7'])
      expect(readOutput(`{"input":${wrong}}`)).toEqual(NO_OUTPUT)
  })

  test('keeps a turn going where the turn would end', () => {
    const block = { ...NO_OUTPUT, block: true }
    for (const type of ['Stop', 'SubagentStop'])
      expect(withOutput({ decision: 'none' }, block, 'h', type)).toEqual({
        decision: 'block-stop',
        reason: 'Blocked by the handler h.',
        by: 'handler:h',
      })
    expect(withOutput({ decision: 'none' }, block, 'h', 'UserPromptSubmit').decision).toBe('deny')
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
  ])('%s is understood', (text, output) => {
    expect(readOutput(text)).toMatchObject(output)
  })

  test.each(['{"decision":"denied"}', '{"blocked":true}', '{"verdict":"deny"}', '{"decision":1}'])(
    '%s is not, and is no silent consent',
    (text) => {
      expect(readOutput(text)).toBeUndefined()
    },
  )
})
