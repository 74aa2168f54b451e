import { describe, expect, test } from 'bun:test'
import { SAMPLES } from '../generated/samples.ts'
import { type AgentName, payloadOf } from '../payloads.ts'
import { type EventParts, event } from './build-event.ts'

const AGENTS: readonly AgentName[] = ['claude', 'codex', 'gemini', 'copilot', 'opencode']
const TYPES = {
  sessionStart: 'SessionStart',
  userPromptSubmit: 'UserPromptSubmit',
  preToolUse: 'PreToolUse',
  postToolUse: 'PostToolUse',
  postToolUseFailure: 'PostToolUseFailure',
  permissionRequest: 'PermissionRequest',
  notification: 'Notification',
  subagentStart: 'SubagentStart',
  subagentStop: 'SubagentStop',
  preCompact: 'PreCompact',
  stop: 'Stop',
  sessionEnd: 'SessionEnd',
} as const satisfies Record<keyof typeof event, string>

for (const agent of AGENTS) {
  describe(agent, () => {
    for (const [name, type] of Object.entries(TYPES)) {
      const build = event[name as keyof typeof event]
      if (!SAMPLES[agent]?.[type]) {
        test(`no ${type} was recorded, and building one says so`, () =>
          expect(() => build({ agent })).toThrow(`No ${type} of ${agent} was recorded`))
        continue
      }
      test(`${type} is what was recorded, with the session of the test`, () => {
        const built = build({ agent, session: 'ses_of-the-test' })
        expect(built.event).toMatchObject({ agent, type, sessionId: 'ses_of-the-test', native: built.native })
        expect(built.event.unknown).toBeUndefined()
        expect(shapeOf(built.payload)).toEqual(shapeOf(SAMPLES[agent]?.[type]?.payload))
        expect(JSON.stringify(built.payload)).not.toContain(build({ agent }).event.sessionId)
        expect(payloadOf(built.event)).toEqual(built.payload)
      })
    }

    test('a tool, its input and its result are where the agent has them', () => {
      const parts: EventParts = { agent, tool: 'shout', input: { text: 'hello', loud: true } }
      expect(event.preToolUse(parts).event.tool).toMatchObject({ name: 'shout', input: parts.input })
      expect(event.postToolUse(parts).event.tool).toMatchObject({ name: 'shout', input: parts.input })
      expect(event.userPromptSubmit({ agent, prompt: 'do it' }).event.prompt).toBe('do it')
    })
  })
}

test('a value for which an agent has no field is refused', () => {
  expect(() => event.stop({ agent: 'copilot', message: 'Done.' })).toThrow(
    'copilot has no field for "message" in Stop',
  )
  expect(() => event.preToolUse({ agent: 'opencode', cwd: '/tmp' })).toThrow('has no field for "cwd"')
})

test('building changes no sample', () => {
  const before = structuredClone(SAMPLES)
  event.stop({ session: 'x', message: 'y', payload: { further: 1 } }).payload.session_id = 'z'
  expect(SAMPLES).toEqual(before)
})

test('native fields may be added', () => {
  expect(event.stop({ payload: { stop_hook_active: true } }).event.stopHookActive).toBe(true)
})

/** The names, without the values: a tool's own names aside. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shapeOf)
  if (typeof value !== 'object' || value === null) return typeof value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, shapeOf(inner)]))
}
