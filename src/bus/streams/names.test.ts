import { describe, expect, test } from 'bun:test'
import { filterFor, matchesSubject, subjectOf } from './names.ts'

describe('subjects', () => {
  test('an event is under its stream and its type', () => {
    expect(subjectOf('HOOK_EVENTS', 'PreToolUse')).toBe('hooks.PreToolUse')
    expect(subjectOf('SESSION_EVENTS', 'blocked')).toBe('sessions.blocked')
  })

  test('with a host, the type is still the last part', () => {
    expect(subjectOf('HOOK_EVENTS', 'Stop', 'build.example.com')).toBe('hooks.build_example_com.Stop')
  })

  test.each([
    ['a b', 'hooks.a_b'],
    ['a.b', 'hooks.a_b'],
    ['>', 'hooks._'],
    ['*', 'hooks._'],
    ['', 'hooks._'],
    ['x\r\nPUB', 'hooks.x__PUB'],
  ])('a type %j cannot leave its place in the subject', (type, subject) => {
    expect(subjectOf('HOOK_EVENTS', type)).toBe(subject)
  })

  test('a filter is a type or a pattern', () => {
    expect(filterFor('HOOK_EVENTS', 'Stop')).toBe('hooks.Stop')
    expect(filterFor('HOOK_EVENTS', 'hooks.*.Stop')).toBe('hooks.*.Stop')
    expect(filterFor('DECISION_EVENTS', 'deny')).toBe('decisions.deny')
  })

  test.each(['hooks..Stop', '>.Stop', 'hooks. Stop', 'hooks.'])('%j is refused', (text) => {
    expect(() => filterFor('HOOK_EVENTS', text)).toThrow('Invalid subject')
  })
})

describe('matching', () => {
  test.each([
    ['hooks.>', 'hooks.Stop', true],
    ['hooks.>', 'hooks.host.Stop', true],
    ['hooks.>', 'hooks', false],
    ['>', 'hooks.Stop', true],
    ['hooks.*', 'hooks.Stop', true],
    ['hooks.*', 'hooks.host.Stop', false],
    ['hooks.*.Stop', 'hooks.host.Stop', true],
    ['hooks.Stop', 'hooks.Stop', true],
    ['hooks.Stop', 'hooks.StopFailure', false],
    ['hooks.Stop', 'hooks', false],
    ['sessions.>', 'hooks.Stop', false],
  ])('%s on %s: %p', (pattern, subject, matches) => {
    expect(matchesSubject(pattern, subject)).toBe(matches)
  })
})
