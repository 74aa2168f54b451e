/** A failed turn stays failed, whatever the order of its hooks and lines. */
import { describe, expect, test } from 'bun:test'
import { phaseOf } from './phase.ts'
import { infer } from './reported-status.ts'
import { ev, run, tool } from './testkit.ts'

const prompt = ev('UserPromptSubmit', { at: 10_000 })
const failure = ev('StopFailure', {
  at: 12_000,
  error: { kind: 'API Error', message: 'no such model' },
  transport: 'healer',
})
const stop = ev('Stop', { at: 12_023 })
const evidence = { kind: 'turn-error', at: 12_000, says: 'error message', error: 'API Error' } as const

describe('a failed turn', () => {
  test.each([
    ['error first', [prompt, failure, stop]],
    ['Stop first', [prompt, stop, failure]],
  ])('is idle with its error: %s', (_, events) => {
    const session = run(...events)
    expect(phaseOf(session)).toBe('idle')
    expect(session.attention).toEqual([{ kind: 'error', reason: 'API Error', since: 12_000 }])
    expect(session.error).toEqual({ kind: 'API Error', message: 'no such model' })
    expect(session.turn).toEqual({ open: false, startedAt: 10_000, stoppedAt: 12_023 })
  })

  test('the next prompt clears the error, and its Stop belongs to a turn that did not fail', () => {
    const session = run(
      prompt,
      failure,
      stop,
      ev('UserPromptSubmit', { at: 15_000 }),
      ev('Stop', { at: 16_000 }),
    )
    expect(session.attention).toEqual([])
    expect(session.error).toBeUndefined()
  })

  test('a turn that continued with a tool call did not fail', () => {
    const call = ev('PreToolUse', { at: 12_500, ...tool('Bash', 't1') })
    expect(run(prompt, failure, call, ev('Stop', { at: 13_000 })).attention).toEqual([])
  })

  test('a much later Stop ended a turn whose prompt was missed', () => {
    expect(run(prompt, failure, ev('Stop', { at: 60_000 })).attention).toEqual([])
  })

  test('an error of an earlier turn does not affect the next one', () => {
    const next = [ev('UserPromptSubmit', { at: 15_000 }), ev('Stop', { at: 16_000 })]
    expect(run(prompt, stop, ...next, failure).attention).toEqual([])
  })
})

describe('an error in the transcript', () => {
  test('counts for the turn that its hook has just closed', () => {
    expect(infer(run(prompt, stop), evidence)).toMatchObject({
      type: 'StopFailure',
      at: 12_000,
      error: 'API Error',
    })
  })

  test('is not reported twice', () => {
    expect(infer(run(prompt, stop, failure), evidence)).toBeUndefined()
    expect(infer(run(prompt, failure), evidence)).toBeUndefined()
  })

  test('after the end of a turn does not belong to it', () => {
    expect(infer(run(prompt, stop), { ...evidence, at: 13_000 })).toBeUndefined()
  })

  test('before the last turn began belongs to another', () => {
    const next = [ev('UserPromptSubmit', { at: 15_000 }), ev('Stop', { at: 16_000 })]
    expect(infer(run(prompt, stop, ...next), evidence)).toBeUndefined()
  })

  test('an Esc or an end in the transcript still does not affect a closed turn', () => {
    const session = run(prompt, stop)
    expect(infer(session, { kind: 'interrupt', at: 12_000, says: 'Esc' })).toBeUndefined()
    expect(infer(session, { kind: 'turn-end', at: 12_000, says: 'end' })).toBeUndefined()
  })
})
