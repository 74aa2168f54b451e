/** A server that somebody else runs: how gantry signs in, and what it says when that server cannot be used. */
import { describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { credsAuthenticator, nkeyAuthenticator, nkeys } from '@nats-io/transport-node'
import type { NatsBus } from '../../src/bus/index.ts'
import { tempDir, until } from '../kit.ts'
import { contentOf, startServer } from '../nats-kit.ts'
import { credentials } from './credentials.ts'
import { holds, idsIn, manage, planFor, status, world } from './world.ts'

const LONG_MS = 120_000

const problem = (nats: NatsBus) => until(async () => (await nats.problems())[0], 'a problem', 10_000)

describe('gantry signs in', () => {
  test('with a user and a password', async () => {
    const server = await startServer({
      extra: 'authorization { user: me, password: secret }',
      signIn: { user: 'me', pass: 'secret' },
    })
    const { nats, say } = world()
    nats.apply(() => planFor(server, { auth: { kind: 'user', user: 'me', password: 'secret' } }))
    const id = say('s1')
    await holds(server, 1)
    expect(idsIn(await contentOf(server, 'HOOK_EVENTS'))).toEqual([id])
  })

  test('with an nkey', async () => {
    const key = nkeys.createUser()
    const file = join(tempDir(), 'seed')
    writeFileSync(file, `${new TextDecoder().decode(key.getSeed())}\n`)
    const server = await startServer({
      extra: `authorization { users: [{ nkey: ${key.getPublicKey()} }] }`,
      signIn: { authenticator: nkeyAuthenticator(key.getSeed()) },
    })
    const { nats, say } = world()
    nats.apply(() => planFor(server, { auth: { kind: 'nkey', file } }))
    say('s1')
    await holds(server, 1)
  })

  test('with a credentials file', async () => {
    const { config, creds } = credentials()
    const file = join(tempDir(), 'me.creds')
    writeFileSync(file, creds)
    const server = await startServer({
      extra: config,
      signIn: { authenticator: credsAuthenticator(new TextEncoder().encode(creds)) },
    })
    const { nats, say } = world()
    nats.apply(() => planFor(server, { auth: { kind: 'creds', file } }))
    say('s1')
    await holds(server, 1)
  })

  test('not with a file that is not there, and says so', async () => {
    const server = await startServer()
    const { nats } = world()
    nats.apply(() => planFor(server, { auth: { kind: 'creds', file: '/nowhere/me.creds' } }))
    expect((await problem(nats)).message).toContain('/nowhere/me.creds cannot be read')
  })

  test(
    'over TLS, with a certificate that it trusts and one of its own',
    async () => {
      const dir = tempDir()
      const certificate = (name: string) => {
        const made = Bun.spawnSync(
          [
            ...[
              'openssl',
              'req',
              '-x509',
              '-newkey',
              'ec',
              '-pkeyopt',
              'ec_paramgen_curve:prime256v1',
              '-nodes',
            ],
            ...['-keyout', `${name}.key`, '-out', `${name}.pem`, '-days', '2', '-subj', '/CN=localhost'],
            ...['-addext', 'subjectAltName=IP:127.0.0.1,DNS:localhost'],
          ],
          { cwd: dir, stdout: 'ignore', stderr: 'ignore' },
        )
        expect(made.success).toBe(true)
        return { pem: join(dir, `${name}.pem`), key: join(dir, `${name}.key`) }
      }
      const [theirs, ours] = [certificate('server'), certificate('client')]
      const tls = { caFile: theirs.pem, certFile: ours.pem, keyFile: ours.key }
      const server = await startServer({
        extra: `tls { cert_file: "${theirs.pem}", key_file: "${theirs.key}", ca_file: "${ours.pem}", verify: true }`,
        signIn: { tls },
      })
      const first = world()
      first.nats.apply(() => planFor(server, { tls: { certFile: ours.pem, keyFile: ours.key } }))
      expect((await problem(first.nats)).message).toContain('do not trust each other')
      await first.close()
      const { nats, say } = world()
      nats.apply(() => planFor(server, { tls }))
      say('s1')
      await holds(server, 1)
    },
    LONG_MS,
  )
})

describe.concurrent('a server that cannot be used', () => {
  test(
    'does not take the token: said so, and published as soon as it does',
    async () => {
      const server = await startServer({ token: 'right' })
      const { nats, say } = world()
      nats.apply(() => planFor(server, { auth: { kind: 'token', token: 'wrong' } }))
      const id = say('s1')
      const found = await problem(nats)
      expect(found.message).toContain(
        `nats://127.0.0.1:${server.port} refuses gantry: Authorization Violation`,
      )
      expect(found.fix).toContain('BD_DAEMON_TOKEN')
      expect(nats.glance().streams[0]?.backlog).toBe(1)
      nats.apply(() => planFor(server))
      await holds(server, 1)
      expect(idsIn(await contentOf(server, 'HOOK_EVENTS'))).toEqual([id])
    },
    LONG_MS,
  )

  test('has JetStream turned off', async () => {
    const server = await startServer({ jetstream: false })
    const { nats, say } = world()
    nats.apply(() => planFor(server))
    say('s1')
    const found = await problem(nats)
    expect(found.message).toContain('JetStream is off on the NATS server')
    expect(found.fix).toContain('-js')
  })

  test('has JetStream turned off for this account', async () => {
    const server = await startServer({
      extra:
        'accounts { A: { users: [{ user: a, password: a }] }, B: { jetstream: enabled, users: [{ user: b, password: b }] } }',
      signIn: { user: 'a', pass: 'a' },
    })
    const { nats } = world()
    nats.apply(() => planFor(server, { auth: { kind: 'user', user: 'a', password: 'a' } }))
    const found = await problem(nats)
    expect(found.message).toContain('JetStream is off for the account')
  })

  test('does not allow it to make streams', async () => {
    const server = await startServer({
      extra:
        'authorization { users: [{ user: a, password: a, permissions: { publish: ["hooks.>", "$JS.API.STREAM.INFO.*"], subscribe: "_INBOX.>" } }] }',
      signIn: { user: 'a', pass: 'a' },
    })
    const { nats } = world()
    nats.apply(() => planFor(server, { auth: { kind: 'user', user: 'a', password: 'a' } }))
    const found = await problem(nats)
    expect(found.message).toContain('gantry may not use the stream HOOK_EVENTS')
    expect(found.message).toContain('STREAM.CREATE')
    expect(found.fix).toContain('permissions')
  })

  test('does not allow it to look into the streams: it publishes all the same', async () => {
    const allowed = ['hooks.>', 'sessions.>', 'decisions.>', '$JS.API.STREAM.INFO.*']
    const limited = `{ user: a, password: a, permissions: { publish: ${JSON.stringify(allowed)}, subscribe: "_INBOX.>" } }`
    const server = await startServer({
      extra: `authorization { users: [{ user: admin, password: admin }, ${limited}] }`,
      signIn: { user: 'admin', pass: 'admin' },
    })
    await manage(server, async (jsm) => {
      for (const [name, subjects] of [
        ['HOOK_EVENTS', 'hooks.>'],
        ['SESSION_EVENTS', 'sessions.>'],
        ['DECISION_EVENTS', 'decisions.>'],
      ]) {
        await jsm.streams.add({ name: name ?? '', subjects: [subjects ?? ''] })
      }
      await jsm.jetstream().publish('hooks.Other', 'there before')
    })
    const { nats, say, log } = world()
    nats.apply(() => planFor(server, { auth: { kind: 'user', user: 'a', password: 'a' } }))
    say('s1')
    await holds(server, 2)
    expect(log.lines.join()).toContain('HOOK_EVENTS cannot be read, so what was under way may be doubled')
  })

  test(
    'is not there',
    async () => {
      const server = await startServer()
      await server.kill('SIGKILL')
      const { nats, say } = world()
      nats.apply(() => planFor(server))
      const id = say('s1')
      expect((await problem(nats)).message).toBe(`no NATS server listens at nats://127.0.0.1:${server.port}`)
      await server.start()
      await holds(server, 1)
      expect(idsIn(await contentOf(server, 'HOOK_EVENTS'))).toEqual([id])
    },
    LONG_MS,
  )

  test('is too old', async () => {
    const info = {
      server_id: 'x',
      version: '2.2.6',
      headers: true,
      jetstream: true,
      max_payload: 1048576,
      proto: 1,
    }
    const old = createServer((socket) => {
      socket.write(`INFO ${JSON.stringify(info)}\r\n`)
      socket.on('data', (bytes) => bytes.includes('PING') && socket.write('PONG\r\n'))
      socket.on('error', () => {})
    }).listen(0, '127.0.0.1')
    await new Promise((resolve) => old.once('listening', resolve))
    const { port } = old.address() as { port: number }
    const { nats, close } = world()
    nats.apply(() => ({
      mode: 'external',
      servers: [`127.0.0.1:${port}`],
      auth: { kind: 'none' },
      tls: undefined,
      form: { subjects: 'plain', host: 'box', replicas: 1 },
    }))
    expect((await problem(nats)).message).toContain('is version 2.2.6; gantry needs 2.9.4 or newer')
    await close()
    old.close()
  })

  test(
    'takes connections and says nothing',
    async () => {
      const silent = createServer((socket) => socket.on('error', () => {})).listen(0, '127.0.0.1')
      await new Promise((resolve) => silent.once('listening', resolve))
      const { port } = silent.address() as { port: number }
      const { nats, close } = world()
      nats.apply(() => ({
        mode: 'external',
        servers: [`127.0.0.1:${port}`],
        auth: { kind: 'none' },
        tls: undefined,
        form: { subjects: 'plain', host: 'box', replicas: 1 },
      }))
      expect((await problem(nats)).message).toBe(
        `the NATS server at nats://127.0.0.1:${port} does not answer`,
      )
      await close()
      silent.close()
    },
    LONG_MS,
  )
})

describe('what cannot be planned', () => {
  test('leaves the bus off and is told; a good plan is taken at once', async () => {
    const server = await startServer()
    const { nats, say } = world()
    nats.apply(() => {
      throw new Error('nats.url: that is no address')
    })
    expect(await nats.problems()).toEqual([{ level: 'fail', message: 'nats.url: that is no address' }])
    expect(nats.glance()).toMatchObject({ mode: 'off', connected: false })
    expect(() => nats.info()).toThrow('NATS is off: nats.url: that is no address')
    say('s1')
    nats.apply(() => planFor(server))
    await holds(server, 1)
    expect(await nats.problems()).toEqual([])
    expect(await status(nats)).toMatchObject({ exists: true, lastError: null })
  })
})
