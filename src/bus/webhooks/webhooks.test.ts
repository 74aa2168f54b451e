import { afterAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { tempDir } from '../../../test/kit.ts'
import { openStore } from '../../store/index.ts'
import { Sources, type StreamName } from '../streams/index.ts'
import { Webhooks } from './webhooks.ts'

const HOUR_MS = 3_600_000
const store = openStore(join(tempDir(), 'gantry.db'))
let now = 1_763_000_000_000
const webhooks = new Webhooks({ store, sources: new Sources(store), warn: () => {}, now: () => now })
afterAll(async () => {
  await webhooks.close(0)
  store.close()
})

const configured = (stream: StreamName) => ({
  key: stream,
  spec: {
    ...{ name: 'ci', shownUrl: '', stream, filters: [], enabled: true },
    endpoint: () => ({ url: 'http://127.0.0.1:9', secret: 's'.repeat(32), timeoutMs: 1_000 }),
  },
})
const place = (stream: StreamName) => store.deliveries.mark('webhook:ci', stream)

test('one that is taken out keeps its place for a day from then on, however old the place is', () => {
  webhooks.apply([configured('HOOK_EVENTS')])
  now += 100 * HOUR_MS
  webhooks.apply([configured('SESSION_EVENTS')])
  expect([place('HOOK_EVENTS'), place('SESSION_EVENTS')]).toEqual([0, 0])
  now += 100 * HOUR_MS
  webhooks.apply([configured('HOOK_EVENTS')]) // and its time begins anew
  now += 100 * HOUR_MS
  webhooks.apply([])
  now += 23 * HOUR_MS
  webhooks.tidy()
  expect(place('HOOK_EVENTS')).toBe(0)
  now += 2 * HOUR_MS
  webhooks.tidy()
  expect([place('HOOK_EVENTS'), place('SESSION_EVENTS')]).toEqual([undefined, undefined])
})
