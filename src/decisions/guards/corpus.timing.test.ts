import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../../../test/kit.ts'
import { factsOfCommand, findings, modesOf } from './judge.ts'
import { OWN, PLACE } from './testkit.ts'

const PASSES = 8 // of each command the quickest counts: others on the machine only ever make it slower

test('a command is parsed and judged by all guards in 0.1 ms, and nearly every one in 1 ms', () => {
  const corpus = readFileSync(join(ROOT, 'test/corpora/guards.jsonl'), 'utf8')
  const commands = corpus
    .trim()
    .split('\n')
    .map((line) => String(JSON.parse(line).command))
  const modes = modesOf({ preset: 'strict', modes: {} })
  const best = commands.map(() => Number.POSITIVE_INFINITY)
  for (let pass = 0; pass < PASSES; pass++)
    for (const [i, command] of commands.entries()) {
      const began = performance.now()
      findings(factsOfCommand(command, PLACE, OWN), modes)
      best[i] = Math.min(best[i] ?? 0, performance.now() - began)
    }
  best.sort((a, b) => a - b)
  expect(best[Math.floor(best.length * 0.5)]).toBeLessThan(0.1)
  expect(best[Math.floor(best.length * 0.99)]).toBeLessThan(1)
})
