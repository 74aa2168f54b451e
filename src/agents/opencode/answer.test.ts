import { describe, expect, test } from 'bun:test'
import { EMPTY_REPLY, type HookEvent, NO_VERDICT, type Verdict } from '../../events/index.ts'
import { rawEventOf } from '../testkit.ts'
import { answer } from './answer.ts'
import { opencode } from './index.ts'

function eventOf(native: string): HookEvent {
  return opencode.read({}, rawEventOf('opencode', {}, { event: native }))
}

type Row = [native: string, verdict: Verdict, output: object, degraded?: string[]]

const DENY: Verdict = { decision: 'deny', reason: 'not here' }
const ASK: Verdict = { decision: 'ask', reason: 'sure?' }
const MIND: Verdict = { decision: 'none', context: ['mind'] }
const input = { command: 'ls' }
const CANNOT_ASK = 'sure? (opencode cannot ask here, so it was denied.)'

describe('expressed to the plugin', () => {
  const rows: Row[] = [
    ['tool.execute.before', DENY, { deny: 'not here' }],
    ['tool.execute.before', { decision: 'deny', by: 'no-rm' }, { deny: 'Denied by gantry rule no-rm.' }],
    ['tool.execute.before', { decision: 'none', input }, { args: input }],
    // opencode's own permission rules follow, whatever the answer.
    ['tool.execute.before', { decision: 'allow', input }, { args: input }, ['allow']],
    ['tool.execute.before', { ...DENY, input, context: ['mind'] }, { deny: 'not here', context: 'mind' }],
    ['tool.execute.before', { ...ASK, input }, { deny: CANNOT_ASK }, ['ask']],
    ['tool.execute.before', { ...MIND, systemMessage: 'hi' }, { context: 'mind' }, ['systemMessage']],
    ['chat.message', DENY, { deny: 'not here' }],
    ['chat.message', ASK, { deny: CANNOT_ASK }, ['ask']],
    // What has happened cannot be refused, but the model can be told.
    ['tool.execute.after', DENY, { context: 'not here' }, ['deny']],
    ['tool.execute.after', { ...DENY, context: ['c'] }, { context: 'not here\n\nc' }, ['deny']],
  ]
  const contextual = ['session.created', 'chat.message', 'tool.execute.before', 'tool.execute.after']
  for (const native of [...contextual, 'experimental.session.compacting']) {
    rows.push([native, MIND, { context: 'mind' }])
  }
  for (const [native, verdict, output, degraded = []] of rows) {
    test(`${native} ${JSON.stringify(verdict)}`, () => {
      const answered = answer(eventOf(native), verdict)
      expect(answered.reply).toMatchObject({ exit: 0, stderr: '' })
      expect(JSON.parse(answered.reply.stdout)).toEqual(output)
      expect(answered.degraded ?? []).toEqual(degraded)
    })
  }

  test('a failed tool, known from a message part, and a child session accept context', () => {
    const part = { type: 'tool', tool: 'bash', callID: 'c', state: { status: 'error', error: 'no' } }
    const info = { id: 'child', parentID: 'root' }
    for (const payload of [
      { type: 'message.part.updated', properties: { sessionID: 's', part } },
      { type: 'session.created', properties: { sessionID: 'child', info } },
    ]) {
      const event = opencode.read(payload, rawEventOf('opencode', payload))
      expect(JSON.parse(answer(event, MIND).reply.stdout)).toEqual({ context: 'mind' })
    }
  })
})

describe('not expressed', () => {
  const everything: Verdict = { ...DENY, context: ['c'], systemMessage: 's' }
  const rows: [native: string, verdict: Verdict, degraded?: string[]][] = [
    ['tool.execute.before', { decision: 'allow' }, ['allow']],
    ['tool.execute.before', { decision: 'block-stop' }, ['block-stop']],
    ['session.idle', { decision: 'block-stop', reason: 'tests fail' }, ['block-stop']],
    // The question is open, and only the person can answer it.
    ['permission.asked', ASK],
    ['permission.asked', { decision: 'allow', input }, ['rewrite', 'allow']],
    ['permission.asked', DENY, ['deny']],
    ['chat.message', { decision: 'allow' }],
    ['tool.execute.after', { decision: 'none', input }, ['rewrite']],
    ['session.created', DENY, ['deny']],
  ]
  for (const native of ['session.idle', 'session.error', 'todo.updated', 'NeverHeardOf', 'constructor']) {
    rows.push([native, everything, ['deny', 'context', 'systemMessage']])
  }
  for (const [native, verdict, degraded = []] of rows) {
    test(`${native} ${JSON.stringify(verdict)}`, () => {
      const answered = answer(eventOf(native), verdict)
      expect(answered.reply).toBe(EMPTY_REPLY)
      expect(answered.degraded ?? []).toEqual(degraded)
    })
  }

  test('no verdict gives the same answer object each time', () => {
    expect(answer(eventOf('chat.message'), NO_VERDICT)).toBe(answer(eventOf('session.idle'), NO_VERDICT))
  })
})

test('an input that is not JSON is not sent', () => {
  const verdict: Verdict = { decision: 'none', input: { big: 5n }, context: ['mind'] }
  expect(answer(eventOf('tool.execute.before'), verdict)).toEqual({
    reply: { exit: 0, stdout: '{"context":"mind"}', stderr: '' },
    degraded: ['rewrite'],
  })
})
