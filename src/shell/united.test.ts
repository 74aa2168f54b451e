import { expect, test } from 'bun:test'
import { effectsOf, parseScript } from './index.ts'
import { NO_EFFECTS, unitedEffects, unitedScripts } from './united.ts'

const PLACE = { cwd: '/work', home: '/home/me' }

test('commands name their neighbours, and effects their commands, in the whole', () => {
  const sources = ['rm a', 'cat b | sudo tee c']
  const all = unitedEffects(
    sources.map((one) => effectsOf(parseScript(one), PLACE)),
    sources,
  )
  const whole = sources.join('\n')
  const facts = all.commands.map(({ program, parent, pipedFrom, span }) => [
    program,
    parent,
    pipedFrom,
    whole.slice(...span),
  ])
  expect(facts).toEqual([
    ['rm', undefined, undefined, 'rm a'],
    ['cat', undefined, undefined, 'cat b'],
    ['sudo', undefined, 1, 'sudo tee c'],
    ['tee', 2, 1, 'sudo tee c'],
  ])
  const touched = [...all.deletes, ...all.reads, ...all.writes].map(({ text, command }) => [text, command])
  expect(touched).toEqual([
    ['a', 0],
    ['b', 1],
    ['c', 3],
  ])
})

test('what is not understood in one is not in the whole; of nothing, nothing starts', () => {
  const scripts = ['ls', 'echo $(', 'if'].map(parseScript)
  const { understood, why } = unitedScripts(scripts)
  expect({ understood, why }).toEqual({ understood: false, why: scripts[1]?.why })
  expect(unitedScripts([])).toEqual({ commands: [], understood: true })
  expect(unitedEffects([])).toEqual(NO_EFFECTS)
})
