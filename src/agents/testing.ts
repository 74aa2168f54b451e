/**
 * Conformance tests for every agent, with payloads recorded from the real program:
 *
 *   testAgent(claude, { fixtures: [...new Glob('test/fixtures/claude/*\/*.jsonl').scanSync()] })
 */
import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { anyText } from '../../test/any-text.ts'
import { rounds } from '../../test/long.ts'
import { EMPTY_REPLY, type HookEvent, NO_VERDICT, UNREADABLE, type Verdict } from '../events/index.ts'
import type { Agent } from './agent.ts'
import {
  deepFreeze,
  faultsOf,
  flippedBooleans,
  HOSTILE_PAYLOADS,
  holds,
  ODD_VALUES,
  plantSentinels,
  type Recorded,
  rawEventOf,
  recorded,
} from './testkit.ts'

export interface AgentEvidence {
  /** Files of recorded lines. */
  readonly fixtures: readonly string[]
  /** Native events that belong to no session. */
  readonly sessionless?: readonly string[]
  /** Native events whose content may change their type from the table's. */
  readonly otherTypes?: Readonly<Record<string, readonly string[]>>
  /** Native events known only from the agent's types or from a run that was not kept. */
  readonly unrecorded?: readonly string[]
}

export function testAgent(agent: Agent, evidence: AgentEvidence): void {
  describe(`${agent.id}: recorded payloads`, () => {
    test('there are some', () => expect(evidence.fixtures.length).toBeGreaterThan(0))
    for (const file of evidence.fixtures) {
      const label = file.split('/').slice(-2).join('/')
      describe(label, () => testRecorded(agent, recorded(file), evidence))
    }
    test('they cover every event of the table', () => {
      const lines = evidence.fixtures.flatMap(recorded)
      // By the parsed name, not the line's: Codex calls its program `notify`, and the payload names the event.
      const seen = new Set(lines.map((line) => agent.read(line.payload, rawEventFor(agent, line)).native))
      const missing = Object.keys(agent.events).filter((name) => !seen.has(name))
      expect(missing.sort()).toEqual([...(evidence.unrecorded ?? [])].sort())
    })
  })
  describe(`${agent.id}: hostile payloads`, () => testHostilePayloads(agent))
  describe(`${agent.id}: answers`, () => testAnswers(agent))
}

function testRecorded(agent: Agent, lines: readonly Recorded[], evidence: AgentEvidence): void {
  const read = (line: Recorded, payload = line.payload): HookEvent =>
    agent.read(payload, rawEventFor(agent, line))

  test('every line becomes a valid event of a known type, with its session', () => {
    for (const line of lines) {
      const event = read(line)
      const known = agent.events[event.native]
      const types = [known?.type, ...(evidence.otherTypes?.[event.native] ?? [])]
      expect({ line: line.event, faults: faultsOf(event) }).toEqual({ line: line.event, faults: [] })
      expect({ native: event.native, known: known !== undefined }).toEqual({
        native: event.native,
        known: true,
      })
      expect(types).toContain(event.type)
      if (!evidence.sessionless?.includes(event.native)) expect(event.sessionId).not.toBe('')
      expect({ line: line.event, unknown: event.unknown }).toEqual({ line: line.event, unknown: undefined })
    }
  })

  test('raw is the payload byte for byte', () => {
    for (const line of lines) {
      const bytes = new TextEncoder().encode(JSON.stringify(line.payload))
      expect(read(line).raw).toBe(JSON.stringify(line.payload))
      expect(agent.read(line.payload, { ...rawEventFor(agent, line), raw: bytes }).raw).toBe(bytes)
    }
  })

  test('nothing is lost: each value is mapped or in fields', () => {
    for (const line of lines) {
      const { planted, sentinels } = plantSentinels(line.payload, read(line).native)
      const event = read(line, planted)
      const lost = sentinels.filter((value) => !holds(event, value))
      expect({ line: line.event, lost }).toEqual({ line: line.event, lost: [] })
      for (const flipped of flippedBooleans(line.payload)) expect(read(line, flipped)).not.toEqual(read(line))
    }
  })

  test('reading is pure', () => {
    for (const line of lines) {
      const payload = deepFreeze(structuredClone(line.payload))
      const from = deepFreeze(rawEventFor(agent, line))
      expect(agent.read(payload, from)).toEqual(agent.read(payload, from))
    }
  })
}

/** The tests that need no recordings. */
export function testHostilePayloads(agent: Agent): void {
  const names = [...Object.keys(agent.events), 'NeverHeardOf']
  const fieldNames = [
    ...new Set([
      ...(agent.commonFields ?? []),
      ...Object.values(agent.events).flatMap((event) => event.fields),
    ]),
  ]
  const readAs = (name: string | undefined, payload: unknown): HookEvent =>
    agent.read(payload, rawEventOf(agent.id, undefined, name === undefined ? {} : { event: name }))

  for (const [what, make] of Object.entries(HOSTILE_PAYLOADS)) {
    test(`${what} is read without harm`, () => {
      for (const name of [undefined, ...names]) {
        const event = readAs(name, make(name ?? ''))
        expect({ name, faults: faultsOf(event) }).toEqual({ name, faults: [] })
        expect(Object.getPrototypeOf(event)).toBe(Object.prototype)
        expect([event, event.fields, {}].map((it) => it && 'polluted' in it)).not.toContain(true)
      }
    })
  }

  test('a payload without a name or without a body is unreadable', () => {
    expect(readAs(undefined, {})).toMatchObject({ type: UNREADABLE, native: '', sessionId: '' })
    expect(readAs(undefined, 5)).toMatchObject({ type: UNREADABLE, native: '', sessionId: '' })
    expect(readAs('NeverHeardOf', null)).toMatchObject({ type: UNREADABLE, native: 'NeverHeardOf' })
    expect(readAs('NeverHeardOf', {})).toMatchObject({ type: 'NeverHeardOf', native: 'NeverHeardOf' })
  })

  test('a field of any type is mapped or kept', () => {
    for (const name of names) {
      for (const field of [...(agent.commonFields ?? []), ...(agent.events[name]?.fields ?? [])]) {
        for (const value of ODD_VALUES) {
          const event = readAs(name, { [field]: value })
          const found = { name, field, value, kept: holds(event, value), faults: faultsOf(event) }
          expect(found).toEqual({ name, field, value, kept: true, faults: [] })
        }
      }
    }
  })

  test('any value is read into a valid event', () => {
    const anything = fc.anything({ withBigInt: true, withDate: true, withNullPrototype: true, withMap: true })
    const payload = fc.oneof(anything, fc.dictionary(fc.constantFrom(...fieldNames), anything))
    const name = fc.option(fc.oneof(fc.constantFrom(...names), fc.string()), { nil: undefined })
    fc.assert(
      fc.property(name, payload, (name, payload) => expect(faultsOf(readAs(name, payload))).toEqual([])),
      { numRuns: rounds(300, 3_000) },
    )
  })
}

export function testAnswers(agent: Agent): void {
  const events = [...Object.keys(agent.events), 'NeverHeardOf', 'constructor'].map((native) =>
    agent.read({}, rawEventOf(agent.id, {}, { event: native })),
  )
  const check = (event: HookEvent, verdict: Verdict): void => {
    const { reply, degraded = [] } = agent.answer(event, verdict)
    const said = { event: event.native, verdict, reply }
    expect([0, 2]).toContain(reply.exit)
    if (reply.stdout !== '') expect(JSON.parse(reply.stdout)).toBeObject()
    // Exit 2 without text lets the action proceed on Codex and Gemini, and tells the model nothing on Claude.
    if (reply.exit === 2)
      expect({ ...said, stderr: reply.stderr.trim() !== '' }).toEqual({ ...said, stderr: true })
    const refuses = verdict.decision === 'deny' || verdict.decision === 'block-stop'
    if (refuses && reply === EMPTY_REPLY) expect(degraded).toContain(verdict.decision)
  }

  test('no verdict gives no answer, without a new object', () => {
    for (const event of events) expect(agent.answer(event, NO_VERDICT).reply).toBe(EMPTY_REPLY)
    for (const event of events)
      expect(agent.answer(event, { decision: 'none', context: [] }).reply).toBe(EMPTY_REPLY)
  })

  test('every verdict on every event gives exit 0 or 2 and JSON or nothing, and no refusal is lost silently', () => {
    for (const event of events) for (const verdict of allVerdicts()) check(event, verdict)
  })

  test('answering never throws', () => {
    const verdict = fc.record(
      {
        decision: fc.constantFrom<Verdict['decision']>('none', 'allow', 'deny', 'ask', 'block-stop'),
        reason: anyText(),
        input: fc.dictionary(fc.string(), fc.anything({ withBigInt: true })),
        context: fc.array(anyText()),
        systemMessage: fc.string(),
        by: fc.string(),
      },
      { requiredKeys: ['decision'] },
    )
    fc.assert(fc.property(fc.constantFrom(...events), verdict, check), { numRuns: rounds(500, 10_000) })
  })

  const limit = agent.contextLimit
  if (limit === undefined) return
  test('context beyond the limit is cut, and the answer says so', () => {
    const context = ['first', '\u{1f600}'.repeat(limit)]
    for (const event of events) {
      const { stdout } = agent.answer(event, { decision: 'none', context }).reply
      if (stdout === '') continue
      expect(stdout.isWellFormed()).toBe(true)
      expect(stdout).not.toContain('\\ud83d')
      expect(stdout.length).toBeLessThan(limit + 500)
      expect(stdout).toMatch(/left out \d+ more characters/)
    }
  })
}

function* allVerdicts(): Generator<Verdict> {
  for (const decision of ['none', 'allow', 'deny', 'ask', 'block-stop'] as const) {
    for (let bits = 0; bits < 16; bits++) {
      yield {
        decision,
        ...(bits & 1 && { reason: 'because' }),
        ...(bits & 2 && { input: { command: 'ls' } }),
        ...(bits & 4 && { context: ['one', 'two'] }),
        ...(bits & 8 && { systemMessage: 'for you' }),
      }
    }
  }
}

function rawEventFor(agent: Agent, line: Recorded) {
  return rawEventOf(agent.id, line.payload, { id: 'recorded', event: line.event, client: { env: line.env } })
}
