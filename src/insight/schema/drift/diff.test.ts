import { describe, expect, test } from 'bun:test'
import type { Difference, Shape } from '../../../rpc/index.ts'
import { differenceText, diffVersions, expectedOf, learn, newShape } from '../index.ts'

function shapeOf(event: string, payloads: readonly unknown[], tool = ''): Shape {
  const shape = newShape({ agent: 'claude', version: '1', event, tool }, 1)
  for (const payload of payloads) learn(shape, payload, 1)
  return shape
}

const times = <T>(count: number, payload: T): T[] => new Array<T>(count).fill(payload)

function diffShapes(before: readonly Shape[], after: readonly Shape[]): Difference[] {
  return diffVersions(before.map(expectedOf), after.map(expectedOf))
}

function between(before: readonly unknown[], after: readonly unknown[], tool = ''): Difference[] {
  return diffShapes([shapeOf('Stop', before, tool)], [shapeOf('Stop', after, tool)])
}

const short = ({ severity, kind, path }: Difference) => `${severity} ${kind} ${path}`

describe('a difference', () => {
  test('does not exist between equal payloads', () => {
    expect(between(times(9, { a: 1, b: 'x' }), times(3, { a: 2, b: 'y' }))).toEqual([])
  })

  test('is a new field, which is not breaking', () => {
    expect(between(times(9, { a: 1 }), [{ a: 1, b: { c: 1 } }]).map(short)).toEqual(['info new-field b'])
  })

  test('is a required field that is gone', () => {
    expect(between(times(9, { a: 1, b: 1 }), [{ a: 1 }]).map(short)).toEqual(['breaking missing-field b'])
    const sometimes = [...times(9, { a: 1, b: 1 }), { a: 1 }]
    expect(between(sometimes, [{ a: 1 }])).toEqual([])
    expect(between(times(4, { a: 1, b: 1 }), [{ a: 1 }])).toEqual([]) // too few to call it always
  })

  test('is a field that is no longer in every payload, with its share', () => {
    const after = [...times(3, { a: 1, b: 1 }), { a: 1 }]
    expect(between(times(9, { a: 1, b: 1 }), after)).toMatchObject([
      { kind: 'now-optional', severity: 'notable', path: 'b', before: 'always', after: '75 %' },
    ])
  })

  test('is a changed type, or an added one', () => {
    const before = times(9, { a: 'x', b: 'x', n: 0 })
    const after = [{ a: 1, b: null, n: 0.5 }]
    expect(between(before, after).map(short)).toEqual(['breaking changed-type a', 'notable new-type b'])
  })

  test('is nothing if a field was always null', () => {
    expect(between(times(9, { a: null }), [{ a: { b: 1 } }])).toEqual([])
  })

  test('is a new value of a set that seemed complete', () => {
    const before = [...times(40, { mode: 'plan' }), ...times(20, { mode: 'default' })]
    expect(between(before, [{ mode: 'auto' }])).toMatchObject([
      { kind: 'new-value', severity: 'notable', before: 'default | plan', after: 'auto' },
    ])
    expect(between(before.slice(0, 30), [{ mode: 'auto' }])).toEqual([]) // too few to know them all
  })

  test('is one renamed field, not one gone and one new', () => {
    const found = between(times(9, { tool_name: 'x', user_input: 'hi there' }), [
      { tool_name: 'x', prompt: 'hi you' },
    ])
    expect(found.map(short)).toEqual(['breaking renamed-field user_input'])
    expect(found.map(differenceText)).toEqual(['Stop: field "user_input" is now "prompt"'])
    const styles = between(times(9, { tool_use_id: 'a b' }), [{ toolUseId: 'a b', other_id: 'a b' }])
    expect(styles.map(({ kind, after }) => `${kind} ${after}`)).toEqual([
      'renamed-field toolUseId',
      'new-field string',
    ])
  })

  test('is reported once for a field that all tools share, and per tool inside its input', () => {
    const tools = ['Bash', 'Read']
    const before = tools.map((tool) => shapeOf('PreToolUse', times(20, { tool_input: { a: 1 } }), tool))
    const after = tools.map((tool) =>
      shapeOf('PreToolUse', times(20, { tool_input: { a: 1, b: 1 }, x: 1 }), tool),
    )
    expect(diffShapes(before, after).map(({ tool, path }) => `${tool} ${path}`)).toEqual([
      ' x',
      'Bash tool_input.b',
      'Read tool_input.b',
    ])
  })

  test('is a renamed tool', () => {
    const call = { tool_input: { description: 'x y', prompt: 'z z' } }
    const before = shapeOf('PreToolUse', times(9, call), 'Task')
    const after = shapeOf('PreToolUse', times(9, { tool_input: { ...call.tool_input, model: 'x' } }), 'Agent')
    expect(diffShapes([before], [after])).toMatchObject([
      { kind: 'renamed-tool', severity: 'breaking', event: '', before: 'Task', after: 'Agent' },
    ])
  })

  test('does not come from a tool that was never seen before', () => {
    const before = shapeOf('PreToolUse', times(9, { tool_input: { command: 'ls' } }), 'Bash')
    const after = shapeOf('PreToolUse', times(9, { tool_input: { url: 'x' } }), 'Fetch')
    expect(diffShapes([before], [after])).toEqual([])
  })

  test('is a new event; an event that has not come yet is none', () => {
    const [stop, start] = [shapeOf('Stop', [{}]), shapeOf('Start', [{ a: 1, b: 2 }])]
    expect(diffShapes([stop], [stop, start])).toMatchObject([
      { kind: 'new-event', event: 'Start', after: 'a, b' },
    ])
    expect(diffShapes([stop, start], [stop])).toEqual([])
  })
})

describe('a list with several kinds of elements', () => {
  const text = { type: 'text', text: 'x' }
  const image = { type: 'image', url: 'y' }

  test('is not breaking when one kind does not occur', () => {
    const before = times(20, { parts: [text, image] })
    for (const after of [[text], [image], []]) {
      const found = between(before, times(20, { parts: after }))
      expect(found.filter(({ severity }) => severity === 'breaking')).toEqual([])
    }
    expect(between(times(20, { parts: [text] }), times(20, { parts: [image] })).map(short)).toEqual([
      'info new-field parts[].url',
    ])
  })

  test('that was always empty says nothing about its elements', () => {
    expect(between(times(20, { parts: [] }), times(20, { parts: [text, 5] }))).toEqual([])
  })
})
