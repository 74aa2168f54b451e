import { describe, expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Glob } from 'bun'
import { EVENT_TYPES, type HookEvent } from '../../events/index.ts'
import { testAgent } from '../testing.ts'
import { type Recorded, rawEventOf, recorded } from '../testkit.ts'
import { codex } from './index.ts'

const FIXTURES = join(import.meta.dir, '../../../test/fixtures/codex')
const SCHEMAS = join(FIXTURES, '0.166.0/schemas')
const fixtures = [...new Glob('*/*.jsonl').scanSync({ cwd: FIXTURES, absolute: true })].sort()
const lines = fixtures.flatMap(recorded)

testAgent(codex, { fixtures, otherTypes: { PostModelRequest: ['StopFailure'] } })

function readLine(line: Recorded): HookEvent {
  return codex.read(
    line.payload,
    rawEventOf('codex', line.payload, { event: line.event, client: { env: line.env } }),
  )
}

describe('the table', () => {
  test("has the 14 hook events of 0.166.0 under their own names, and notify's end of a turn", () => {
    const hooks = Object.keys(codex.events).filter((name) => name !== 'agent-turn-complete')
    expect(hooks).toHaveLength(14)
    for (const name of hooks) expect(codex.events[name]?.type).toBe(name)
    expect(codex.events['agent-turn-complete']?.type).toBe('Stop')
    for (const { type } of Object.values(codex.events)) expect<readonly string[]>(EVENT_TYPES).toContain(type)
  })

  const inputs = readdirSync(SCHEMAS).filter((name) => name.endsWith('.input.schema.json'))
  test.each(inputs)('knows every field of %s', (file) => {
    const schema = JSON.parse(readFileSync(join(SCHEMAS, file), 'utf8'))
    const name = schema.properties.hook_event_name.const
    const known = [...(codex.commonFields ?? []), ...(codex.events[name]?.fields ?? [])]
    expect(Object.keys(schema.properties).filter((field) => !known.includes(field))).toEqual([])
  })
})

describe('the recordings', () => {
  test('do not tell the version', () => {
    for (const line of lines) expect(readLine(line).agentVersion).toBeUndefined()
  })

  test('have a turn wherever Codex gives one', () => {
    for (const line of lines) {
      const turnless = line.event === 'SessionStart' || line.event === 'SessionEnd'
      expect({ event: line.event, turn: readLine(line).turnId !== undefined }).toEqual({
        event: line.event,
        turn: !turnless,
      })
    }
  })

  test('hide the title thread and nothing else', () => {
    const hidden = lines.map((line) => ({ event: readLine(line), line })).filter(({ event }) => event.hidden)
    expect(hidden.map(({ event }) => [event.hidden, event.prompt?.slice(0, 14)])).toEqual([
      ['title-thread', 'Generate a con'],
    ])
    for (const { line } of hidden) expect(line.event).toBe('notify')
  })

  test("have one person's prompt for each turn of the compaction, and no summary among them", () => {
    const turns = recorded(join(FIXTURES, '0.166.0/compact-auto.jsonl')).map(readLine)
    const prompts = turns.filter((event) => event.prompt !== undefined)
    expect(prompts.map((event) => [event.native, event.prompt])).toEqual([
      ['UserPromptSubmit', 'go now'],
      ['agent-turn-complete', 'go now'],
      ['UserPromptSubmit', 'second prompt'],
      ['agent-turn-complete', 'second prompt'],
    ])
  })

  test('have the same session and turn in Stop and in the notify after it', () => {
    const events = recorded(join(FIXTURES, '0.166.0/basic.jsonl')).map(readLine)
    const [stop, notify] = events.filter((event) => event.type === 'Stop')
    expect([stop?.native, notify?.native]).toEqual(['Stop', 'agent-turn-complete'])
    for (const field of ['sessionId', 'turnId', 'message', 'cwd'] as const)
      expect(notify?.[field]).toBe(stop?.[field] as string)
  })
})
