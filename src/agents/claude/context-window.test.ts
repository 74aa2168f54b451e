import { expect, test } from 'bun:test'
import { contextWindowOf, plainModel } from './context-window.ts'

test.each([
  ['claude-opus-5-5', 1_000_000],
  ['claude-sonnet-5', 1_000_000],
  ['claude-haiku-5-5', 1_000_000],
  ['claude-opus-4-7', 1_000_000],
  ['claude-opus-4-8-20260301', 1_000_000],
  ['us.anthropic.claude-opus-4-8-v1:0', 1_000_000],
  ['claude-sonnet-4-5[1m]', 1_000_000],
  ['claude-opus-4-6[1M]', 1_000_000],
  ['claude-opus-4-6', 200_000],
  ['claude-opus-4-20250514', 200_000],
  ['claude-opus-4-1-20250805', 200_000],
  ['claude-sonnet-4-5-20250929', 200_000],
  ['claude-haiku-4-5', 200_000],
  ['claude-3-7-sonnet-20250219', 200_000],
])('%s holds %d tokens', (model, tokens) => {
  expect(contextWindowOf(model)).toBe(tokens)
})

test("an unknown vendor's model has no known window", () => {
  expect(contextWindowOf('mock-model')).toBeUndefined()
  expect(contextWindowOf('<synthetic>')).toBeUndefined()
})

test('the suffix of the large window is not part of the name', () => {
  expect(plainModel('claude-sonnet-4-5[1m]')).toBe('claude-sonnet-4-5')
  expect(plainModel('claude-sonnet-4-5')).toBe('claude-sonnet-4-5')
})
