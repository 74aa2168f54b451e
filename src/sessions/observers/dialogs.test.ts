import { describe, expect, test } from 'bun:test'
import type { TranscriptFact } from '../../agents/index.ts'
import { Dialogs } from './dialogs.ts'

const asked = (id: string): TranscriptFact => ({ kind: 'permission-asked', at: 1, id })
const answered = (id: string, outcome: 'allowed' | 'denied' | 'cancelled'): TranscriptFact => ({
  kind: 'permission-answered',
  at: 2,
  id,
  useId: `call-${id}`,
  outcome,
})
const call = (id: string): TranscriptFact => ({
  kind: 'tool-start',
  at: 0,
  useId: `call-${id}`,
  name: 'bash',
  input: { command: id },
})
const take = (...facts: TranscriptFact[]) => {
  const dialogs = new Dialogs()
  return facts.map((fact) => dialogs.take(fact))
}

describe('dialogs in a transcript', () => {
  test('an answered dialog was the last', () => {
    expect(take(asked('a'), answered('a', 'allowed')).at(-1)).toEqual({ at: 2, isLast: true })
  })

  test('the second answer of two is the last', () => {
    const taken = take(asked('a'), asked('b'), answered('b', 'allowed'), answered('a', 'allowed'))
    expect(taken.map((one) => one?.isLast)).toEqual([undefined, undefined, false, true])
  })

  test('a refused call is named', () => {
    const refused = { name: 'bash', input: { command: 'a' } }
    expect(take(call('a'), asked('a'), answered('a', 'denied')).at(-1)).toMatchObject({ refused })
    expect(take(asked('a'), answered('a', 'denied')).at(-1)).toEqual({ at: 2, isLast: true })
  })

  test('a dialog cancelled with its turn was not answered', () => {
    expect(take(asked('a'), answered('a', 'cancelled')).at(-1)).toBeUndefined()
  })

  test('a dialog left open by Esc does not block the next turn', () => {
    const esc: TranscriptFact = { kind: 'interrupt', at: 3, says: 'Esc' }
    expect(take(asked('a'), esc, asked('b'), answered('b', 'allowed')).at(-1)?.isLast).toBe(true)
  })
})
