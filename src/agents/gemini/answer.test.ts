import { describe, expect, test } from 'bun:test'
import { EMPTY_REPLY, type HookEvent, NO_VERDICT, type Verdict } from '../../events/index.ts'
import { rawEventOf } from '../testkit.ts'
import { answer } from './answer.ts'
import { gemini } from './index.ts'

function eventOf(name: string, payload: object = {}): HookEvent {
  return gemini.read({ session_id: 's', ...payload }, rawEventOf('gemini', payload, { event: name }))
}

type Row = [event: string, verdict: Verdict, output: object, degraded?: string[]]

const DENY: Verdict = { decision: 'deny', reason: 'not here' }
const ASK: Verdict = { decision: 'ask', reason: 'sure?' }
const CANNOT_ASK = 'sure? (Gemini CLI cannot ask here, so it was denied.)'
const input = { file_path: 'a.txt' }

function specific(hookEventName: string, rest: object): object {
  return { hookSpecificOutput: { hookEventName, ...rest } }
}

describe('expressed', () => {
  const rows: Row[] = [
    ['BeforeTool', DENY, { decision: 'deny', reason: 'not here' }],
    [
      'BeforeTool',
      { ...DENY, stop: true },
      { decision: 'deny', reason: 'not here', continue: false, stopReason: 'not here' },
    ],
    ['BeforeAgent', { ...DENY, stop: true }, { decision: 'deny', reason: 'not here' }],
    ['BeforeTool', { decision: 'deny' }, { decision: 'deny', reason: 'Denied by a gantry rule.' }],
    // BeforeTool accepts no context, but the model reads the reason.
    ['BeforeTool', { ...DENY, input, context: ['c'] }, { decision: 'deny', reason: 'not here\n\nc' }],
    // The dialog shows only the system message.
    ['BeforeTool', ASK, { decision: 'ask', reason: 'sure?', systemMessage: 'sure?' }],
    [
      'BeforeTool',
      { ...ASK, input, systemMessage: 'hi' },
      {
        decision: 'ask',
        reason: 'sure?',
        systemMessage: 'sure?\nhi',
        ...specific('BeforeTool', { tool_input: input }),
      },
    ],
    ['BeforeTool', { decision: 'none', input }, specific('BeforeTool', { tool_input: input })],
    // The new input is accepted, but Gemini's own policy may still ask.
    ['BeforeTool', { decision: 'allow', input }, specific('BeforeTool', { tool_input: input }), ['allow']],
    ['AfterTool', DENY, { decision: 'deny', reason: 'not here' }],
    ['AfterTool', ASK, { decision: 'deny', reason: CANNOT_ASK }, ['ask']],
    ['AfterTool', { ...DENY, context: ['c'] }, { decision: 'deny', reason: 'not here\n\nc' }],
    ['BeforeAgent', DENY, { decision: 'deny', reason: 'not here' }],
    ['BeforeAgent', ASK, { decision: 'deny', reason: CANNOT_ASK }, ['ask']],
    // No request is made, so nobody would read it.
    ['BeforeAgent', { ...DENY, context: ['c'] }, { decision: 'deny', reason: 'not here' }, ['context']],
    ['BeforeModel', DENY, { decision: 'deny', reason: 'not here' }],
    [
      'AfterAgent',
      { decision: 'block-stop', reason: 'tests fail', context: ['see log'] },
      { decision: 'deny', reason: 'tests fail\n\nsee log' },
    ],
    ['SessionStart', { ...DENY, systemMessage: 'hm' }, { systemMessage: 'hm' }, ['deny']],
  ]
  for (const name of ['SessionStart', 'BeforeAgent', 'AfterTool']) {
    rows.push([
      name,
      { decision: 'none', context: ['a', 'b'] },
      specific(name, { additionalContext: 'a\n\nb' }),
    ])
  }
  for (const name of Object.keys(gemini.events)) {
    rows.push([name, { decision: 'none', systemMessage: 'hi' }, { systemMessage: 'hi' }])
  }
  for (const [name, verdict, output, degraded = []] of rows) {
    test(`${name} ${JSON.stringify(verdict)}`, () => {
      const answered = answer(eventOf(name), verdict)
      expect(answered.reply).toMatchObject({ exit: 0, stderr: '' })
      expect(JSON.parse(answered.reply.stdout)).toEqual(output)
      expect(answered.degraded ?? []).toEqual(degraded)
    })
  }

  test('a failed tool accepts the same answers as any other', () => {
    const failed = eventOf('AfterTool', { tool_response: { error: { message: 'no' } } })
    const { reply } = answer(failed, { decision: 'none', context: ['c'] })
    expect(failed.type).toBe('PostToolUseFailure')
    expect(JSON.parse(reply.stdout)).toEqual(specific('AfterTool', { additionalContext: 'c' }))
  })

  test('always with exit 0, because other exit codes are ambiguous', () => {
    for (const name of Object.keys(gemini.events))
      for (const decision of ['allow', 'deny', 'ask', 'block-stop'] as const)
        expect(answer(eventOf(name), { decision, input, context: ['c'] }).reply).toMatchObject({
          exit: 0,
          stderr: '',
        })
  })
})

describe('not expressed', () => {
  const permission = { notification_type: 'ToolPermission', details: { type: 'exec', command: 'ls' } }
  const everything: Verdict = { decision: 'deny', context: ['c'], systemMessage: 's' }
  const rows: [event: string, verdict: Verdict, degraded?: string[], payload?: object][] = [
    ['BeforeTool', { decision: 'allow' }, ['allow']],
    ['BeforeTool', { decision: 'block-stop' }, ['block-stop']],
    ['BeforeTool', { decision: 'none', context: ['c'] }, ['context']],
    ['AfterTool', { decision: 'none', input }, ['rewrite']],
    ['BeforeAgent', { decision: 'allow' }],
    ['AfterAgent', DENY, ['deny']],
    ['AfterAgent', ASK, ['ask']],
    ['AfterAgent', { decision: 'none', context: ['c'] }, ['context']],
    ['AfterModel', DENY, ['deny']],
    ['BeforeToolSelection', DENY, ['deny']],
    ['PreCompress', DENY, ['deny']],
    ['SessionEnd', { ...DENY, context: ['c'] }, ['deny', 'context']],
    ['Notification', DENY, ['deny'], permission],
    ['Notification', { decision: 'allow' }, ['allow'], permission],
    ['Notification', { decision: 'allow', input }, ['rewrite', 'allow'], permission],
    // The open dialog is already the question.
    ['Notification', ASK, [], permission],
    ['NeverHeardOf', everything, ['deny', 'context', 'systemMessage']],
    ['constructor', everything, ['deny', 'context', 'systemMessage']],
  ]
  for (const [name, verdict, degraded = [], payload = {}] of rows) {
    test(`${name} ${JSON.stringify(verdict)}`, () => {
      const answered = answer(eventOf(name, payload), verdict)
      expect(answered.reply).toBe(EMPTY_REPLY)
      expect(answered.degraded ?? []).toEqual(degraded)
    })
  }

  test('no verdict gives the same answer object each time', () => {
    expect(answer(eventOf('BeforeTool'), NO_VERDICT)).toBe(answer(eventOf('AfterAgent'), NO_VERDICT))
  })

  test('an input that is not JSON', () => {
    const verdict: Verdict = { decision: 'ask', reason: 'sure?', input: { big: 5n } }
    expect(answer(eventOf('BeforeTool'), verdict)).toEqual({
      reply: {
        exit: 0,
        stdout: '{"decision":"ask","reason":"sure?","systemMessage":"sure?"}',
        stderr: '',
      },
      degraded: ['rewrite'],
    })
  })
})

test('context is cut at 50,000 characters', () => {
  const { stdout } = answer(eventOf('SessionStart'), {
    decision: 'none',
    context: ['x'.repeat(60_000)],
  }).reply
  expect(gemini.contextLimit).toBe(50_000)
  expect(JSON.parse(stdout).hookSpecificOutput.additionalContext.length).toBeLessThanOrEqual(50_000)
})
