import { describe, expect, test } from 'bun:test'
import { filterOn } from './filter.ts'

describe('a filter', () => {
  test.each([
    [undefined, 'Stop', true],
    ['', 'Stop', true],
    ['>', 'Stop', true],
    ['hooks.>', 'anything at all', true],
    ['hooks.*', 'Stop', true],
    ['*.Stop', 'Stop', true],
    ['Stop', 'Stop', true],
    ['Stop', 'StopFailure', false],
    ['hooks.Stop', 'Stop', true],
    ['hooks.*.Stop', 'Stop', true],
    ['hooks.*.Stop', 'PreToolUse', false],
    ['a_b', 'a b', true],
    ['a_b', 'a.b', true],
    ['a_b', 'a_b', true],
  ])('%p on the type %p: %p', (text, type, passes) => {
    expect(filterOn('HOOK_EVENTS', text).matches(type)).toBe(passes)
  })

  test('knows whether it passes everything, and whether it is one type', () => {
    const about = (text?: string) => {
      const { matchesAll, type } = filterOn('HOOK_EVENTS', text)
      return { matchesAll, type }
    }
    for (const all of [undefined, '>', 'hooks.>', 'hooks.*', '*.>'])
      expect(about(all)).toEqual({ matchesAll: true, type: undefined })
    for (const stop of ['Stop', 'hooks.Stop', '*.Stop', 'hooks.*.Stop'])
      expect(about(stop)).toEqual({ matchesAll: false, type: 'Stop' })
    // Several types may hide behind a "_": the journal cannot be asked for one of them.
    expect(about('a_b')).toEqual({ matchesAll: false, type: undefined })
  })

  test('for another stream, or that nothing can match, is refused with what to do', () => {
    expect(() => filterOn('HOOK_EVENTS', 'sessions.>')).toThrow('below hooks.')
    expect(() => filterOn('SESSION_EVENTS', 'hooks.Stop')).toThrow('below sessions.')
    expect(() => filterOn('HOOK_EVENTS', 'hooks.a.b.c')).toThrow('No message of HOOK_EVENTS')
    expect(() => filterOn('HOOK_EVENTS', 'hooks..x')).toThrow('Invalid subject')
  })

  test('stays small, however many types there are', () => {
    const filter = filterOn('HOOK_EVENTS', 'Stop')
    for (let i = 0; i < 5_000; i++) expect(filter.matches(`type-${i}`)).toBe(false)
    expect(filter.matches('Stop')).toBe(true)
  })
})
