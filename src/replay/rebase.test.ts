import { describe, expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { FIXTURES, fixtureLines, rawEvent } from '../../test/kit.ts'
import { agentFor } from '../agents/index.ts'
import { rebase, renamer } from './rebase.ts'
import { type RecordedLine, readLine } from './recorded.ts'

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/
const rename = renamer({ run: 'one', prefix: '' })

function line(agent: string, payload: unknown, event = 'Stop'): RecordedLine {
  const read = readLine(JSON.stringify({ agent, event, at: 0, payload }))
  if ('problem' in read) throw new Error(read.problem)
  return read.line
}

/** Whose each event of a recording is, with ids numbered in the order they come. */
function shapeOf(lines: readonly { line: RecordedLine; payload: string }[]): string[] {
  const numbers = new Map<string, number>()
  const number = (id: string | undefined) => {
    if (id === undefined || id === '') return '-'
    if (!numbers.has(id)) numbers.set(id, numbers.size)
    return String(numbers.get(id))
  }
  return lines.map(({ line: { agent, event, env }, payload }) => {
    const from = rawEvent({ agent, event, client: { env }, raw: payload })
    const read = agentFor(agent).read(JSON.parse(payload), from)
    return `${read.type} ${number(read.sessionId)} ${number(read.agentId)} ${read.hidden ?? ''}`
  })
}

describe('a rebased event', () => {
  const files = readdirSync(FIXTURES, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.jsonl') && !file.includes('transcripts'),
  )

  test('has new ids and is otherwise unchanged, for every recording of every agent', () => {
    expect(files.length).toBeGreaterThan(30)
    for (const file of files) {
      const lines = fixtureLines(file).map((one) => line(one.agent, one.payload, one.event))
      const before = lines.map((one) => ({ line: one, payload: String(one.payload) }))
      const after = lines.map((one) => ({ line: one, payload: String(rebase(one, rename).payload) }))
      expect(shapeOf(after), file).toEqual(shapeOf(before))
      const ids = new Set(before.flatMap(({ payload }) => payload.match(new RegExp(UUID, 'g')) ?? []))
      const all = after.map(({ payload }) => payload).join('\n')
      for (const id of ids) expect(all.includes(id), `${file} still has ${id}`).toBe(false)
      for (const one of lines) expect(rebase(one, rename).session).toBe(rebase(one, rename).session)
    }
  })

  test('is another session in each run', () => {
    const one = line('claude', { session_id: 'c4f3ad2a-d89e-4889-830b-e7c835403de8' })
    const other = renamer({ run: 'two', prefix: '' })
    expect(rebase(one, rename).session).toMatch(UUID)
    expect(rebase(one, rename).session).not.toBe(rebase(one, other).session)
    expect(rebase(one, renamer({ run: 'one', prefix: 'demo-' })).session).toMatch(/^demo-/)
  })

  test('changes short ids only where they are the session', () => {
    const { payload, session } = rebase(
      line('claude', { session_id: 's1', prompt: 's1 is in this1', list: ['s1'] }),
      rename,
    )
    expect(session).toMatch(/^s1-[0-9a-f]{8}$/)
    expect(JSON.parse(String(payload))).toEqual({
      session_id: session,
      prompt: 's1 is in this1',
      list: [session],
    })
  })

  test('keeps internal events with their session', () => {
    const theirs = rebase(line('claude', { session_id: 's1' }), rename).session
    const own = rebase(line('gantry', { session_key: 'claude:s1', title: 'x' }, 'TitleObserved'), rename)
    expect(JSON.parse(String(own.payload))).toMatchObject({ session_key: `claude:${theirs}` })
  })

  test('that is not JSON stays as it is', () => {
    const one = readLine(JSON.stringify({ agent: 'claude', event: 'x', at: 0, raw: '{"session_id":"s' }))
    expect('line' in one && rebase(one.line, rename)).toMatchObject({
      payload: '{"session_id":"s',
      session: '',
    })
  })
})
