import { describe, expect, test } from 'bun:test'
import type { Baseline, Kind, Shape } from '../../../rpc/index.ts'
import { Baselines, baselineOf, learn, newShape, parseBaseline } from '../index.ts'

const ABOUT = { agent: 'claude', version: '2.0.0', date: '2026-01-31', from: 'a test' }

function shapeOf(event: string, tool: string, payload: unknown, count = 20): Shape {
  const shape = newShape({ agent: 'claude', version: '2.0.0', event, tool }, 1)
  for (let i = 0; i < count; i++) learn(shape, payload, 1)
  return shape
}

const kind = (parts: Partial<Kind>): Kind => ({
  agent: 'claude',
  version: '2.0.0',
  event: 'Stop',
  tool: '',
  ...parts,
})

describe('a baseline', () => {
  const shapes = [
    shapeOf('Stop', '', { cwd: '/x', mode: 'plan', n: 1, gone: null }),
    shapeOf('PreToolUse', 'Bash', { cwd: '/x', tool_input: { command: 'ls' } }),
    shapeOf('PreToolUse', 'Read', { cwd: '/x', tool_input: { file_path: '/y' } }, 2),
  ]
  const baseline = baselineOf(shapes, ABOUT)

  test('has names, types and required fields, but no content', () => {
    expect(baseline).toEqual({
      ...ABOUT,
      events: {
        PreToolUse: {
          seen: 22,
          least: 2,
          fields: { cwd: 'string', tool_input: 'object' },
          tools: {
            Bash: { seen: 20, fields: { tool_input: 'object', 'tool_input.command': 'string' } },
            Read: { seen: 2, fields: { 'tool_input.file_path?': 'string', 'tool_input?': 'object' } },
          },
        },
        Stop: { seen: 20, least: 4, fields: { cwd: 'string', gone: 'null', mode: 'string', n: 'integer' } },
      },
    })
    expect(JSON.stringify(baseline)).not.toContain('/x')
  })

  test('survives a round trip through a file', () => {
    expect(parseBaseline(JSON.parse(JSON.stringify(baseline)), 'x.json')).toEqual(baseline)
  })

  test('expects what it saw of a tool, and only the common fields of an unseen one', () => {
    const baselines = new Baselines([baseline])
    const bash = baselines.expected(kind({ event: 'PreToolUse', tool: 'Bash' }))?.fields
    expect(bash?.['tool_input.command']).toMatchObject({ types: ['string'], required: true })
    expect(bash?.['tool_input.file_path']).toBeUndefined()
    const other = baselines.expected(kind({ event: 'PreToolUse', tool: 'mcp__x__y' }))?.fields
    expect(other?.tool_input).toMatchObject({ types: [], required: true })
    expect(other?.['tool_input.command']).toBeUndefined()
  })

  const broken: Record<string, unknown> = {
    'no object': [],
    'without a version': { ...baseline, version: 5 },
    'without events': { ...baseline, events: null },
    'with an event that is none': { ...baseline, events: { Stop: 'yes' } },
    'with fields that are no text': { ...baseline, events: { Stop: { fields: { a: 1 } } } },
    'with tools that are none': { ...baseline, events: { Stop: { fields: {}, tools: { Bash: null } } } },
  }
  for (const [name, value] of Object.entries(broken)) {
    test(`${name} is refused, and the message names the file`, () => {
      expect(() => parseBaseline(value, 'team.json')).toThrow(/^team\.json is not a baseline: /)
    })
  }
})

describe('of several baselines', () => {
  const one = (version: string, fields: Record<string, string>, agent = 'claude'): Baseline => ({
    ...ABOUT,
    agent,
    version,
    complete: true,
    events: { Stop: { seen: 20, fields } },
  })
  const shipped = [one('2.0.9', { a: 'string', old: 'string' }), one('2.0.10', { a: 'string', b: 'string' })]
  const fieldsOf = (baselines: Baselines, version: string) =>
    Object.keys(baselines.expected(kind({ version }))?.fields ?? {}).sort()

  test('the one of the version counts, else the nearest older, else the oldest', () => {
    const baselines = new Baselines(shipped)
    expect(fieldsOf(baselines, '2.0.9')).toEqual(['a', 'old'])
    expect(fieldsOf(baselines, '2.0.10')).toEqual(['a', 'b'])
    expect(fieldsOf(baselines, '2.1.0')).toEqual(['a', 'b'])
    expect(fieldsOf(baselines, '2.0.9-beta')).toEqual(['a', 'old'])
    expect(fieldsOf(baselines, '1.0.0')).toEqual(['a', 'old'])
  })

  test("the user's own goes before the shipped one of that version or an older one", () => {
    const baselines = new Baselines(shipped, [one('2.0.10', { a: 'integer', mine: 'string' })])
    const own = baselines.expected(kind({ version: '2.0.10' }))?.fields
    expect(own?.mine?.required).toBe(true)
    expect(own?.a?.types).toEqual(['integer', 'string'])
    expect(own?.b?.required).toBe(false) // not seen here any more
    expect(fieldsOf(baselines, '2.2.0')).toEqual(['a', 'b', 'mine'])
    expect(fieldsOf(baselines, '2.0.9')).toEqual(['a', 'old'])
  })

  test('an agent without a version may match any of them', () => {
    const fields = new Baselines(shipped).expected(kind({ version: '' }))?.fields
    expect(
      Object.entries(fields ?? {})
        .map(([path, { required }]) => `${path} ${required}`)
        .sort(),
    ).toEqual(['a true', 'b false', 'old false'])
  })

  test('an unrecorded agent has none, and an unknown event has the common fields', () => {
    const baselines = new Baselines(shipped)
    expect(baselines.expected(kind({ agent: 'other' }))).toBeUndefined()
    expect(baselines.expected(kind({ event: 'constructor' }))).toMatchObject({ isUnknownEvent: true })
    expect(Object.keys(baselines.expected(kind({ version: '2.0.9', event: 'New' }))?.fields ?? {})).toEqual([
      'a',
      'old',
    ])
  })
})
