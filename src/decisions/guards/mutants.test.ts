import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../../../test/kit.ts'
import { rounds } from '../../../test/long.ts'
import { factsOfCommand, findings, modesOf, reasonOf, strongest } from './judge.ts'
import { OWN, PLACE } from './score.ts'

const COMMANDS = readFileSync(join(ROOT, 'test/corpora/guards.jsonl'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => String(JSON.parse(line).command))
const PIECES = [
  '"',
  "'",
  '$(',
  ')',
  '`',
  '\\',
  '|',
  ';',
  '&&',
  '\n',
  '$x',
  '*',
  '~',
  '/',
  '<<X',
  '{',
  '}',
  '#',
  '\0',
  'é',
]

/** The same numbers in every run. */
function* numbers(seed: number): Generator<number> {
  for (let state = seed; ; ) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    yield state
  }
}

test('whatever a command is, guards judge it, and say something that can be read', () => {
  const random = numbers(7)
  const next = (below: number) => (random.next().value ?? 0) % below
  const modes = modesOf({ preset: 'strict', modes: {} })
  let objections = 0
  for (let round = 0; round < rounds(3_000, 200_000); round++) {
    let command = COMMANDS[next(COMMANDS.length)] ?? ''
    for (let change = next(4); change >= 0; change--) {
      const at = next(command.length + 1)
      const piece =
        next(3) === 0 ? (COMMANDS[next(COMMANDS.length)] ?? '') : (PIECES[next(PIECES.length)] ?? '')
      command = command.slice(0, at) + piece + command.slice(at + next(3))
    }
    const objection = strongest(findings(factsOfCommand(command, PLACE, OWN), modes), modes)
    if (!objection) continue
    objections += 1
    expect(reasonOf(objection)).toMatch(/^gantry's guard [a-z-]+: /)
  }
  expect(objections).toBeGreaterThan(500)
})
