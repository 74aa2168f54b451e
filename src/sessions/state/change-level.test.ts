import { expect, test } from 'bun:test'
import type { HookEvent } from '../../events/index.ts'
import { type ChangeLevel, higherLevel } from './change-level.ts'
import { SessionMap } from './session-map.ts'
import { ev, tool } from './testkit.ts'
import { viewOf } from './view.ts'

const own = (type: string, fields: object) =>
  ev(type, { agent: 'gantry', sessionId: '', fields: { session_key: 'claude:s1', ...fields } })

/** The change level of the last of these events. */
function levelAfter(...events: HookEvent[]): ChangeLevel | undefined {
  const sessions = new SessionMap()
  return events.map((event) => sessions.apply(event)?.level).at(-1)
}

const begun = () => [
  ev('SessionStart', { cwd: '/a', model: 'm1', permissionMode: 'default' }),
  ev('UserPromptSubmit', { prompt: 'x' }),
]

test.each<[string, ChangeLevel, () => HookEvent]>([
  [
    'use that a status line tells',
    'numbers',
    () => ev('StatusLine', { usage: { contextPct: 85, costUsd: 1.5 } }),
  ],
  ['use that a transcript tells', 'numbers', () => own('UsageObserved', { tokens: 9 })],
  ['another prompt', 'facts', () => ev('Odd', { permissionMode: 'plan' })],
  ['another mode', 'facts', () => ev('Odd', { permissionMode: 'plan' })],
  ['another model', 'facts', () => ev('Odd', { model: 'm2' })],
  ['another folder', 'facts', () => ev('Odd', { cwd: '/b' })],
  ['a pane', 'facts', () => ev('Odd', { client: { env: {}, pane: '%1' } })],
  ['what it said', 'facts', () => ev('Odd', { message: 'hello' })],
  ['a process', 'facts', () => ev('Odd', { client: { env: { CLAUDE_PID: '77' } } })],
  ['a tool', 'state', () => ev('PreToolUse', tool('Bash', 't1'))],
  ['a name', 'state', () => own('SessionRenamed', { name: 'release' })],
  ['what changes nothing', 'none', () => ev('Odd')],
  ['what is as it was', 'none', () => ev('Odd', { permissionMode: 'default', model: 'm1', cwd: '/a' })],
])('%s: %s', (_what, level, event) => {
  expect(levelAfter(...begun(), event())).toBe(level)
})

test('a second prompt in plan mode is reported, although only the prompt differs', () => {
  const second = ev('UserPromptSubmit', { prompt: 'y', permissionMode: 'plan' })
  expect(levelAfter(...begun(), second)).toBe('facts')
})

test('the cause belongs to the state, and numbers do not set it', () => {
  const sessions = new SessionMap()
  const prompt = ev('UserPromptSubmit', { prompt: 'x' })
  for (const event of [prompt, ev('StatusLine', { usage: { contextPct: 1 } }), ev('Odd', { cwd: '/b' })])
    sessions.apply(event)
  expect(sessions.find('s1')?.cause?.id).toBe(prompt.id)
})

test('nothing visible changes without a change level', () => {
  const sessions = new SessionMap()
  const shown = () => {
    const session = sessions.find('claude:s1')
    const {
      lastActivity: _,
      cause: __,
      stale: ___,
      ...view
    } = session ? viewOf(session, 0) : { lastActivity: 0, stale: false }
    return JSON.stringify(view)
  }
  const some: (() => HookEvent)[] = [
    ...['PreToolUse', 'PostToolUse', 'PostToolUseFailure', 'PermissionRequest'].flatMap((type) => [
      () => ev(type, tool('Bash', 't1')),
      () => ev(type, tool('ExitPlanMode', 't2')),
    ]),
    ...[
      'Stop',
      'StopFailure',
      'Interrupt',
      'UserPromptSubmit',
      'PreCompact',
      'PostCompact',
      'Setup',
      'SessionEnd',
    ].map((type) => () => ev(type)),
    () => ev('Stop', { backgroundTasks: [{ id: 'a1', status: 'running' }] }),
    () => ev('SubagentStart', { agentId: 'a1', agentType: 'Explore' }),
    () => ev('SubagentStop', { agentId: 'a1' }),
    () => ev('TeammateIdle', { agentId: 'a1' }),
    () => ev('StatusLine', { usage: { contextPct: 3 } }),
    () => ev('SessionStart', { source: 'resume' }),
    () => ev('Notification', { notification: { type: 'idle_prompt' } }),
  ]
  for (let n = 0; n < 3000; n++) {
    const before = shown()
    const event = (some[(n * 7919 + (n >> 3)) % some.length] ?? begun)()
    const change = sessions.apply(event as HookEvent)
    if (shown() !== before) expect(`${(event as HookEvent).type} ${change?.level}`).not.toEndWith(' none')
  }
})

test('the greater of two levels counts', () => {
  expect(higherLevel('numbers', 'state')).toBe('state')
  expect(higherLevel('facts', 'none')).toBe('facts')
})
