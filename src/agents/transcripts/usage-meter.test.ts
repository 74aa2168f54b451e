/** Tokens and cost of turns, from real agents' transcripts. */
import { describe, expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TokenCounts } from '../../events/index.ts'
import {
  agentFor,
  costOf,
  type MessagePart,
  type MeterState,
  meter,
  newMeter,
  PRICES,
  priceOf,
} from '../index.ts'

const FIXTURES = join(import.meta.dir, '../../../test/fixtures')
const NOW = Date.parse('2026-11-15T00:00:00Z')
const none: TokenCounts = { input: 0, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0, output: 0 }

function partsIn(agent: string, folder: string, side = false): MessagePart[] {
  const dir = join(FIXTURES, agent, folder)
  const [file = ''] = readdirSync(dir).filter((name) => name.endsWith('.jsonl'))
  const lines = readFileSync(join(dir, file), 'utf8').split('\n')
  return lines.flatMap((line) => agentFor(agent).transcript?.messages(line, side) ?? [])
}

function sums(parts: readonly MessagePart[], state: MeterState = newMeter()) {
  const rows = new Map<
    string,
    { requests: number; input: number; output: number; cost: number | undefined }
  >()
  for (const part of parts) {
    const delta = meter(state, part)
    if (!delta) continue
    const key = `${delta.turn.slice(0, 8)} ${delta.model}`
    const row = rows.get(key) ?? { requests: 0, input: 0, output: 0, cost: 0 }
    row.requests += delta.requests
    row.input += delta.counts.input
    row.output += delta.counts.output
    row.cost = row.cost === undefined || delta.costUsd === undefined ? undefined : row.cost + delta.costUsd
    rows.set(key, row)
  }
  return Object.fromEntries(rows)
}

test('claude: a request counts once, however many lines it has, at the price that Claude Code states', () => {
  const parts = partsIn('claude', '2.1.325/transcripts/basic')
  const [row] = Object.values(sums(parts))
  // Twelve requests of 100 and 25 tokens; the agent's own record says $0.0009 for one.
  expect(row).toMatchObject({ requests: 12, input: 1200, output: 300 })
  expect(row?.cost).toBeCloseTo(12 * 0.0009, 10)
})

test('claude: a session with its sub-agent costs what Claude Code says', () => {
  const folder = '2.1.325/transcripts/basic'
  const id = 'c4f3ad2a-d89e-4889-830b-e7c835403de8'
  const [main] = Object.values(sums(partsIn('claude', folder)))
  const [side] = Object.values(sums(partsIn('claude', `${folder}/${id}/subagents`, true)))
  const lines = readFileSync(join(FIXTURES, 'claude', folder, `${id}.jsonl`), 'utf8')
    .trim()
    .split('\n')
  const stated = JSON.parse(lines.at(-1) ?? '{}') as { type: string; totalCostUSD: number }
  expect(stated.type).toBe('cost-state')
  expect((main?.cost ?? 0) + (side?.cost ?? 0)).toBeCloseTo(stated.totalCostUSD, 10)
})

test('codex: single requests count, totals beside them do not', () => {
  const [row] = Object.values(sums(partsIn('codex', '0.166.0/transcripts/basic')))
  expect(row).toEqual({ requests: 2, input: 200, output: 20, cost: undefined })
})

test('codex, older: totals alone count by their growth', () => {
  const total = (input: number, output: number): MessagePart => ({
    kind: 'total',
    at: NOW,
    counts: { ...none, input, output },
  })
  const parts: MessagePart[] = [
    { kind: 'model', model: 'gpt-5.4' },
    { kind: 'turn', id: 'turn-one', at: NOW },
    total(100, 10),
    total(100, 10),
    total(250, 30),
  ]
  expect(sums(parts)).toEqual({
    'turn-one gpt-5.4': { requests: 2, input: 250, output: 30, cost: (250 * 2.5 + 30 * 15) / 1e6 },
  })
})

test('gemini: a list of the whole conversation is not counted again, however long', () => {
  const tokens = { input: 100, output: 10, cached: 0, thoughts: 0, tool: 0, total: 110 }
  const messages = Array.from({ length: 100 }, (_, index) => ({
    id: `m${index}`,
    timestamp: '2026-11-15T02:42:23.120Z',
    type: 'gemini',
    content: 'ok',
    tokens,
    model: 'gemini-3.8-flash',
  }))
  const lines = [...messages, { $set: { messages } }].map((line) => JSON.stringify(line))
  const parts = lines.flatMap((line) => agentFor('gemini').transcript?.messages(line) ?? [])
  expect(Object.values(sums(parts))).toMatchObject([{ requests: 100, input: 10_000, output: 1_000 }])
})

test('gemini: a rewritten message counts once', () => {
  const [row] = Object.values(sums(partsIn('gemini', '0.61.0/transcripts/basic')))
  expect(row).toMatchObject({ requests: 5, input: 500, output: 50 })
  expect(row?.cost).toBeCloseTo((500 * 1.25 + 50 * 10) / 1e6, 12)
})

test('a meter that stops and resumes elsewhere counts the same', () => {
  const parts = partsIn('claude', '2.1.325/transcripts/basic')
  const whole = sums(parts)
  for (const cut of [1, 7, 12, 30]) {
    const state = newMeter()
    const before = sums(parts.slice(0, cut), state)
    const after = sums(parts.slice(cut), JSON.parse(JSON.stringify(state)) as MeterState)
    const requests = [...Object.values(before), ...Object.values(after)].reduce(
      (n, row) => n + row.requests,
      0,
    )
    expect(requests).toBe(Object.values(whole)[0]?.requests as number)
  }
})

test('a request with a very long id counts once, however often it is told', () => {
  const state = newMeter()
  const counts = { ...none, input: 10, output: 5 }
  const part = { kind: 'usage', id: 'r'.repeat(500), at: NOW, standard: true, counts } as const
  expect(meter(state, part)).toMatchObject({ counts })
  expect(meter(state, part)).toBeUndefined()
})

describe('prices', () => {
  test("a snapshot has its model's price, an unknown model has none", () => {
    expect(priceOf('claude-opus-4-5-20251101', NOW)?.input).toBe(5)
    expect(priceOf('claude-sonnet-4-5[1m]', NOW)?.input).toBe(3)
    expect(priceOf('gpt-5-2025-08-07', NOW)?.input).toBe(1.25)
    for (const model of ['mock-model', 'claude-opus-9', 'gpt-5.5-pro', 'gemini-2.5-pro-exp', ''])
      expect(costOf(model, { ...none, input: 1000 }, NOW)).toBeUndefined()
  })

  test('a long prompt has its own price, and so have cached tokens', () => {
    expect(costOf('gemini-2.5-pro', { ...none, input: 200_000 }, NOW)).toBeCloseTo(0.25)
    expect(costOf('gemini-2.5-pro', { ...none, input: 100_000, cacheRead: 100_001 }, NOW)).toBeCloseTo(
      0.1 * 2.5 + 0.100001 * 0.25,
    )
    expect(
      costOf(
        'claude-opus-5-5',
        { input: 0, cacheRead: 1e6, cacheWrite5m: 1e6, cacheWrite1h: 1e6, output: 0 },
        NOW,
      ),
    ).toBeCloseTo(0.2 + 5 + 8)
  })

  test('an expired price is not used', () => {
    const counts = { ...none, input: 1e6 }
    expect(costOf('gemini-3.8-flash', counts, NOW)).toBe(0.75)
    expect(costOf('gemini-3.8-flash', counts, Date.parse('2027-01-02'))).toBeUndefined()
  })

  test('a faster tier or a special region is not at the list price', () => {
    const line = (usage: object) =>
      JSON.stringify({
        type: 'assistant',
        uuid: 'u',
        message: { id: 'm', model: 'claude-opus-5-5', content: [], usage: { input_tokens: 10, ...usage } },
      })
    const cost = (usage: object) => {
      const [part] = agentFor('claude').transcript?.messages(line(usage)) ?? []
      return part && meter(newMeter(), part)?.costUsd
    }
    expect(cost({ speed: 'standard', service_tier: 'standard', inference_geo: '' })).toBeCloseTo(40e-6)
    for (const usage of [{ speed: 'fast' }, { service_tier: 'batch' }, { inference_geo: 'us' }])
      expect(cost(usage)).toBeUndefined()
  })

  test('every list has a source and a date, and no model is in two', () => {
    const models = PRICES.flatMap(({ source, asOf, prices }) => {
      expect(source).toStartWith('https://')
      expect(asOf).toMatch(/^20\d\d-\d\d$/)
      return prices.flatMap((price) => price.models)
    })
    expect(new Set(models).size).toBe(models.length)
  })
})
