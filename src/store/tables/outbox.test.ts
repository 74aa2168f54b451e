import { Database } from 'bun:sqlite'
import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { eventOf, tempDir } from '../../../test/kit.ts'
import { openStore } from '../index.ts'

function opened() {
  const path = join(tempDir(), 'gantry.db')
  const store = openStore(path)
  const add = (parts: Parameters<typeof eventOf>[0] = {}) => {
    const event = eventOf({ id: `e${store.journal.lastSeq + 1}`, receivedAt: 1_000, ...parts })
    store.journal.commit(() => store.journal.append(event))
  }
  const rows = <Row>(sql: string) => {
    const db = new Database(path, { readonly: true })
    try {
      return db.query(sql).all() as Row[]
    } finally {
      db.close()
    }
  }
  return { store, add, rows }
}

type Row = Record<string, unknown>

const JETSTREAM = {
  target: 'jetstream',
  stream: 'HOOK_EVENTS',
  attempts: 0,
  nextAttemptAt: null,
  lastError: null,
  lockedAt: null,
  locked: [],
}

describe('hook_outbox', () => {
  test('has a row for each named event, with payload and times', () => {
    const { store, add, rows } = opened()
    const types = [
      'SessionStart',
      'UserPromptSubmit',
      'PreToolUse',
      'PostToolUse',
      'Notification',
      'Stop',
      'SessionEnd',
    ]
    for (const type of types) add({ type, raw: `{"hook_event_name":"${type}"}` })
    add({ type: 'PreCompact' }) // has no name there
    store.journal.commit(() => store.outbox.setTargets([JETSTREAM]))
    store.journal.commit(() => store.outbox.setMark('HOOK_EVENTS', 4, 2_000))
    store.journal.commit(() => store.outbox.setMark('HOOK_EVENTS', 6, 3_000))
    const found = rows<Row>('SELECT * FROM hook_outbox ORDER BY id')
    expect(found.map(({ event_type }) => event_type)).toEqual([
      'session_start',
      'prompt',
      'tool_use',
      'tool_done',
      'notification',
      'stop',
      'session_end',
    ])
    expect(found.map(({ delivered_at }) => delivered_at)).toEqual([
      2_000,
      2_000,
      2_000,
      2_000,
      3_000,
      3_000,
      null,
    ])
    expect(found[0]).toEqual({
      id: 1,
      session_id: 's1',
      event_type: 'session_start',
      payload: expect.any(String),
      created_at: 1_000,
      next_attempt_at: 1_000,
      attempt_count: 0,
      last_error: null,
      delivered_at: 2_000,
      locked_at: null,
      waits_for: null,
    })
    expect(found[6]).toMatchObject({ waits_for: 'jetstream' })
    expect(JSON.parse(String(found[0]?.payload))).toEqual({
      session_id: 's1',
      event_type: 'session_start',
      data: { hook_event_name: 'SessionStart', session_id: 's1' },
    })
    store.close()
  })

  test('an undelivered letter shows its error and attempts', () => {
    const { store, add, rows } = opened()
    add()
    add()
    store.journal.commit(() => {
      store.outbox.setTargets([JETSTREAM])
      store.outbox.setMark('HOOK_EVENTS', 2, 2_000)
      store.deliveries.put({
        target: 'jetstream',
        stream: 'HOOK_EVENTS',
        seq: 1,
        id: 'e1',
        sessionId: 's1',
        attemptCount: 3,
        nextAttemptAt: 4_000,
        lastError: 'too large',
        deadAt: 4_000,
      })
    })
    const columns = 'id, delivered_at, attempt_count, last_error, next_attempt_at'
    expect(rows<Row>(`SELECT ${columns} FROM hook_outbox ORDER BY id`)).toEqual([
      { id: 1, delivered_at: null, attempt_count: 3, last_error: 'too large', next_attempt_at: 4_000 },
      { id: 2, delivered_at: 2_000, attempt_count: 0, last_error: null, next_attempt_at: 1_000 },
    ])
    store.close()
  })

  test('with NATS off, nothing waits, whatever was delivered before', () => {
    const { store, add, rows } = opened()
    store.journal.commit(() => store.outbox.setMark('HOOK_EVENTS', 0, 1))
    add()
    expect(rows<Row>('SELECT delivered_at, waits_for FROM hook_outbox')).toEqual([
      { delivered_at: 1_000, waits_for: null },
    ])
    store.close()
  })

  test('an unreachable server, a webhook and a durable consumer are listed by name, with attempts and locks', () => {
    const { store, add, rows } = opened()
    for (let n = 0; n < 3; n++) add()
    store.journal.commit(() => {
      const away = { attempts: 4, nextAttemptAt: 9_000, lastError: 'connection refused' }
      const hook = { ...JETSTREAM, target: 'webhook:ci', lockedAt: 5_000, locked: [3] }
      store.outbox.setTargets([{ ...JETSTREAM, ...away }, hook])
      store.outbox.setMark('HOOK_EVENTS', 2, 2_000)
      store.deliveries.setMark('webhook:ci', 'HOOK_EVENTS', 2, 2_500)
      store.consumers.put({
        ...{
          stream: 'HOOK_EVENTS',
          name: 'reports',
          filter: 'hooks.Stop',
          ackWaitMs: 30_000,
          maxInFlight: 256,
        },
        ...{ createdAt: 1, activeAt: 7_000, cursor: 2, start: 1, pending: [[2, 3]], missed: 0 },
      })
    })
    const columns = 'id, waits_for, attempt_count, last_error, next_attempt_at, locked_at, delivered_at'
    expect(rows<Row>(`SELECT ${columns} FROM hook_outbox ORDER BY id`)).toEqual([
      {
        ...{ id: 1, waits_for: null, attempt_count: 0, last_error: null, next_attempt_at: 1_000 },
        ...{ locked_at: null, delivered_at: 2_500 },
      },
      {
        ...{
          id: 2,
          waits_for: 'consumer:reports',
          attempt_count: 3,
          last_error: null,
          next_attempt_at: 1_000,
        },
        ...{ locked_at: 7_000, delivered_at: null },
      },
      {
        ...{ id: 3, waits_for: 'jetstream, webhook:ci, consumer:reports', attempt_count: 4 },
        ...{ last_error: 'connection refused', next_attempt_at: 9_000, locked_at: 5_000, delivered_at: null },
      },
    ])
    store.close()
  })

  test.each([
    [{ prompt: 'go' }, { prompt: 'go', user_prompt: 'go' }],
    [{ user_prompt: 'go' }, { prompt: 'go', user_prompt: 'go' }],
    [
      { 'thread-id': 't', 'input-messages': ['a', 'b'] },
      { prompt: 'b', user_prompt: 'b' },
    ],
    [{ sessionId: 's1', transcriptPath: '/t' }, { transcript_path: '/t' }],
    [{ cwd: null, deep: { kept: null } }, {}],
  ])('%j has the names that TeleClaude reads', (raw, more) => {
    const { store, add, rows } = opened()
    add({ type: 'UserPromptSubmit', raw: JSON.stringify(raw) })
    const [row] = rows<Row>('SELECT * FROM hook_outbox')
    expect(JSON.parse(String(row?.payload))).toEqual({
      session_id: 's1',
      event_type: 'prompt',
      data: { ...raw, session_id: 's1', ...more },
    })
    store.close()
  })

  test.each([
    ['no JSON at all', 'hello', { raw: 'hello' }],
    ['bytes that are no text', new Uint8Array([0x7b, 0xff, 0x7d]), { raw: '{\ufffd}' }],
    ['an empty payload', '', { raw: '' }],
    ['a number', '12', 12],
  ])('%s is a payload, too', (_what, raw, data) => {
    const { store, add, rows } = opened()
    add({ raw })
    const [row] = rows<Row>('SELECT * FROM hook_outbox')
    expect(JSON.parse(String(row?.payload))).toEqual({ session_id: 's1', event_type: 'stop', data })
    store.close()
  })

  test('has the last ten thousand events and those that wait, and is fast on a long journal', () => {
    const { store, rows } = opened()
    store.journal.commit(() => {
      for (let i = 0; i < 12_000; i++) store.journal.append(eventOf({ id: `e${i}` }))
    })
    expect(rows<Row>('SELECT id FROM hook_outbox').length).toBe(10_000)
    store.journal.commit(() => {
      store.outbox.setTargets([JETSTREAM])
      store.outbox.setMark('HOOK_EVENTS', 500, 1)
    })
    expect(rows<Row>('SELECT id FROM hook_outbox').length).toBe(11_500)
    store.journal.commit(() => store.outbox.setMark('HOOK_EVENTS', 12_000, 2))
    expect(rows<Row>('SELECT id FROM hook_outbox').length).toBe(10_000)
    const plan = rows<{ detail: string }>('EXPLAIN QUERY PLAN SELECT * FROM hook_outbox').map(
      ({ detail }) => detail,
    )
    expect(plan).not.toContain('SCAN e')
    store.close()
  })
})

describe('marks', () => {
  test('tell the progress; a rewind removes later ones', () => {
    const { store } = opened()
    const { outbox, journal } = store
    expect(outbox.mark('HOOK_EVENTS')).toBeUndefined()
    journal.commit(() => {
      for (const seq of [10, 20, 30]) outbox.setMark('HOOK_EVENTS', seq, seq)
    })
    expect(outbox.mark('HOOK_EVENTS')).toBe(30)
    journal.commit(() => outbox.rewind('HOOK_EVENTS', 15, 40))
    expect(outbox.mark('HOOK_EVENTS')).toBe(15)
    expect(outbox.mark('SESSION_EVENTS')).toBeUndefined()
    store.close()
  })

  test('are kept for a day, at most a thousand, and always the newest', () => {
    const { store, rows } = opened()
    const count = () => rows<{ n: number }>('SELECT count(*) AS n FROM outbox_marks')[0]?.n
    const now = 10 * 86_400_000
    store.journal.commit(() => {
      for (let seq = 1; seq <= 1_500; seq++) store.outbox.setMark('HOOK_EVENTS', seq, now)
      store.outbox.prune('HOOK_EVENTS', now)
    })
    expect(count()).toBe(1_000)
    store.journal.commit(() => store.outbox.prune('HOOK_EVENTS', now + 2 * 86_400_000))
    expect(count()).toBe(1)
    expect(store.outbox.mark('HOOK_EVENTS')).toBe(1_500)
    store.close()
  })
})
