import { describe, expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { eventOf, FIXTURES } from '../../test/kit.ts'
import { agentFor } from '../agents/index.ts'
import { rawEventOf, recorded } from '../agents/testkit.ts'
import type { HookEvent, RawEvent, Verdict } from '../events/index.ts'
import type { LoopSettings } from './budgets/config.ts'
import { Loops } from './loops.ts'

const AGENTS = ['claude', 'codex', 'gemini', 'copilot', 'opencode']

function watch(mode: LoopSettings['mode'] = 'ask') {
  const raised: RawEvent[] = []
  const loops = new Loops({ settings: () => ({ mode }), raise: (event) => raised.push(event) })
  let at = 1_763_000_000_000
  const send = (parts: Partial<HookEvent>): Verdict => {
    at += 1_000
    const event = eventOf({ id: `e${at}`, at, ...parts })
    const verdict = loops.decide(event)
    loops.committed([event])
    return verdict
  }
  /** What is said before and after a call. */
  const call = (command: string, response: unknown, more: Partial<HookEvent> = {}) => {
    const tool = { name: 'Bash', input: { command } }
    const before = send({ type: 'PreToolUse', tool, ...more })
    return [before, send({ type: 'PostToolUse', tool: { ...tool, response }, ...more })]
  }
  /** What it says to many calls, in short. */
  const calls = (...all: readonly (readonly [string, unknown])[]) =>
    all.flatMap(([command, response]) => call(command, response).map(short)).join('')
  return { send, call, calls, raised, later: (ms: number) => (at += ms) }
}

function short({ decision, context }: Verdict): string {
  return decision === 'ask' ? 'A' : context ? 'C' : '.'
}

describe('a loop', () => {
  test('of one call is told to the model at the third time, and asked at the next', () => {
    const { call, calls, raised } = watch()
    const same = ['npm test', 'failed'] as const
    expect(calls(same, same, same)).toBe('.....C')
    const [asked] = call('npm test', 'failed')
    expect(asked).toMatchObject({ decision: 'ask', by: 'loop' })
    expect(raised.map(({ raw }) => JSON.parse(String(raw)))).toMatchObject([
      { hook_event_name: 'LoopDetected', session_id: 's1', period: 1 },
    ])
    expect(calls(same, same)).toBe('....') // a person let it go on: it counts anew
  })

  test.each([2, 3, 4])('of %d calls is found at its third round', (period) => {
    const round = Array.from({ length: period }, (_, index) => [`step ${index}`, 'same'] as const)
    const before = '..'.repeat(2 * period)
    expect(watch().calls(...round, ...round, ...round)).toBe(`${before}${'..'.repeat(period - 1)}.C`)
    const { calls, call } = watch()
    calls(...round, ...round, ...round)
    expect(short(call('step 0', 'same')[0] ?? { decision: 'none' })).toBe('A')
  })

  test('is over when the agent does something else, or a person speaks', () => {
    const same = ['npm test', 'failed'] as const
    const other = watch()
    expect(other.calls(same, same, same, ['edit', 'ok'], same)).toBe('.....C....')
    const spoken = watch()
    spoken.calls(same, same)
    spoken.send({ type: 'UserPromptSubmit', prompt: 'once more' })
    expect(spoken.calls(same, same)).toBe('....')
  })

  test('is that of one thread: a sub-agent has its own', () => {
    const { call } = watch()
    for (let round = 0; round < 2; round++) call('ls', 'a')
    expect(call('ls', 'a', { agentId: 'child' }).map(short).join('')).toBe('..')
    expect(call('ls', 'a').map(short).join('')).toBe('.C')
  })

  test('is only told with mode context, and again after three more', () => {
    const same = ['npm test', 'failed'] as const
    expect(watch('context').calls(same, same, same, same, same, same)).toBe('.....C.....C')
    expect(watch('off').calls(same, same, same, same)).toBe('........')
  })

  test('of a failing call is one, too', () => {
    const { send } = watch()
    const tool = { name: 'Read', input: { file_path: '/none' }, error: 'ENOENT' }
    const said = [1, 2, 3].map(() => short(send({ type: 'PostToolUseFailure', tool })))
    expect(said.join('')).toBe('..C')
  })

  test('is found although the result names another process', () => {
    const pid = (id: number) => ['make', { llmContent: `Output: no\nProcess Group PGID: ${id}\n` }] as const
    expect(watch().calls(pid(1), pid(22), pid(333))).toBe('.....C')
  })
})

describe('no loop', () => {
  test('with another result, or another call of the same length', () => {
    expect(watch().calls(['npm test', '3 failed'], ['npm test', '2 failed'], ['npm test', '1 failed'])).toBe(
      '......',
    )
    const long = (letter: string) => [`${'x'.repeat(600)}${letter}${'y'.repeat(600)}`, 'ok'] as const
    expect(watch().calls(long('a'), long('b'), long('c'))).toBe('......')
  })

  test('where an agent waits for something', () => {
    const waits = ['sleep 5; gh run list', 'in_progress'] as const
    expect(watch().calls(waits, waits, waits, waits)).toBe('........')
    const { send } = watch()
    const polls = { name: 'BashOutput', input: { bash_id: '1' }, response: 'still running' }
    const slow = { name: 'Bash', input: { command: 'make' }, response: 'ok', durationMs: 9_000 }
    for (const tool of [polls, polls, polls, polls, slow, slow, slow, slow])
      expect(send({ type: 'PostToolUse', tool })).toEqual({ decision: 'none' })
  })

  test('where the result is not known, or too long to look at', () => {
    const call = { name: 'Bash', input: { command: 'make' } }
    const unknown = watch()
    const long = watch()
    for (let round = 0; round < 4; round++) {
      expect(unknown.send({ type: 'PostToolUse', tool: call })).toEqual({ decision: 'none' })
      const raw = 'x'.repeat(300_000)
      const told = long.send({ type: 'PostToolUse', tool: { ...call, response: 'same' }, raw })
      expect(told).toEqual({ decision: 'none' })
    }
  })

  test('over many minutes', () => {
    const { calls, later } = watch()
    for (let round = 0; round < 5; round++) {
      expect(calls(['gh run list', 'in_progress'])).toBe('..')
      later(10 * 60_000)
    }
  })

  test.each(AGENTS)('in any recorded session of %s', (agent) => {
    let ends = 0
    for (const file of filesOf(join(FIXTURES, agent))) {
      const raised: RawEvent[] = []
      const loops = new Loops({ settings: () => ({ mode: 'ask' }), raise: (event) => raised.push(event) })
      recorded(file).forEach(({ payload }, index) => {
        const raw = rawEventOf(agent, payload, { id: `e${index}`, transport: 'socket' })
        const event = agentFor(agent).read(payload, raw)
        expect(loops.decide(event), file).toEqual({ decision: 'none' })
        loops.committed([event])
        if (event.type.startsWith('PostToolUse')) ends += 1
      })
      expect(raised, file).toEqual([])
    }
    expect(ends).toBeGreaterThan(3)
  })
})

function filesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.jsonl'))
    .map((name) => join(folder, name))
}
