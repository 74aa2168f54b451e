import { expect, test } from 'bun:test'
import { type Hand, lifted, moved, pressed } from './hand.ts'
import type { Layout } from './paint.ts'
import { lengthOf } from './range.ts'

const layout: Layout = { rows: [], names: [], gutter: 100, width: 1_100, height: 100 }
const whole = { from: 0, to: 100_000 }
const range = { from: 20_000, to: 30_000 }
const at = (x: number) => ({ x, y: 10 })

test('a press without a way is a click', () => {
  const hand: Hand = { at: new Map() }
  pressed(hand, 1, at(500), range)
  expect(moved(hand, 1, at(502), { layout, range, whole })).toBeUndefined()
  expect(lifted(hand, 1)).toBe(true)
})

test('a drag takes the time with it, and is no click', () => {
  const hand: Hand = { at: new Map() }
  pressed(hand, 1, at(500), range)
  expect(moved(hand, 1, at(400), { layout, range, whole })).toEqual({ from: 21_000, to: 31_000 })
  expect(moved(hand, 1, at(600), { layout, range, whole })).toEqual({ from: 19_000, to: 29_000 })
  expect(lifted(hand, 1)).toBe(false)
})

test('two fingers zoom', () => {
  const hand: Hand = { at: new Map() }
  pressed(hand, 1, at(500), range)
  pressed(hand, 2, at(700), range)
  const near = moved(hand, 2, at(900), { layout, range, whole })
  expect(near && lengthOf(near)).toBe(5_000)
  expect(lifted(hand, 1)).toBe(false)
  expect(lifted(hand, 2)).toBe(false)
})
