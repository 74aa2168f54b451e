import { expect, test } from 'bun:test'
import { matchesGlob } from './glob.ts'

test.each([
  ['*-key', 'approval-key', true],
  ['[[:lower:]]*-key', 'approval-key', true],
  ['[[:upper:]]*-key', 'approval-key', false],
  ['[[:alpha:]]pproval-key', 'approval-key', true],
  ['[![:digit:]]d_rsa', 'id_rsa', true],
  ['[^[:lower:]]d_rsa', 'id_rsa', false],
  ['[[:digit:]x-z]', 'y', true],
  ['[x[:digit:]]', '7', true],
  ['[x[:digit:]]', 'y', false],
  ['[[:unheard:]]', 'y', true],
  ['[[=a=]]', 'a', true],
  ['[[.a.]]', 'a', true],
  ['[[.a.]]', 'b', false],
  ['[]a]', ']', true],
  ['[!]a]', 'b', true],
  ['[a', '[a', true],
  ['[a-c]?', 'bx', true],
  ['[a-]', '-', true],
  ['a*b*c', 'axxbxxc', true],
  ['a*b*c', 'axxbxx', false],
] as const)('%s and %s: %p', (glob, name, expected) => {
  expect(matchesGlob(glob, name)).toBe(expected)
})
