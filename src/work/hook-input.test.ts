import { describe, expect, test } from 'bun:test'
import { z } from 'zod'
import { hookSchema, transformKeys } from './hook-input.ts'

describe('what an agent sends', () => {
  test('is renamed at the top level only', () => {
    const tool_input = { file_path: '/a', deep: { snake_case: [{ also_here: 1 }] } }
    expect(transformKeys({ session_id: 's', tool_input, already: 1 })).toEqual({
      sessionId: 's',
      toolInput: tool_input,
      already: 1,
    })
    for (const other of [null, 7, 'x', ['a_b']]) expect(transformKeys(other)).toEqual(other)
  })

  test('cannot reach Object.prototype', () => {
    const hostile = transformKeys(JSON.parse('{"__proto__":{"polluted":1},"session_id":"s"}')) as object
    expect(Object.getPrototypeOf(hostile)).toBe(Object.prototype)
    expect(({} as { polluted?: number }).polluted).toBeUndefined()
  })

  test('needs a session, and the fields of its event', () => {
    const schema = hookSchema({ toolName: z.string() })
    expect(schema.safeParse({ session_id: 's', tool_name: 'Bash', cwd: '/x' }).data).toMatchObject({
      sessionId: 's',
      toolName: 'Bash',
      cwd: '/x',
    })
    for (const wrong of [
      {},
      { tool_name: 'Bash' },
      { session_id: '', tool_name: 'x' },
      { session_id: 's' },
      null,
    ])
      expect(schema.safeParse(wrong).success).toBe(false)
  })
})
