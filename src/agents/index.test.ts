import { describe, expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { EMPTY_REPLY } from '../events/index.ts'
import { AGENT_NAMES } from './facts.ts'
import { generic } from './generic.ts'
import { agentFor, agents } from './index.ts'
import { testAnswers, testHostilePayloads } from './testing.ts'
import { faultsOf, rawEventOf, recorded } from './testkit.ts'

const CLAUDE = join(import.meta.dir, '../../test/fixtures/claude/2.1.325/_one-of-each.jsonl')

test('every agent is registered under its own id', () => {
  for (const [id, agent] of agents) {
    expect(agent.id).toBe(id)
    expect(agentFor(id)).toBe(agent)
  }
  expect([...agents.keys()]).toEqual([...AGENT_NAMES])
})

test.each([...agents.values()])('the facts of $id are consistent', (agent) => {
  const { env, lastingEnv = [], projectVariable, pidVariable, glyph } = agent
  const named = [projectVariable, pidVariable].filter((name) => name !== undefined)
  expect<readonly string[]>(env).toEqual(expect.arrayContaining([...lastingEnv, ...named]))
  expect(Bun.stringWidth(glyph)).toBe(1)
  expect(existsSync(join(import.meta.dir, agent.id, 'read.ts'))).toBe(true)
})

test.each(['aider', '', 'constructor', '__proto__'])('%j gets the generic reader', (id) => {
  expect(agentFor(id)).toBe(generic)
})

describe('an unknown agent', () => {
  const read = (payload: unknown, event?: string) =>
    generic.read(payload, rawEventOf('aider', payload, event === undefined ? {} : { event }))

  test('is understood if it uses the common names', () => {
    const event = read(
      { sessionId: 's', cwd: '/w', toolName: 'Bash', toolInput: {}, mood: 'good' },
      'pre_tool_use',
    )
    expect(event).toMatchObject({
      agent: 'aider',
      type: 'PreToolUse',
      native: 'pre_tool_use',
      sessionId: 's',
    })
    expect(event).toMatchObject({ cwd: '/w', tool: { name: 'Bash', input: {} }, fields: { mood: 'good' } })
  })

  test("never has unknown fields, and any other agent's payload gives a valid event", () => {
    for (const line of recorded(CLAUDE)) {
      const event = read(line.payload, line.event)
      expect(faultsOf(event)).toEqual([])
      expect(event.unknown).toBeUndefined()
    }
    expect(read({ cwd: 5, mood: 'bad' }, 'Stop').unknown).toBeUndefined()
  })

  test('is never answered', () => {
    const answer = generic.answer(read({}, 'PreToolUse'), { decision: 'deny', reason: 'no' })
    expect(answer.reply).toBe(EMPTY_REPLY)
    expect(answer.degraded).toEqual(['deny'])
  })

  testHostilePayloads(generic)
  testAnswers(generic)
})
