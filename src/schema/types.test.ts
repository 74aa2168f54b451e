import { expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Ajv from 'ajv/dist/2020.js'
import { fixtureLines, ROOT, tempDir } from '../../test/kit.ts'
import { jsonSchemaOf, learn, newShape, type Shape, typescriptOf } from './index.ts'

const lines = fixtureLines('claude/2.1.325/_one-of-each.jsonl')

function shapeOf(event: string): Shape {
  const shape = newShape({ agent: 'claude', version: '2.1.325', event, tool: '' }, 1)
  for (const line of lines) if (line.event === event) learn(shape, line.payload, 1)
  return shape
}

test('the JSON Schema of an event takes every payload it was learned from, and not one without what all have', () => {
  const ajv = new Ajv({ strict: false, validateFormats: false, allowUnionTypes: true })
  for (const event of new Set(lines.map((line) => line.event))) {
    const validate = ajv.compile(jsonSchemaOf(shapeOf(event)))
    for (const { payload } of lines.filter((line) => line.event === event))
      expect({ event, valid: validate(payload), errors: validate.errors }).toMatchObject({ valid: true })
    expect(validate({})).toBe(false)
  }
})

test('the TypeScript of an event takes every payload it was learned from', () => {
  const events = ['Stop', 'PreToolUse', 'PermissionRequest', 'statusLine']
  const types = typescriptOf(events.map(shapeOf))
  const uses = lines
    .filter((line) => events.includes(line.event))
    .map(({ event, payload }, i) => {
      const name = `Claude${event.charAt(0).toUpperCase()}${event.slice(1)}`
      return `export const v${i}: ${name} = ${JSON.stringify(payload)}`
    })
  const text = `${types}\n${uses.join('\n')}\n`
  const dir = tempDir()
  writeFileSync(join(dir, 'types.ts'), text)
  const checked = Bun.spawnSync(
    [join(ROOT, 'node_modules/.bin/tsc'), '--noEmit', '--strict', '--types', '', 'types.ts'],
    {
      cwd: dir,
    },
  )
  expect(checked.stdout.toString()).toBe('')
  expect(checked.exitCode).toBe(0)
}, 30_000)

test('names that are no identifiers, and names beyond number, are still types', () => {
  const shape = newShape({ agent: 'x-y', version: '', event: '1.odd name', tool: '' }, 1)
  learn(shape, { 'thread-id': 'a', 'a b': 1, list: [{ a: 1 }, 'x'], none: null }, 1)
  const text = typescriptOf([shape, shape])
  expect(text).toContain('export interface XY1OddName {')
  expect(text).toContain('export interface XY1OddName2 {')
  expect(text).toContain('"thread-id": string')
  expect(text).toContain('[name: string]: number')
  expect(text).toMatch(/list: \(string \| \{\n\s+a: number\n\s+\}\)\[\]/)
})
