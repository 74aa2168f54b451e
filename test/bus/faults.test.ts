/** What can be wrong with a NATS server, seen from a whole daemon: no hook waits, nothing is lost, and people are told. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { AckPolicy, DeliverPolicy } from '@nats-io/jetstream'
import { call, type Finding } from '../../src/client/index.ts'
import type { Places } from '../../src/core/files/paths.ts'
import {
  gantry,
  idsIn,
  makeHome,
  type RunningDaemon,
  sendFrame,
  startDaemon,
  tempDir,
  until,
} from '../kit.ts'
import { rounds } from '../long.ts'
import { contentOf, countOf, startServer, type TestServer } from '../nats-kit.ts'
import { AGENTS_ONLY } from './bus-kit.ts'
import { expectOnceInOrder, manage } from './world.ts'

const LONG_MS = 120_000
const HOOKS = 20

const begin = async (server: TestServer, env = {}): Promise<{ at: Places; daemon: RunningDaemon }> => {
  const at = makeHome(`[nats]\nfleet = "off"\n${AGENTS_ONLY}`)
  const daemon = await startDaemon(at, { GANTRY_NATS: 'external', BD_NATS_URL: server.url, ...env })
  return { at, daemon }
}

/** Hooks one after the other, each of them answered. */
async function hooks(at: Places, count = HOOKS, filler = ''): Promise<void> {
  for (let i = 0; i < count; i++) {
    const payload = JSON.stringify({ hook_event_name: 'PostToolUse', session_id: `s${i % 7}`, i, filler })
    expect((await sendFrame(at, { payload }))?.exit).toBe(0)
  }
}

/** The line of `gantry doctor`, and that `gantry bus status` has it, too. */
async function told(at: Places, what: RegExp): Promise<Finding> {
  const found = await until(
    async () => (await call(at, 'doctor')).find(({ message }) => what.test(message)),
    `a finding like ${what}`,
    30_000,
  )
  // What is wrong may have another name for a moment, whenever it is tried again.
  const isPrinted = async () => what.test((await gantry(at, 'bus', 'status')).stdout)
  await until(isPrinted, `${what} in bus status`)
  expect(found.fix).toBeTruthy()
  return found
}

const allThere = async (at: Places, server: TestServer) => {
  const ids = idsIn(at)
  await until(async () => (await countOf(server, 'HOOK_EVENTS')) >= ids.length, 'everything', 60_000)
  expectOnceInOrder(await contentOf(server, 'HOOK_EVENTS'), ids)
}
const healthy = (at: Places) =>
  until(
    async () => (await call(at, 'doctor')).every(({ about }) => about !== 'nats'),
    'nothing more to say',
    30_000,
  )

describe.concurrent('a server', () => {
  test(
    'that does not know the token',
    async () => {
      const server = await startServer({ token: 'right' })
      const { at, daemon } = await begin(server, { BD_DAEMON_TOKEN: 'wrong' })
      await hooks(at)
      expect((await told(at, /refuses gantry/)).fix).toContain('BD_DAEMON_TOKEN')
      await daemon.kill('SIGTERM')
      await using _ = await startDaemon(at, {
        GANTRY_NATS: 'external',
        BD_NATS_URL: server.url,
        BD_DAEMON_TOKEN: 'right',
      })
      await allThere(at, server)
      await healthy(at)
    },
    LONG_MS,
  )

  test(
    'whose limit for JetStream is too small for the streams, and then one that takes only small messages: the large ones wait as dead letters, and can be sent later',
    async () => {
      const store = join(tempDir(), 'js')
      const settings = (limit: string, payload = 2_000) =>
        `max_payload: ${payload}\njetstream { store_dir: ${JSON.stringify(store)}, max_file_store: ${limit} }`
      const server = await startServer({ jetstream: false, extra: settings('50MB') })
      const { at, daemon } = await begin(server)
      await hooks(at)
      expect((await told(at, /no room for HOOK_EVENTS/)).fix).toContain('JetStream limits')
      await server.kill('SIGTERM')
      await server.start(settings('1GB'))
      await allThere(at, server)
      await healthy(at)

      await hooks(at, 20, 'x'.repeat(3_000))
      await hooks(at)
      await until(async () => (await countOf(server, 'HOOK_EVENTS')) >= 40, 'the small ones')
      const finding = await told(at, /20 messages of HOOK_EVENTS were not taken by NATS/)
      expect(finding.fix).toContain('gantry bus dead-letters')
      await server.kill('SIGTERM')
      await server.start(settings('1GB', 20_000))
      await until(async () => (await countOf(server, 'HOOK_EVENTS')) >= 40, 'the server')
      expect((await gantry(at, 'bus', 'dead-letters', '--requeue', 'all')).exit).toBe(0)
      await until(async () => (await countOf(server, 'HOOK_EVENTS')) >= 60, 'the large ones', 60_000)
      const ids = (await contentOf(server, 'HOOK_EVENTS')).map(({ id }) => id)
      expect(ids.sort()).toEqual(idsIn(at).sort())
      await healthy(at)
      await daemon.kill('SIGTERM')
      await server.kill('SIGKILL')
    },
    LONG_MS,
  )

  test(
    'whose disk is full, until there is room again',
    async () => {
      const disk = tempDir()
      const mounted = Bun.spawnSync(['mount', '-t', 'tmpfs', '-o', 'size=12m', 'tmpfs', disk])
      if (!mounted.success) {
        console.error(`not tested, since nothing can be mounted here: ${mounted.stderr.toString().trim()}`)
        return
      }
      try {
        const extra = `jetstream { store_dir: "${disk}/js", max_file_store: 1GB }`
        const server = await startServer({ jetstream: false, extra })
        const { at, daemon } = await begin(server)
        await hooks(at)
        await until(async () => (await countOf(server, 'HOOK_EVENTS')) >= HOOKS, 'the first ones')
        writeFileSync(join(disk, 'filler'), new Uint8Array(8 * 1024 * 1024))
        await hooks(at, 60, 'x'.repeat(100_000))
        expect((await told(at, /HOOK_EVENTS at .* does not answer/)).fix).toContain('disk')
        rmSync(join(disk, 'filler'))
        // A server that could not write has turned JetStream off for itself; whoever runs it starts it again.
        await server.kill('SIGKILL')
        Bun.spawnSync(['mount', '-o', 'remount,size=80m', disk])
        await server.start()
        await allThere(at, server)
        await healthy(at)
        await daemon.kill('SIGTERM')
        await server.kill('SIGKILL')
      } finally {
        Bun.spawnSync(['umount', '-l', disk])
      }
    },
    LONG_MS,
  )
})

describe('a server that works', () => {
  let server: TestServer
  let at: Places
  let daemon: RunningDaemon
  beforeAll(async () => {
    server = await startServer()
    ;({ at, daemon } = await begin(server))
  })
  afterAll(async () => void (await daemon.kill('SIGTERM')))

  // The first one: that a stream was gone is told for a while.
  test(
    'has a consumer that never acknowledges and a subscriber that never reads: they hold nobody up',
    async () => {
      await hooks(at, 1)
      await allThere(at, server)
      await manage(server, (jsm) =>
        jsm.consumers.add('HOOK_EVENTS', {
          durable_name: 'coop-stuck',
          ack_policy: AckPolicy.Explicit,
          deliver_policy: DeliverPolicy.All,
          deliver_subject: 'stuck',
          ack_wait: 200_000_000,
        }),
      )
      // It signs in, asks for everything, and takes nothing out of its socket.
      const deaf = connect(server.port, '127.0.0.1')
      deaf.on('error', () => {}).pause()
      deaf.write('CONNECT {"verbose":false}\r\nSUB hooks.> 1\r\nSUB stuck 2\r\n')
      await hooks(at, rounds(75, 500), 'x'.repeat(20_000))
      await allThere(at, server)
      await healthy(at)
      deaf.destroy()
      await manage(server, (jsm) => jsm.consumers.delete('HOOK_EVENTS', 'coop-stuck'))
    },
    LONG_MS,
  )

  test(
    'and on which somebody gives the stream other subjects',
    async () => {
      await hooks(at)
      await allThere(at, server)
      await manage(server, async (jsm) => {
        const { config } = await jsm.streams.info('HOOK_EVENTS')
        await jsm.streams.update('HOOK_EVENTS', { ...config, subjects: ['other.>'] })
      })
      await hooks(at)
      await told(at, /subjects are other\.>, not hooks\.>/)
      await told(at, /nobody answers for the stream HOOK_EVENTS/)
      const { stdout } = await gantry(at, 'doctor')
      expect(stdout).not.toContain('JetStream is off')
      await manage(server, (jsm) => jsm.streams.delete('HOOK_EVENTS'))
      await allThere(at, server)
    },
    LONG_MS,
  )

  test(
    'and on which somebody gives the stream other settings',
    async () => {
      await hooks(at)
      await allThere(at, server)
      await manage(server, async (jsm) => {
        const { config } = await jsm.streams.info('HOOK_EVENTS')
        await jsm.streams.update('HOOK_EVENTS', { ...config, max_msgs: 30, max_msg_size: 900_000 })
      })
      await hooks(at)
      const finding = await told(at, /max_msgs is 30, not 10000/)
      expect(finding.message).toContain('max_msg_size is 900000, not unlimited')
      expect(finding.fix).toContain('nats stream rm HOOK_EVENTS')
      await until(async () => (await countOf(server, 'HOOK_EVENTS')) === 30, 'as many as it holds')
      await manage(server, (jsm) => jsm.streams.delete('HOOK_EVENTS'))
      await allThere(at, server)
    },
    LONG_MS,
  )
})
