import { expect, test } from 'bun:test'
import { BoundedMap } from './bounded-map.ts'

test('what was set longest ago makes room, and is told of', () => {
  const dropped: number[] = []
  const map = new BoundedMap<string, number>(2, (value) => dropped.push(value))
  map.set('a', 1).set('b', 2).set('a', 3)
  expect([[...map], dropped]).toEqual([
    [
      ['b', 2],
      ['a', 3],
    ],
    [],
  ])
  map.set('c', 4)
  map.delete('a')
  map.set('d', 5)
  expect([[...map.keys()], dropped]).toEqual([['c', 'd'], [2]])
})
