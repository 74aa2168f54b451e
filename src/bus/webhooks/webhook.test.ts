/** A webhook on a real journal, sending to real servers; only the back-off is shorter than in life. */
import { afterEach, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { eventOf, tempDir, until } from '../../../test/kit.ts'
import { openRawServer, openReceiver, type Received, type Receiver } from '../../../test/receiver.ts'
import { newId } from '../../events/index.ts'
import { openStore } from '../../store/index.ts'
import { filterOn, Sources, type StreamName } from '../streams/index.ts'
import type { WebhookSpec } from './spec.ts'
import { MAX_ATTEMPTS, Webhook } from './webhook.ts'

const SECRET = 'a secret for the tests of webhooks'
const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

function receiver(...args: Parameters<typeof openReceiver>): Receiver {
  const opened = openReceiver(...args)
  closing.push(opened.stop)
  return opened
}

/** A journal that can be opened again, as after a restart. */
function world(path = join(tempDir(), 'gantry.db')) {
  const store = openStore(path)
  const sources = new Sources(store)
  const warnings: string[] = []
  closing.push(() => store.close())
  const say = (session: string, type = 'Stop', more: Record<string, unknown> = {}): string => {
    const raw = JSON.stringify({ session_id: session, hook_event_name: type, ...more })
    const event = eventOf({ id: newId(), type, native: type, sessionId: session, raw })
    const seq = store.journal.commit(() => store.journal.append(event))
    sources.committed([{ ...event, seq }])
    return event.id
  }
  const open = (
    url: string,
    more: Partial<WebhookSpec> & { timeoutMs?: number; backoffMs?: number } = {},
  ) => {
    const { timeoutMs = 5_000, backoffMs = 5, ...spec } = more
    const webhook = new Webhook(
      {
        name: 'w',
        shownUrl: url,
        stream: 'HOOK_EVENTS',
        filters: [],
        enabled: true,
        endpoint: () => ({ url, secret: SECRET, timeoutMs }),
        ...spec,
      },
      { store, sources, warn: (text) => warnings.push(text), backoff: (n) => backoffMs * n },
    )
    closing.push(() => webhook.close())
    return webhook
  }
  return { path, store, sources, warnings, say, open }
}

const idsOf = (got: readonly Received[]) => got.map(({ body }) => body.id)
const arrived = (to: Receiver, count: number) =>
  until(() => to.got.length >= count, `${count} messages, not ${to.got.length}`, 15_000)
const deliveries = (store: ReturnType<typeof world>['store']) =>
  store.deliveries.waiting('webhook:w', 'HOOK_EVENTS')

describe('what is sent', () => {
  test('are the events from now on, each once, signed, in order', async () => {
    const { say, open } = world()
    for (let i = 0; i < 5; i++) say('before')
    const to = receiver()
    const webhook = open(to.url)
    const ids = Array.from({ length: 50 }, (_, i) => say('s1', 'PreToolUse', { i }))
    await arrived(to, 50)
    expect(idsOf(to.got)).toEqual(ids)
    expect(to.got.every((one) => to.isSigned(one, SECRET))).toBe(true)
    expect(to.got[0]?.body).toMatchObject({
      seq: 6,
      stream: 'HOOK_EVENTS',
      subject: 'hooks.PreToolUse',
      agent: 'claude',
    })
    expect(to.got[3]?.body.data).toMatchObject({ i: 3, session_id: 's1' })
    await until(() => webhook.status().backlog === 0, 'nothing left')
    expect(webhook.status()).toMatchObject({
      state: 'ok',
      delivered: 50,
      lastStatus: 200,
      waiting: 0,
      dead: 0,
    })
  })

  test('is what the filter takes; the rest is passed over', async () => {
    const { say, open } = world()
    const to = receiver()
    const webhook = open(to.url, { filters: [filterOn('HOOK_EVENTS', 'Stop')] })
    for (let i = 0; i < 250; i++) say('s1', 'PreToolUse')
    const id = say('s1', 'Stop')
    await arrived(to, 1)
    await until(() => webhook.status().backlog === 0, 'all passed over')
    expect(idsOf(to.got)).toEqual([id])
  })

  test.each<StreamName>(['SESSION_EVENTS', 'DECISION_EVENTS'])('may be %s', async (stream) => {
    const { store, sources, open } = world()
    const to = receiver()
    open(to.url, { stream })
    const event = eventOf({ id: newId() })
    store.journal.commit(() => {
      const seq = store.journal.append(event)
      const message = {
        id: event.id,
        at: 1,
        type: 'deny',
        agent: 'claude',
        native: 'Stop',
        sessionId: 's1',
        data: '{"x":1}',
      }
      if (stream === 'DECISION_EVENTS') sources.decisions.record(message)
      else sources.sessions.follow(seq, () => message)
    })
    sources.committed([{ ...event, seq: 1 }])
    await arrived(to, 1)
    expect(to.got[0]?.body).toMatchObject({ id: event.id, stream, type: 'deny', data: { x: 1 } })
  })

  test('is nothing while it is off, and all of it once it is on again', async () => {
    const { say, open } = world()
    const to = receiver()
    const off = open(to.url, { enabled: false })
    const ids = [say('s1'), say('s1')]
    expect(off.status()).toMatchObject({ state: 'off', backlog: 2 })
    await off.close()
    open(to.url)
    await arrived(to, 2)
    expect(idsOf(to.got)).toEqual(ids)
  })
})

describe('a failure', () => {
  test('is tried again until it works, and the message is the same', async () => {
    const { say, open, store } = world()
    const to = receiver((_, nth) => new Response('x', { status: nth < 4 ? 500 : 200 }))
    const webhook = open(to.url)
    const id = say('s1')
    await arrived(to, 4)
    expect(idsOf(to.got)).toEqual([id, id, id, id])
    expect(new Set(to.got.map(({ headers }) => headers.get('gantry-id')))).toEqual(new Set([id]))
    await until(() => deliveries(store).length === 0 && webhook.status().backlog === 0, 'no letter left')
    expect(webhook.status()).toMatchObject({ state: 'ok', delivered: 1, failed: 3 })
  })

  test('of ten attempts makes a dead letter, and the next message gets its turn', async () => {
    const { say, open, store } = world()
    let bad = ''
    const to = receiver(({ body }) => new Response('no', { status: body.id === bad ? 500 : 200 }))
    const webhook = open(to.url)
    bad = say('s1')
    const next = say('s1')
    await until(() => to.got.some(({ body }) => body.id === next), 'the next one')
    expect(idsOf(to.got).filter((id) => id === bad)).toHaveLength(MAX_ATTEMPTS)
    expect(webhook.status()).toMatchObject({ dead: 1, waiting: 0 })
    const rows = store.deliveries
    expect(rows.countDead('webhook:w')).toBe(1)
  })

  test.each([400, 404, 410])('of %i is a dead letter at once', async (status) => {
    const { say, open } = world()
    const to = receiver((_, nth) => new Response('no', { status: nth === 1 ? status : 200 }))
    const webhook = open(to.url)
    const ids = [say('s1'), say('s1')]
    await arrived(to, 2)
    await until(() => webhook.status().backlog === 0, 'all settled')
    expect(idsOf(to.got)).toEqual(ids)
    expect(webhook.status()).toMatchObject({ rejected: 1, delivered: 1, dead: 1 })
  })

  test('by time limit is tried again', async () => {
    const { say, open } = world()
    const over = Promise.withResolvers<void>()
    const to = receiver(async (_, nth) => {
      if (nth === 1) await over.promise
      return new Response('ok')
    })
    open(to.url, { timeoutMs: 200 })
    const id = say('s1')
    await arrived(to, 2)
    over.resolve()
    expect(idsOf(to.got)).toEqual([id, id])
    expect((to.got[1]?.at ?? 0) - (to.got[0]?.at ?? 0)).toBeGreaterThan(150)
  })

  test('of one session does not hold up the others, and keeps its own in order', async () => {
    const { say, open } = world()
    let mended = false
    const to = receiver(
      ({ body }) => new Response('', { status: body.session === 'bad' && !mended ? 500 : 200 }),
    )
    open(to.url, { backoffMs: 60 })
    const bad = [say('bad'), say('bad'), say('bad')]
    const good = Array.from({ length: 20 }, () => say('good'))
    await until(() => to.got.filter(({ body }) => body.session === 'good').length === 20, 'the good ones')
    expect(idsOf(to.got.filter(({ body }) => body.session === 'good'))).toEqual(good)
    expect(new Set(idsOf(to.got.filter(({ body }) => body.session === 'bad')))).toEqual(
      new Set(bad.slice(0, 1)),
    )
    mended = true
    await until(() => idsOf(to.got).includes(bad[2] ?? ''), 'the bad ones')
    const order = idsOf(to.got).filter((id) => bad.includes(id))
    expect([...new Set(order)]).toEqual(bad)
  })

  test('with Retry-After leaves the other side alone for so long', async () => {
    const { say, open } = world()
    const to = receiver((_, nth) =>
      nth === 1 ? new Response('', { status: 429, headers: { 'retry-after': '1' } }) : new Response('ok'),
    )
    const webhook = open(to.url)
    say('s1')
    await until(() => webhook.status().nextAttemptAt !== null || to.got.length > 1, 'a pause')
    say('s2')
    await arrived(to, 3)
    expect((to.got[1]?.at ?? 0) - (to.got[0]?.at ?? 0)).toBeGreaterThanOrEqual(950)
  })
})

describe('an endpoint that is away', () => {
  test('gets everything when it is back, in order, and costs no row for each event', async () => {
    const { say, open, store } = world()
    const gone = openReceiver()
    await gone.stop()
    const webhook = open(gone.url)
    const ids = Array.from({ length: 300 }, (_, i) => say(`s${i % 3}`))
    await until(() => webhook.status().failed >= 5, 'attempts')
    expect(webhook.status()).toMatchObject({
      state: 'failing',
      lastError: 'ECONNREFUSED',
      backlog: 300,
      dead: 0,
    })
    expect(deliveries(store)).toEqual([])
    const to = receiver(undefined, gone.port)
    await arrived(to, 300)
    for (const session of ['s0', 's1', 's2']) {
      const want = ids.filter((_, i) => `s${i % 3}` === session)
      expect(idsOf(to.got.filter(({ body }) => body.session === session))).toEqual(want)
    }
    await until(() => webhook.status().backlog === 0, 'nothing left')
    expect(webhook.status()).toMatchObject({ state: 'ok', delivered: 300, dead: 0, failingSince: null })
  })

  test('behind a proxy that says 503 gets one request at a time, and few letters', async () => {
    const { say, open, store } = world()
    let isDown = true
    let now = 0
    let most = 0
    const to = receiver(async () => {
      now += 1
      if (isDown && to.got.length > 16) most = Math.max(most, now) // once it is clear what is going on
      await Bun.sleep(2)
      now -= 1
      return new Response('', { status: isDown ? 503 : 200 })
    })
    const webhook = open(to.url)
    const ids = Array.from({ length: 200 }, (_, i) => say(`s${i}`))
    await until(() => webhook.status().failed >= 20, 'attempts')
    expect(deliveries(store).length).toBeLessThanOrEqual(16)
    expect(most).toBeLessThanOrEqual(1)
    isDown = false
    await until(() => webhook.status().backlog === 0 && webhook.status().waiting === 0, 'all of it')
    const dead = webhook.status().dead
    expect(dead).toBeLessThanOrEqual(4)
    expect(webhook.status().delivered).toBe(ids.length - dead)
  })

  test('that hangs on everything does not take memory or rows', async () => {
    const { say, open, store } = world()
    const server = await openRawServer(() => {})
    closing.push(server.stop)
    const webhook = open(server.url, { timeoutMs: 150 })
    for (let i = 0; i < 2_000; i++) say(`s${i}`)
    await until(() => webhook.status().failed >= 6, 'attempts')
    expect(deliveries(store).length).toBeLessThanOrEqual(16)
    expect(webhook.status().backlog).toBeGreaterThan(1_900)
  })
})

describe('a restart', () => {
  test('goes on where it was, with the attempts that were made', async () => {
    const first = world()
    let isUp = false
    const to = receiver(({ body }) => new Response('', { status: isUp || body.session === 'ok' ? 200 : 500 }))
    const webhook = first.open(to.url, { backoffMs: 30 })
    const bad = first.say('bad')
    first.say('ok')
    await until(
      () => webhook.status().delivered === 1 && (deliveries(first.store)[0]?.attemptCount ?? 0) >= 3,
      'three attempts',
    )
    await webhook.close()
    const missed = [first.say('ok'), first.say('bad')]
    await until(() => to.got.length >= 4, 'the attempts so far')
    const before = to.got.length
    first.store.close()
    closing.splice(closing.length - 2)

    isUp = true
    const second = world(first.path)
    const again = second.open(to.url)
    await until(() => again.status().backlog === 0 && again.status().waiting === 0, 'the rest')
    const later = idsOf(to.got.slice(before))
    expect([...later].sort()).toEqual([bad, ...missed].sort())
    expect(later.indexOf(bad)).toBeLessThan(later.indexOf(missed[1] ?? ''))
  })
})

test('one that hangs when the webhook is closed is sent again, with what waits behind it, and nothing else', async () => {
  const { say, open } = world()
  const hang = Promise.withResolvers<Response>()
  let isUp = false
  const to = receiver(({ body }) =>
    body.session === 'slow' && !isUp ? hang.promise : new Response('', { status: 204 }),
  )
  const webhook = open(to.url)
  const slow = [say('slow'), say('slow')]
  const others = Array.from({ length: 300 }, (_, i) => say(`s${i % 20}`))
  await until(() => webhook.status().delivered === others.length, 'all others')
  const before = to.got.length
  await webhook.close()
  isUp = true
  const again = open(to.url)
  const last = say('s1')
  await until(() => again.status().backlog === 0 && again.status().waiting === 0, 'the rest')
  expect(idsOf(to.got.slice(before)).sort()).toEqual([...slow, last].sort())
  hang.resolve(new Response(''))
})

test('messages behind a session that is stuck at the close hold up no other, and the next filter counts', async () => {
  const { say, open } = world()
  const to = receiver(({ body }) => new Response('', { status: body.session === 'slow' ? 500 : 204 }))
  const webhook = open(to.url, { backoffMs: 60_000 })
  for (let i = 0; i < 100; i++) say('slow', i % 2 ? 'Stop' : 'PreToolUse')
  for (let i = 0; i < 20; i++) say('a')
  await until(() => webhook.status().delivered === 20, 'the others')
  await webhook.close()
  const again = open(to.url, { backoffMs: 60_000, filters: [filterOn('HOOK_EVENTS', 'Stop')] })
  for (let i = 0; i < 20; i++) say(`new-${i}`)
  await until(() => again.status().delivered === 20, 'the new ones')
  expect(again.status().waiting).toBeLessThanOrEqual(51) // the one that was tried, and each Stop
})

test('a dead letter that gets another chance is sent', async () => {
  const { say, open, store } = world()
  let isUp = false
  const to = receiver(() => new Response('', { status: isUp ? 200 : 404 }))
  const webhook = open(to.url)
  const id = say('s1')
  await until(() => webhook.status().dead === 1, 'a dead letter')
  isUp = true
  store.journal.commit(() =>
    store.deliveries.put({
      ...{ target: 'webhook:w', stream: 'HOOK_EVENTS', seq: 1, id, sessionId: 's1' },
      ...{ attemptCount: 0, nextAttemptAt: 0, lastError: null, deadAt: null },
    }),
  )
  webhook.requeued()
  await until(() => webhook.status().delivered === 1, 'the second chance')
  expect(webhook.status()).toMatchObject({ dead: 0, waiting: 0 })
})

test('a secret that is missing keeps everything until it is there', async () => {
  const { say, open } = world()
  const to = receiver()
  let secret: string | undefined
  const webhook = open(to.url, {
    endpoint: () => {
      if (secret === undefined) throw new Error('the secret cannot be read')
      return { url: to.url, secret, timeoutMs: 1_000 }
    },
  })
  const id = say('s1')
  await until(() => webhook.status().failed > 1, 'attempts')
  expect(webhook.status()).toMatchObject({ problem: 'the secret cannot be read', backlog: 1 })
  expect(to.got).toEqual([])
  secret = 'here it is, long enough'
  await arrived(to, 1)
  expect(idsOf(to.got)).toEqual([id])
})

test('payloads of many megabytes go one at a time', async () => {
  const { say, open } = world()
  let now = 0
  let most = 0
  const to = receiver(async () => {
    now += 1
    most = Math.max(most, now)
    await Bun.sleep(20)
    now -= 1
    return new Response('ok')
  })
  open(to.url, { timeoutMs: 15_000 })
  for (let i = 0; i < 4; i++) say(`s${i}`, 'Stop', { x: 'y'.repeat(8 * 1024 * 1024) })
  await arrived(to, 4)
  expect(most).toBe(1)
})

test('events that the journal deleted in the meantime are counted, and the others sent', async () => {
  const first = world()
  const to = receiver()
  const webhook = first.open(to.url, { enabled: false })
  await webhook.close()
  for (let i = 0; i < 300; i++) first.say('s1')
  while (first.store.retain({ maxAgeMs: 0, maxBytes: 1 << 30 }, Date.now() + 1_000));
  const left = first.store.count()
  const again = first.open(to.url)
  await arrived(to, left)
  await until(() => again.status().backlog === 0, 'nothing left')
  expect(again.status()).toMatchObject({ missed: 300 - left, delivered: left })
})
