/** docs/truth.md says of every scenario how it went. */
import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { truthPage } from '../../scripts/docs/truth.ts'
import { type Figures, isJudged, kept, truthFiles } from './figures.ts'

/** Scenarios that the files here share with others: what they call, and what it is named. */
const SHARED: readonly (readonly [RegExp, string])[] = [
  [/\bruns\(play\(\)/, 'tool'],
  [/\bquits\(play\(\)\)/, '/quit'],
  [/\bquits\(play\(\), '\/exit'\)/, '/exit'],
]

/** Names of the scenarios in a file, as far as its text tells; `${…}` may be anything. */
function scenariosIn(file: string): RegExp[] {
  const text = readFileSync(join(import.meta.dir, `${file}.truth.ts`), 'utf8')
  const named = [...text.matchAll(/(?:\.scenario\(|\btitle:)\s*(['`])(.+?)\1/g)].map(
    ([, , name = '']) => name,
  )
  const shared = SHARED.filter(([call]) => call.test(text)).map(([, name]) => name)
  const basics = text.includes('basics: false') ? [] : ['plain answer']
  return [...named, ...shared, ...basics].map(
    (name) =>
      new RegExp(
        `^${name
          .split(/\$\{.*?\}/)
          .map(RegExp.escape)
          .join('.+')}$`,
      ),
  )
}

test.each(truthFiles())('%s: every scenario is there; else: npm run test:agents -- truth --write', (file) => {
  const names = kept()
    .filter((one) => one.file === file)
    .flatMap(({ scenarios }) => scenarios.map(({ name }) => name))
  for (const scenario of scenariosIn(file)) expect(names).toContainEqual(expect.stringMatching(scenario))
})

test('above a load of two for each core a file is not judged', () => {
  const [one] = kept()
  const isJudgedAt = (load: number) => isJudged({ ...one, cores: 2, load } as Figures)
  expect([0.1, 4, 4.1, 9].map(isJudgedAt)).toEqual([true, true, false, false])
})

test('the page has a table for each file, grouped by agent and version', () => {
  const row = { name: 'a', seconds: 2, right: 39, wrong: 1, excluded: 0, changes: 2, missed: 0 }
  const figures = (file: string, agent: string, version: string): Figures => {
    const total = { ...row, lag: [1, 2, 3], own: [4, 5, 6] }
    const machine = { date: '2026-11-15', cores: 2, load: 1.5 }
    return { file, agent, version, ...machine, scenarios: [total], total: { ...total, name: 'total' } }
  }
  const page = truthPage('', [
    figures('b.more', 'b', '1.0'),
    figures('a', 'a', '2.0'),
    figures('a-old', 'a', '1.0'),
    figures('b', 'b', '1.0'),
  ])
  expect([...page.matchAll(/^## (.+)$/gm)].map(([, title]) => title)).toEqual([
    'All agents',
    'a 1.0',
    'a 2.0',
    'b 1.0',
  ])
  expect(page).toContain('| b | 1.0 | 2 | 97.50 | 2 | 4 | 0 | 1 | 2 | 3 | 5 |')
  expect(page).toContain('| a | 2.0 | 97.50 | 1 | 2 | 0 | 1 | 2 | 3 | 5 |')
  for (const line of page.split('\n').filter((one) => one.startsWith('|'))) expect(line).toEndWith('|')
})
