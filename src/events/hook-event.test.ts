import { describe, expect, test } from 'bun:test'
import { type HookEvent, hookEventSchema, TRANSPORTS } from './hook-event.ts'

const LEAST: HookEvent = {
  id: '01KA2Z5V3C7Q9M0XW4T8R6Y1BN',
  seq: 0,
  at: 1_763_000_000_000,
  receivedAt: 1_763_000_000_001,
  agent: 'claude',
  type: 'Stop',
  native: 'Stop',
  sessionId: 's1',
  client: { env: {} },
  transport: 'socket',
  raw: '{}',
}

const FULL: HookEvent = {
  ...LEAST,
  agentVersion: '2.1.325',
  agentId: 'a1',
  agentType: 'Explore',
  turnId: 't1',
  cwd: '/home/dev',
  transcriptPath: '/home/dev/x.jsonl',
  permissionMode: 'plan',
  tool: { name: 'Bash', input: { command: 'ls' }, useId: 'u1', response: 'a', error: 'b', durationMs: 3 },
  prompt: 'go',
  promptInjected: true,
  message: 'done',
  notification: { type: 'idle_prompt', message: 'waiting', title: 'Claude' },
  error: { kind: 'rate_limit', message: '529' },
  source: 'startup',
  reason: 'clear',
  trigger: 'auto',
  model: 'opus',
  stopHookActive: false,
  backgroundTasks: [{ id: 'b1', status: 'running' }],
  agentTranscriptPath: '/x',
  teammate: { name: 'ann' },
  task: { id: '1' },
  usage: { contextPct: 12.5, costUsd: 0.01 },
  fields: { new_field: [1, { a: null }] },
  unknown: ['new_field'],
  cutFrom: 9_000_000,
  client: {
    pid: 1,
    ppid: 2,
    pane: '%3',
    tmux: '/tmp/tmux-0/default,1,0',
    version: '0.1.0',
    env: { PWD: '/' },
  },
}

describe('the event schema', () => {
  test('accepts a minimal and a full event', () => {
    expect(hookEventSchema.parse(LEAST)).toEqual(LEAST)
    expect(hookEventSchema.parse(FULL)).toEqual(FULL)
  })

  test('accepts bytes as raw and returns the same bytes', () => {
    const raw = new Uint8Array([0, 255, 128])
    expect(hookEventSchema.parse({ ...LEAST, raw }).raw).toBe(raw)
  })

  test('accepts every transport and no other value', () => {
    for (const transport of TRANSPORTS)
      expect(hookEventSchema.safeParse({ ...LEAST, transport }).success).toBe(true)
    expect(hookEventSchema.safeParse({ ...LEAST, transport: 'pigeon' }).success).toBe(false)
  })

  test('accepts an unknown type', () => {
    expect(hookEventSchema.safeParse({ ...LEAST, type: 'BrandNew', native: 'brand-new' }).success).toBe(true)
  })

  for (const name of Object.keys(LEAST)) {
    test(`needs ${name}`, () => {
      const { [name as keyof HookEvent]: _, ...rest } = LEAST
      expect(hookEventSchema.safeParse(rest).success).toBe(false)
    })
  }

  const wrong: Record<string, object> = {
    'a field it does not know': { surprise: 1 },
    'a sequence below zero': { seq: -1 },
    'a broken sequence': { seq: 1.5 },
    'a time as text': { at: '2026-01-01' },
    'no time at all': { receivedAt: Number.NaN },
    'raw as an object': { raw: { a: 1 } },
    'raw as a list of numbers': { raw: [1, 2, 3] },
    'a tool without a name': { tool: { input: {} } },
    'an environment of numbers': { client: { env: { PWD: 1 } } },
    'a client without an environment': { client: {} },
    'a client with more than facts': { client: { env: {}, password: 'x' } },
    'unknown names that are not text': { unknown: [1] },
  }
  for (const [name, change] of Object.entries(wrong)) {
    test(`refuses ${name}`, () => {
      expect(hookEventSchema.safeParse({ ...LEAST, ...change }).success).toBe(false)
    })
  }
})
