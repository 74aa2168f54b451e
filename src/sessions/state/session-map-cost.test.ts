import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { cpuMsOf } from '../../../test/kit.ts'
import { agentFor } from '../../agents/index.ts'
import { SessionMap } from './session-map.ts'

const FILE = join(import.meta.dir, '../../../test/fixtures/claude/2.1.325/basic.jsonl')
const SLICE = 5_000 // events
const SLICES = 20
const MAX_COPIES = 45 // 15 to 23 were measured

const events = readFileSync(FILE, 'utf8')
  .split('\n')
  .filter(Boolean)
  .map((line, i) => {
    const { agent, at, event, payload } = JSON.parse(line)
    const time = typeof at === 'number' ? at : Date.parse(at)
    const from = { id: `e${i}`, at: time, receivedAt: time, agent, event, client: { env: {} } }
    return agentFor(agent).read(payload, { ...from, transport: 'socket', raw: JSON.stringify(payload) })
  })

test('an event costs at most as much as a few dozen copies of its session', () => {
  const sessions = new SessionMap()
  const applied = (from: number) => {
    for (let i = from; i < from + SLICE; i++) {
      const event = events[i % events.length]
      const sessionId = `s${Math.floor(i / events.length) % 1000}`
      if (event) sessions.apply({ ...event, seq: i + 1, sessionId, at: event.at + i * 5 })
    }
  }
  applied(0)
  const [some] = [...sessions.all()]
  const copies = new Map<string, unknown>()
  const copied = (from: number) => {
    for (let i = from; i < from + SLICE; i++) copies.set(`s${i % 1000}`, { ...some, lastActivity: i })
  }
  // Alternately, so that other load affects both.
  const ratios = Array.from({ length: SLICES }, (_, slice) => {
    const floor = cpuMsOf(() => copied(slice * SLICE))
    return cpuMsOf(() => applied(slice * SLICE)) / floor
  })
  expect(sessions.size).toBe(1000)
  const [median = Number.POSITIVE_INFINITY] = ratios.sort((a, b) => a - b).slice(SLICES / 2)
  expect(median).toBeLessThan(MAX_COPIES)
}, 120_000)
