import { describe, expect, test } from 'bun:test'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv, type ValidateFunction } from 'ajv'
import fc from 'fast-check'
import { anyText } from '../../../test/any-text.ts'
import { rounds } from '../../../test/long.ts'
import { EMPTY_REPLY, type HookEvent, NO_VERDICT, type Verdict } from '../../events/index.ts'
import { rawEventOf } from '../testkit.ts'
import { answer } from './answer.ts'
import { codex } from './index.ts'

function eventOf(name: string, payload: object = {}): HookEvent {
  return codex.read({ session_id: 's', ...payload }, rawEventOf('codex', payload, { event: name }))
}

type Row = [event: string, verdict: Verdict, output: object, degraded?: string[]]

const DENY: Verdict = { decision: 'deny', reason: 'not here' }
const ASK: Verdict = { decision: 'ask', reason: 'sure?' }
const CANNOT_ASK = 'sure? (Codex cannot ask here, so it was denied.)'
const input = { command: 'ls' }

function specific(hookEventName: string, rest: object): object {
  return { hookSpecificOutput: { hookEventName, ...rest } }
}

function permission(permissionDecision: string, rest: object): object {
  return specific('PreToolUse', { permissionDecision, ...rest })
}

describe('expressed', () => {
  const rows: Row[] = [
    ['PreToolUse', DENY, permission('deny', { permissionDecisionReason: 'not here' })],
    [
      'PreToolUse',
      { decision: 'deny', by: 'no-rm', input, context: ['use trash'], systemMessage: 'hi' },
      {
        systemMessage: 'hi',
        ...permission('deny', {
          permissionDecisionReason: 'Denied by gantry rule no-rm.',
          additionalContext: 'use trash',
        }),
      },
    ],
    ['PreToolUse', ASK, permission('deny', { permissionDecisionReason: CANNOT_ASK }), ['ask']],
    ['PreToolUse', { ...ASK, input }, permission('deny', { permissionDecisionReason: CANNOT_ASK }), ['ask']],
    ['PreToolUse', { decision: 'none', input }, permission('allow', { updatedInput: input })],
    // The new input is accepted, but the person is still asked about it.
    [
      'PreToolUse',
      { decision: 'allow', reason: 'tamed', input, context: ['a', 'b'] },
      permission('allow', { updatedInput: input, additionalContext: 'a\n\nb' }),
      ['allow'],
    ],
    // A bare allow would void the context beside it.
    [
      'PreToolUse',
      { decision: 'allow', context: ['c'] },
      specific('PreToolUse', { additionalContext: 'c' }),
      ['allow'],
    ],
    [
      'PermissionRequest',
      { decision: 'allow', reason: 'fine' },
      specific('PermissionRequest', { decision: { behavior: 'allow' } }),
    ],
    [
      'PermissionRequest',
      { ...DENY, input, systemMessage: 'hm' },
      {
        systemMessage: 'hm',
        ...specific('PermissionRequest', { decision: { behavior: 'deny', message: 'not here' } }),
      },
    ],
    ['UserPromptSubmit', DENY, { decision: 'block', reason: 'not here' }],
    ['UserPromptSubmit', ASK, { decision: 'block', reason: CANNOT_ASK }, ['ask']],
    [
      'PostToolUse',
      { ...DENY, context: ['c'] },
      { decision: 'block', reason: 'not here', ...specific('PostToolUse', { additionalContext: 'c' }) },
    ],
    ['Stop', { decision: 'block-stop', reason: 'tests fail' }, { decision: 'block', reason: 'tests fail' }],
    [
      'SubagentStop',
      { decision: 'block-stop', reason: 'tests fail', context: ['see log'], systemMessage: 's' },
      { decision: 'block', reason: 'tests fail\n\nsee log', systemMessage: 's' },
    ],
    [
      'SessionStart',
      { ...DENY, context: ['c'] },
      specific('SessionStart', { additionalContext: 'c' }),
      ['deny'],
    ],
    ['PreCompact', { ...DENY, systemMessage: 'hm' }, { systemMessage: 'hm' }, ['deny']],
    ['PostCompact', { decision: 'none', systemMessage: 'hm' }, { systemMessage: 'hm' }],
    [
      'Interrupt',
      { decision: 'none', systemMessage: 'hm', context: ['c'] },
      { systemMessage: 'hm' },
      ['context'],
    ],
  ]
  for (const name of ['SessionStart', 'UserPromptSubmit', 'PreToolUse', 'PostToolUse', 'SubagentStart']) {
    rows.push([name, { decision: 'none', context: ['mind'] }, specific(name, { additionalContext: 'mind' })])
  }
  for (const [name, verdict, output, degraded = []] of rows) {
    test(`${name} ${JSON.stringify(verdict)}`, () => {
      const answered = answer(eventOf(name), verdict)
      expect(answered.reply).toMatchObject({ exit: 0, stderr: '' })
      expect(JSON.parse(answered.reply.stdout)).toEqual(output)
      expect(answered.degraded ?? []).toEqual(degraded)
    })
  }
})

describe('not expressed', () => {
  const everything: Verdict = { decision: 'deny', context: ['c'], systemMessage: 's' }
  const nothing = ['deny', 'context', 'systemMessage']
  const rows: [event: string, verdict: Verdict, degraded?: string[]][] = [
    ['PreToolUse', { decision: 'allow', reason: 'fine' }, ['allow']],
    ['PreToolUse', { decision: 'block-stop' }, ['block-stop']],
    // An updatedInput would deny, and the unchanged input must not be allowed.
    ['PermissionRequest', { decision: 'allow', input }, ['rewrite', 'allow']],
    // The open dialog is already the question.
    ['PermissionRequest', ASK],
    ['PermissionRequest', { decision: 'none', context: ['c'] }, ['context']],
    ['UserPromptSubmit', { decision: 'allow' }],
    ['PostToolUse', { decision: 'none', input }, ['rewrite']],
    ['Stop', DENY, ['deny']],
    ['Stop', ASK, ['ask']],
    ['Stop', { decision: 'none', context: ['c'] }, ['context']],
    ['PreCompact', DENY, ['deny']],
    ['SessionEnd', everything, nothing],
    ['PreModelRequest', everything, nothing],
    ['PostModelRequest', everything, nothing],
    ['agent-turn-complete', everything, nothing],
    ['agent-turn-complete', { decision: 'block-stop', reason: 'more' }, ['block-stop']],
    ['NeverHeardOf', everything, nothing],
    ['constructor', everything, nothing],
  ]
  for (const [name, verdict, degraded = []] of rows) {
    test(`${name} ${JSON.stringify(verdict)}`, () => {
      const answered = answer(eventOf(name), verdict)
      expect(answered.reply).toBe(EMPTY_REPLY)
      expect(answered.degraded ?? []).toEqual(degraded)
    })
  }

  test('a failed request is a StopFailure, which accepts no answer', () => {
    const failed = eventOf('PostModelRequest', { status: 'failed' })
    expect(failed.type).toBe('StopFailure')
    expect(answer(failed, everything)).toEqual({ reply: EMPTY_REPLY, degraded: nothing })
  })

  test('no verdict gives the same answer object each time', () => {
    expect(answer(eventOf('PreToolUse'), NO_VERDICT)).toBe(answer(eventOf('Stop'), NO_VERDICT))
  })

  test('an input that is not JSON', () => {
    const verdict: Verdict = { decision: 'allow', input: { big: 5n }, systemMessage: 'hi' }
    expect(answer(eventOf('PreToolUse'), verdict)).toEqual({
      reply: { exit: 0, stdout: '{"systemMessage":"hi"}', stderr: '' },
      degraded: ['rewrite', 'allow'],
    })
  })
})

test('context is cut at 10,000 characters', () => {
  const { stdout } = answer(eventOf('SessionStart'), {
    decision: 'none',
    context: ['x'.repeat(60_000)],
  }).reply
  expect(codex.contextLimit).toBe(10_000)
  expect(JSON.parse(stdout).hookSpecificOutput.additionalContext.length).toBeLessThanOrEqual(10_000)
})

describe("according to Codex's own schemas", () => {
  const SCHEMAS = join(import.meta.dir, '../../../test/fixtures/codex/0.166.0/schemas')
  const ajv = new Ajv({ strict: false })
  const events = Object.keys(codex.events).map((name) => eventOf(name))
  const validators = new Map<string, ValidateFunction>()
  for (const name of Object.keys(codex.events)) {
    const file = join(SCHEMAS, `${kebab(name)}.command.output.schema.json`)
    if (existsSync(file)) validators.set(name, ajv.compile(JSON.parse(readFileSync(file, 'utf8'))))
  }

  test('there is a schema for each event that accepts an answer', () => {
    const files = readdirSync(SCHEMAS).filter((file) => file.endsWith('.output.schema.json'))
    expect(validators.size).toBe(files.length)
  })

  test('one unknown key voids an answer, so the schemas can detect it', () => {
    expect(validators.get('Stop')?.({ decision: 'block', reason: 'r', by: 'x' })).toBe(false)
    expect(validators.get('Interrupt')?.({ decision: 'block' })).toBe(false)
  })

  test("every answer is valid and meets the parser's additional demands", () => {
    const verdict = fc.record(
      {
        decision: fc.constantFrom<Verdict['decision']>('none', 'allow', 'deny', 'ask', 'block-stop'),
        reason: fc.oneof(fc.constant(' '), anyText()),
        input: fc.dictionary(fc.string(), fc.jsonValue()),
        context: fc.array(anyText()),
        systemMessage: fc.string(),
        by: fc.string(),
      },
      { requiredKeys: ['decision'] },
    )
    fc.assert(fc.property(fc.constantFrom(...events), verdict, check), { numRuns: rounds(800, 10_000) })
  })

  function check(event: HookEvent, verdict: Verdict): void {
    const { exit, stdout, stderr } = answer(event, verdict).reply
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' })
    if (stdout === '') return
    const output = JSON.parse(stdout)
    const validate = validators.get(event.native)
    expect({ stdout, valid: validate?.(output), errors: validate?.errors }).toEqual({
      stdout,
      valid: true,
      errors: null,
    })
    expect(stdout).not.toMatch(/(?<!\\)(?:\\\\)*\\ud[89a-f]/)
    if (output.decision)
      expect(output).toMatchObject({ decision: 'block', reason: expect.stringMatching(/\S/) })
    const {
      permissionDecision: word,
      permissionDecisionReason: reason,
      updatedInput,
    } = output.hookSpecificOutput ?? {}
    expect(word).not.toBe('ask')
    if (word === 'deny') expect(reason).toMatch(/\S/)
    if (word === undefined) expect(reason).toBeUndefined()
    expect(updatedInput !== undefined).toBe(word === 'allow')
  }
})

function kebab(name: string): string {
  return name.replaceAll(/(?<=[a-z])(?=[A-Z])/g, '-').toLowerCase()
}
