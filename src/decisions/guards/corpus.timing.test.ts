import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../../../test/kit.ts'
import { scoreCorpus } from './index.ts'

const PASSES = 8 // the quickest counts: others on the machine only ever make it slower

test('a command is parsed and judged by all guards in 0.1 ms, and nearly every one in 1 ms', () => {
  const corpus = readFileSync(join(ROOT, 'test/fixtures/guards/corpus.jsonl'), 'utf8')
  const scores = Array.from({ length: PASSES }, () => scoreCorpus(corpus, { preset: 'strict' }))
  expect(Math.min(...scores.map(({ p50Ms }) => p50Ms))).toBeLessThan(0.1)
  expect(Math.min(...scores.map(({ p99Ms }) => p99Ms))).toBeLessThan(1)
})
