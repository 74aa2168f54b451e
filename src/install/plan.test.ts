/** Text in, text out: what is added can be taken out again, and nothing else moves. */
import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { rounds } from '../../test/long.ts'
import type { Entry, Json, Written } from '../agents/index.ts'
import { settingsIn } from './edit/settings-text.ts'
import { type Ours, planEntries, planRemoval } from './plan.ts'

const FILE = 'settings.json'
const NOTHING: Ours = { entries: [], containers: [] }
const EVENTS = ['PreToolUse', 'Stop', 'SessionStart']

const group = (event: string, command = `ours ${event}`): Json => ({
  hooks: [{ type: 'command', command, timeout: 30 }],
})
const WANTED: readonly Entry[] = [
  ...EVENTS.map((event): Entry => ({ kind: 'append', path: ['hooks', event], value: group(event) })),
  { kind: 'chain', path: ['statusLine'], make: chain },
]

function chain(previous: unknown) {
  const means = 'chained'
  if (previous === undefined)
    return { path: ['statusLine'], value: { type: 'command', command: 'ours' }, means }
  const { command } = (previous ?? {}) as { command?: unknown }
  return typeof command === 'string'
    ? { path: ['statusLine', 'command'], value: `ours | ${command}`, means }
    : undefined
}

function there(text: string, wanted = WANTED) {
  return planEntries(text, FILE, wanted, NOTHING)
}

describe('the layout of what is added', () => {
  test('one line per event in a new file', () => {
    expect(there('').text).toBe(
      `{
  "hooks": {
    "PreToolUse": [{ "hooks": [{ "type": "command", "command": "ours PreToolUse", "timeout": 30 }] }],
    "Stop": [{ "hooks": [{ "type": "command", "command": "ours Stop", "timeout": 30 }] }],
    "SessionStart": [{ "hooks": [{ "type": "command", "command": "ours SessionStart", "timeout": 30 }] }]
  },
  "statusLine": { "type": "command", "command": "ours" }
}
`,
    )
  })

  test('keeps the indentation, line ends and neighbours of an existing file', () => {
    const before =
      '{\r\n\t"a": 1, // one\r\n\t"hooks": {\r\n\t\t"Stop": [\r\n\t\t\t{ "hooks": [] } // theirs\r\n\t\t]\r\n\t}\r\n}'
    const { text } = there(before, WANTED.slice(0, 2))
    expect(text).toBe(
      '{\r\n\t"a": 1, // one\r\n\t"hooks": {\r\n\t\t"Stop": [\r\n\t\t\t{ "hooks": [] }, // theirs\r\n' +
        '\t\t\t{ "hooks": [{ "type": "command", "command": "ours Stop", "timeout": 30 }] }\r\n\t\t],\r\n' +
        '\t\t"PreToolUse": [{ "hooks": [{ "type": "command", "command": "ours PreToolUse", "timeout": 30 }] }]\r\n\t}\r\n}',
    )
  })

  test('nothing but the bare minimum in a minified file', () => {
    expect(there('{"a":1}', WANTED.slice(0, 1)).text).toBe(
      '{"a":1,"hooks":{"PreToolUse":[{"hooks":[{"type":"command","command":"ours PreToolUse","timeout":30}]}]}}',
    )
  })

  test("the user's own status line keeps its other keys and comments", () => {
    const before = '{ "statusLine": { "padding": 1, /* mine */ "command": "date", "type": "command" } }'
    expect(there(before, WANTED.slice(3)).text).toBe(before.replace('"date"', '"ours | date"'))
  })
})

describe('removal', () => {
  test('leaves comments around it, and commas as they were', () => {
    for (const before of [
      '{\n  "a": 1 // one\n  // end\n}\n',
      '{\n  "a": 1, // one\n}\n',
      '{\n  "a": 1\n  /* x */\n}',
      '{"a":1 /* x */}',
      '// head\n{\n  "hooks": {\n    // none yet\n  }\n}\n',
      '{\n  "hooks": {\n    "Stop": [\n      // none yet\n    ]\n  }\n}\n',
    ]) {
      const after = there(before)
      expect(after.text).not.toBe(before)
      expect(planRemoval(after.text, FILE, after)).toBe(before)
    }
  })

  test('a newer neighbour stays, with its comment', () => {
    const after = there('{\n  "a": 1\n}\n', WANTED.slice(0, 1))
    const edited = after.text.replace(/\n}\n$/, ',\n  "b": 2 // newer\n}\n')
    expect(planRemoval(edited, FILE, after)).toBe('{\n  "a": 1,\n  "b": 2 // newer\n}\n')
  })

  test('a changed entry is the user’s, a missing one is skipped', () => {
    const after = there('{}')
    const edited = after.text.replace('"timeout": 30 }] }],\n    "Stop"', '"timeout": 31 }] }],\n    "Stop"')
    const left = settingsIn(planRemoval(edited.replace('ours Stop', 'mine'), FILE, after), FILE)
    expect(left).toEqual({
      hooks: {
        PreToolUse: [{ hooks: [{ type: 'command', command: 'ours PreToolUse', timeout: 31 }] }],
        Stop: [{ hooks: [{ type: 'command', command: 'mine', timeout: 30 }] }],
      },
    })
  })

  test('finds our handler in a group of ours and theirs', () => {
    const after = there('{}', WANTED.slice(0, 1))
    const theirs = { type: 'command', command: 'theirs' }
    const merged = JSON.stringify({
      hooks: {
        PreToolUse: [
          { matcher: '*', hooks: [theirs, { command: 'ours PreToolUse', type: 'command', timeout: 30 }] },
        ],
      },
    })
    expect(settingsIn(planRemoval(merged, FILE, after), FILE)).toEqual({
      hooks: { PreToolUse: [{ matcher: '*', hooks: [theirs] }] },
    })
  })

  test('never removes what only looks like ours', () => {
    const lookalikes = JSON.stringify({
      hooks: {
        PreToolUse: [
          { hooks: [{ type: 'command', command: 'ours PreToolUse', timeout: 30, async: true }] },
          {
            matcher: 'Bash',
            hooks: [{ type: 'command', command: 'tee log | ours PreToolUse', timeout: 30 }],
          },
        ],
      },
    })
    const entries: Written[] = [{ kind: 'append', path: ['hooks', 'PreToolUse'], value: group('PreToolUse') }]
    expect(planRemoval(lookalikes, FILE, { entries, containers: [['hooks'], ['hooks', 'PreToolUse']] })).toBe(
      lookalikes,
    )
  })

  test('a line comment does not swallow the bracket after a removal', () => {
    const after: Ours = { entries: [{ kind: 'set', path: ['statusLine'], value: 1 }], containers: [] }
    const left = planRemoval('{ "a": 1, // one\n "statusLine": 1 }', FILE, after)
    expect(settingsIn(left, FILE)).toEqual({ a: 1 })
    expect(left).toContain('// one')
  })
})

describe('wiring again', () => {
  const before = '{\n  "hooks": {\n    "Stop": [{ "hooks": [] }]\n  }\n}\n'
  const first = there(before)

  test('replaces in place, and leaves the newer neighbour behind it', () => {
    const newer = first.text.replace(
      '"timeout": 30 }] }],',
      '"timeout": 30 }] }, { "matcher": "newer", "hooks": [] }],',
    )
    const wanted: Entry[] = [{ kind: 'append', path: ['hooks', 'Stop'], value: group('Stop', 'ours v2') }]
    const next = planEntries(newer, FILE, wanted, first)
    const { hooks } = settingsIn(next.text, FILE) as { hooks: Record<string, unknown> }
    expect(hooks).toEqual({
      Stop: [{ hooks: [] }, group('Stop', 'ours v2'), { matcher: 'newer', hooks: [] }],
    })
  })

  test('entries that are no longer wanted are removed, with their containers', () => {
    expect(planEntries(first.text, FILE, [], first).text).toBe(before)
  })

  test('an older state than the last receipt is found, too', () => {
    const old: Written = { kind: 'append', path: ['hooks', 'Stop'], value: group('Stop', 'ours v0') }
    const text = JSON.stringify({ hooks: { Stop: [group('Stop', 'ours v0')] } })
    const next = planEntries(text, FILE, WANTED.slice(1, 2), {
      entries: [...first.entries, old],
      containers: [],
    })
    expect(settingsIn(next.text, FILE)).toEqual({ hooks: { Stop: [group('Stop')] } })
  })

  test('a status line that the user changed since is chained again', () => {
    const changed = first.text.replace('"command": "ours" }', '"command": "date" }')
    const next = planEntries(changed, FILE, WANTED, first)
    expect(settingsIn(next.text, FILE)).toMatchObject({ statusLine: { command: 'ours | date' } })
    expect(settingsIn(planRemoval(next.text, FILE, next), FILE)).toMatchObject({
      statusLine: { command: 'date' },
    })
  })
})

describe('any settings', () => {
  const handler = fc.record({ type: fc.constant('command'), command: fc.string() })
  const groups = fc.array(fc.record({ matcher: fc.string(), hooks: fc.array(handler, { maxLength: 2 }) }), {
    maxLength: 3,
  })
  const settings = fc
    .tuple(
      fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 4 }),
      fc.option(fc.dictionary(fc.constantFrom(...EVENTS, 'Other'), groups), { nil: undefined }),
      fc.option(fc.record({ type: fc.constant('command'), command: fc.string() }), { nil: undefined }),
    )
    .map(([rest, hooks, statusLine]) => {
      const { hooks: _, statusLine: __, ...others } = rest
      return { ...others, ...(hooks && { hooks }), ...(statusLine && { statusLine }) }
    })
  const style = fc.record({
    indent: fc.constantFrom(0, 1, 2, 4, '\t'),
    crlf: fc.boolean(),
    end: fc.constantFrom('', '\n', '\n\n'),
    bom: fc.boolean(),
    comments: fc.boolean(),
  })
  type Style = typeof style extends fc.Arbitrary<infer T> ? T : never

  function write(value: unknown, { indent, crlf, end, bom, comments }: Style): string {
    let text = JSON.stringify(value, null, indent) + end
    if (comments && indent !== 0) text = text.replace(/(,|[^\s[{])$/gm, '$1 // c')
    return (bom ? '\uFEFF' : '') + (crlf ? text.replaceAll('\n', '\r\n') : text)
  }

  test('come back byte for byte, and keep every value that is not ours meanwhile', () => {
    fc.assert(
      fc.property(settings, style, (value, layout) => {
        const before = write(value, layout)
        const after = there(before)
        const removed = planRemoval(after.text, FILE, after)
        expect(removed).toBe(before)
        expect(planEntries(after.text, FILE, WANTED, after).text).toBe(after.text)
        const parsed = settingsIn(after.text, FILE) as Record<string, unknown>
        for (const [key, one] of Object.entries(JSON.parse(JSON.stringify(value)) as object)) {
          if (key !== 'hooks' && key !== 'statusLine')
            expect(Object.getOwnPropertyDescriptor(parsed, key)?.value).toEqual(one)
        }
        for (const event of EVENTS) {
          const old = (value as { hooks?: Record<string, unknown[]> }).hooks?.[event] ?? []
          expect((parsed.hooks as Record<string, unknown[]>)[event]).toEqual([...old, group(event)])
        }
      }),
      { numRuns: rounds(80, 2_000) },
    )
  })
})
