import { describe, expect, test } from 'bun:test'
import { folded, type Line, linesOf, pairsOf, type Row, rowsOf } from './lines.ts'

const text = (...lines: string[]) => `${lines.join('\n')}\n`
const countsOf = (lines: readonly Line[]) => ({
  added: lines.filter(({ kind }) => kind === 'add').length,
  removed: lines.filter(({ kind }) => kind === 'del').length,
})
const shown = (rows: readonly Row[]) =>
  rows.map((row) => {
    if (row.kind === 'fold') return `… ${row.lines.length}`
    return row.kind === 'gap' ? `@ ${row.line}` : `${{ same: ' ', add: '+', del: '-' }[row.kind]}${row.text}`
  })

describe('lines', () => {
  test('of an edit: what was taken out and put in', () => {
    const lines = linesOf({ before: text('a', 'b', 'c'), after: text('a', 'x', 'c') })
    expect(shown(lines)).toEqual([' a', '-b', '+x', ' c'])
    expect(countsOf(lines)).toEqual({ added: 1, removed: 1 })
  })

  test('of a new file, a deleted one, and nothing', () => {
    expect(shown(linesOf({ after: 'a\nb' }))).toEqual(['+a', '+b'])
    expect(shown(linesOf({ before: 'a\r\nb\r\n' }))).toEqual(['-a', '-b'])
    expect(linesOf({})).toEqual([])
    expect(linesOf({ before: 'a\n', after: 'a\n' })).toMatchObject([{ kind: 'same' }])
  })

  test('that are alike show which words differ', () => {
    const [del, add] = linesOf({ before: 'const rows = like(text)\n', after: 'const rows = match(text)\n' })
    expect(del?.pieces?.filter(({ changed }) => changed).map((one) => one.text)).toEqual(['like'])
    expect(add?.pieces?.filter(({ changed }) => changed).map((one) => one.text)).toEqual(['match'])
    const [other] = linesOf({ before: 'import a from b\n', after: '} // the end of something else\n' })
    expect(other?.pieces).toBeUndefined()
  })

  test('of a text that is too different for a diff are still all there', () => {
    const many = (of: string) =>
      text(...Array.from({ length: 30_000 }, (_, n) => `${of} ${(n * 7919) % 30_011}`))
    const lines = linesOf({ before: many('a'), after: many('b') })
    expect(countsOf(lines)).toEqual({ added: 30_000, removed: 30_000 })
  })
})

describe('folding', () => {
  const same = Array.from({ length: 40 }, (_, n) => `line ${n}`)

  test('leaves a few lines around each change', () => {
    const rows = folded(
      linesOf({ before: text(...same, 'old', ...same), after: text(...same, 'new', ...same) }),
    )
    expect(shown(rows)).toEqual([
      ...['… 37', ' line 37', ' line 38', ' line 39', '-old', '+new'],
      ...[' line 0', ' line 1', ' line 2', '… 37'],
    ])
  })

  test('cuts a long new file, and hides no single line', () => {
    const rows = folded(linesOf({ after: text(...Array.from({ length: 500 }, (_, n) => String(n))) }))
    expect(rows).toHaveLength(41)
    expect(shown(rows).at(-1)).toBe('… 460')
    expect(
      shown(folded(linesOf({ before: text('a', 'b', 'c', 'd', 'x'), after: text('a', 'b', 'c', 'd', 'y') }))),
    ).toEqual([...[' a', ' b', ' c', ' d', '-x', '+y']])
  })
})

test('side by side, what was removed stands beside what came instead', () => {
  const pairs = pairsOf(
    folded(linesOf({ before: text('a', 'b', 'c', 'e'), after: text('a', 'x', 'e', 'f') })),
  )
  expect(
    pairs.map((pair) => ('kind' in pair ? 'fold' : `${pair.left?.text ?? ''}|${pair.right?.text ?? ''}`)),
  ).toEqual([...['a|a', 'b|x', 'c|', 'e|e', '|f']])
})

test('the hunks of a patch have line numbers, and say what is between them', () => {
  const rows = rowsOf({
    hunks: [
      { oldStart: 1, newStart: 1, lines: [' a', '-b', '+c'] },
      { oldStart: 90, newStart: 90, lines: ['-x', ' y'] },
    ],
  })
  expect(shown(rows)).toEqual([' a', '-b', '+c', '@ 90', '-x', ' y'])
  expect(rows.map((row) => ('number' in row ? row.number : undefined))).toEqual([1, 2, 2, undefined, 90, 90])
  // Of an edit whose place in the file is not known.
  expect(rowsOf({ hunks: [{ oldStart: 0, newStart: 0, lines: ['+c'] }] })).toEqual([
    { kind: 'add', text: 'c' },
  ])
})
