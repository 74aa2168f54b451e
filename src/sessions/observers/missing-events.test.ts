/** Compares a transcript with the journal: only events that are certainly missing are found. */
import { describe, expect, test } from 'bun:test'
import type { TranscriptFact } from '../../agents/index.ts'
import { readEvent } from '../../journal/parse-event.ts'
import type { Session } from '../state/index.ts'
import { ev, run, tool } from '../state/testkit.ts'
import { missedEvents } from './missing-events.ts'
import { type RecordedEvent, recordedOf } from './recorded-events.ts'

const prompt = (at: number, text = 'go'): TranscriptFact => ({ kind: 'prompt', at, text })
const start = (at: number, useId = 't1', name = 'Bash'): TranscriptFact => ({
  kind: 'tool-start',
  at,
  useId,
  name,
  input: { of: useId },
})
const end = (
  at: number,
  useId = 't1',
  outcome: 'ok' | 'error' | 'denied' | 'void' = 'ok',
): TranscriptFact => ({
  kind: 'tool-end',
  at,
  useId,
  outcome,
  error: 'no luck',
})
const answer = (at: number, final = true): TranscriptFact => ({ kind: 'answer', at, message: 'Done.', final })
const interrupt = (at: number): TranscriptFact => ({ kind: 'interrupt', at, says: 'Esc' })

/** An idle session with hooks received until `from`. */
function idle(agent = 'claude'): { session: Session; from: number } {
  const stop = ev('Stop')
  return { session: { ...run(ev('UserPromptSubmit', { at: stop.at - 1 }), stop), agent }, from: stop.at }
}

function found(
  { session, from }: { session: Session; from: number },
  facts: readonly TranscriptFact[],
  heard: readonly RecordedEvent[] | undefined = [],
  now = from + 3_600_000,
) {
  const { rawEvents, againAt } = missedEvents(session, facts, { from, to: from + 1_000_000, heard }, now)
  const events = rawEvents.map(readEvent)
  return {
    events,
    types: events.map(({ type }) => type),
    ids: rawEvents.map(({ id }) => id),
    againAt,
  }
}

const bash = (type: string, at: number, useId?: string): RecordedEvent => ({
  type,
  at,
  tool: 'Bash',
  ...(useId === undefined ? {} : { useId }),
})

describe('a missed turn', () => {
  test("is found completely, with the transcript's times", () => {
    const at = idle()
    const { from } = at
    const { events, types } = found(at, [
      prompt(from + 10, 'do it'),
      start(from + 20),
      end(from + 30),
      answer(from + 40),
    ])
    expect(types).toEqual(['UserPromptSubmit', 'PreToolUse', 'PostToolUse', 'Stop'])
    expect(events.map((event) => event.at - from)).toEqual([10, 20, 30, 40])
    expect(events[0]).toMatchObject({
      prompt: 'do it',
      transport: 'healer',
      reason: 'missed: a prompt in the transcript',
    })
    expect(events[1]?.tool).toMatchObject({ name: 'Bash', useId: 't1', input: { of: 't1' } })
    expect(events[3]?.message).toBe('Done.')
  })

  test('gets the same ids whenever it is found', () => {
    const at = idle()
    const facts = [prompt(at.from + 10), start(at.from + 20), end(at.from + 30), answer(at.from + 40)]
    const first = found(at, facts).ids
    expect(found(at, facts, [], at.from + 9_999_999).ids).toEqual(first)
    expect(new Set(first).size).toBe(4)
  })

  test('two turns have an end each', () => {
    const at = idle()
    const facts = [1, 2].flatMap((turn) => [
      prompt(at.from + turn * 100, `p${turn}`),
      answer(at.from + turn * 100 + 50),
    ])
    expect(found(at, facts).types).toEqual(['UserPromptSubmit', 'Stop', 'UserPromptSubmit', 'Stop'])
  })

  test('an answer and the line that ends the turn are one end, with the answer', () => {
    const at = idle()
    const over: TranscriptFact = { kind: 'turn-end', at: at.from + 60, says: 'turn_duration' }
    const { types, events } = found(at, [prompt(at.from + 10), answer(at.from + 50), over])
    expect(types).toEqual(['UserPromptSubmit', 'Stop'])
    expect(events[1]).toMatchObject({ at: at.from + 60, message: 'Done.' })
  })

  test('an answer that was not final ends nothing', () => {
    const at = idle()
    expect(found(at, [prompt(at.from + 10), answer(at.from + 20), start(at.from + 30)]).types).toEqual([
      'UserPromptSubmit',
      'PreToolUse',
    ])
  })

  test('a failed, a denied and an invalid call', () => {
    const at = idle()
    const calls = (['error', 'denied', 'void'] as const).flatMap((outcome, index) => [
      start(at.from + 20 + 2 * index, outcome),
      end(at.from + 21 + 2 * index, outcome, outcome),
    ])
    const { types, events } = found(at, [prompt(at.from + 10), ...calls])
    expect(types).toEqual([
      'UserPromptSubmit',
      ...['PreToolUse', 'PostToolUseFailure'],
      ...['PreToolUse', 'PermissionDenied'],
    ])
    expect(events[2]?.tool?.error).toBe('no luck')
  })

  test('Esc ends what runs, and later calls are ignored', () => {
    const at = idle('codex')
    const { types } = found(at, [
      prompt(at.from + 10),
      start(at.from + 20),
      interrupt(at.from + 30),
      end(at.from + 40),
    ])
    expect(types).toEqual(['UserPromptSubmit', 'PreToolUse', 'Interrupt'])
  })

  test('a result reported twice is one', () => {
    const at = idle('codex')
    const facts = [prompt(at.from + 10), start(at.from + 20), end(at.from + 30), end(at.from + 31)]
    expect(found(at, facts).types).toEqual(['UserPromptSubmit', 'PreToolUse', 'PostToolUse'])
  })
})

describe('what was received', () => {
  test('before the daemon stopped or after it returned is not looked for', () => {
    const at = idle()
    const { from } = at
    expect(found(at, [prompt(from - 600), prompt(from + 1_000_001), start(from + 1_000_002)]).types).toEqual(
      [],
    )
  })

  test('a call is recognised by its id', () => {
    const at = idle()
    const facts = [start(at.from + 20), end(at.from + 30)]
    const heard = [bash('PreToolUse', at.from + 21, 't1'), bash('PostToolUse', at.from + 29, 't1')]
    expect(found(at, facts, heard).types).toEqual([])
    expect(found(at, facts, [bash('PreToolUse', at.from + 21, 't2')]).types).toEqual([
      'PreToolUse',
      'PostToolUse',
    ])
  })

  test('a call whose start was received gets its end', () => {
    const call = ev('PreToolUse', tool('Bash', 't1'))
    const session = run(ev('UserPromptSubmit', { at: call.at - 1 }), call)
    const at = { session, from: call.at }
    const heard = [recordedOf(call)].filter((one) => one !== undefined)
    const { events } = found(at, [start(call.at - 100), end(call.at + 400)], heard)
    expect(events).toMatchObject([{ type: 'PostToolUse', tool: { name: 'Bash', useId: 't1' } }])
  })

  test('a prompt is recognised by its text or its time', () => {
    const at = idle()
    const { from } = at
    const told = (prompt: string, after: number): RecordedEvent => ({
      type: 'UserPromptSubmit',
      at: from + after,
      prompt,
    })
    const facts = [prompt(from + 5000, 'use the key abc')]
    expect(found(at, facts, [told('use the key abc', 12_000)]).types).toEqual([])
    expect(found(at, facts, [told('use the key [redacted]', 5170)]).types).toEqual([])
    expect(found(at, facts, [told('something else', 15_000)]).types).toEqual(['UserPromptSubmit'])
  })

  test('"go on", sent twice and received once, was missed once', () => {
    const at = idle()
    const { from } = at
    const heard: RecordedEvent[] = [{ type: 'UserPromptSubmit', at: from + 1170, prompt: 'go on' }]
    const { events } = found(at, [prompt(from + 1000, 'go on'), prompt(from + 6000, 'go on')], heard)
    expect(events).toMatchObject([{ type: 'UserPromptSubmit', at: from + 6000 }])
  })

  test('a subagent’s calls and prompts stand for nothing in the session’s own transcript', () => {
    expect(recordedOf(ev('PreToolUse', { ...tool('Bash', 't1'), agentId: 'a1' }))).toBeUndefined()
    expect(
      recordedOf(ev('UserPromptSubmit', { prompt: '<task-notification>', promptInjected: true })),
    ).toBeUndefined()
  })

  test('with too many events to compare, only facts without a hook are found', () => {
    const call = ev('PreToolUse', tool('Bash', 't1'))
    const at = { session: run(ev('UserPromptSubmit', { at: call.at - 1 }), call), from: call.at }
    const facts = [prompt(call.at + 10), start(call.at + 20, 't2'), interrupt(call.at + 30)]
    const { rawEvents } = missedEvents(
      at.session,
      facts,
      { from: at.from, to: at.from + 999, heard: undefined },
      0,
    )
    expect(rawEvents.map((one) => readEvent(one).type)).toEqual(['Interrupt'])
  })
})

describe('gemini, whose hooks have no ids', () => {
  test('a call is recognised by its name and time', () => {
    const at = idle('gemini')
    const { from } = at
    const facts = [start(from + 10_000), end(from + 40_000)]
    expect(found(at, facts, [bash('PreToolUse', from + 10_100)]).types).toEqual([])
    expect(found(at, facts, [bash('PostToolUse', from + 40_100)]).types).toEqual([])
    expect(found(at, facts, [bash('PostToolUse', from + 50_000)]).types).toEqual([
      'PreToolUse',
      'PostToolUse',
    ])
  })

  test('a call whose start was received gets its end, by its tool', () => {
    const call = ev('PreToolUse', {
      agent: 'gemini',
      sessionId: 's1',
      ...tool('Bash', undefined, { of: 't1' }),
    })
    const opened = ev('UserPromptSubmit', { at: call.at - 1 })
    const session = { ...run(opened, { ...call, agent: 'claude' }), agent: 'gemini' }
    const heard = [recordedOf(call)].filter((one) => one !== undefined)
    const { events } = found({ session, from: call.at }, [start(call.at - 100), end(call.at + 9_000)], heard)
    expect(events).toMatchObject([
      { type: 'PostToolUse', native: 'AfterTool', tool: { input: { of: 't1' } } },
    ])
  })

  test('a failed call says so in its response', () => {
    const at = idle('gemini')
    const { events } = found(at, [start(at.from + 10), end(at.from + 20, 't1', 'error')])
    expect(events[1]).toMatchObject({
      type: 'PostToolUseFailure',
      native: 'AfterTool',
      tool: { error: 'no luck' },
    })
  })

  test('an answer may be a remark before a call: it is the end if nothing follows', () => {
    const at = idle('gemini')
    const facts = [prompt(at.from + 10), answer(at.from + 20, false)]
    const soon = found(at, facts, [], at.from + 5_000)
    expect(soon.types).toEqual(['UserPromptSubmit'])
    expect(soon.againAt).toBe(at.from + 10_020)
    expect(found(at, facts, [], at.from + 10_020).types).toEqual(['UserPromptSubmit', 'Stop'])
  })

  test('an answer before another prompt was the end', () => {
    const at = idle('gemini')
    const facts = [prompt(at.from + 10), answer(at.from + 20, false), prompt(at.from + 90_000, 'and now?')]
    expect(found(at, facts, [], at.from + 90_500).types).toEqual([
      'UserPromptSubmit',
      'Stop',
      'UserPromptSubmit',
    ])
  })
})
