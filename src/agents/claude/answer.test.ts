import { describe, expect, test } from 'bun:test'
import { EMPTY_REPLY, type HookEvent, NO_VERDICT, type Transport, type Verdict } from '../../events/index.ts'
import { rawEventOf } from '../testkit.ts'
import { answer } from './answer.ts'
import { claude } from './index.ts'

function eventOf(type: string, transport: Transport = 'socket'): HookEvent {
  const payload = { session_id: 's', prompt_id: 'p' } // 2.1 sends a prompt id, 2.0.77 does not
  return claude.read(payload, rawEventOf('claude', {}, { event: type, transport }))
}

type Row = [type: string, verdict: Verdict, output: object, degraded?: string[]]

const DENY: Verdict = { decision: 'deny', reason: 'not here' }
const ASK: Verdict = { decision: 'ask', reason: 'sure?' }
const input = { command: 'ls' }

function specific(hookEventName: string, rest: object): object {
  return { hookSpecificOutput: { hookEventName, ...rest } }
}

describe('expressed in JSON', () => {
  const rows: Row[] = [
    [
      'PreToolUse',
      DENY,
      specific('PreToolUse', { permissionDecision: 'deny', permissionDecisionReason: 'not here' }),
    ],
    ['PreToolUse', { decision: 'allow' }, specific('PreToolUse', { permissionDecision: 'allow' })],
    [
      'PreToolUse',
      ASK,
      specific('PreToolUse', { permissionDecision: 'ask', permissionDecisionReason: 'sure?' }),
    ],
    ['PreToolUse', { decision: 'none', input }, specific('PreToolUse', { updatedInput: input })],
    [
      'PreToolUse',
      { decision: 'allow', reason: 'tamed', input, context: ['a', 'b'], systemMessage: 'hi' },
      {
        systemMessage: 'hi',
        ...specific('PreToolUse', {
          permissionDecision: 'allow',
          permissionDecisionReason: 'tamed',
          updatedInput: input,
          additionalContext: 'a\n\nb',
        }),
      },
    ],
    [
      'PreToolUse',
      { decision: 'deny', by: 'no-rm', input },
      specific('PreToolUse', {
        permissionDecision: 'deny',
        permissionDecisionReason: 'Denied by gantry rule no-rm.',
      }),
    ],
    [
      'PreModelSwitch',
      ASK,
      specific('PreModelSwitch', { permissionDecision: 'ask', permissionDecisionReason: 'sure?' }),
    ],
    [
      'PermissionRequest',
      { decision: 'allow', input },
      specific('PermissionRequest', { decision: { behavior: 'allow', updatedInput: input } }),
    ],
    [
      'PermissionRequest',
      { decision: 'allow' },
      specific('PermissionRequest', { decision: { behavior: 'allow' } }),
    ],
    [
      'PermissionRequest',
      DENY,
      specific('PermissionRequest', { decision: { behavior: 'deny', message: 'not here' } }),
    ],
    ['UserPromptSubmit', DENY, { decision: 'block', reason: 'not here' }],
    ['UserPromptExpansion', DENY, { decision: 'block', reason: 'not here' }],
    ['PostToolUse', DENY, { decision: 'block', reason: 'not here' }],
    ['Stop', { decision: 'block-stop', reason: 'tests fail' }, { decision: 'block', reason: 'tests fail' }],
    [
      'SubagentStop',
      { decision: 'block-stop', reason: 'tests fail', context: ['see log'] },
      { decision: 'block', reason: 'tests fail\n\nsee log' },
    ],
    ['Elicitation', DENY, specific('Elicitation', { action: 'decline' })],
    ['SessionEnd', { decision: 'none', systemMessage: 'bye' }, { systemMessage: 'bye' }],
    [
      'UserPromptSubmit',
      ASK,
      { decision: 'block', reason: 'sure? (Claude Code cannot ask here, so it was denied.)' },
      ['ask'],
    ],
    ['SessionStart', { ...DENY, systemMessage: 'hm' }, { systemMessage: 'hm' }, ['deny']],
  ]
  const contextual = [
    ...['PreToolUse', 'PostToolUse', 'PostToolUseFailure', 'PostToolBatch', 'Notification', 'SubagentStart'],
    ...['UserPromptSubmit', 'UserPromptExpansion', 'SessionStart', 'Setup', 'PostModelSwitch'],
  ]
  for (const type of contextual) {
    rows.push([type, { decision: 'none', context: ['mind'] }, specific(type, { additionalContext: 'mind' })])
  }
  for (const [type, verdict, output, degraded = []] of rows) {
    test(`${type} ${JSON.stringify(verdict)}`, () => {
      const answered = answer(eventOf(type), verdict)
      expect(answered.reply).toMatchObject({ exit: 0, stderr: '' })
      expect(JSON.parse(answered.reply.stdout)).toEqual(output)
      expect(answered.degraded ?? []).toEqual(degraded)
    })
  }
})

describe('expressed by exit 2', () => {
  const types = [
    'PreCompact',
    'TaskCreated',
    'TaskCompleted',
    'TeammateIdle',
    'ConfigChange',
    'PostToolBatch',
  ]
  test.each(types)('%s deny', (type) => {
    expect(answer(eventOf(type), DENY)).toEqual({ reply: { exit: 2, stdout: '', stderr: 'not here' } })
  })

  test('TeammateIdle block-stop', () => {
    const verdict: Verdict = { decision: 'block-stop', reason: 'more to do' }
    expect(answer(eventOf('TeammateIdle'), verdict).reply).toEqual({
      exit: 2,
      stdout: '',
      stderr: 'more to do',
    })
  })

  test('reports what exit 2 cannot carry', () => {
    const { reply, degraded } = answer(eventOf('PostToolBatch'), {
      ...DENY,
      context: ['c'],
      systemMessage: 's',
    })
    expect(reply).toEqual({ exit: 2, stdout: '', stderr: 'not here' })
    expect(degraded).toEqual(['context', 'systemMessage'])
  })

  test('an http hook has no exit code: the refusal is in the body and counts as degraded', () => {
    expect(answer(eventOf('TaskCreated', 'http'), DENY)).toEqual({
      reply: { exit: 0, stdout: '{"decision":"block","reason":"not here"}', stderr: '' },
      degraded: ['deny'],
    })
  })
})

describe('not expressed', () => {
  const everything: Verdict = { decision: 'deny', context: ['c'], systemMessage: 's' }
  const rows: [type: string, verdict: Verdict, degraded?: string[]][] = [
    ['SessionEnd', DENY, ['deny']],
    ['PostToolUseFailure', DENY, ['deny']],
    ['Stop', DENY, ['deny']],
    ['Stop', ASK, ['ask']],
    // Context on a Stop would keep the turn going.
    ['Stop', { decision: 'none', context: ['c'] }, ['context']],
    ['PreToolUse', { decision: 'block-stop' }, ['block-stop']],
    ['PostToolUse', { decision: 'none', input }, ['rewrite']],
    ['PermissionRequest', { decision: 'none', input }, ['rewrite']],
    // The open dialog is already the question.
    ['PermissionRequest', ASK],
    ['Elicitation', ASK],
    ['Elicitation', { decision: 'allow' }, ['allow']],
    ['PermissionDenied', { decision: 'allow' }, ['allow']],
    ['PreModelSwitch', { decision: 'allow', input }, ['rewrite', 'allow']],
    // The action proceeds anyway.
    ['UserPromptSubmit', { decision: 'allow' }],
    ['Stop', { decision: 'allow' }],
    ['PreCompact', { decision: 'none', context: ['c'], systemMessage: 's' }, ['context', 'systemMessage']],
    ['WorktreeCreate', everything, ['deny', 'context', 'systemMessage']],
    ['WorktreeCreate', { decision: 'allow' }],
    ['statusLine', everything, ['deny', 'context', 'systemMessage']],
    ['StopFailure', everything, ['deny', 'context', 'systemMessage']],
    ['NeverHeardOf', everything, ['deny', 'context', 'systemMessage']],
    ['constructor', everything, ['deny', 'context', 'systemMessage']],
  ]
  for (const [type, verdict, degraded = []] of rows) {
    test(`${type} ${JSON.stringify(verdict)}`, () => {
      const answered = answer(eventOf(type), verdict)
      expect(answered.reply).toBe(EMPTY_REPLY)
      expect(answered.degraded ?? []).toEqual(degraded)
    })
  }

  test('no verdict gives the same answer object each time', () => {
    expect(answer(eventOf('PreToolUse'), NO_VERDICT)).toBe(answer(eventOf('Stop'), NO_VERDICT))
  })
})

test('the answer uses the name Claude knows, however the event was spelled', () => {
  const { stdout } = answer(eventOf('pre-tool-use'), DENY).reply
  expect(JSON.parse(stdout).hookSpecificOutput.hookEventName).toBe('PreToolUse')
})

test('an input that is not JSON is not sent, and the call is not allowed', () => {
  const cycle: Record<string, unknown> = { big: 5n }
  cycle.self = cycle
  const verdict: Verdict = { decision: 'allow', input: cycle, systemMessage: 'hi' }
  expect(answer(eventOf('PreToolUse'), verdict)).toEqual({
    reply: { exit: 0, stdout: '{"systemMessage":"hi"}', stderr: '' },
    degraded: ['rewrite', 'allow'],
  })
})

test('context is cut at 50,000 characters', () => {
  const { stdout } = answer(eventOf('SessionStart'), {
    decision: 'none',
    context: ['x'.repeat(60_000)],
  }).reply
  const { additionalContext } = JSON.parse(stdout).hookSpecificOutput
  expect(claude.contextLimit).toBe(50_000)
  expect(additionalContext.length).toBeLessThanOrEqual(50_000)
  expect(additionalContext).toEndWith('\n[gantry left out 10040 more characters]')
})

describe('what 2.0.77 accepts silently and ignores', () => {
  const old = claude.read({ session_id: 's' }, rawEventOf('claude', {}, { event: 'PreToolUse' }))

  test('is sent anyway and counted as degraded', () => {
    expect(answer(old, { decision: 'none', input }).degraded).toEqual(['rewrite'])
    expect(answer(old, { decision: 'allow', input }).degraded).toBeUndefined()
    expect(answer(old, { decision: 'deny', context: ['x'] }).degraded).toEqual(['context'])
  })
})
