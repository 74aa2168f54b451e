import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { rawEvent } from '../../test/kit.ts'
import { demoRecordings } from './demo.ts'
import { type Recordable, readLine, recordedLine } from './recorded.ts'

const stored = (parts: Partial<Recordable>): Recordable => ({ ...rawEvent(), native: 'Stop', ...parts })
const again = (event: Recordable) => {
  const text = recordedLine(event)
  expect(text).not.toContain('\n')
  const read = readLine(text)
  if ('problem' in read) throw new Error(read.problem)
  return read.line
}

describe('a recorded line', () => {
  test('has the format of the fixtures', () => {
    const env = { AI_AGENT: 'claude-code_2-1-325_harness' }
    const line = recordedLine(stored({ client: { env, pid: 7, pane: '%1' }, transport: 'spool' }))
    expect(JSON.parse(line)).toEqual({
      agent: 'claude',
      version: '2.1.325',
      transport: 'command',
      event: 'Stop',
      at: '2025-11-13T02:13:20.000Z',
      env,
      payload: { hook_event_name: 'Stop', session_id: 's1' },
    })
  })

  test('keeps the payload byte for byte', () => {
    for (const raw of ['{ "n":1e2, "n":2,"big":12345678901234567890 }', '{"text":"a\\nb \\u2028"}'])
      expect(recordedLine(stored({ raw }))).toEndWith(`"payload":${raw}}`)
  })

  test('is one line, whatever the payload is', () => {
    const pretty = '{\n  "session_id": "s1"\n}'
    expect(JSON.parse(String(again(stored({ raw: pretty })).payload))).toEqual({ session_id: 's1' })
    expect(again(stored({ raw: 'not JSON\nat all' })).payload).toBe('not JSON\nat all')
    expect(again(stored({ raw: '[1]' })).payload).toBe('[1]')
    const bytes = new Uint8Array([0, 255, 10, 13])
    expect(again(stored({ raw: bytes, cutFrom: 9_000_000 }))).toMatchObject({ cutFrom: 9_000_000 })
    expect([...Buffer.from(again(stored({ raw: bytes })).payload)]).toEqual([...bytes])
  })

  test('that is invalid is named, and does no harm', () => {
    const good = { agent: 'claude', event: 'Stop', at: '2026-01-01T00:00:00Z', payload: {} }
    expect(readLine(JSON.stringify(good))).toMatchObject({ line: { version: '', env: {} } })
    const problemOf = (line: unknown) => {
      const read = readLine(typeof line === 'string' ? line : JSON.stringify(line))
      return 'problem' in read ? read.problem : undefined
    }
    expect(problemOf('{')).toBe('it is not JSON')
    expect(problemOf('[]')).toBe('it is not an object')
    const deep = `{"agent":"claude","event":"x","at":0,"payload":{"a":${'['.repeat(200_000)}${']'.repeat(200_000)}}}`
    expect(() => problemOf(deep)).not.toThrow()
    expect(problemOf({ ...good, agent: '../x' })).toBe('it names no agent')
    expect(problemOf({ ...good, event: 7 })).toBe('it names no event')
    expect(problemOf({ ...good, event: 'x'.repeat(10_001) })).toBe('it names no event')
    expect(problemOf({ ...good, event: 'a \u001b[31mb' })).toBeUndefined()
    expect(problemOf({ ...good, at: 'yesterday' })).toBe('it has no time in "at"')
    expect(problemOf({ ...good, payload: 7 })).toBe('it has no payload')
    expect(readLine(JSON.stringify({ ...good, env: { A: 1, B: 'b', __proto__: 'x' } }))).toMatchObject({
      line: { env: { B: 'b' } },
    })
    fc.assert(fc.property(fc.json(), (text) => void readLine(text)))
  })
})

describe('the recordings of the demo', () => {
  test('are of all agents, small, and in order', () => {
    const recordings = demoRecordings()
    const agents = new Set(recordings.flatMap(({ lines }) => lines.map(({ agent }) => agent)))
    expect([...agents].sort()).toEqual(['claude', 'codex', 'copilot', 'gantry', 'gemini', 'opencode'])
    for (const { lines } of recordings) {
      expect(lines.length).toBeGreaterThan(5)
      const times = lines.map(({ at }) => at)
      expect(times).toEqual([...times].sort((a, b) => a - b))
    }
  })

  test('equal the output of the script', () => {
    const made = Bun.spawnSync([process.execPath, 'scripts/generate/demo-recordings.ts', '--check'])
    expect(made.stderr.toString()).toBe('')
    expect(made.exitCode).toBe(0)
  })
})
