import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../../../test/kit.ts'
import { scoreCorpus } from './index.ts'

const CORPUS = readFileSync(join(ROOT, 'test/corpora/guards.jsonl'), 'utf8')

test.each(['standard', 'strict'] as const)('the corpus is judged as labelled at preset %s', (preset) => {
  const { blocked, allowed, misses } = scoreCorpus(CORPUS, { preset })
  expect(misses).toEqual([])
  expect(blocked.of).toBeGreaterThan(600)
  expect(allowed.of).toBeGreaterThan(500)
  // Look-alikes are hardly ever asked about either: a person who is asked too often stops reading.
  expect(allowed.asked / allowed.of).toBeLessThan(preset === 'strict' ? 0.03 : 0.01)
})

test('a corpus that is none is refused with its line', () => {
  expect(() => scoreCorpus('{"command":"ls","expect":"allow"}\nls\n', { preset: 'standard' })).toThrow(
    'corpus:2 is not JSON',
  )
  expect(() => scoreCorpus('{"expect":"allow"}', { preset: 'standard' })).toThrow('corpus:1 has no command')
  const odd =
    '{"command":"ls","expect":"alow"}\n{"command":"ls","expect":null}\n{"command":"ls","expect":"toString"}'
  expect(scoreCorpus(odd, { preset: 'standard' })).toMatchObject({
    unlabelled: 3,
    unknownLabels: ['alow', 'toString'],
    asLabelled: null,
  })
  expect(scoreCorpus('', { preset: 'standard' }).asLabelled).toBeNull()
})

test('without guards everything passes, and what should be blocked is missed', () => {
  const score = scoreCorpus('{"command":"rm -rf /","expect":"block"}\n{"command":"ls"}', { preset: 'watch' })
  expect(score).toMatchObject({ blocked: { hits: 0, of: 1 }, unlabelled: 1, asLabelled: 0 })
  expect(score.misses).toEqual([{ line: 1, command: 'rm -rf /', expect: 'block', said: 'pass' }])
})

test('what is asked needlessly, and what is only asked, is listed', () => {
  const lines = [
    { command: 'docker system prune', expect: 'allow' },
    { command: 'terraform destroy', expect: 'deny' },
    { command: 'terraform destroy', expect: 'ask' },
    { command: 'git push --force', expect: 'deny' },
    { command: 'ls', expect: 'allow' },
  ]
  const score = scoreCorpus(lines.map((one) => JSON.stringify(one)).join('\n'), { preset: 'standard' })
  expect(score.misses).toEqual([])
  expect(score.askedHarmless).toMatchObject([
    { line: 1, ...lines[0], said: 'ask', guard: 'container-delete' },
  ])
  expect(score.onlyAsked).toMatchObject([{ line: 2, ...lines[1], said: 'ask', guard: 'cloud-delete' }])
})
