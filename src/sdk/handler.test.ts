import { describe, expect, test } from 'bun:test'
import { UNREADABLE } from '../events/index.ts'
import { askHandler, defineHandler, eventFrom } from './handler.ts'
import { event } from './testing/index.ts'
import { deny } from './verdicts.ts'

describe('the event of a handler', () => {
  test('is the canonical one, whichever agent sent it', () => {
    for (const agent of ['claude', 'codex', 'gemini', 'copilot', 'opencode'] as const) {
      const { payload, native } = event.preToolUse({ agent, input: { command: 'ls' } })
      const read = eventFrom(JSON.stringify(payload), { agent, native, id: 'e1' })
      expect(read).toMatchObject({ id: 'e1', agent, type: 'PreToolUse', tool: { input: { command: 'ls' } } })
    }
  })

  test('is unreadable for an invalid payload, and as far as possible for an unknown agent', () => {
    for (const raw of ['', 'no JSON', '[]', 'null', '5', '"text"'])
      expect(eventFrom(raw).type).toBe(UNREADABLE)
    const read = eventFrom('{"hook_event_name":"Stop","session_id":"s"}', { agent: 'homemade' })
    expect(read).toMatchObject({ agent: 'homemade', type: 'Stop', sessionId: 's' })
  })

  test('that it did not ask for is not passed to it', async () => {
    const seen: string[] = []
    const handler = defineHandler({
      events: ['PreToolUse'],
      handle: ({ type }) => {
        seen.push(type)
        return deny('no')
      },
    })
    expect(await askHandler(handler, event.stop().event)).toEqual({})
    expect(await askHandler(handler, event.preToolUse().event)).toEqual({ block: true, reason: 'no' })
    expect(seen).toEqual(['PreToolUse'])
  })
})

test('a handler without a function is refused where it is defined', () => {
  // @ts-expect-error: as JavaScript would let it pass
  expect(() => defineHandler({ events: ['Stop'] })).toThrow('needs a function')
})
