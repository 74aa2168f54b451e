import { describe, expect, test } from 'bun:test'
import { mutantsOf, spread } from './mutants.ts'

const aftersOf = (source: string) => mutantsOf(source).map(({ after }) => after)

describe('a fault', () => {
  test('inverts a comparison, loosens a condition, removes a guard', () => {
    expect(aftersOf('if (a === b && c) return d')).toEqual([
      'if (a !== b && c) return d',
      'if (a === b || c) return d',
      '',
    ])
  })

  test('removes a call whose result is unused, and no other', () => {
    expect(aftersOf('this.#twins.clear()')).toEqual([''])
    expect(aftersOf('await child.kill(9)')).toEqual([''])
    expect(aftersOf('const size = sizeOf(one)')).toEqual([])
  })

  test('is one change of one line; the rest of the file stays', () => {
    const source = 'let a = 1\nif (b) a += 1 // once a day\nexport { a }\n'
    expect(mutantsOf(source)).toEqual([
      {
        line: 2,
        before: 'if (b) a += 1 // once a day',
        after: 'if (b) a -= 1',
        text: 'let a = 1\nif (b) a -= 1 // once a day\nexport { a }\n',
      },
    ])
  })

  test('is not made in comments, imports and types', () => {
    const source = [
      '/** true && false */',
      ' * a === b',
      '// a === b',
      "import { a } from 'b && c'",
      'export type A = 1 | 2',
      'interface B {',
      '  readonly isMeant: (a: number) => boolean // a === b',
    ]
    for (const line of source) expect(aftersOf(line)).toEqual([])
    expect(aftersOf('let a = b // a === b')).toEqual([])
  })

  test('still parses: any test would notice a file that does not', () => {
    expect(aftersOf('let a = 1\nif (b) throw c\nelse a = 2')).toEqual([])
  })
})

describe('a sample', () => {
  const all = Array.from({ length: 100 }, (_, i) => i)

  test('is spread evenly, and the same each time', () => {
    expect(spread(all, 4)).toEqual([12, 37, 62, 87])
  })

  test('larger than the list is the whole list', () => {
    expect(spread([1, 2], 5)).toEqual([1, 2])
    expect(spread(all, 100)).toEqual(all)
  })
})
