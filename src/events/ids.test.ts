import { expect, test } from 'bun:test'
import { isId, newId } from './ids.ts'

/** In microseconds, a little ahead of every other test: ids of one process always increase. */
let future = Date.now() * 1000 + 1_000_000

test('an id is 26 characters that need no quoting anywhere', () => {
  for (let i = 0; i < 1000; i++) expect(newId()).toMatch(/^[0-9A-HJKMNP-TV-Z]{26}$/)
})

test('ids sort by the microsecond of their creation', () => {
  const ids: string[] = []
  for (const step of [1, 1, 7, 999, 1, 1000, 1_000_000]) {
    future += step
    ids.push(newId(future))
  }
  expect(ids.toSorted()).toEqual(ids)
})

test('the first ten characters are the time in milliseconds, as in any ULID', () => {
  future += 5_000
  const digits = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
  const ms = [...newId(future).slice(0, 10)].reduce((sum, letter) => sum * 32 + digits.indexOf(letter), 0)
  expect(ms).toBe(Math.floor(future / 1000))
})

test('ids increase even when the clock goes back', () => {
  future += 1_000_000
  const before = newId(future)
  const after = [newId(future - 900_000), newId(future - 1), newId(0), newId()]
  expect([before, ...after].toSorted()).toEqual([before, ...after])
})

test('100,000 ids of one moment are unique and in order', () => {
  const ids = Array.from({ length: 100_000 }, () => newId(future))
  expect(new Set(ids).size).toBe(ids.length)
  expect(ids.toSorted()).toEqual(ids)
})

test('two processes in the same microsecond make different ids', () => {
  future += 1_000_000
  const mine = newId(future)
  const child = Bun.spawnSync([
    process.execPath,
    '-e',
    `import { newId } from '${import.meta.dir}/ids.ts'; process.stdout.write(newId(${future}))`,
  ])
  const theirs = child.stdout.toString()
  expect(theirs.slice(0, 12)).toBe(mine.slice(0, 12))
  expect(theirs).not.toBe(mine)
})

test('an external id is kept if it is short and printable', () => {
  for (const good of ['a', '01KA2Z5V3C7Q9M0XW4T8R6Y1BN', 'x'.repeat(128), '{"#~'])
    expect(isId(good)).toBe(true)
  const bad = [
    '',
    'x'.repeat(129),
    'two words',
    'tab\t',
    'line\n',
    'ü',
    '\u0000',
    undefined,
    null,
    7,
    {},
    ['a'],
  ]
  for (const value of bad) expect(isId(value)).toBe(false)
})
