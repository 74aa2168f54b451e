/** Learning from the events of a commit while their payloads are at hand: the same as reading them from the journal. */
import { afterEach, expect, test } from 'bun:test'
import { join } from 'node:path'
import { silentLog, tempDir, until } from '../../../test/kit.ts'
import type { HookEvent, RawEvent } from '../../events/index.ts'
import { takePayload } from '../../journal/fresh-payloads.ts'
import { parseRawEvent } from '../../journal/parse-event.ts'
import { openStore, type Store } from '../../store/index.ts'
import { SchemaLearner } from './learner.ts'

const open: (() => void)[] = []
afterEach(() => {
  for (const close of open.splice(0)) close()
})

function keeping(wrap: (store: Store) => Store = (store) => store) {
  const store = openStore(join(tempDir(), 'gantry.db'))
  const settings = { enabled: true, samples: true }
  const tracker = new SchemaLearner({
    store: wrap(store),
    log: silentLog(),
    settings: () => settings,
    raise: (_arrival, done) => done(true),
  })
  open.push(() => {
    tracker.stop()
    store.close()
  })
  /** As the pipeline does it: read, stored in one commit, then told of. */
  const hear = (raws: readonly RawEvent['raw'][], isTold = true) => {
    const events = raws.map((raw) => parseRawEvent(rawEventOf(raw)))
    store.journal.commit(() => {
      for (const event of events) Object.assign(event, { seq: store.journal.append(event) })
    })
    if (isTold) tracker.committed(events)
    return events
  }
  return { store, tracker, hear, settings }
}

let ids = 0
function rawEventOf(raw: RawEvent['raw']): RawEvent {
  const id = `fresh-${ids++}`
  return {
    id,
    at: 1,
    receivedAt: 1,
    agent: 'claude',
    event: 'Stop',
    client: { env: {} },
    transport: 'socket',
    raw,
  }
}

const stop = (more: object = {}) =>
  JSON.stringify({ session_id: 's1', hook_event_name: 'Stop', stop_hook_active: false, ...more })

test('no row is read and no payload parsed again', async () => {
  let isShut = false
  const { tracker, hear, store } = keeping((store) => ({
    ...store,
    payloads: (...from) => {
      if (isShut) throw new Error('the journal was read')
      return store.payloads(...from)
    },
  }))
  await tracker.registry()
  isShut = true
  const [event] = hear([stop({ mood: 'fine' })], false)
  if (event) tracker.committed([Object.assign(event, { raw: '{ no longer what it was' })])
  hear(Array.from({ length: 20 }, () => stop()))
  await until(() => tracker.registry().then(() => store.schemas.all()[0]?.count === 21), 'all of them')
  expect(store.schemas.all()[0]?.shape).toContain('mood')
})

test('odd payloads are learned like their rows', async () => {
  const deep = `${'{"a":'.repeat(1_500)}1${'}'.repeat(1_500)}`
  const raws = [
    stop(),
    stop({ mood: 'fine', list: [1, { deep: true }] }),
    'no json',
    '[1]',
    '"text"',
    Buffer.from([0xff, 0xfe]),
    `{"session_id":"s1","hook_event_name":"Stop","tree":${deep}}`,
    stop({ text: 'ä'.repeat(600_000) }), // over the limit in bytes, not in letters
    stop({ __proto__: 1, constructor: 'x' }),
  ]
  const fresh = keeping()
  await fresh.tracker.registry()
  for (const raw of raws) fresh.hear([raw])
  const read = keeping()
  for (const raw of raws) read.hear([raw], false)
  const shapes = async ({ tracker }: typeof fresh) => (await tracker.registry()).shapes()
  expect(await shapes(fresh)).toEqual(await shapes(read))
  expect((await shapes(fresh)).length).toBeGreaterThan(0)
})

test('each is counted once, whoever asks meanwhile and whatever was missed', async () => {
  const { tracker, hear, store, settings } = keeping()
  await tracker.registry()
  const asked: Promise<unknown>[] = []
  for (let i = 0; i < 60; i++) {
    hear(
      Array.from({ length: 40 }, () => stop()),
      i % 7 !== 3,
    )
    if (i % 5 === 2) asked.push(tracker.registry())
    if (i % 9 === 4) await Bun.sleep(1)
  }
  await Promise.all(asked)
  await tracker.registry()
  hear(Array.from({ length: 600 }, () => stop())) // more than one slice, and read from the journal before the next
  await tracker.registry()
  await Bun.sleep(20)
  await tracker.registry()
  expect(store.schemas.all()).toMatchObject([{ event: 'Stop', count: 3_000 }])
  expect(store.marks.get('schema')).toBe(3_000)
  await Bun.sleep(250) // what comes in a flood is read later, and then it is switched on again
  settings.enabled = false
  hear([stop()])
  settings.enabled = true
  hear([stop()])
  await tracker.registry()
  expect(store.schemas.all()).toMatchObject([{ count: 3_001 }])
})

test('events beyond the memory limit are read from the journal', async () => {
  const { tracker, hear, store } = keeping()
  await tracker.registry()
  const events: HookEvent[] = hear(Array.from({ length: 3_000 }, () => stop()))
  expect(events.some((event) => takePayload(event) === undefined)).toBe(false)
  await until(() => tracker.registry().then(() => store.schemas.all()[0]?.count === 3_000), 'all of them')
})
