/** From the journal to JetStream, through everything that can go wrong on the way: each message once, in order. */
import { describe, expect, test } from 'bun:test'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { tempDir, until } from '../kit.ts'
import { contentOf, countOf, lineTo, startServer } from '../nats-kit.ts'
import { expectOnceInOrder, holds, idsIn, manage, planFor, status, world } from './world.ts'

const LONG_MS = 120_000
const SHORT_WINDOW_MS = 100 // so long the server remembers ids

describe('what is published', () => {
  test('is the payload as it came, with subject, id and headers', async () => {
    const server = await startServer({ token: 'right' })
    const { nats, say } = world()
    nats.apply(() => planFor(server))
    await until(() => nats.glance().connected, 'the connection')
    const raw = '{"hook_event_name":"PreToolUse",  "session_id":"s1","x":"\\u00e9é"}'
    const id = say('s1', { raw })
    await holds(server, 1)
    const [message] = await contentOf(server, 'HOOK_EVENTS')
    expect(message).toMatchObject({ id, subject: 'hooks.PreToolUse', data: raw })
    expect(message?.headers).toMatchObject({
      'Gantry-Agent': 'claude',
      'Gantry-Native-Event': 'PreToolUse',
      'Gantry-Session': 's1',
      'Gantry-Host': 'box',
    })
  })

  test('has four streams with exactly the settings that consumers rely on', async () => {
    const server = await startServer()
    const { nats } = world()
    nats.apply(() => planFor(server))
    await until(
      async () => (await nats.status()).streams.filter(({ exists }) => exists).length === 4,
      'the streams',
    )
    const configs = await manage(server, (jsm) =>
      Promise.all(
        ['HOOK_EVENTS', 'SESSION_EVENTS', 'DECISION_EVENTS', 'GANTRY_EVENTS'].map((name) =>
          jsm.streams.info(name),
        ),
      ),
    )
    for (const [at, subjects] of ['hooks.>', 'sessions.>', 'decisions.>', 'gantry.>'].entries()) {
      expect(configs[at]?.config).toMatchObject({
        subjects: [subjects],
        storage: 'file',
        retention: 'limits',
        discard: 'old',
        max_msgs: 10_000,
        max_bytes: 104_857_600,
        max_age: 0,
        num_replicas: 1,
      })
    }
  })

  test('under both names, when that is wanted, each once', async () => {
    const server = await startServer()
    const dir = tempDir()
    const { nats, say, close } = world(dir)
    nats.apply(() => planFor(server, { form: { subjects: 'both', host: 'build.example', replicas: 1 } }))
    const id = say('s1')
    await holds(server, 2)
    const found = await contentOf(server, 'HOOK_EVENTS')
    expect(found.map((one) => [one.subject, one.id])).toEqual([
      ['hooks.PreToolUse', id],
      ['hooks.build_example.PreToolUse', `${id}:h`],
    ])
    await close()
  })

  test('names that no header may hold do not stop it', async () => {
    const server = await startServer()
    const { nats, say } = world()
    nats.apply(() => planFor(server))
    const ids = [say('a\r\nNats-Msg-Id: x'), say('\u0000'), say('é'.repeat(2000)), say('')]
    await holds(server, 4)
    const found = await contentOf(server, 'HOOK_EVENTS')
    expect(new Set(idsIn(found))).toEqual(new Set(ids))
    expect(found.find(({ id }) => id === ids[0])?.session).toBe('a__Nats-Msg-Id: x')
  })

  test(
    'the first time begins with what the stream can hold, not with the whole journal',
    async () => {
      const server = await startServer()
      const { nats, fill, store } = world()
      const ids = fill(10_300)
      nats.apply(() => planFor(server))
      await until(async () => (await status(nats))?.backlog === 0, 'nothing left')
      const { state } = await manage(server, (jsm) => jsm.streams.info('HOOK_EVENTS'))
      expect(state).toMatchObject({ messages: 10_000, first_seq: 1, last_seq: 10_000 })
      expectOnceInOrder(await contentOf(server, 'HOOK_EVENTS'), ids.slice(300))
      expect(store.outbox.countDead('HOOK_EVENTS')).toBe(0)
    },
    LONG_MS,
  )
})

describe.concurrent('NATS goes away', () => {
  test(
    'many events come meanwhile: they are there once, in order, when it is back',
    async () => {
      const server = await startServer()
      const { nats, say, fill } = world()
      nats.apply(() => planFor(server))
      const ids = Array.from({ length: 100 }, (_, i) => say(`s${i % 7}`))
      await holds(server, 100)
      await server.kill('SIGKILL')
      ids.push(...fill(1_199, 13), say('last')) // in one commit: the disk is not the point
      await until(() => !nats.glance().connected, 'no connection')
      expect(nats.glance().streams[0]?.backlog).toBe(1_200)
      expect((await nats.problems()).map(({ message }) => message).join()).toMatch(
        /1,200 messages wait|no NATS server listens/,
      )
      await server.start()
      await holds(server, 1_300)
      expectOnceInOrder(await contentOf(server, 'HOOK_EVENTS'), ids)
      await until(async () => (await nats.problems()).length === 0, 'no more problems')
    },
    LONG_MS,
  )

  test(
    'with the answers to what it took, for longer than it remembers ids',
    async () => {
      const server = await startServer()
      await manage(server, (jsm) =>
        jsm.streams.add({
          name: 'HOOK_EVENTS',
          subjects: ['hooks.>'],
          duplicate_window: SHORT_WINDOW_MS * 1e6,
        }),
      )
      const line = lineTo(server)
      const { nats, say } = world()
      nats.apply(() => planFor(server, { servers: [`127.0.0.1:${line.port}`] }))
      const ids = [say('s0')]
      await until(async () => (await status(nats))?.backlog === 0, 'a connection that works')
      line.mute()
      for (let i = 0; i < 300; i++) ids.push(say(`s${i % 50}`))
      await holds(server, 51) // of each session one is there, and nobody knows
      expect(nats.glance().streams[0]?.backlog).toBe(300)
      await Bun.sleep(3 * SHORT_WINDOW_MS) // the server has forgotten them
      line.cut()
      await holds(server, 301)
      await until(async () => (await status(nats))?.backlog === 0, 'nothing left')
      expectOnceInOrder(await contentOf(server, 'HOOK_EVENTS'), ids)
    },
    LONG_MS,
  )

  test(
    'and comes back empty: it gets what it held, and what came since',
    async () => {
      const server = await startServer()
      const { nats, say } = world()
      nats.apply(() => planFor(server))
      const ids = Array.from({ length: 300 }, (_, i) => say(`s${i % 7}`))
      await holds(server, 300)
      await server.kill('SIGKILL')
      rmSync(join(server.dir, 'js'), { recursive: true })
      ids.push(say('late'))
      await server.start()
      await holds(server, 301)
      expectOnceInOrder(await contentOf(server, 'HOOK_EVENTS'), ids)
      expect((await status(nats))?.note).toContain('301 messages published to it again')
    },
    LONG_MS,
  )
})

describe.concurrent('somebody else', () => {
  test('deletes the stream: it is made again at once, with what it held', async () => {
    const server = await startServer()
    const { nats, say } = world()
    nats.apply(() => planFor(server))
    const ids = Array.from({ length: 50 }, (_, i) => say(`s${i % 7}`))
    await holds(server, 50)
    await manage(server, (jsm) => jsm.streams.delete('HOOK_EVENTS'))
    await holds(server, 50)
    ids.push(say('s1'))
    await holds(server, 51)
    expectOnceInOrder(await contentOf(server, 'HOOK_EVENTS'), ids)
    expect((await nats.problems()).map(({ message }) => message)).toEqual([
      expect.stringMatching(/it was gone, or is another one \d+s ago; /),
    ])
  })

  test('empties the stream: it stays empty, and what comes next is there', async () => {
    const server = await startServer()
    const { nats, say } = world()
    nats.apply(() => planFor(server))
    for (let i = 0; i < 50; i++) say('s1')
    await holds(server, 50)
    await until(async () => (await status(nats))?.backlog === 0, 'nothing left')
    await manage(server, (jsm) => jsm.streams.purge('HOOK_EVENTS'))
    await server.kill('SIGTERM')
    await server.start()
    const id = say('s1')
    await holds(server, 1)
    expect(idsIn(await contentOf(server, 'HOOK_EVENTS'))).toEqual([id])
  })

  test('gives the stream other settings: they stay, and are reported', async () => {
    const server = await startServer()
    const { nats, say } = world()
    nats.apply(() => planFor(server))
    say('s1')
    await holds(server, 1)
    expect(await nats.problems()).toEqual([])
    await manage(server, async (jsm) => {
      const { config } = await jsm.streams.info('HOOK_EVENTS')
      await jsm.streams.update('HOOK_EVENTS', { ...config, max_msgs: 5 })
    })
    for (let i = 0; i < 9; i++) say('s1')
    await until(async () => {
      const { messages, backlog } = (await status(nats)) ?? {}
      return messages === 5 && backlog === 0
    }, 'five messages, and none that waits')
    expect(await status(nats)).toMatchObject({ differs: ['max_msgs is 5, not 10000'] })
    expect((await nats.problems())[0]?.fix).toContain('nats stream rm HOOK_EVENTS')
  })

  test(
    'has a stream with these subjects: nothing goes there, and the way out is told',
    async () => {
      const server = await startServer()
      await manage(server, (jsm) => jsm.streams.add({ name: 'MINE', subjects: ['hooks.*'] }))
      const { nats, say } = world()
      nats.apply(() => planFor(server))
      const id = say('s1')
      await until(async () => (await status(nats))?.lastError, 'a problem')
      expect((await nats.problems())[0]?.message).toBe('another stream has the subjects of HOOK_EVENTS')
      expect(await countOf(server, 'MINE')).toBe(0)
      await manage(server, (jsm) => jsm.streams.delete('MINE'))
      await holds(server, 1)
      expect(idsIn(await contentOf(server, 'HOOK_EVENTS'))).toEqual([id])
    },
    LONG_MS,
  )
})

describe.concurrent('a message that is too large for the server', () => {
  test(
    'is a dead letter, the others go on, and it can be sent later or dropped',
    async () => {
      const server = await startServer({ extra: 'max_payload: 2000' })
      const { nats, say, store } = world()
      nats.apply(() => planFor(server))
      const big = JSON.stringify({ text: 'x'.repeat(3_000) })
      const before = say('s1')
      const [late, lost] = [say('s1', { raw: big }), say('s1', { raw: big })]
      const after = say('s1')
      await holds(server, 2)
      expect(idsIn(await contentOf(server, 'HOOK_EVENTS'))).toEqual([before, after])
      await until(async () => (await status(nats))?.backlog === 0, 'nothing left')
      expect(
        store.outbox
          .dead(10)
          .map(({ id }) => id)
          .sort(),
      ).toEqual([late, lost].sort())
      expect((await nats.problems())[0]?.message).toBe('2 messages of HOOK_EVENTS were not taken by NATS')
      await server.kill('SIGTERM')
      await server.start('max_payload: 5000')
      await until(() => nats.glance().connected, 'the connection')
      store.journal.commit(() => store.outbox.requeue(late, Date.now()))
      nats.requeued()
      await holds(server, 3)
      expect(idsIn(await contentOf(server, 'HOOK_EVENTS'))).toEqual([before, after, late])
      await until(
        () =>
          store.outbox.dead(10).length === 1 &&
          store.deliveries.waiting('jetstream', 'HOOK_EVENTS').length === 0,
        'one letter',
      )
      store.journal.commit(() => store.outbox.drop(lost))
      expect((await status(nats))?.deadLetters).toBe(0)
    },
    LONG_MS,
  )
})
