import { expect, test } from 'bun:test'
import { commandsIn } from './fix.ts'

test('commands are found in the words around them', () => {
  const cases: readonly [string, string[]][] = [
    ['gantry down && gantry up', ['gantry down && gantry up']],
    ['In the checkout, run: npm install', ['npm install']],
    [
      'Look: gantry schema diff --agent claude   Accept: gantry schema baseline --agent claude',
      ['gantry schema diff --agent claude', 'gantry schema baseline --agent claude'],
    ],
    ['The log says why: less "$(gantry config path log)"', ['less "$(gantry config path log)"']],
    ['Let it run: gantry up. For rules that must hold without it, see docs/hooks.md', ['gantry up']],
    ["chmod o-w '/a b'", ["chmod o-w '/a b'"]],
    ['Wire its hooks again with: gantry install; or set approvals.wait_s lower', ['gantry install']],
  ]
  for (const [fix, commands] of cases) expect(commandsIn(fix)).toEqual(commands)
})

test('they end where the words go on, and other words are none', () => {
  expect(
    commandsIn('gantry bus dead-letters shows why; gantry bus dead-letters --requeue all sends them again'),
  ).toEqual(['gantry bus dead-letters', 'gantry bus dead-letters --requeue all'])
  expect(commandsIn('gantry up rewrites it, gantry down removes it')).toEqual(['gantry up', 'gantry down'])
  expect(commandsIn('kill -CONT 12 to resume it')).toEqual(['kill -CONT 12'])
  expect(commandsIn('Set another http.port in gantry.toml.')).toEqual([])
})
