import { describe, expect, test } from 'bun:test'
import { EMPTY_REPLY, type HookEvent, NO_VERDICT, type Verdict } from '../../events/index.ts'
import { rawEventOf } from '../testkit.ts'
import { answer } from './answer.ts'
import { copilot } from './index.ts'

function eventOf(native: string, payload: object = {}): HookEvent {
  return copilot.read(payload, rawEventOf('copilot', {}, { event: native }))
}

type Row = [native: string, verdict: Verdict, output: object, degraded?: string[]]

const DENY: Verdict = { decision: 'deny', reason: 'not here' }
const ASK: Verdict = { decision: 'ask', reason: 'sure?' }
const STOP: Verdict = { decision: 'block-stop', reason: 'tests fail' }
const MIND: Verdict = { decision: 'none', context: ['mind'] }
const input = { command: 'ls' }
const CANNOT_ASK = 'sure? (Copilot cannot ask here, so it was denied.)'

function asClaude(output: object): object {
  return { hookSpecificOutput: { hookEventName: 'PreToolUse', ...output } }
}

describe('expressed in JSON', () => {
  const rows: Row[] = [
    ['preToolUse', DENY, { permissionDecision: 'deny', permissionDecisionReason: 'not here' }],
    ['preToolUse', ASK, { permissionDecision: 'ask', permissionDecisionReason: 'sure?' }],
    ['preToolUse', { decision: 'allow' }, { permissionDecision: 'allow' }],
    ['preToolUse', { decision: 'none', input }, { modifiedArgs: input }],
    ['preToolUse', { decision: 'allow', input }, { permissionDecision: 'allow', modifiedArgs: input }],
    [
      'preToolUse',
      { ...ASK, input, context: ['a', 'b'] },
      {
        permissionDecision: 'ask',
        permissionDecisionReason: 'sure?',
        modifiedArgs: input,
        additionalContext: 'a\n\nb',
      },
    ],
    [
      'preToolUse',
      { ...DENY, input, context: ['mind'] },
      { permissionDecision: 'deny', permissionDecisionReason: 'not here', additionalContext: 'mind' },
    ],
    ['PreToolUse', DENY, asClaude({ permissionDecision: 'deny', permissionDecisionReason: 'not here' })],
    [
      'PreToolUse',
      { decision: 'allow', input, context: ['mind'] },
      asClaude({ permissionDecision: 'allow', updatedInput: input, additionalContext: 'mind' }),
    ],
    ['permissionRequest', { decision: 'allow' }, { behavior: 'allow' }],
    ['permissionRequest', DENY, { behavior: 'deny', message: 'not here' }],
    ['PermissionRequest', DENY, { behavior: 'deny', message: 'not here' }],
    // Silence would leave it to the rules, which may not ask anyone.
    ['permissionRequest', ASK, { behavior: 'deny', message: CANNOT_ASK }, ['ask']],
    [
      'permissionRequest',
      { ...DENY, context: ['c'] },
      { behavior: 'deny', message: 'not here' },
      ['context'],
    ],
    ['userPromptSubmitted', DENY, { decision: 'block', reason: 'not here' }],
    ['UserPromptSubmit', DENY, { decision: 'block', reason: 'not here' }],
    ['userPromptSubmitted', ASK, { decision: 'block', reason: CANNOT_ASK }, ['ask']],
    [
      'userPromptSubmitted',
      { ...DENY, context: ['c'] },
      { decision: 'block', reason: 'not here' },
      ['context'],
    ],
    ['agentStop', STOP, { decision: 'block', reason: 'tests fail' }],
    ['Stop', STOP, { decision: 'block', reason: 'tests fail' }],
    [
      'subagentStop',
      { ...STOP, context: ['see log'] },
      { decision: 'block', reason: 'tests fail\n\nsee log' },
    ],
    // What has happened cannot be refused, but the model can be told.
    ['postToolUse', DENY, { additionalContext: 'not here' }, ['deny']],
    ['postToolUseFailure', { ...DENY, context: ['c'] }, { additionalContext: 'not here\n\nc' }, ['deny']],
    ['sessionStart', { ...MIND, systemMessage: 'hi' }, { additionalContext: 'mind' }, ['systemMessage']],
  ]
  const contextual = [
    ...['sessionStart', 'SessionStart', 'userPromptSubmitted', 'UserPromptSubmit', 'preToolUse'],
    ...['postToolUse', 'PostToolUse', 'postToolUseFailure', 'PostToolUseFailure', 'subagentStart'],
  ]
  for (const native of contextual) rows.push([native, MIND, { additionalContext: 'mind' }])
  for (const [native, verdict, output, degraded = []] of rows) {
    test(`${native} ${JSON.stringify(verdict)}`, () => {
      const answered = answer(eventOf(native), verdict)
      expect(answered.reply).toMatchObject({ exit: 0, stderr: '' })
      expect(JSON.parse(answered.reply.stdout)).toEqual(output)
      expect(answered.degraded ?? []).toEqual(degraded)
    })
  }
})

describe('not expressed', () => {
  const everything: Verdict = { ...DENY, context: ['c'], systemMessage: 's' }
  const rows: [native: string, verdict: Verdict, degraded?: string[]][] = [
    ['preToolUse', STOP, ['block-stop']],
    ['agentStop', DENY, ['deny']],
    ['agentStop', MIND, ['context']],
    ['permissionRequest', { decision: 'none', input }, ['rewrite']],
    ['permissionRequest', { decision: 'allow', input }, ['rewrite', 'allow']],
    ['sessionStart', DENY, ['deny']],
    ['postToolUse', { decision: 'none', input }, ['rewrite']],
    // The action proceeds anyway.
    ['userPromptSubmitted', { decision: 'allow' }],
    ['agentStop', { decision: 'allow' }],
  ]
  const deaf = ['sessionEnd', 'notification', 'errorOccurred', 'preCompact', 'preMcpToolCall']
  for (const native of [...deaf, 'userPromptTransformed', 'NeverHeardOf', 'constructor']) {
    rows.push([native, everything, ['deny', 'systemMessage', 'context']])
  }
  for (const [native, verdict, degraded = []] of rows) {
    test(`${native} ${JSON.stringify(verdict)}`, () => {
      const answered = answer(eventOf(native), verdict)
      expect(answered.reply).toBe(EMPTY_REPLY)
      expect(answered.degraded ?? []).toEqual(degraded)
    })
  }

  test('no verdict gives the same answer object each time', () => {
    expect(answer(eventOf('preToolUse'), NO_VERDICT)).toBe(answer(eventOf('agentStop'), NO_VERDICT))
  })
})

describe('a tool with a text input', () => {
  const patch = eventOf('preToolUse', {
    sessionId: 's',
    toolName: 'apply_patch',
    toolArgs: '*** Begin Patch',
  })

  test('gets no new input, and is not allowed unchanged', () => {
    expect(answer(patch, { decision: 'allow', input })).toEqual({
      reply: EMPTY_REPLY,
      degraded: ['rewrite', 'allow'],
    })
  })

  test('can be refused', () => {
    expect(JSON.parse(answer(patch, { ...DENY, input }).reply.stdout).permissionDecision).toBe('deny')
  })
})

test('the answer follows the payload, not the name on the command line', () => {
  const camel = eventOf('PreToolUse', { sessionId: 's', toolName: 'bash', toolArgs: {} })
  expect(JSON.parse(answer(camel, { decision: 'allow', input }).reply.stdout)).toEqual({
    permissionDecision: 'allow',
    modifiedArgs: input,
  })
})

test('an input that is not JSON is not sent, and the call is not allowed', () => {
  const verdict: Verdict = { decision: 'allow', input: { big: 5n }, context: ['mind'] }
  expect(answer(eventOf('preToolUse'), verdict)).toEqual({
    reply: { exit: 0, stdout: '{"additionalContext":"mind"}', stderr: '' },
    degraded: ['rewrite', 'allow'],
  })
})
