/** What the page asks about sessions, of a real daemon: strips. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { call } from '../../src/client/index.ts'
import { makeHome, type RunningDaemon, sendFrame, startDaemon } from '../kit.ts'

const at = makeHome()
let daemon: RunningDaemon
beforeAll(async () => {
  daemon = await startDaemon(at)
  for (const [type, fields] of [
    ['SessionStart', { source: 'startup' }],
    ['UserPromptSubmit', { prompt: 'go' }],
    ['PreToolUse', { tool_name: 'Bash', tool_use_id: 't1', tool_input: { command: 'make' } }],
    ['PermissionRequest', { tool_name: 'Bash', tool_input: { command: 'make' } }],
  ] as const)
    await hook('s1', type, fields)
})
afterAll(async () => {
  expect(await daemon.kill('SIGTERM')).toBe(0)
})

const hook = (session_id: string, hook_event_name: string, fields: object = {}) =>
  sendFrame(at, { payload: JSON.stringify({ session_id, hook_event_name, cwd: '/w', ...fields }) })

describe('sessions.activity', () => {
  test('has the strips of living sessions, up to now', async () => {
    await hook('gone', 'SessionStart')
    await hook('gone', 'SessionEnd')
    const strips = await call(at, 'sessions.activity')
    expect(strips.map(({ key }) => key)).toEqual(['claude:s1'])
    expect(strips[0]?.segments.at(-1)?.status).toBe('asks')
    const [first] = strips[0]?.segments ?? []
    expect(first?.from).toBeLessThanOrEqual(first?.to ?? 0)
  })

  test('of one session has that one, ended or not', async () => {
    const [strip] = await call(at, 'sessions.activity', { session: 'gone', since: 0 })
    expect(strip?.key).toBe('claude:gone')
    expect(call(at, 'sessions.activity', { session: 'nobody' })).rejects.toThrow(
      'There is no session "nobody"',
    )
  })
})
