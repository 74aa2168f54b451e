import { describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../../../test/kit.ts'
import { MODES } from './config.ts'
import { factsOfCommand, findings, type Modes } from './judge.ts'
import { GUARDS } from './pack/index.ts'
import { OWN, PLACE } from './testkit.ts'

const ALL: Modes = new Map(GUARDS.map(({ id }) => [id, 'ask']))
const found = (command: string) =>
  findings(factsOfCommand(command, PLACE, OWN), ALL).map(({ guard }) => guard.id)

describe('a guard', () => {
  for (const { id, examples } of GUARDS) {
    test(`${id} finds its examples, and not their look-alikes`, () => {
      expect(examples.match.filter((command) => !found(command).includes(id))).toEqual([])
      expect(examples.noMatch.filter((command) => found(command).includes(id))).toEqual([])
    })
  }

  test('has an id of its own, words, and modes that do not weaken from standard to strict', () => {
    expect(new Set(GUARDS.map(({ id }) => id)).size).toBe(GUARDS.length)
    for (const { id, standard, strict, examples } of GUARDS) {
      expect(MODES.indexOf(strict), id).toBeGreaterThanOrEqual(MODES.indexOf(standard))
      expect(examples.noMatch.length, id).toBeGreaterThan(0)
    }
  })

  test('never objects to what a guard suggests', () => {
    const suggested = GUARDS.flatMap(({ instead }) =>
      [...instead.matchAll(/`([^`]+)`/g)].map(([, command = '']) => command),
    )
    expect(suggested.length).toBeGreaterThan(30)
    const denied = suggested.flatMap((command) => found(command).map((id) => `${id}: ${command}`))
    expect(denied).toEqual([])
  })
})

test('docs/guards.md has the row of every guard', () => {
  const page = readFileSync(join(ROOT, 'docs/guards.md'), 'utf8')
  const rows = GUARDS.map(
    ({ id, standard, strict, about }) => `| \`${id}\` | ${standard} | ${strict} | ${about} |`,
  )
  expect(page).toContain(rows.join('\n'))
})
