/**
 * Which NATS server is used, and how: one plan from the configuration and the environment.
 *
 *   natsPlan(settings, process.env, { find, host })   // { mode: 'managed', executable: '/usr/bin/nats-server', … }
 *
 * Environment over configuration: GANTRY_NATS (mode), COOP_NATS_URL or BD_NATS_URL (server), BD_NATS_PORT, BD_DAEMON_TOKEN.
 */
import { isAbsolute } from 'node:path'
import { GantryError } from '../../core/errors.ts'

/** The section `[nats]` of gantry.toml. */
export interface NatsSettings {
  readonly mode: Mode
  readonly url: string
  readonly server: string
  readonly port: number
  readonly token: string
  readonly user: string
  readonly password: string
  readonly nkey_file: string
  readonly creds_file: string
  readonly tls_ca: string
  readonly tls_cert: string
  readonly tls_key: string
  readonly subjects: 'plain' | 'scoped' | 'both'
  readonly host: string
  readonly replicas: number
}

export type NatsAuth =
  | { readonly kind: 'none' }
  | { readonly kind: 'token'; readonly token: string }
  | { readonly kind: 'user'; readonly user: string; readonly password: string }
  | { readonly kind: 'nkey' | 'creds'; readonly file: string }

export interface NatsTls {
  readonly caFile?: string
  readonly certFile?: string
  readonly keyFile?: string
}

/** What is published, and under which subjects. */
export interface PublishForm {
  readonly subjects: NatsSettings['subjects']
  readonly host: string
  readonly replicas: number
}

export type NatsPlan =
  | { readonly mode: 'off'; readonly why: string }
  | {
      readonly mode: 'managed'
      readonly executable: string
      readonly port: number
      /** Undefined: the token that gantry generated. */
      readonly token: string | undefined
      readonly form: PublishForm
    }
  | {
      readonly mode: 'external'
      /** `host:port` each. */
      readonly servers: readonly string[]
      readonly auth: NatsAuth
      readonly tls: NatsTls | undefined
      readonly form: PublishForm
    }

export interface NatsFacts {
  /** The path of a program, by its name on PATH or its own path; undefined if it does not exist. */
  find(program: string): string | undefined
  readonly host: string
  /**
   * `host:port` of the server that gantry ran last, so that a variable that names it does not make it an external one.
   */
  readonly own?: string | undefined
}

type Mode = 'auto' | 'off' | 'managed' | 'external'
type Env = Readonly<Record<string, string | undefined>>

const MODES: readonly Mode[] = ['auto', 'off', 'managed', 'external']
const DEFAULT_PORT = 4222
/** Allowed in a token: it is written into a configuration file, and others put it into URLs. */
const TOKEN = /^[\x21\x23-\x5b\x5d-\x7e]{1,256}$/

export function natsPlan(settings: NatsSettings, env: Env, facts: NatsFacts): NatsPlan {
  const mode = modeOf(settings, env)
  if (mode === 'off') return { mode, why: 'it is turned off (nats.mode or GANTRY_NATS)' }
  const [url, urlFrom] = firstOf([
    [env.COOP_NATS_URL, 'COOP_NATS_URL'],
    [env.BD_NATS_URL, 'BD_NATS_URL'],
    [settings.url, 'nats.url'],
  ])
  const form = {
    subjects: settings.subjects,
    host: settings.host || facts.host,
    replicas: settings.replicas,
  }
  const isOwn = url !== '' && url.replace(/^nats:\/\//, '') === facts.own
  if (mode === 'external' || (mode === 'auto' && url !== '' && !isOwn)) {
    if (url === '') {
      throw wrong(
        'NATS is set to "external", but there is no server. Set nats.url in gantry.toml or BD_NATS_URL.',
      )
    }
    const addresses = url.split(',').filter((part) => part.trim() !== '')
    const servers = addresses.map((part) => addressOf(part.trim(), urlFrom))
    return {
      mode: 'external',
      servers: servers.map(({ server }) => server),
      auth: authOf(settings, env, servers[0]?.auth ?? { kind: 'none' }),
      tls: tlsOf(
        settings,
        servers.some(({ tls }) => tls),
      ),
      form,
    }
  }
  const executable = facts.find(settings.server || 'nats-server')
  if (executable === undefined) {
    if (mode === 'auto' && settings.server === '') {
      return { mode: 'off', why: 'there is no nats-server on PATH, and no server in nats.url' }
    }
    throw wrong(
      settings.server
        ? `There is no program ${settings.server} (nats.server). Correct the path, or leave it empty to look on PATH.`
        : 'NATS is set to "managed", but there is no nats-server on PATH. Install it (apt install nats-server), or set nats.server.',
    )
  }
  return {
    mode: 'managed',
    executable,
    port: portOf(settings, env),
    token: managedToken(settings, env),
    form,
  }
}

function modeOf(settings: NatsSettings, env: Env): Mode {
  const said = env.GANTRY_NATS
  if (!said) return settings.mode
  const mode = MODES.find((one) => one === said)
  if (mode) return mode
  throw wrong(`GANTRY_NATS is "${said}". It takes ${MODES.join(', ')}.`)
}

function portOf(settings: NatsSettings, env: Env): number {
  if (!env.BD_NATS_PORT) return settings.port
  const port = Number(env.BD_NATS_PORT)
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port
  throw wrong(`BD_NATS_PORT is "${env.BD_NATS_PORT}". It takes a port, or 0 for any that is free.`)
}

function managedToken(settings: NatsSettings, env: Env): string | undefined {
  const [token, from] = firstOf([
    [env.BD_DAEMON_TOKEN, 'BD_DAEMON_TOKEN'],
    [settings.token, 'nats.token'],
  ])
  if (token === '') return undefined
  // nats-server takes a token that looks like a bcrypt hash for a hash, and then no client can use it.
  if (TOKEN.test(token) && !token.startsWith('$2')) return token
  throw wrong(
    `The token of ${from} cannot be used. It takes up to 256 characters without spaces, quotes and "\\", and no "$2" at the start.`,
  )
}

function authOf(settings: NatsSettings, env: Env, fromUrl: NatsAuth): NatsAuth {
  const { creds_file, nkey_file, user, password, token } = settings
  if ((user === '') !== (password === '')) {
    throw wrong('nats.user and nats.password belong together. Set both, or neither.')
  }
  const ways: [string, NatsAuth][] = []
  if (creds_file)
    ways.push(['nats.creds_file', { kind: 'creds', file: fileOf(creds_file, 'nats.creds_file') }])
  if (nkey_file) ways.push(['nats.nkey_file', { kind: 'nkey', file: fileOf(nkey_file, 'nats.nkey_file') }])
  if (user) ways.push(['nats.user', { kind: 'user', user, password }])
  if (token) ways.push(['nats.token', { kind: 'token', token }])
  if (ways.length > 1) {
    throw wrong(
      `${ways.map(([name]) => name).join(' and ')} are both set. Keep the one that the server wants.`,
    )
  }
  if (ways[0] && ways[0][1].kind !== 'token') return ways[0][1]
  if (fromUrl.kind !== 'none') return fromUrl
  const said = env.BD_DAEMON_TOKEN || token
  return said ? { kind: 'token', token: said } : { kind: 'none' }
}

function tlsOf({ tls_ca, tls_cert, tls_key }: NatsSettings, asked: boolean): NatsTls | undefined {
  if ((tls_cert === '') !== (tls_key === '')) {
    throw wrong('nats.tls_cert and nats.tls_key belong together. Set both, or neither.')
  }
  if (!asked && !tls_ca && !tls_cert) return undefined
  return {
    ...(tls_ca ? { caFile: fileOf(tls_ca, 'nats.tls_ca') } : {}),
    ...(tls_cert
      ? { certFile: fileOf(tls_cert, 'nats.tls_cert'), keyFile: fileOf(tls_key, 'nats.tls_key') }
      : {}),
  }
}

/** `nats://user:password@host:4222`, `tls://host`, `host:4222`. */
function addressOf(text: string, from: string): { server: string; tls: boolean; auth: NatsAuth } {
  const scheme = /^([a-z]+):\/\//i.exec(text)?.[1]?.toLowerCase() ?? 'nats'
  const bad = (why: string) =>
    wrong(`${from}: ${why}. Write it like nats://127.0.0.1:4222; several are comma-separated.`)
  if (scheme !== 'nats' && scheme !== 'tls')
    throw bad(`"${scheme}://" is not supported, only nats:// and tls://`)
  let url: URL
  let [user, password] = ['', '']
  try {
    url = new URL(`http://${text.replace(/^[a-z]+:\/\//i, '')}`)
    user = decodeURIComponent(url.username)
    password = decodeURIComponent(url.password)
  } catch {
    throw bad('it is not a valid address') // not quoted: it may hold a password
  }
  if (url.hostname === '' || url.pathname !== '/' || url.search !== '') throw bad('it is not a valid address')
  const port = /:80$/.test(text) ? 80 : Number(url.port || DEFAULT_PORT) // URL drops http's default port
  const auth: NatsAuth = password
    ? { kind: 'user', user, password }
    : user
      ? { kind: 'token', token: user }
      : { kind: 'none' }
  return { server: `${url.hostname}:${port}`, tls: scheme === 'tls', auth }
}

/** Absolute paths only: the daemon has no working folder of its own. */
function fileOf(path: string, from: string): string {
  if (isAbsolute(path)) return path
  throw wrong(`${from} is "${path}". It takes an absolute path.`)
}

function firstOf(values: readonly (readonly [string | undefined, string])[]): readonly [string, string] {
  for (const [value, from] of values) if (value?.trim()) return [value.trim(), from]
  return ['', '']
}

function wrong(message: string): GantryError {
  return new GantryError('BAD_CONFIG', message)
}
