import { afterEach, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { eventOf, silentLog, tempDir, until } from '../../../test/kit.ts'
import { rounds } from '../../../test/long.ts'
import type { HookEvent, RawEvent } from '../../events/index.ts'
import { readEvent } from '../../journal/parse-event.ts'
import { openStore, type Store } from '../../store/index.ts'
import { SchemaLearner, type SchemaLearnerOptions } from './learner.ts'

const STOP = {
  session_id: 's1',
  transcript_path: '/home/dev/.claude/s1.jsonl',
  cwd: '/home/dev/acme',
  prompt_id: 'p1',
  permission_mode: 'default',
  effort: { level: 'medium' },
  hook_event_name: 'Stop',
  stop_hook_active: false,
  last_assistant_message: 'Done.',
  background_tasks: [],
  session_crons: [],
}

const open: (() => void)[] = []
afterEach(() => {
  for (const close of open.splice(0)) close()
})

/** A keeper whose events go straight into the journal, as the pipeline's do. */
function keeping(path = join(tempDir(), 'gantry.db'), options: Partial<SchemaLearnerOptions> = {}) {
  const store = openStore(path)
  const log = silentLog()
  const tracker: SchemaLearner = new SchemaLearner({
    store,
    log,
    settings: () => ({ enabled: true, samples: true }),
    raise: (rawEvent, done) => {
      append(store, readEvent(rawEvent))
      done(true)
      tracker.committed()
    },
    ...options,
  })
  let isOpen = true
  const crash = () => {
    if (!isOpen) return
    isOpen = false
    store.close()
  }
  const stop = () => {
    if (isOpen) tracker.stop()
    crash()
  }
  open.push(stop)
  const hear = (payload: object, parts: Partial<HookEvent> = {}) => {
    append(store, claudeEvent(payload, parts))
    tracker.committed()
  }
  return { store, tracker, log, hear, stop, crash, path }
}

function append(store: Store, ...events: HookEvent[]): void {
  store.journal.commit(() => {
    for (const event of events) store.journal.append(event)
  })
}

let ids = 0
function claudeEvent(payload: object, parts: Partial<HookEvent> = {}): HookEvent {
  const { hook_event_name: native = 'Stop' } = payload as { hook_event_name?: string }
  const raw = JSON.stringify(payload)
  return eventOf({ id: `e${ids++}`, agentVersion: '2.1.325', native, type: native, raw, ...parts })
}

function raised(store: Store, type: string): Record<string, unknown>[] {
  return [...store.oldest({ agent: 'gantry', type }, 1000)].map(({ raw }) => JSON.parse(String(raw)))
}

const counts = (store: Store) => store.schemas.all().map(({ event, count }) => `${event} ${count}`)

describe('payloads', () => {
  test('are learned a moment after they arrive, and written with the mark', async () => {
    const { store, tracker, hear, path, stop } = keeping()
    for (let i = 0; i < 30; i++) hear(STOP)
    const registry = await tracker.registry()
    expect(registry.shapes({ agent: 'claude' })).toMatchObject([
      { event: 'Stop', version: '2.1.325', count: 30 },
    ])
    expect(counts(store)).toEqual(['Stop 30'])
    expect(store.marks.get('schema')).toBe(30)
    stop()
    const again = keeping(path)
    again.hear(STOP)
    expect((await again.tracker.registry()).shapes()).toMatchObject([{ count: 31 }])
  })

  test('from before a crash are counted once, written or not', async () => {
    const first = keeping()
    for (let i = 0; i < 10; i++) first.hear(STOP)
    await first.tracker.registry()
    for (let i = 0; i < 10; i++) first.hear(STOP)
    await Bun.sleep(30) // some of them are learned, and none of those is written
    first.crash()
    const second = keeping(first.path)
    await until(
      () => second.tracker.registry().then((registry) => registry.shapes()[0]?.count === 20),
      'all of them',
    )
    expect(counts(second.store)).toEqual(['Stop 20'])
  })

  test("of gantry's own, of observers, of other programs and of nobody teach nothing", async () => {
    const { store, tracker, hear } = keeping()
    hear(STOP, { agent: 'gantry' })
    for (const transport of ['healer', 'emit', 'replay'] as const) hear(STOP, { transport })
    hear(STOP, { id: 'in:github:abc', transport: 'http' })
    hear(STOP, { native: 'Unreadable' })
    hear(STOP, { raw: 'no json' })
    hear(STOP, { raw: '[1]' })
    hear(STOP, { cutFrom: 9_000_000 })
    hear(STOP, { raw: JSON.stringify({ ...STOP, last_assistant_message: 'x'.repeat(2_000_000) }) })
    await tracker.registry()
    expect(counts(store)).toEqual([])
    expect(store.marks.get('schema')).toBe(10)
    expect(raised(store, 'SchemaDrift')).toEqual([])
  })

  test('are not learned while it is disabled, nor later', async () => {
    let enabled = false
    const { tracker, hear } = keeping(undefined, { settings: () => ({ enabled, samples: true }) })
    for (let i = 0; i < 5; i++) hear(STOP)
    await Bun.sleep(150)
    enabled = true
    hear(STOP)
    expect((await tracker.registry()).shapes()).toMatchObject([{ count: 1 }])
  })

  test('leave no values behind if samples are disabled', async () => {
    const { store, tracker, hear } = keeping(undefined, {
      settings: () => ({ enabled: true, samples: false }),
    })
    hear({ ...STOP, last_assistant_message: 'my private words' })
    await tracker.registry()
    expect(store.schemas.all()[0]?.shape).not.toContain('private')
  })
})

describe('a difference', () => {
  test('is one event and one row, both before the mark passes its cause', async () => {
    const { store, tracker, hear } = keeping()
    hear(STOP)
    hear({ ...STOP, mood: 'good' }, { id: 'odd' })
    for (let i = 0; i < 20; i++) hear({ ...STOP, mood: 'better' })
    await until(() => store.schemas.drifts().length > 0, 'the row')
    expect(raised(store, 'SchemaDrift')).toEqual([
      {
        hook_event_name: 'SchemaDrift',
        agent: 'claude',
        version: '2.1.325',
        event: 'Stop',
        tool: '',
        path: 'mood',
        kind: 'new-field',
        severity: 'info',
        after: 'string',
        message: 'claude 2.1.325 Stop: new field "mood" (string)',
        cause: 'odd',
        session_id: 's1',
      },
    ])
    await tracker.registry()
    expect(store.schemas.drifts()).toMatchObject([{ path: 'mood', cause: 'odd', acceptedAt: null }])
    expect(raised(store, 'SchemaDrift')).toHaveLength(1)
  })

  test('found again after a crash is the same event', async () => {
    const rawEvents: RawEvent[] = []
    // The event is stored, but nobody says so before the crash: rows and mark are not written.
    const first = keeping(undefined, {
      raise: (rawEvent) => {
        rawEvents.push(rawEvent)
        append(first.store, readEvent(rawEvent))
      },
    })
    first.hear({ ...STOP, mood: 'good' })
    await until(() => rawEvents.length > 0, 'the event')
    expect(first.store.marks.get('schema')).toBe(0)
    first.crash()
    const second = keeping(first.path)
    await until(() => second.store.schemas.drifts().length === 1, 'the row')
    expect(raised(second.store, 'SchemaDrift')).toHaveLength(1)
    expect(second.store.marks.get('schema')).toBeGreaterThan(0)
  })

  test('that could not be stored is retried', async () => {
    let tries = 0
    const { store, hear } = keeping(undefined, {
      raise: (rawEvent, done) => {
        tries += 1
        if (tries > 1) append(store, readEvent(rawEvent))
        done(tries > 1)
      },
    })
    hear({ ...STOP, mood: 'good' })
    await until(() => store.schemas.drifts().length === 1, 'the row')
    expect(tries).toBe(2)
    expect(raised(store, 'SchemaDrift')).toHaveLength(1)
  })

  test('is over once it is accepted, and another one is reported again', async () => {
    const { store, tracker, hear } = keeping()
    const odd = { ...STOP, mood: 'good' }
    for (let i = 0; i < 10; i++) hear(odd)
    await until(() => store.schemas.drifts().length === 1, 'the first')
    const registry = await tracker.registry()
    const made = store.journal.commit(() => registry.settle('claude', Date.now()))
    registry.settled(made)
    expect(made).toMatchObject([{ agent: 'claude', version: '2.1.325', events: { Stop: { seen: 10 } } }])
    expect(store.schemas.drifts()[0]?.acceptedAt).toBeNumber()
    hear(odd)
    hear(STOP) // what was always there since the baseline is missing now
    await until(() => store.schemas.drifts().length === 2, 'the second')
    expect(raised(store, 'SchemaDrift').map(({ kind, path }) => `${kind} ${path}`)).toEqual([
      'new-field mood',
      'missing-field mood',
    ])
  })
})

describe('a new version of an agent', () => {
  test('is one event with what is known to be different', async () => {
    const { store, tracker, hear } = keeping()
    hear(STOP)
    const { prompt_id: _, ...old } = STOP
    hear(old, { agentVersion: '2.0.77' })
    for (let i = 0; i < 5; i++) hear(STOP)
    hear({ ...STOP, mood: 'good' }, { agentVersion: '2.2.0' })
    await tracker.registry()
    const changes = raised(store, 'AgentVersionChanged')
    expect(changes.map(({ from, to }) => `${from} ${to}`)).toEqual(['2.1.325 2.0.77', '2.1.325 2.2.0'])
    const texts = changes.map(({ differences }) =>
      (differences as { message: string }[]).map(({ message }) => message),
    )
    expect(texts[0]).toContain('tool "Agent" is now "Task"')
    expect(texts[0]).toContain('StopFailure: the event no longer exists')
    expect(texts[1]).toEqual(['Stop: new field "mood" (string)'])
    expect(changes[0]?.more).toBeNumber()
    expect(raised(store, 'SchemaDrift').filter(({ version }) => version === '2.2.0')).toHaveLength(1)
  })
})

describe('under load', () => {
  test('it keeps up in slices, and a hostile journal stays bounded', async () => {
    const events: HookEvent[] = []
    const { store, tracker } = keeping(undefined, {
      raise: (rawEvent, done) => {
        if (events.push(readEvent(rawEvent)) === 1) setTimeout(() => append(store, ...events.splice(0)), 1) // as the pipeline does: one commit for all
        setTimeout(() => done(true), 5)
      },
    })
    await tracker.registry()
    const wide = Object.fromEntries(Array.from({ length: 3_000 }, (_, i) => [`name_${i}`, i]))
    for (let i = 0; i < rounds(4_000, 8_000); i += 1000) {
      const batch = Array.from({ length: 1000 }, (_, n) =>
        claudeEvent(n === 0 ? { ...STOP, ...wide } : { ...STOP, hook_event_name: `Event${i + n}` }),
      )
      append(store, ...batch)
      tracker.committed()
    }
    let turns = 0
    const beat = setInterval(() => {
      turns += 1
    }, 0)
    await tracker.registry()
    clearInterval(beat)
    expect(turns).toBeGreaterThan(3) // in one go there would be none
    const rows = store.schemas.all()
    expect(rows.length).toBeLessThanOrEqual(400)
    expect(rows.reduce((sum, { fields }) => sum + fields, 0)).toBeLessThanOrEqual(8_000)
    expect(raised(store, 'SchemaDrift').length).toBeLessThanOrEqual(100)
  }, 120_000)
})
