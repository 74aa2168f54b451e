import { expect, test } from 'bun:test'
import { EVENT_TYPES, isKnownType, UNREADABLE } from './index.ts'

test("every name is known, unique, and in Claude's style", () => {
  expect(new Set(EVENT_TYPES).size).toBe(EVENT_TYPES.length)
  for (const type of EVENT_TYPES) {
    expect(type).toMatch(/^([A-Z][a-z]+)+$/)
    expect(isKnownType(type)).toBe(true)
  }
})

test('other spellings and unreadable payloads are not known types', () => {
  for (const type of ['stop', 'pre_tool_use', 'constructor', '', UNREADABLE])
    expect(isKnownType(type)).toBe(false)
})
