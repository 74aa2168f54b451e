import { expect, test } from 'bun:test'
import { eventOf } from '../../test/kit.ts'
import type { Verdict } from '../events/index.ts'
import { emitReply } from './emit-format.ts'

const said = (verdict: Verdict, type = 'PreToolUse') =>
  emitReply(
    eventOf({ type, native: type, turnId: 'p', tool: { name: 'Bash', input: { command: 'ls' } } }),
    verdict,
  ).reply

test('an empty verdict prints nothing', () => {
  expect(said({ decision: 'none' })).toEqual({ exit: 0, stdout: '', stderr: '' })
})

test('context is printed as it is, a warning as a reminder', () => {
  expect(said({ decision: 'none', context: ['one', 'two'], systemMessage: 'mind\nthe gap' })).toEqual({
    exit: 0,
    stdout: 'one\ntwo\n<system-reminder>mind</system-reminder>\n<system-reminder>the gap</system-reminder>\n',
    stderr: '',
  })
})

test('a block is one line of JSON on stderr, and exit 2', () => {
  const block = { exit: 2, stdout: '', stderr: '{"decision":"block","reason":"say \\"no\\""}\n' }
  expect(said({ decision: 'deny', reason: 'say "no"' })).toEqual(block)
  expect(said({ decision: 'block-stop', reason: 'say "no"' }, 'Stop')).toEqual(block)
  expect(said({ decision: 'deny', context: ['why'] }).stdout).toBe('why\n')
  expect(said({ decision: 'deny', by: 'handler:g' }).stderr).toContain('Blocked by handler:g.')
})

test('other decisions use the agent’s own format', () => {
  expect(JSON.parse(said({ decision: 'ask', reason: 'sure?' }).stdout).hookSpecificOutput).toMatchObject({
    permissionDecision: 'ask',
  })
  expect(
    JSON.parse(said({ decision: 'none', input: { command: 'ls -l' } }).stdout).hookSpecificOutput,
  ).toMatchObject({
    updatedInput: { command: 'ls -l' },
  })
})
