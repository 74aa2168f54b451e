import { expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Ajv from 'ajv/dist/2020.js'
import { fixtureLines, ROOT, tempDir } from '../../../test/kit.ts'
import type { Shape } from '../../rpc/index.ts'
import { jsonSchemaOf, learn, newShape, typescriptOf } from './index.ts'

const lines = fixtureLines('claude/2.1.325/_one-of-each.jsonl')

function shapeOf(event: string): Shape {
  const shape = newShape({ agent: 'claude', version: '2.1.325', event, tool: '' }, 1)
  for (const line of lines) if (line.event === event) learn(shape, line.payload, 1)
  return shape
}

test('the JSON Schema of an event accepts every payload it was learned from, and rejects one without a required field', () => {
  const ajv = new Ajv({ strict: false, validateFormats: false, allowUnionTypes: true })
  for (const event of new Set(lines.map((line) => line.event))) {
    const validate = ajv.compile(jsonSchemaOf(shapeOf(event)))
    for (const { payload } of lines.filter((line) => line.event === event))
      expect({ event, valid: validate(payload), errors: validate.errors }).toMatchObject({ valid: true })
    expect(validate({})).toBe(false)
  }
})

test('the TypeScript of an event accepts every payload it was learned from', () => {
  const events = ['Stop', 'PreToolUse', 'PermissionRequest', 'statusLine']
  const types = typescriptOf(events.map(shapeOf))
  const uses = lines
    .filter((line) => events.includes(line.event))
    .map(({ event, payload }, i) => {
      const name = `Claude${event.charAt(0).toUpperCase()}${event.slice(1)}`
      return `export const v${i}: ${name} = ${JSON.stringify(payload)}`
    })
  expect(compiled(`${types}\n${uses.join('\n')}\n`)).toEqual({ said: '', exit: 0 })
}, 120_000)

test('a union of payloads narrows by event name and by tool, even if each came once', () => {
  const bash = newShape({ agent: 'claude', version: '2.1.325', event: 'PreToolUse', tool: 'Bash' }, 1)
  learn(
    bash,
    { hook_event_name: 'PreToolUse', session_id: 's', tool_name: 'Bash', tool_input: { command: 'ls' } },
    1,
  )
  const read = newShape({ agent: 'claude', version: '2.1.325', event: 'PreToolUse', tool: 'Read' }, 1)
  learn(
    read,
    { hook_event_name: 'PreToolUse', session_id: 's', tool_name: 'Read', tool_input: { file_path: '/a' } },
    1,
  )
  const prompt = newShape({ agent: 'claude', version: '2.1.325', event: 'UserPromptSubmit', tool: '' }, 1)
  learn(prompt, { hook_event_name: 'UserPromptSubmit', session_id: 's', prompt: 'hello' }, 1)
  const use = `
export function about(payload: ClaudePayload): string {
  switch (payload.hook_event_name) {
    case 'UserPromptSubmit':
      return payload.prompt
    case 'PreToolUse':
      return payload.tool_name === 'Bash' ? payload.tool_input.command : payload.tool_input.file_path
  }
}
`
  expect(compiled(`${typescriptOf([bash, read, prompt])}${use}`)).toEqual({ said: '', exit: 0 })
  const wrong =
    "export const no = (one: ClaudePayload) => one.hook_event_name === 'UserPromptSubmit' && one.tool_input\n"
  expect(compiled(`${typescriptOf([bash, read, prompt])}${wrong}`).said).toContain(
    "'tool_input' does not exist",
  )
}, 120_000)

function compiled(text: string): { said: string; exit: number } {
  const dir = tempDir()
  writeFileSync(join(dir, 'types.ts'), text)
  const tsc = join(ROOT, 'node_modules/.bin/tsc')
  // Without the types of a browser, which take six times as long as all the rest.
  const options = ['--noEmit', '--strict', '--types', '', '--lib', 'es2023', '--skipLibCheck']
  const { stdout, exitCode } = Bun.spawnSync([tsc, ...options, 'types.ts'], { cwd: dir })
  return { said: stdout.toString(), exit: exitCode }
}

const HOSTILE: Record<string, unknown> = {
  ...JSON.parse('{"__proto__": 1, "constructor": "x", "toString": [1], "hasOwnProperty": {"valueOf": null}}'),
  flag: true,
  'a b': 'x',
  'x.y': 'y',
  'a/b': 'z',
  '*/': 'x',
  'quo"te\\': 1,
  'es\u001bc': 1,
  '\u009bc1': 2,
  '\u2028line': 3,
  new: 1,
  '0': 1,
  deep: { 'p.q': 1, named: 'x', list: [{ 'r/s': 1, t: true }], either: [] },
  open: { 'only odd': 1, 'and/this': 2 },
}

test('the TypeScript compiles and accepts the payload, whatever the names of fields, events and versions', () => {
  const kinds = [
    { agent: 'x', version: '*/ export const broken = 1 /*', event: 'Stop', tool: '' },
    { agent: '\u001b[31mx*/', version: '1\u009b2J\n*/}', event: '\u202eStop', tool: '*/' },
    { agent: 'x', version: '1', event: 'Stop', tool: '' },
    { agent: 'x', version: '1', event: 'Stop2', tool: '' },
    { agent: 'record', version: '1', event: '!', tool: '' },
  ]
  const shapes = kinds.map((kind) => {
    const shape = newShape(kind, 1)
    learn(shape, HOSTILE, 1)
    learn(shape, { ...HOSTILE, flag: 'now a word', deep: { either: { a: 1 } } }, 1)
    return shape
  })
  const text = typescriptOf(shapes)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: what must not be there
  expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028-\u202e]/)
  const names = [...text.matchAll(/^export interface (\w+)/gm)].map((match) => match[1])
  expect(new Set(names).size).toBe(kinds.length)
  const value = JSON.stringify(HOSTILE).replace('"__proto__":', '["__proto__"]:')
  const uses = names.map((name, i) => `export const v${i}: ${name} = ${value}`)
  expect(compiled(`${text}\n${uses.join('\n')}\n`)).toEqual({ said: '', exit: 0 })
}, 120_000)

test('names that are not identifiers, and names beyond the limit, are still typed', () => {
  const shape = newShape({ agent: 'x-y', version: '', event: '1.odd name', tool: '' }, 1)
  learn(shape, { 'thread-id': 'a', 'a b': 1, list: [{ a: 1 }, 'x'], none: null }, 1)
  const text = typescriptOf([shape, shape])
  expect(text).toContain('export interface XY1OddName {')
  expect(text).toContain('export interface XY1OddName2 {')
  expect(text).toContain('"thread-id": string')
  expect(text).toContain('[name: string]: unknown')
  expect(text).toMatch(/list: \(string \| \{\n\s+a: number\n\s+\}\)\[\]/)
})
