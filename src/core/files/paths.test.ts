import { expect, test } from 'bun:test'
import { homedir } from 'node:os'
import { expandHome, homeOf, isInside } from './paths.ts'

test('the home is what HOME says, unless that is empty', () => {
  expect(homeOf({ HOME: '/home/me' })).toBe('/home/me')
  expect([homeOf({ HOME: '' }), homeOf({})]).toEqual([homedir(), homedir()])
})

test('~ is the home at the beginning of a path, and of no other user', () => {
  const paths = ['~', '~/a', '~me/a', '/~/a', 'a~']
  expect(paths.map((path) => expandHome(path, '/$&'))).toEqual(['/$&', '/$&/a', '~me/a', '/~/a', 'a~'])
})

test('a folder holds itself and what is below it', () => {
  const inside = ['/a/b', '/a/b/c', '/a/bc', '/a'].map((path) => isInside(path, '/a/b'))
  expect(inside).toEqual([true, true, false, false])
  expect([isInside('/a', '/'), isInside('/a/b', '/a/')]).toEqual([true, true])
})
