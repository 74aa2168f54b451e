import { afterAll, describe, expect, test } from 'bun:test'
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { tempDir, until } from '../../test/kit.ts'
import { openReceiver } from '../../test/receiver.ts'
import type { Session } from '../sessions/state/index.ts'
import { ev, run, tool } from '../sessions/state/testkit.ts'
import { openStore } from '../store/index.ts'
import type { Channel } from './channels/channel.ts'
import { send } from './channels/index.ts'
import { notifySchema } from './config.ts'
import { Notifier } from './notifier.ts'
import { notifyCalls } from './rpc.ts'
import { channelOf } from './testkit.ts'
import { testMessage } from './words.ts'

const ends: (() => unknown)[] = []
afterAll(async () => {
  for (const end of ends.reverse()) await end()
})

function receiver(answer?: Parameters<typeof openReceiver>[0]) {
  const made = openReceiver(answer)
  ends.push(() => made.stop())
  return made
}

/** A fleet that the test says, a store of its own. */
function world(channels: Channel[], now = () => Date.now()) {
  const store = openStore(join(tempDir(), 'x.db'))
  const fleet = new Map<string, Session>()
  const warnings: string[] = []
  const notifier = new Notifier({
    store,
    session: (key) => fleet.get(key),
    sessions: () => fleet.values(),
    place: () => ({ project: 'gantry' }),
    warn: (message) => warnings.push(message),
    now,
  })
  notifier.apply({ channels, quiet: [], timeZone: 'UTC', awayMs: 0 })
  ends.push(async () => {
    await notifier.close(100)
    store.close()
  })
  const change = (session: Session, isTold = true) => {
    fleet.set(session.key, session)
    if (isTold) notifier.committed([{ session, level: 'state' }])
  }
  return { store, notifier, change, warnings }
}

/** Sessions by number that ask for a permission now. */
function asking(number: number): Session {
  const asked = run(ev('UserPromptSubmit'), ev('PermissionRequest', tool('Bash', `c${number}`)))
  const attention = asked.attention.map((one) => ({ ...one, since: Date.now() }))
  return { ...asked, key: `claude:n${number}`, id: `n${number}`, name: `otter-${number}`, attention }
}

describe('a notifier', () => {
  test('with a hundred sessions at once sends one after the other, within the rate limit', async () => {
    let open = 0
    let most = 0
    const to = receiver(async () => {
      open += 1
      most = Math.max(most, open)
      await Bun.sleep(2)
      open -= 1
      return new Response('ok')
    })
    const { change, notifier } = world([channelOf({ url: () => to.url, maxPerMinute: 30 })])
    for (let i = 0; i < 100; i++) change(asking(i))
    await until(() => to.got.length === 30, 'thirty')
    await Bun.sleep(100)
    expect(to.got.length).toBe(30)
    expect(most).toBe(1)
    expect(notifier.waiting).toBe(70)
    expect(notifier.dropped).toBe(0)
  })

  test('with a thousand at once drops what nobody could read, and counts it', () => {
    const to = receiver(() => new Promise(() => {}))
    const { change, notifier } = world([channelOf({ url: () => to.url })])
    for (let i = 0; i < 1000; i++) change(asking(i))
    expect(notifier.waiting).toBeLessThanOrEqual(256)
    expect(notifier.dropped).toBeGreaterThan(700)
  })

  test('retries if that may help, and records one sent message', async () => {
    const to = receiver((_, nth) => new Response('', { status: nth === 1 ? 503 : 200 }))
    const { change, store, warnings } = world([channelOf({ url: () => to.url, cooldownMs: 60_000 })])
    change(asking(1))
    await until(() => to.got.length === 1, 'the first attempt')
    await until(() => store.notifications.failing(0).length === 1, 'the failure')
    await until(() => to.got.length === 2, 'the second attempt')
    await until(() => store.notifications.newest(5)[0]?.outcome === 'sent', 'the row')
    expect(store.notifications.newest(5)).toHaveLength(1)
    expect(store.notifications.failing(0)).toEqual([])
    expect(warnings).toEqual(['one: HTTP 503'])
  }, 120_000)

  test('sends the words of a rule, also where those of agents are left out, once for each event', async () => {
    const to = receiver()
    const reasons = ['rule'] as const
    const { change, notifier } = world([channelOf({ url: () => to.url, reasons, withWords: false })])
    const { key } = asking(1)
    const told = (id: string) => notifier.told(key, { id, receivedAt: Date.now() }, 'it pushes\nto main')
    change(asking(1))
    told('e1')
    told('e1')
    await until(() => to.got.length === 1, 'the first')
    told('e2')
    await until(() => to.got.length === 2, 'the second')
    expect(to.got.map(({ body }) => [body.title, body.body, body.reason])).toEqual(
      Array(2).fill(['otter-1 met a rule of yours', 'it pushes to main\ngantry', 'rule']),
    )
    notifier.apply({ channels: [], quiet: [], timeZone: '', awayMs: 0 })
    told('e3')
    expect(notifier.waiting).toBe(0)
  })

  test('with a new channel does not send it old occasions', async () => {
    const to = receiver()
    const { change, notifier } = world([])
    const old = asking(1)
    change({ ...old, attention: old.attention.map((one) => ({ ...one, since: Date.now() - 3_600_000 })) })
    notifier.apply({ channels: [channelOf({ url: () => to.url })], quiet: [], timeZone: '', awayMs: 0 })
    change(asking(2))
    await until(() => to.got.length === 1, 'the new one')
    expect(String(to.got[0]?.body.title)).toStartWith('otter-2')
  })

  test('sends nothing twice after the clock was set back, and waiting ones in time', async () => {
    const to = receiver()
    let now = Date.now()
    const { change, notifier } = world([channelOf({ url: () => to.url, afterMs: 1_000 })], () => now)
    const asked = asking(1)
    change(asked)
    now += 1_000
    change(asked) // its timer is as long as that clock says
    await until(() => to.got.length === 1, 'the first')
    const other = asking(2)
    change({ ...other, attention: other.attention.map((one) => ({ ...one, since: now })) })
    const hour = 3_600_000
    now -= hour
    for (const [since, one] of [
      [asked.attention[0]?.since ?? 0, asked],
      [now + hour, other],
    ] as const)
      change({ ...one, attention: one.attention.map((ask) => ({ ...ask, since: since - hour })) }, false)
    notifier.setBack(hour)
    now += 1_000
    change({ ...asked, attention: asked.attention.map((one) => ({ ...one, since: one.since - hour })) })
    await until(() => to.got.length === 2, 'the other')
    await Bun.sleep(50)
    expect(to.got).toHaveLength(2)
  })

  test('enabled later sends what still waits, but no earlier ends of turns', async () => {
    const to = receiver()
    const { change, notifier } = world([])
    const over = run(ev('UserPromptSubmit'), ev('Stop'))
    const ended = { ...over.turn, startedAt: Date.now() - 61_000, stoppedAt: Date.now() - 60_000 }
    const done = (name: string) => ({ ...over, key: `claude:${name}`, id: name, name, turn: ended })
    const channels = [channelOf({ url: () => to.url })]
    change(done('before'))
    change(asking(1))
    notifier.apply({ channels, quiet: [], timeZone: '', awayMs: 0 })
    change(done('after'))
    await until(() => to.got.length === 2, 'what waits, and what came after')
    expect(to.got.map(({ body }) => String(body.title).split(' ')[0])).toEqual(['otter-1', 'after'])
    expect(notifier.waiting).toBe(0)
  })

  const row = {
    ...{ channel: 'c', reason: 'done', session: 's', title: '', body: '' },
    ...({ at: 1, outcome: 'sent', detail: '' } as const),
  }

  test('lists the newest first, by the time of the last attempt', () => {
    const { store, notifier } = world([])
    const calls = notifyCalls({
      store,
      notifier,
      config: () => ({ notify: notifySchema().parse({}) }),
      configDir: '',
    })
    const listed = (limit: number) => calls['notify.log']({ limit }).map(({ occasion }) => occasion)
    store.journal.commit(() => {
      store.notifications.claim({ ...row, occasion: 'hung', at: 1_000, outcome: 'sending' })
      store.notifications.claim({ ...row, occasion: 'next', at: 2_000 })
      store.notifications.finish({ ...row, occasion: 'hung', at: 3_000 })
    })
    expect(listed(10)).toEqual(['hung', 'next'])
    expect(listed(1)).toEqual(['hung'])
  })

  test('keeps a bounded number of rows', () => {
    const { store } = world([])
    store.journal.commit(() => {
      for (let i = 0; i < 2_500; i++) store.notifications.claim({ ...row, occasion: `o${i}` })
    })
    while (store.retain({ maxAgeMs: 1e12, maxBytes: 1e12 }, Date.now()));
    expect(store.notifications.newest(5_000)).toHaveLength(2_000)
    expect(store.notifications.has('o2499', 'c')).toBe(true)
    expect(store.notifications.has('o1', 'c')).toBe(false)
  })
})

describe('a sound', () => {
  const dir = tempDir()
  const player = join(dir, 'player')
  const sound = join(dir, 'ding.wav')
  writeFileSync(sound, '')
  const message = testMessage('sound', {}, 0)
  const plays = (script: string) => {
    writeFileSync(player, `#!/bin/sh\n${script}\n`)
    chmodSync(player, 0o755)
  }

  test('is played by the configured program', async () => {
    plays(`printf %s "$1" > ${dir}/played`)
    expect(await send(channelOf({ kind: 'sound', file: sound, player }), message)).toMatchObject({ ok: true })
    expect(readFileSync(join(dir, 'played'), 'utf8')).toBe(sound)
  })

  test('that does not end is killed', async () => {
    plays('exec sleep 60')
    const sent = await send(channelOf({ kind: 'sound', file: sound, player, timeoutMs: 200 }), message)
    expect(sent).toEqual({ ok: false, detail: `${player} did not end within 0.2 s` })
  })

  test('with a missing file is not played', async () => {
    const sent = await send(channelOf({ kind: 'sound', file: '/nowhere.wav', player }), message)
    expect(sent).toEqual({ ok: false, detail: 'there is no file /nowhere.wav' })
    expect(existsSync('/nowhere.wav')).toBe(false)
  })
})
