import { describe, expect, test } from 'bun:test'
import type { Kind, Shape } from '../../../rpc/index.ts'
import { Baselines, type Drift, fieldCount, SchemaWatch, SHIPPED } from '../index.ts'

const STOP = {
  session_id: '5d1c0d0e-0f5e-4a07-9a53-3f6b1a1f0c11',
  transcript_path: '/home/dev/.claude/projects/p/s.jsonl',
  cwd: '/home/dev/acme',
  prompt_id: '5d1c0d0e-0f5e-4a07-9a53-3f6b1a1f0c12',
  permission_mode: 'default',
  effort: { level: 'medium' },
  hook_event_name: 'Stop',
  stop_hook_active: false,
  last_assistant_message: 'Done.',
  background_tasks: [],
  session_crons: [],
}
const KIND = { agent: 'claude', version: '2.1.325', event: 'Stop', tool: '' }

function watching(baselines = new Baselines(SHIPPED)) {
  const watch = new SchemaWatch({ expected: (kind) => baselines.expected(kind), recall: () => undefined })
  const see = (payload: unknown, kind: Partial<Kind> = {}) =>
    watch.see({ ...KIND, ...kind }, () => payload, 1)
  return { watch, see }
}

const short = ({ kind, path, after }: Drift) => `${kind} ${path} ${after ?? ''}`.trim()

describe('a payload', () => {
  test('as expected is not reported', () => {
    const { see } = watching()
    expect(see(STOP)).toEqual({ drifts: [] })
    expect(see({ ...STOP, permission_mode: 'bypassPermissions' }).drifts).toEqual([]) // never recorded, but known
  })

  const { stop_hook_active: _, ...without } = STOP
  const cases: Record<string, [unknown, string]> = {
    'with a new field': [{ ...STOP, mood: 'good' }, 'new-field mood string'],
    'with a new object': [{ ...STOP, mood: { now: 1, before: [{ a: 1 }] } }, 'new-field mood object'],
    'with a new field inside': [
      { ...STOP, effort: { level: 'x', unit: 'y' } },
      'new-field effort.unit string',
    ],
    'without a required field': [without, 'missing-field stop_hook_active'],
    'with another type': [{ ...STOP, stop_hook_active: 'no' }, 'changed-type stop_hook_active string'],
    'with an object for a string': [{ ...STOP, cwd: { path: '/x', host: 'y' } }, 'changed-type cwd object'],
    'with null': [{ ...STOP, cwd: null }, 'new-type cwd null'],
    'with a new word': [{ ...STOP, permission_mode: 'yolo' }, 'new-value permission_mode yolo'],
    'with a new name for a field': [
      { ...without, stopHookActive: false },
      'renamed-field stop_hook_active stopHookActive',
    ],
  }
  for (const [name, [payload, drift]] of Object.entries(cases)) {
    test(`${name} is told once, however often it comes`, () => {
      const { see } = watching()
      see(STOP)
      expect(see(payload).drifts.map(short)).toEqual([drift])
      for (let i = 0; i < 50; i++) expect(see(payload).drifts).toEqual([])
      expect(see(payload, { version: '2.1.326' }).drifts).toEqual([]) // nor by the next version
    })
  }

  test('of an unknown event is reported once', () => {
    const { see } = watching()
    const payload = { ...STOP, hook_event_name: 'Dream', vision: 1 }
    expect(see(payload, { event: 'Dream' }).drifts).toMatchObject([
      { kind: 'new-event', event: 'Dream', path: '' },
    ])
    expect(see({ ...payload, more: 1 }, { event: 'Dream' }).drifts).toEqual([])
  })

  test('of an unknown agent is learned, and never reported', () => {
    const { watch, see } = watching()
    expect(see({ anything: 1 }, { agent: 'other' }).drifts).toEqual([])
    expect(watch.shapes()).toHaveLength(1)
  })

  test('of a script or a test, with few fields, is not a change of the agent', () => {
    const { see } = watching()
    const { session_id } = STOP
    for (let i = 0; i < 100; i++) {
      expect(see({ session_id, hook_event_name: 'Stop', n: i }).drifts).toEqual([])
      expect(see({ session_id, hook_event_name: 'X' }, { event: 'X' }).drifts).toEqual([])
      expect(see({ session_id, cwd: '/x', hook_event_name: 'Stop' }, { version: '' }).drifts).toEqual([])
    }
  })

  test('of a new version that differs much is reported once it is certain', () => {
    const { see } = watching()
    const { cwd: _cwd, stop_hook_active: _active, ...far } = STOP
    const told = Array.from({ length: 40 }, () => see(far, { version: '3.0.0' }).drifts.map(short))
    expect(told.filter((drifts) => drifts.length > 0)).toEqual([
      ['missing-field cwd', 'missing-field stop_hook_active'],
    ])
  })

  test('may lack what others of its tool had', () => {
    const { see } = watching()
    const { session_id, transcript_path, cwd, prompt_id, permission_mode, effort } = STOP
    const common = { session_id, transcript_path, cwd, prompt_id, permission_mode, effort }
    const call = { ...common, hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_use_id: 'toolu_1234567' }
    const kind = { event: 'PreToolUse', tool: 'Bash' }
    expect(see({ ...call, tool_input: { command: 'ls' } }, kind).drifts).toEqual([])
    expect(see({ ...call, tool_input: { command: 'ls', timeout: 5 } }, kind).drifts).toEqual([])
    const { drifts } = see({ ...call, tool_input: { cmd: 'ls' } }, kind)
    expect(drifts.map(short)).toContain('missing-field tool_input.command')
    expect(drifts[0]?.tool).toBe('Bash')
  })
})

describe('a version', () => {
  test('that is new is reported once, with the previous one', () => {
    const { see } = watching()
    expect(see(STOP).change).toBeUndefined()
    expect(see(STOP, { version: '2.1.400' }).change).toEqual({
      agent: 'claude',
      from: '2.1.325',
      to: '2.1.400',
    })
    expect(
      see({ ...STOP, hook_event_name: 'SessionEnd' }, { version: '2.1.400', event: 'SessionEnd' }).change,
    ).toBeUndefined()
    expect(see(STOP).change).toBeUndefined()
    expect(see(STOP, { agent: 'codex', version: '0.1.0' }).change).toBeUndefined()
    expect(see(STOP, { version: '' }).change).toBeUndefined()
  })
})

describe('a flood', () => {
  test('of 100,000 events is bounded in reports and memory, and stops nobody else', () => {
    const { watch, see } = watching()
    let told = 0
    let parsed = 0
    for (let i = 0; i < 100_000; i++) {
      const payload = () => {
        parsed += 1
        return { ...STOP, [`field_${i}`]: i }
      }
      told += watch.see({ ...KIND, event: `Event${i}` }, payload, 1).drifts.length
    }
    expect(told).toBeLessThanOrEqual(100)
    expect(watch.shapes().length).toBeLessThanOrEqual(400)
    expect(parsed).toBeLessThanOrEqual(400)
    expect(see({}, { agent: 'codex', version: '0.166.0' }).drifts).toEqual([])
    expect(watch.shapes().some(({ agent }) => agent === 'codex')).toBe(true)
  })

  test('of fields in every event keeps a bounded number of them', () => {
    const { watch, see } = watching()
    for (let i = 0; i < 300; i++) {
      const fields = Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`f${i}_${n}`, { a: n }]))
      see({ ...STOP, ...fields }, { event: `Event${i}` })
    }
    const fields = watch.shapes().reduce((sum, shape) => sum + fieldCount(shape), 0)
    expect(fields).toBeLessThanOrEqual(8_000)
  })

  test('of versions is reported a bounded number of times, and does not displace versions in use', () => {
    const { watch, see } = watching()
    for (let i = 0; i < 50; i++) see(STOP)
    let changes = 0
    const forgotten: string[] = []
    for (let i = 0; i < 1_000; i++) {
      if (see(STOP, { version: `9.0.${i}` }).change) changes += 1
      forgotten.push(...watch.unwritten().forgotten.map(({ version }) => version))
      watch.written()
    }
    expect(changes).toBeLessThanOrEqual(20)
    expect(forgotten).not.toContain('2.1.325')
    expect(new Set(watch.shapes().map(({ version }) => version)).size).toBeLessThanOrEqual(16)
  })
})

describe('what was learned', () => {
  test('is written when it has changed, and read again on demand', () => {
    const stored = new Map<string, Shape>()
    const watch = new SchemaWatch({ expected: () => undefined, recall: ({ event }) => stored.get(event) })
    for (let i = 0; i < 300; i++) {
      const payload = Object.fromEntries(Array.from({ length: 78 }, (_, n) => [`f${n}`, n]))
      for (const agent of ['a', 'b', 'c']) {
        watch.see({ ...KIND, agent, event: `${agent}${i % 90}` }, () => payload, i)
        for (const shape of watch.unwritten().shapes) stored.set(shape.event, structuredClone(shape))
        watch.written()
        expect(watch.unwritten()).toEqual({ shapes: [], forgotten: [] })
      }
    }
    const held = watch.shapes().reduce((sum, shape) => sum + fieldCount(shape), 0)
    expect(held).toBeLessThanOrEqual(12_000 + 80)
    expect(stored.get('b0')?.count).toBe(4)
    expect([...stored.values()].reduce((sum, { count }) => sum + count, 0)).toBe(900)
  })
})
