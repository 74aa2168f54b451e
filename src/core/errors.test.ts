import { expect, test } from 'bun:test'
import { GantryError, messageOf, plainly } from './errors.ts'

test('a refusal of the disk says what to do', () => {
  const full = Object.assign(new Error('ENOSPC: no space left on device, write'), {
    code: 'ENOSPC',
    path: '/x',
  })
  expect(messageOf(plainly(full))).toContain('Make room')
  const readOnly = Object.assign(new Error('EROFS: read-only file system, mkdir'), {
    code: 'EROFS',
    path: '/x',
  })
  expect(plainly(readOnly)).toBeInstanceOf(GantryError)
  expect(messageOf(plainly(readOnly))).toContain('GANTRY_HOME')
})

test('what nobody knows a way out of stays as it is, and so does what says it already', () => {
  const odd = new Error('odd')
  expect(plainly(odd)).toBe(odd)
  const told = new GantryError('USAGE', 'Say which.', {
    cause: Object.assign(odd, { code: 'EROFS', path: '/' }),
  })
  expect(plainly(told)).toBe(told)
})
