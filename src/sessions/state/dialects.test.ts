import { describe, expect, test } from 'bun:test'
import type { HookEvent } from '../../events/index.ts'
import { atm, coop, engine, teleclaude } from './dialects.ts'
import type { Session } from './session.ts'
import { ev, prompt, run, start, tool } from './testkit.ts'
import { GRACE_MS } from './turns.ts'

const ask = () => [
  ev('PreToolUse', tool('Bash', 't1')),
  ev('PermissionRequest', tool('Bash', undefined, { of: 't1' })),
]

/** All four dialects after the last event. */
function words(...events: HookEvent[]): unknown[] {
  const session = run(...events)
  return [coop(session, events.at(-1)?.at ?? 0), atm(session), engine(session), teleclaude(session)]
}

describe('every row of the dialect table', () => {
  test('starting', () =>
    expect(words(start())).toEqual(['starting', { status: 'Idle' }, undefined, 'session_start']))

  test('idle: coop waits for the one-minute grace period, or for idle_prompt', () => {
    const events = [start(), prompt(), ev('Stop')]
    const session = run(...events)
    const stopped = events[2]?.at ?? 0
    expect(coop(session, stopped + GRACE_MS - 1)).toBe('working')
    expect(coop(session, stopped + GRACE_MS)).toBe('waiting_for_input')
    expect([atm(session), engine(session), teleclaude(session)]).toEqual([{ status: 'Idle' }, 'done', 'stop'])
    const prompted = ev('Notification', { notification: { type: 'idle_prompt' } })
    expect(coop(run(...events, prompted), stopped + 1)).toBe('waiting_for_input')
  })

  test('working, thinking and on a tool', () => {
    expect(words(start(), prompt())).toEqual([
      'working',
      { status: 'Working', detail: null },
      'working',
      'prompt',
    ])
    const busy = [start(), prompt(), ev('PreToolUse', tool('Bash', 't1'))]
    expect(words(...busy)).toEqual(['working', { status: 'Working', detail: 'Bash' }, 'working', 'tool_use'])
  })

  test('blocked by a permission', () => {
    const attention = { status: 'AttentionNeeded', reason: 'Permission for Bash' }
    expect(words(start(), prompt(), ...ask())).toEqual([
      'permission_prompt',
      attention,
      'attention',
      'notification',
    ])
    const noted = [start(), prompt(), ev('Notification', { notification: { type: 'permission_prompt' } })]
    expect(words(...noted)[1]).toEqual({ status: 'AttentionNeeded', reason: 'Permission' })
  })

  test.each([
    ['AskUserQuestion', 'ask_user'],
    ['EnterPlanMode', 'plan_prompt'],
    ['ExitPlanMode', 'plan_prompt'],
  ])('blocked by %s', (name, state) => {
    const attention = { status: 'AttentionNeeded', reason: name }
    expect(words(start(), prompt(), ev('PreToolUse', tool(name, 't1')))).toEqual([
      state,
      attention,
      'attention',
      'notification',
    ])
  })

  test('an error changes only the dialects that have one', () => {
    const failure = ev('PostToolUseFailure', { tool: { name: 'Bash', input: {}, useId: 't1', error: 'no' } })
    const events = [start(), prompt(), failure]
    expect(words(...events.map((event, i) => ({ ...event, at: i + 1 })))).toEqual([
      'working',
      { status: 'Working', detail: 'Thinking' },
      'error',
      'error',
    ])
  })

  test('compacting', () => {
    expect(words(start(), ev('PreCompact'))).toEqual([
      'working',
      { status: 'Working', detail: 'Compacting' },
      'working',
      undefined,
    ])
  })

  test('ended', () => {
    expect(words(start(), prompt(), ev('SessionEnd'))).toEqual(['exited', undefined, 'done', 'session_end'])
  })

  test('engine: error > attention > working > checked > done', () => {
    const idle = run(start(), prompt(), ev('Stop'))
    const seen: Session = { ...idle, seen: true }
    const failed: Session = { ...run(start(), prompt(), ...ask()), error: { message: 'x' } }
    expect([
      engine(failed),
      engine(run(start(), prompt(), ...ask())),
      engine(run(start(), prompt())),
      engine(seen),
      engine(idle),
    ]).toEqual(['error', 'attention', 'working', 'checked', 'done'])
  })
})
