import { describe, expect, test } from 'bun:test'
import { z } from 'zod'
import { issueWords, problemsOf } from './issue-words.ts'

const RAW = /Invalid|Too (big|small)|Unrecognized|expected|received/

function problem(schema: z.ZodType, value: unknown): string {
  const { error } = schema.safeParse(value, { error: issueWords })
  return error ? problemsOf(error) : ''
}

describe('a validation message', () => {
  const schema = z.strictObject({
    port: z.int().min(0).max(65_535).default(1),
    level: z.enum(['debug', 'info']).default('info'),
    names: z.array(z.string().min(1)).max(2).default([]),
    on: z.boolean().default(true),
    one: z.union([z.string(), z.array(z.string())]).default(''),
    kind: z.literal('x').default('x'),
    short: z.string().regex(/^a$/, 'only "a"').default('a'),
  })

  test.each([
    [{ port: '80' }, 'port: takes a number, not text'],
    [{ port: 1.5 }, 'port: takes a whole number, not a number'],
    [{ port: Number.NaN }, 'port: takes a number, not something else'],
    [{ port: 70_000 }, 'port: takes a number of at most 65535'],
    [{ port: -1 }, 'port: takes a number of at least 0'],
    [{ level: 'loud' }, 'level: takes one of debug, info, not "loud"'],
    [{ names: 'x' }, 'names: takes a list, not text'],
    [{ names: ['', 'b'] }, 'names.0: must not be empty'],
    [{ names: ['a', 'b', 'c'] }, 'names: takes at most 2 values'],
    [{ on: 'yes' }, 'on: takes true or false, not text'],
    [{ kind: 'y' }, 'kind: takes only x, not "y"'],
    [{ short: 'b' }, 'short: only "a"'],
    [{ prot: 1, on: 1 }, 'on: takes true or false, not a number; no such key: prot'],
    ['x', 'takes a table of keys and values, not text'],
  ])('%j: %s', (value, words) => {
    expect(problem(schema, value)).toBe(words)
  })

  test("never uses the schema library's own wording", () => {
    for (const value of [{ one: 1 }, { port: Number.NaN }, { names: [1] }, null, undefined, 5, []]) {
      expect(problem(schema, value)).not.toMatch(RAW)
      expect(problem(schema, value)).not.toBe('')
    }
    const formats = z.strictObject({
      url: z.url(),
      mail: z.email(),
      map: z.record(z.string().max(2), z.int()),
    })
    expect(problem(formats, { url: 'x', mail: 'y', map: { abc: 1 } })).not.toMatch(RAW)
  })

  test('does not repeat a value that may be a secret', () => {
    expect(problem(z.object({ token: z.array(z.string()) }), { token: 'hunter2' })).not.toContain('hunter2')
  })
})
