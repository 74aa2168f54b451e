import { expect, test } from 'bun:test'
import { wholeInput } from './input.ts'

test('a command is shown as it runs, with every other field, and what the model says apart', () => {
  expect(wholeInput({ description: 'Tidy up', command: 'make\nrm -rf x', timeout: 5 })).toEqual({
    main: 'make\nrm -rf x',
    rest: 'timeout: 5',
    words: 'Tidy up',
  })
})

test('what would be invisible, or turn the text round, is not hidden', () => {
  const { main } = wholeInput({ command: 'a\u200b\u202eb' })
  expect(main).toStartWith('a⟨U+200B')
  expect(main).not.toContain('\u202e')
})

test('an input without a telling field is shown whole', () => {
  expect(wholeInput({ a: 1, b: 'x' }).main).toBe('{\n  "a": 1,\n  "b": "x"\n}')
  expect(wholeInput(undefined)).toEqual({ main: '', rest: '', words: '' })
})
