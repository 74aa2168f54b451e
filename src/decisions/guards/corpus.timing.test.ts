import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../../../test/kit.ts'
import { quickestMs } from '../../../test/processor-time.ts'
import { factsOfCommand, findings, modesOf } from './judge.ts'
import { OWN, PLACE } from './score.ts'

const PASSES = 20 // at most; of each command the quickest counts: others on the machine only ever make it slower

test('a command is parsed and judged by all guards in 0.1 ms, and nearly every one in 1 ms', () => {
  const corpus = readFileSync(join(ROOT, 'test/corpora/guards.jsonl'), 'utf8')
  const commands = corpus
    .trim()
    .split('\n')
    .map((line) => String(JSON.parse(line).command))
  const modes = modesOf({ preset: 'strict', modes: {} })
  const best = commands.map(() => Number.POSITIVE_INFINITY)
  const isQuick = () => shareBelow(best, 0.1) >= 0.5 && shareBelow(best, 1) >= 0.99
  for (let pass = 0; pass < PASSES && !isQuick(); pass++)
    for (const [i, command] of commands.entries()) {
      const began = performance.now()
      findings(factsOfCommand(command, PLACE, OWN), modes)
      best[i] = Math.min(best[i] ?? 0, performance.now() - began)
    }
  expect(shareBelow(best, 0.1)).toBeGreaterThanOrEqual(0.5)
  expect(shareBelow(best, 1)).toBeGreaterThanOrEqual(0.99)
}, 60_000)

const shareBelow = (all: readonly number[], limit: number) =>
  all.filter((one) => one < limit).length / all.length

const LONGEST = 65_536 // characters; a longer one is not followed
const LIMIT_MS = 50

/** Of each `#` a number is made, so that no two are the same. */
const HOSTILE: readonly (readonly [string, string, string?])[] = [
  ['', '>a# '],
  ['', '>~/a# '],
  [':', '>>a#.ts '],
  ['', 'git add a#;'],
  ['git push', ' a#'],
  ['rm', ' ~a#'],
  ['', 'rm ~a#;'],
  ['mv', ' src', ' /tmp'],
  ['', 'find . -name a#;'],
  ['find .', ' -exec a \\;'],
  ['find', ' a#', ' -exec a {} +'],
  ['echo', ' a#', '|xargs rm -rf'],
  ['echo', ' a#', '|xargs -I{} rm -rf {}'],
  ['parallel', ' a#', ' ::: 1 2 3 4 5 6 7 8 9'],
  ['rm {', 'a#,', '}'],
  ['', 'sudo ls;'],
  ['', 'docker run a#;'],
  ['curl', ' a#.example'],
  ['', 'curl a#.example|'],
  [`rm -rf ~;echo ${'a'.repeat(48_900)}`, '|tr -d z', '|sh'],
  [`echo ${'A'.repeat(48_900)}`, `|tr -d ${'a-z'.repeat(19)}`, '|sh'],
  [`echo ${'ab'.repeat(20_000)}`, '|rev', '|sh'],
  [`echo ${'a'.repeat(30_000)}`, '|sed s/b/c/', '|sh'],
  [`echo ${'a'.repeat(30_000)}|{ `, 'psql;', '}'],
  [`for i in {1..60}; do for j in {1..60}; do psql -c '${'select 1;'.repeat(6_000)}'; `, 'done; '],
]

test(`the longest of every hostile shape is parsed and judged by all guards in ${LIMIT_MS} ms`, () => {
  const modes = modesOf({ preset: 'strict', modes: {} })
  for (const [start, unit, end = ''] of HOSTILE) {
    let source = start
    for (let i = 0; source.length + unit.length + 5 + end.length < LONGEST; i++)
      source += unit.replace('#', String(i))
    const took = quickestMs(() => findings(factsOfCommand(source + end, PLACE, OWN), modes), LIMIT_MS)
    expect(took, `${start.slice(0, 60)}${unit} … ${end}`).toBeLessThan(LIMIT_MS)
  }
}, 60_000)
