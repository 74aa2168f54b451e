import { describe, expect, test } from 'bun:test'
import {
  allow,
  approve,
  ask,
  blockStop,
  both,
  context,
  deny,
  opinionOf,
  pass,
  rewrite,
  type Verdict,
  warn,
} from './verdicts.ts'

describe('what a handler says reaches the daemon', () => {
  const rows: [type: string, verdict: Verdict, opinion: object][] = [
    ['PreToolUse', allow(), {}],
    ['PreToolUse', pass(), {}],
    ['PreToolUse', approve('harmless'), { approve: true, reason: 'harmless' }],
    ['PreToolUse', deny('no'), { block: true, reason: 'no' }],
    ['UserPromptSubmit', deny('no'), { block: true, reason: 'no' }],
    ['PreToolUse', ask('Really?'), { ask: true, reason: 'Really?' }],
    ['PreToolUse', rewrite({ command: 'ls' }), { input: { command: 'ls' } }],
    ['PreToolUse', both(rewrite({ a: 1 }), deny('no')), { block: true, reason: 'no', input: { a: 1 } }],
    ['Stop', blockStop('tests fail'), { block: true, reason: 'tests fail' }],
    ['SubagentStop', blockStop('tests fail'), { block: true, reason: 'tests fail' }],
    ['SessionStart', context('one', 'two'), { inject: ['one', 'two'] }],
    ['PreToolUse', warn('mind'), { warnings: ['mind'] }],
    [
      'PreToolUse',
      both(context('c'), deny('no'), warn('w'), deny('later')),
      { block: true, reason: 'no', inject: ['c'], warnings: ['w'] },
    ],
    ['PreToolUse', both(), {}],
  ]
  for (const [type, verdict, opinion] of rows)
    test(`${type} ${JSON.stringify(verdict)}`, () => expect(opinionOf(type, verdict)).toEqual(opinion))
})

describe('a part that does not apply to an event is left out', () => {
  test('a denial does not keep a turn going by accident', () => {
    for (const type of ['Stop', 'SubagentStop']) {
      expect(opinionOf(type, deny('no'))).toEqual({})
      expect(opinionOf(type, ask('sure?'))).toEqual({})
      expect(opinionOf(type, approve('fine'))).toEqual({})
    }
  })

  test('keeping a turn going does not deny a tool', () => {
    expect(opinionOf('PreToolUse', blockStop('go on'))).toEqual({})
  })
})
