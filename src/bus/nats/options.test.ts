import { describe, expect, test } from 'bun:test'
import type { NatsSettings } from './address.ts'
import { type NatsFacts, natsPlan } from './options.ts'

const NONE: NatsSettings = {
  mode: 'auto',
  url: '',
  server: '',
  port: 4222,
  token: '',
  user: '',
  password: '',
  password_file: '',
  nkey_file: '',
  creds_file: '',
  tls_ca: '',
  tls_cert: '',
  tls_key: '',
  subjects: 'plain',
  host: '',
  replicas: 1,
  hub: '',
  hub_domain: 'hub',
}
const found: NatsFacts = { find: (name) => `/usr/bin/${name}`, host: 'box' }
const bare: NatsFacts = { find: () => undefined, host: 'box' }

const plan = (settings: Partial<NatsSettings> = {}, env: Record<string, string> = {}, facts = found) =>
  natsPlan({ ...NONE, ...settings }, env, facts)

describe('the mode', () => {
  test('auto runs the installed nats-server', () => {
    expect(plan()).toMatchObject({ mode: 'managed', executable: '/usr/bin/nats-server', port: 4222 })
  })

  test('auto without a server is off, and says why', () => {
    expect(plan({}, {}, bare)).toEqual({
      mode: 'off',
      why: expect.stringContaining('no nats-server on PATH'),
    })
  })

  test.each([
    [{ url: 'nats://one:4222' }, {}],
    [{}, { BD_NATS_URL: 'nats://one:4222' }],
    [{ url: 'nats://two:4222' }, { COOP_NATS_URL: 'nats://one:4222', BD_NATS_URL: 'nats://three:4222' }],
  ])('auto with %j and %j uses that server', (settings, env) => {
    expect(plan(settings, env)).toMatchObject({ mode: 'external', servers: ['one:4222'] })
  })

  test('GANTRY_NATS overrides the file', () => {
    expect(plan({ mode: 'managed' }, { GANTRY_NATS: 'off' }).mode).toBe('off')
    expect(plan({ mode: 'off' }, { GANTRY_NATS: 'auto' }).mode).toBe('managed')
  })

  test('managed stays managed when the environment of a sidecar names a server', () => {
    expect(plan({ mode: 'managed' }, { COOP_NATS_URL: 'nats://one:4222' }).mode).toBe('managed')
  })

  test('a variable that names the server that gantry ran does not make it external', () => {
    const env = { COOP_NATS_URL: 'nats://127.0.0.1:4300' }
    expect(plan({}, env, { ...found, own: '127.0.0.1:4300' }).mode).toBe('managed')
    expect(plan({}, env, { ...found, own: '127.0.0.1:4301' }).mode).toBe('external')
  })

  test.each([
    [{}, { GANTRY_NATS: 'yes' }, found, 'GANTRY_NATS is "yes". It takes auto, off, managed, external.'],
    [{ mode: 'external' as const }, {}, found, 'Set nats.url in gantry.toml or BD_NATS_URL'],
    [{ mode: 'managed' as const }, {}, bare, 'apt install nats-server'],
    [{ server: '/opt/nats' }, {}, bare, 'There is no program /opt/nats'],
    [{}, { BD_NATS_PORT: 'x' }, found, 'BD_NATS_PORT is "x"'],
    [{}, { BD_NATS_PORT: '70000' }, found, 'BD_NATS_PORT'],
    [{ token: 'two words' }, {}, found, 'The token of nats.token cannot be used'],
    [{}, { BD_DAEMON_TOKEN: '$2a$10$abc' }, found, 'The token of BD_DAEMON_TOKEN'],
    [{}, { BD_DAEMON_TOKEN: 'a"b' }, found, 'The token of BD_DAEMON_TOKEN'],
  ])('%j with %j is refused, and says what to do', (settings, env, facts, words) => {
    expect(() => plan(settings, env, facts)).toThrow(words)
  })
})

describe('a server of its own', () => {
  test('takes port and token from the environment first', () => {
    expect(
      plan({ port: 4300, token: 'file' }, { BD_NATS_PORT: '4400', BD_DAEMON_TOKEN: 'env' }),
    ).toMatchObject({
      port: 4400,
      token: 'env',
    })
    expect(plan({ port: 0, token: 'file' })).toMatchObject({ port: 0, token: 'file' })
    expect(plan()).toMatchObject({ token: undefined })
  })
})

describe('an external server', () => {
  const external = (settings: Partial<NatsSettings>, env: Record<string, string> = {}) =>
    plan({ mode: 'external', url: 'nats://one', ...settings }, env)

  test('several addresses, with or without scheme and port', () => {
    expect(external({ url: 'nats://one, tls://two:5000,three:80 ,[::1]:4333' })).toMatchObject({
      servers: ['one:4222', 'two:5000', 'three:80', '[::1]:4333'],
      tls: {},
    })
    expect(external({ url: 'one:4222' })).toMatchObject({ tls: undefined })
  })

  test.each([
    [{}, {}, { kind: 'none' }],
    [{ token: 't' }, {}, { kind: 'token', token: 't' }],
    [{ token: 't' }, { BD_DAEMON_TOKEN: 'env' }, { kind: 'token', token: 'env' }],
    [{ user: 'u', password: 'p' }, { BD_DAEMON_TOKEN: 'env' }, { kind: 'user', user: 'u', password: 'p' }],
    [{ nkey_file: '/k' }, {}, { kind: 'nkey', file: '/k' }],
    [{ creds_file: '/c' }, {}, { kind: 'creds', file: '/c' }],
    [{ url: 'nats://u:p%40@one' }, {}, { kind: 'user', user: 'u', password: 'p@' }],
    [{ url: 'nats://secret@one' }, {}, { kind: 'token', token: 'secret' }],
  ])('%j with %j signs in so', (settings, env, auth) => {
    expect(external(settings, env)).toMatchObject({ auth } as object)
  })

  test('certificates', () => {
    expect(external({ tls_ca: '/ca', tls_cert: '/cert', tls_key: '/key' })).toMatchObject({
      tls: { caFile: '/ca', certFile: '/cert', keyFile: '/key' },
    })
  })

  test.each([
    [{ user: 'u' }, 'belong together'],
    [{ tls_cert: '/cert' }, 'belong together'],
    [{ user: 'u', password: 'p', token: 't' }, 'nats.user and nats.token are both set'],
    [{ nkey_file: 'k' }, 'It takes an absolute path'],
    [{ url: 'http://one' }, 'only nats:// and tls://'],
    [{ url: 'wss://one' }, 'only nats:// and tls://'],
    [{ url: 'nats://' }, 'not a valid address'],
    [{ url: 'nats://one/x' }, 'not a valid address'],
    [{ url: 'nats://one:99999' }, 'not a valid address'],
  ])('%j is refused, and says what to do', (settings, words) => {
    expect(() => external(settings)).toThrow(words)
  })

  test('a password in a wrong address is not repeated', () => {
    for (const url of ['nats://u:hush@:x', 'nats://u:hush%zz@one']) {
      let said = ''
      try {
        external({ url })
      } catch (error) {
        said = String(error)
      }
      expect(said).toContain('not a valid address')
      expect(said).not.toContain('hush')
    }
  })

  test('the name on the bus is the host name, or the configured one', () => {
    expect(external({})).toMatchObject({ form: { host: 'box', subjects: 'plain', replicas: 1 } })
    expect(external({ host: 'other', subjects: 'both' })).toMatchObject({
      form: { host: 'other', subjects: 'both' },
    })
  })
})

describe('a hub', () => {
  const hub = { hub: 'tls://hub.example,nats-leaf://other:7000', user: 'box', password_file: '/p' }

  test("makes gantry's own server a leaf node in the host's domain, under subjects that keep hosts apart", () => {
    expect(plan({ ...hub, host: 'build 1.example', replicas: 3 })).toMatchObject({
      mode: 'managed',
      form: { subjects: 'both', replicas: 1 },
      leaf: {
        domain: 'build_1_example',
        hub: 'hub',
        servers: ['hub.example:7422', 'other:7000'],
        auth: { kind: 'user-file', user: 'box', file: '/p' },
        tls: {},
      },
    })
    expect(plan({ ...hub, subjects: 'scoped' })).toMatchObject({ form: { subjects: 'scoped' } })
    expect(plan()).not.toHaveProperty('leaf')
  })

  test('is refused with a server of others, a secret in its address, or a name that is its own', () => {
    expect(() => plan({ ...hub, url: 'nats://x' })).toThrow(
      /nats.hub is for the nats-server that gantry runs/,
    )
    expect(() => plan({ ...hub, hub: 'tls://u:p@hub' })).toThrow(/has a password in it/)
    expect(() => plan({ ...hub, host: 'hub' })).toThrow(/Set nats.host to another name/)
    expect(() => plan({ ...hub, hub: 'http://hub' })).toThrow(/only tls:\/\//)
    expect(() => plan(hub, {}, bare)).toThrow(/nats.hub is set, but there is no nats-server/)
  })
})
