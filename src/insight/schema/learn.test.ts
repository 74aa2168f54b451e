import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { isObject } from '../../core/is-object.ts'
import type { Shape } from '../../rpc/index.ts'
import { enumOf, fieldCount, learn, mergeShapes, newShape, presence, reviveShape, typesOf } from './index.ts'

const KIND = { agent: 'claude', version: '2.1.325', event: 'Stop', tool: '' }

function learned(...payloads: unknown[]): Shape {
  const shape = newShape(KIND, 1)
  for (const [i, payload] of payloads.entries()) learn(shape, payload, i + 1)
  return shape
}

describe('a shape', () => {
  test('has every field with its types and frequency', () => {
    const shape = learned({ a: 1, b: 'x' }, { a: 0.5 }, { a: null }, { a: true, b: [] })
    expect(typesOf(shape.fields.a ?? never())).toEqual(['integer', 'number', 'boolean', 'null'])
    expect(presence(shape, 'a')).toBe(1)
    expect(presence(shape, 'b')).toBe(0.5)
    expect(shape).toMatchObject({ count: 4, least: 1, firstAt: 1, lastAt: 4 })
  })

  test('counts fields inside an object per object', () => {
    const shape = learned(
      { tool: { name: 'Bash' } },
      { tool: null },
      {},
      { tool: { name: 'Read', mcp: true } },
    )
    expect(presence(shape, 'tool.name')).toBe(1)
    expect(presence(shape, 'tool.mcp')).toBe(0.5)
    expect(presence(shape, 'tool')).toBe(0.75)
  })

  test('merges elements of lists, down to a depth', () => {
    const shape = learned({ list: [{ id: 1 }, { id: 2, name: 'x' }] })
    expect(Object.keys(shape.fields).sort()).toEqual(['list', 'list[]', 'list[].id', 'list[].name'])
    expect(shape.fields['list[].id']?.count).toBe(2)
    expect(shape.fields.list?.maxSize).toBe(2)
  })

  test('tells an enumeration from free text', () => {
    const modes = ['plan', 'default', 'plan', 'default', 'plan', 'plan']
    const shape = learned(
      ...modes.map((mode, i) => ({ mode, text: `some words ${i}`, id: `toolu_${i}abcdef` })),
    )
    expect(enumOf(shape.fields.mode ?? never())).toEqual(['default', 'plan'])
    expect(enumOf(shape.fields.text ?? never())).toBeUndefined()
    expect(shape.fields.id?.formats).toEqual({ id: 6 })
  })

  test('keeps three short samples, or none if disabled', () => {
    const shape = learned({ a: 'x'.repeat(500) }, { a: 'two' }, { a: 'two' }, { a: 'three' }, { a: 'four' })
    expect(shape.fields.a?.samples).toEqual([`${'x'.repeat(80)}…`, 'two', 'three'])
    const silent = newShape(KIND, 1)
    learn(silent, { a: 'secret', b: 5 }, 1, { samples: false })
    expect([silent.fields.a?.samples, silent.fields.b?.samples]).toEqual([[], []])
  })

  test('reports when a payload has something new', () => {
    const shape = newShape(KIND, 1)
    const news = [{ a: 'x' }, { a: 'x' }, { a: 'y' }, { a: 1 }, { a: 1 }, { a: 'x', b: 1 }, { a: 'y' }]
    expect(news.map((payload) => learn(shape, payload, 1))).toEqual([
      true,
      false,
      true,
      true,
      false,
      true,
      false,
    ])
  })

  test('continues unchanged after it was stored', () => {
    const payloads = [{ a: { b: [1, { c: 'x' }] }, m: 'plan' }, { a: { b: [] }, m: 'auto' }, { d: null }]
    const [first = {}, ...others] = payloads
    const stored = reviveShape(JSON.parse(JSON.stringify(learned(first))))
    for (const [i, payload] of others.entries()) learn(stored, payload, i + 2)
    expect(JSON.parse(JSON.stringify(stored))).toEqual(JSON.parse(JSON.stringify(learned(...payloads))))
  })
})

// As data: linters and TypeScript know the names.
const [PROTO, CONSTRUCTOR] = ['__proto__', 'constructor'] as [string, string]

describe('hostile payloads', () => {
  const deep = JSON.parse(`${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`)
  const wide = Object.fromEntries(Array.from({ length: 10_000 }, (_, i) => [`name_${i}`, i]))
  const cases: Record<string, unknown> = {
    'of 10,000 names': wide,
    'with 10,000 names inside': { inner: wide, list: [wide, wide] },
    'that are deep': deep,
    'with a huge list': { list: Array.from({ length: 1_000_000 }, (_, i) => i) },
    'with lists in lists': { list: JSON.parse('['.repeat(2000) + ']'.repeat(2000)) },
    'that are no object': [1, 2, 3],
    'with a huge text': { text: 'x'.repeat(1_000_000) },
  }
  for (const [name, payload] of Object.entries(cases)) {
    test(`${name} stay within bounds`, () => {
      const shape = learned(payload, payload)
      expect(fieldCount(shape)).toBeLessThanOrEqual(400)
      expect(JSON.stringify(shape).length).toBeLessThan(400_000)
      expect(shape.count).toBe(2)
    })
  }

  test('may use any field names', () => {
    const text =
      '{"__proto__":{"x":1},"constructor":"a","toString":null,"":1,"a.b":1,"c[]":2,"*":3,"hasOwnProperty":{"__proto__":1}}'
    const shape = learned(JSON.parse(text), JSON.parse(text))
    expect(shape.fields[PROTO]).toMatchObject({ count: 2, types: { object: 2 } })
    expect(shape.fields[CONSTRUCTOR]).toMatchObject({ count: 2, types: { string: 2 } })
    expect(shape.fields['*']?.count).toBe(8) // what cannot be part of a path
    expect(({} as Record<string, unknown>).x).toBeUndefined()
    const again = reviveShape(JSON.parse(JSON.stringify(shape)))
    learn(again, JSON.parse(text), 3)
    expect(again.fields[PROTO]?.count).toBe(3)
    expect(again.fields[CONSTRUCTOR]?.values).toEqual({ a: 3 })
  })

  test('beyond the limit of names share one', () => {
    const shape = learned({
      answers: Object.fromEntries(Array.from({ length: 60 }, (_, i) => [`q${i}`, 'yes'])),
    })
    const names = Object.keys(shape.fields).filter((path) => path.startsWith('answers.'))
    expect(names).toHaveLength(41)
    expect(shape.fields['answers.*']?.count).toBe(20)
  })
})

const json = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom('plan', 'default', 'auto', '/a/b', 'some words'),
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.constantFrom('a', 'b', 'c', '__proto__', 'x y'), tie('value'), { maxKeys: 4 }),
  ),
})).value

const payloads = fc.array(fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd'), json, { maxKeys: 4 }), {
  maxLength: 12,
})

/** All but the samples, which are those that came first. */
function facts(shape: Shape | undefined): unknown {
  const text = JSON.stringify(shape, (key, value) => (key === 'samples' ? undefined : value))
  return text === undefined ? undefined : sorted(JSON.parse(text))
}

function sorted(value: unknown): unknown {
  if (!isObject(value)) return value
  const entries = Object.entries(value).map(([key, inner]) => [key, sorted(inner)] as const)
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)))
}

describe('learning', () => {
  test('does not depend on the order of the payloads', () => {
    fc.assert(
      fc.property(payloads, fc.infiniteStream(fc.nat()), (given, keys) => {
        const shuffled = given.map((payload, at) => ({ payload, at, key: keys.next().value }))
        const [one, other] = [newShape(KIND, 0), newShape(KIND, 0)]
        for (const { payload, at } of shuffled) learn(one, payload, at)
        for (const { payload, at } of shuffled.toSorted((a, b) => a.key - b.key)) learn(other, payload, at)
        expect(facts(other)).toEqual(facts(one))
      }),
    )
  })

  test('in parts and merged gives the same as at once', () => {
    fc.assert(
      fc.property(payloads, payloads, (first, second) => {
        const whole = newShape(KIND, 0)
        const parts = [newShape(KIND, 0), newShape(KIND, 0)] as const
        for (const payload of first) learn(parts[0], payload, 5)
        for (const payload of second) learn(parts[1], payload, 7)
        for (const payload of first) learn(whole, payload, 5)
        for (const payload of second) learn(whole, payload, 7)
        expect(facts(mergeShapes(parts)[0])).toEqual(facts(whole))
      }),
    )
  })
})

function never(): never {
  throw new Error('the field is not there')
}
