/** Where a NATS server is, and how to sign in there: from the configuration and the environment. */
import { isAbsolute } from 'node:path'
import { GantryError } from '../../core/errors.ts'

export type Mode = 'auto' | 'off' | 'managed' | 'external'
export type Env = Readonly<Record<string, string | undefined>>

const DEFAULT_PORT = 4222

/** The section `[nats]` of gantry.toml. */
export interface NatsSettings {
  readonly mode: Mode
  readonly url: string
  readonly server: string
  readonly port: number
  readonly token: string
  readonly user: string
  readonly password: string
  readonly password_file: string
  readonly nkey_file: string
  readonly creds_file: string
  readonly tls_ca: string
  readonly tls_cert: string
  readonly tls_key: string
  readonly subjects: 'plain' | 'scoped' | 'both'
  readonly host: string
  readonly replicas: number
  readonly hub: string
  readonly hub_domain: string
}

export type NatsAuth =
  | { readonly kind: 'none' }
  | { readonly kind: 'token'; readonly token: string }
  | { readonly kind: 'user'; readonly user: string; readonly password: string }
  | { readonly kind: 'user-file'; readonly user: string; readonly file: string }
  | { readonly kind: 'nkey' | 'creds'; readonly file: string }

export interface NatsTls {
  readonly caFile?: string
  readonly certFile?: string
  readonly keyFile?: string
}

export function authOf(settings: NatsSettings, env: Env, fromUrl: NatsAuth): NatsAuth {
  const { creds_file, nkey_file, user, password, password_file, token } = settings
  if (password !== '' && password_file !== '')
    throw wrong('nats.password and nats.password_file are both set. Keep one of them.')
  if ((user === '') !== (password === '' && password_file === '')) {
    throw wrong('nats.user and nats.password (or nats.password_file) belong together. Set both, or neither.')
  }
  const ways: [string, NatsAuth][] = []
  if (creds_file)
    ways.push(['nats.creds_file', { kind: 'creds', file: fileOf(creds_file, 'nats.creds_file') }])
  if (nkey_file) ways.push(['nats.nkey_file', { kind: 'nkey', file: fileOf(nkey_file, 'nats.nkey_file') }])
  if (user && password_file) {
    const file = fileOf(password_file, 'nats.password_file')
    ways.push(['nats.user', { kind: 'user-file', user, file }])
  } else if (user) ways.push(['nats.user', { kind: 'user', user, password }])
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

export function tlsOf({ tls_ca, tls_cert, tls_key }: NatsSettings, asked: boolean): NatsTls | undefined {
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

interface AddressForm {
  readonly schemes: readonly string[]
  readonly port: number
  readonly example: string
}

const SERVER: AddressForm = {
  schemes: ['nats', 'tls'],
  port: DEFAULT_PORT,
  example: 'nats://127.0.0.1:4222',
}

/** `nats://user:password@host:4222`, `tls://host`, `host:4222`. */
export function addressOf(
  text: string,
  from: string,
  form = SERVER,
): { server: string; tls: boolean; auth: NatsAuth } {
  const scheme = /^([a-z-]+):\/\//i.exec(text)?.[1]?.toLowerCase() ?? 'nats'
  const bad = (why: string) =>
    wrong(`${from}: ${why}. Write it like ${form.example}; several are comma-separated.`)
  if (!form.schemes.includes(scheme))
    throw bad(`"${scheme}://" is not supported, only ${form.schemes.map((one) => `${one}://`).join(' and ')}`)
  let url: URL
  let [user, password] = ['', '']
  try {
    url = new URL(`http://${text.replace(/^[a-z-]+:\/\//i, '')}`)
    user = decodeURIComponent(url.username)
    password = decodeURIComponent(url.password)
  } catch {
    throw bad('it is not a valid address') // not quoted: it may hold a password
  }
  if (url.hostname === '' || url.pathname !== '/' || url.search !== '') throw bad('it is not a valid address')
  const port = /:80$/.test(text) ? 80 : Number(url.port || form.port) // URL drops http's default port
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

export function wrong(message: string): GantryError {
  return new GantryError('BAD_CONFIG', message)
}
