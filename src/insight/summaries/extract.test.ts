import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { cpuMsOf } from '../../../test/kit.ts'
import { extract, type TurnFacts } from './extract.ts'
import { SUMMARY_WORDS, TITLE_WORDS, wordsOf } from './words.ts'

const turn = (facts: Partial<TurnFacts>): TurnFacts => ({ files: [], commands: [], ...facts })
const changed = (...paths: string[]) => paths.map((path) => ({ path, change: 'modified' }))

describe('the title comes from the prompt', () => {
  test.each([
    ['fix the flaky test in cache.test.ts', 'Fix the flaky test in cache.test.ts'],
    ['Please, can you add a --json flag to the status command?', 'Add a --json flag to the status…'],
    ["hey, I'd like you to rename `foo` to `bar` in all files", 'Rename foo to bar in all files'],
    ['# Task\n\nRun `npm test`.', 'Task'],
    ['```ts\nconst a = 1\n```\nwhy is this slow? and more', 'Why is this slow'],
    ['look at https://example.com/x and write it', 'Look at and write it'],
    [
      'explain the difference between the two caches and the',
      'Explain the difference between the two caches',
    ],
    ['修复缓存中的错误', '修复缓存中的错误'],
  ])('%p is %p', (prompt, title) => {
    expect(extract(turn({ prompt, answer: 'Done.' }))?.title).toBe(title)
  })

  test('a prompt that only says "go on" keeps the previous title', () => {
    for (const prompt of ['go on', 'yes please', 'ok, continue', 'do it', 'y'])
      expect(extract(turn({ prompt, answer: 'Done.' }), 'Fix the cache')?.title).toBe('Fix the cache')
    expect(extract(turn({ prompt: 'yes, now fix the docs', answer: 'x' }), 'Fix the cache')?.title).toBe(
      'Yes, now fix the docs',
    )
  })

  test('without a prompt it comes from the answer or the actions', () => {
    expect(extract(turn({ answer: 'All tests pass now.' }))?.title).toBe('All tests pass now')
    expect(extract(turn({ files: changed('/a/x.ts', '/a/y.ts') }))?.title).toBe('Changed x.ts, y.ts')
    expect(extract(turn({ commands: ['npm test'] }))?.title).toBe('Ran npm test')
    expect(extract(turn({}))).toBeUndefined()
  })
})

describe('the summary comes from the answer', () => {
  test('the first meaningful sentence, the files and the commands', () => {
    const facts = turn({
      prompt: 'fix the cache',
      answer:
        '✅ Done!\n\n## What changed\n\nThe cache now evicts the oldest entry first. All 42 tests pass.',
      files: changed('/w/src/cache.ts', '/w/src/cache.test.ts', '/w/docs/cache.md', '/w/README.md'),
      commands: ['npm test', 'git diff'],
    })
    expect(extract(facts)?.summary).toBe(
      'The cache now evicts the oldest entry first. All 42 tests pass. Changed cache.ts, cache.test.ts, cache.md and 1 more, ran 2 commands.',
    )
  })

  test('code, tables and lists are not prose', () => {
    const answer =
      '| a | b |\n|---|---|\n```\nrm -rf /\n```\n- **Renamed** the `foo` helper to bar\n- Nothing else'
    expect(extract(turn({ prompt: 'p q', answer }))?.summary).toBe(
      'Renamed the foo helper to bar. Nothing else.',
    )
  })

  test('without an answer it comes from the prompt', () => {
    expect(extract(turn({ prompt: 'please fix the cache', commands: ['ls'] }))?.summary).toBe(
      'Asked: please fix the cache. Ran 1 command.',
    )
  })
})

test('always within its limits, deterministic, without control characters', () => {
  const text = fc.string({ unit: 'grapheme', maxLength: 400 })
  const paths = fc.array(
    text.map((path) => ({ path, change: 'created' })),
    { maxLength: 6 },
  )
  fc.assert(
    fc.property(text, text, paths, fc.array(text, { maxLength: 4 }), (prompt, answer, files, commands) => {
      const facts = { prompt, answer, files, commands }
      const summed = extract(facts)
      expect(extract(facts)).toEqual(summed)
      if (!summed) return
      expect(wordsOf(summed.title).length).toBeLessThanOrEqual(TITLE_WORDS)
      expect(wordsOf(summed.summary).length).toBeLessThanOrEqual(SUMMARY_WORDS)
      expect(summed.title.length).toBeLessThanOrEqual(80)
      expect(summed.summary.length).toBeLessThanOrEqual(280)
      // biome-ignore lint/suspicious/noControlCharactersInRegex: that there are none is what is asserted
      expect(`${summed.title}${summed.summary}`).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/)
    }),
    { numRuns: 300 },
  )
})

test('megabytes of hostile text take no time', () => {
  const took = cpuMsOf(() => {
    for (const piece of ['<', '[', '`', '*', '(', 'a ', '[a](', '. ', '<a', '\u001b[31m', '! '])
      extract(turn({ prompt: piece.repeat(500_000), answer: piece.repeat(500_000), commands: [piece] }))
  })
  expect(took).toBeLessThan(1_500)
})
