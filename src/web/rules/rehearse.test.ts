import { expect, test } from 'bun:test'
import type { RehearsalReport, RuleEffects } from '../../client/index.ts'
import { countWords } from '../../rpc/rehearsal-report.ts'
import { withPart } from './rehearse.ts'

function part(at: number, line: string): RehearsalReport {
  const sample = {
    id: `e${at}`,
    at,
    agent: 'claude',
    project: '/p',
    line,
    effect: 'deny',
    answered: null,
  } as const
  const effects: RuleEffects = {
    ...{ id: 'r', counts: { deny: 1 }, differs: 1, byOthers: 0 },
    ...{ agents: { claude: 1 }, projects: { '/p': 1 }, samples: [sample] },
  }
  return {
    ...{ since: 0, events: 40, judged: 10, total: { deny: 1 }, rules: [effects], agents: {}, projects: {} },
    ...{ unknown: { gone: 2 }, tookMs: 1 },
  }
}

test('parts of a rehearsal add up, the newest samples first and each line once', () => {
  const one = withPart(undefined, { report: part(1, 'ls'), first: 0, last: 40, next: 10 })
  expect(one.done).toBe(0.25)
  const two = withPart(one, { report: part(2, 'rm'), first: 0, last: 40, next: 20 })
  const all = withPart(two, { report: part(3, 'ls'), first: 0, last: 40 })
  expect(all).toMatchObject({ done: 1, judged: 30, events: 40, total: { deny: 3 }, unknown: { gone: 6 } })
  expect(all.rules[0]).toMatchObject({ counts: { deny: 3 }, differs: 3, agents: { claude: 3 } })
  expect(all.rules[0]?.samples.map(({ id }) => id)).toEqual(['e3', 'e2'])
})

test('counts in words', () => {
  expect(countWords({})).toBe('nothing')
  expect(countWords({ context: 1, deny: 2_000 })).toBe('2,000 denied, 1 given context')
})
