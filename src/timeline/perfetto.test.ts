/** Traces: named processes and threads, spans that nest, instants. */
import { describe, expect, test } from 'bun:test'
import { eventOf } from '../../test/kit.ts'
import type { WireEvent } from '../client/index.ts'
import type { HookEvent } from '../events/index.ts'
import { type TraceEvent, traceOf } from './perfetto.ts'
import { timelineOf } from './timeline.ts'

const session = { id: 's1', agent: 'claude', name: 'brave-otter' }
const call = (name: string, useId: string) => ({ tool: { name, input: { command: `run ${name}` }, useId } })

function traced(...events: Partial<HookEvent>[]) {
  const all = events.map((one, n) => eventOf({ seq: n + 1, ...one }) as WireEvent)
  return traceOf(session, timelineOf(session, all, []), { now: 10_000 })
}

const { traceEvents, otherData, displayTimeUnit } = traced(
  { type: 'UserPromptSubmit', at: 1_000, prompt: '<script>"go"</script>\u0000' },
  { type: 'PreToolUse', at: 2_000, ...call('Bash', 't1') },
  { type: 'PreToolUse', at: 2_500, ...call('Read', 't2') },
  { type: 'PostToolUse', at: 3_000, ...call('Bash', 't1') },
  { type: 'PostToolUse', at: 3_500, ...call('Read', 't2') },
  { type: 'SubagentStart', at: 4_000, agentId: 'a1', agentType: 'Explore' },
  { type: 'PreToolUse', at: 4_100, agentId: 'a1', ...call('Grep', 't3') },
  { type: 'PostToolUse', at: 4_200, agentId: 'a1', ...call('Grep', 't3') },
  { type: 'SubagentStop', at: 4_500, agentId: 'a1', agentType: 'Explore' },
  { type: 'PreToolUse', at: 5_000, ...call('Bash', 't4') },
  { type: 'PermissionDenied', at: 5_100, reason: 'no', ...call('Bash', 't4') },
  { type: 'Stop', at: 6_000 },
)

const named = (name: string) =>
  traceEvents.filter((one) => one.ph === 'M' && one.name === name).map(({ args }) => args.name)
const threadOf = ({ pid, tid }: TraceEvent) =>
  traceEvents.find((one) => one.name === 'thread_name' && one.pid === pid && one.tid === tid)?.args.name

describe('a trace', () => {
  test('names its processes and threads', () => {
    expect(named('process_name')).toEqual(['claude brave-otter', 'sub-agent Explore'])
    expect(named('thread_name').sort()).toEqual(
      ['turns', 'tools', 'tools 2', 'sub-agent', 'tools', 'denials', 'prompts'].sort(),
    )
    expect(displayTimeUnit).toBe('ms')
    expect(otherData).toMatchObject({ workedMs: 5_000, waitedMs: 0, idleMs: 4_000, id: 's1' })
  })

  test('has spans in microseconds, and instants for prompts and denials', () => {
    const spans = traceEvents.filter(({ ph }) => ph === 'X')
    expect(spans.find((one) => threadOf(one) === 'turns')).toMatchObject({ ts: 1_000_000, dur: 5_000_000 })
    const instants = traceEvents.filter(({ ph }) => ph === 'i')
    expect(instants.map((one) => [threadOf(one), one.ts, one.s])).toEqual([
      ['prompts', 1_000_000, 't'],
      ['denials', 5_000_000, 't'],
    ])
    expect(instants[0]?.args.text).toContain('<script>')
  })

  test('is in order of time, and spans of one thread do not overlap', () => {
    const ends = new Map<string, number>()
    let last = 0
    for (const { ph, pid, tid, ts = 0, dur = 0 } of traceEvents) {
      if (ph === 'M') continue
      expect(ts).toBeGreaterThanOrEqual(last)
      last = ts
      if (ph !== 'X') continue
      expect(ts).toBeGreaterThanOrEqual(ends.get(`${pid} ${tid}`) ?? 0)
      ends.set(`${pid} ${tid}`, ts + dur)
    }
    expect(ends.size).toBe(5)
  })

  test('is JSON, whatever the entries say', () => {
    const text = JSON.stringify(
      traced({ type: 'UserPromptSubmit', at: Number.MAX_SAFE_INTEGER, prompt: '\ud800' }),
    )
    expect(() => JSON.parse(text)).not.toThrow()
    expect(traceOf(session, [], { now: 1 }).traceEvents).toHaveLength(2)
  })
})
