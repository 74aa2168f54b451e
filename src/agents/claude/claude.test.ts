import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { Glob } from 'bun'
import { EVENT_TYPES, type HookEvent, type RawEvent } from '../../events/index.ts'
import { testAgent } from '../testing.ts'
import { rawEventOf, recorded } from '../testkit.ts'
import { claude } from './index.ts'

const FIXTURES = join(import.meta.dir, '../../../test/fixtures/claude')
const fixtures = [...new Glob('*/*.jsonl').scanSync({ cwd: FIXTURES, absolute: true })].sort()
const lines = fixtures.flatMap(recorded)

testAgent(claude, { fixtures })

function read(payload: unknown, rest: Partial<RawEvent> = {}): HookEvent {
  return claude.read(payload, rawEventOf('claude', payload, rest))
}

describe('the table', () => {
  test('has the 33 events of 2.1.325 and the status line; 12 of them are in 2.0.77', () => {
    const names = Object.keys(claude.events).filter((name) => name !== 'statusLine')
    const old = names.filter((name) => claude.events[name]?.since === '2.0.77')
    expect(names).toHaveLength(33)
    expect(old).toHaveLength(12)
    for (const name of names) expect(claude.events[name]?.type).toBe(name)
    expect(claude.events.statusLine?.type).toBe('StatusLine')
  })

  test('matches the recordings of 2.0.77', () => {
    const seen = new Set(lines.filter((line) => line.version === '2.0.77').map((line) => line.event))
    const since = Object.keys(claude.events).filter((name) => claude.events[name]?.since === '2.0.77')
    expect(since.sort()).toEqual([...seen].sort())
  })

  test('knows only canonical types', () => {
    for (const { type } of Object.values(claude.events))
      expect<readonly string[]>(EVENT_TYPES).toContain(type)
  })
})

describe('version', () => {
  test.each([
    ['claude-code_2-1-325_harness', '2.1.325'],
    ['claude-code_2-1-325', '2.1.325'],
    ['claude-code_10-0-0-beta-1_agent', '10.0.0'],
    ['claude-code_2-1_agent', undefined],
    ['codex_0-166-0', undefined],
    ['', undefined],
  ])('AI_AGENT=%s', (AI_AGENT, version) => {
    const event = read({ hook_event_name: 'Stop' }, { client: { env: { AI_AGENT } } })
    expect(event.agentVersion).toBe(version as string)
  })

  test('comes with every recorded environment and status line of 2.1.325', () => {
    for (const line of lines) {
      const event = read(line.payload, { event: line.event, client: { env: line.env } })
      const tells = line.event === 'statusLine' || 'AI_AGENT' in line.env
      expect(event.agentVersion).toBe((tells ? line.version : undefined) as string)
    }
  })
})
