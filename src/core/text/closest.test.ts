import { expect, test } from 'bun:test'
import { firstNames, whichOf } from './closest.ts'

test('names what was meant, or the first dozen of what there is', () => {
  const many = Array.from({ length: 60 }, (_, i) => `Name${i}`)
  expect(whichOf('cluade', ['claude', 'codex'])).toBe('Did you mean claude?')
  expect(whichOf('foo', ['claude', 'codex', 'codex'])).toBe('There are: claude, codex.')
  expect(whichOf('foo', [])).toBe('There are: none.')
  expect(whichOf('kill-name', ['kill-all', 'kill-by-name'])).toBe('Did you mean kill-by-name?')
  expect(firstNames(many)).toBe(`${many.slice(0, 12).join(', ')} and 48 more`)
})
