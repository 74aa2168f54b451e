/**
 * gantry's own nats-server as a leaf node of a fleet's hub: which hub, how it signs in there, and the lines of its
 * configuration. The server keeps its streams in a JetStream domain of its own, so it works without the hub.
 *
 *   leafPlan(settings, 'build-1')   // { domain: 'build-1', hub: 'hub', servers: ['hub.example:7422'], … }
 */
import { readFileSync } from 'node:fs'
import { messageOf } from '../../core/errors.ts'
import { PREFIX, STREAMS, token } from '../streams/index.ts'
import { addressOf, authOf, type NatsAuth, type NatsSettings, type NatsTls, tlsOf, wrong } from './address.ts'
import { BusError } from './problem.ts'

export interface LeafPlan {
  /** JetStream domain of this host. */
  readonly domain: string
  /** JetStream domain of the hub. */
  readonly hub: string
  /** `host:port` each, of one server or of a cluster. */
  readonly servers: readonly string[]
  readonly auth: NatsAuth
  /** Undefined: the line is not encrypted. */
  readonly tls: NatsTls | undefined
}

const LEAF_PORT = 7422
const ADDRESS = { schemes: ['tls', 'nats-leaf', 'nats'], port: LEAF_PORT, example: 'tls://hub.example:7422' }
const RECONNECT_S = 2
/** Of the hub's requests to this server, all that would change it. */
const CHANGES = [
  'STREAM.CREATE.>',
  'STREAM.UPDATE.>',
  'STREAM.DELETE.>',
  'STREAM.PURGE.>',
  'STREAM.MSG.DELETE.>',
  'STREAM.RESTORE.>',
  '$KV.>',
  '$OBJ.>',
]

export function leafPlan(settings: NatsSettings, host: string): LeafPlan {
  const { hub, hub_domain } = settings
  const servers = hub
    .split(',')
    .filter((part) => part.trim() !== '')
    .map((part) => addressOf(part.trim(), 'nats.hub', ADDRESS))
  if (servers.some(({ auth }) => auth.kind !== 'none'))
    throw wrong('nats.hub has a password in it. Put it into a file and set nats.user and nats.password_file.')
  const auth = authOf({ ...settings, token: '' }, {}, { kind: 'none' })
  if (auth.kind === 'nkey')
    throw wrong(
      'A leaf node cannot sign in with nats.nkey_file. Use nats.creds_file, or nats.user and a password.',
    )
  if (!/^[\w-]{1,100}$/.test(hub_domain))
    throw wrong(`nats.hub_domain is "${hub_domain}". It takes letters, digits, "-" and "_".`)
  const domain = token(host)
  if (domain === hub_domain)
    throw wrong(
      `This host has the name of the hub's JetStream domain, "${domain}". Set nats.host to another name.`,
    )
  const isTls = servers.some(({ tls }) => tls)
  return {
    domain,
    hub: hub_domain,
    servers: servers.map(({ server }) => server),
    auth,
    tls: tlsOf(settings, isTls),
  }
}

/**
 * Lines for nats.conf. Events reach the hub through its sources alone: if their subjects crossed the line, the hub and all
 * other hosts would store them a second time. Files are read at every start, because passwords change.
 */
export function leafLines({ domain, servers, auth, tls }: LeafPlan): string[] {
  const quoted = JSON.stringify
  const scheme = tls ? 'tls' : 'nats-leaf'
  const sign = userOf(auth)
  const urls = servers.map((server) => quoted(`${scheme}://${sign}${server}`))
  const events = STREAMS.map((name) => `${PREFIX[name]}.>`)
  const changes = CHANGES.map((what) => `$JS.${domain}.API.${what}`)
  return [
    'leafnodes {',
    `  reconnect: ${RECONNECT_S}`,
    '  remotes: [ {',
    `    urls: [${urls.join(', ')}]`,
    ...(auth.kind === 'creds' ? [`    credentials: ${quoted(auth.file)}`] : []),
    ...(tls ? [`    tls { ${tlsWords(tls)} }`] : []),
    `    deny_exports: [${events.map((one) => quoted(one)).join(', ')}]`,
    `    deny_imports: [${[...events, ...changes].map((one) => quoted(one)).join(', ')}]`,
    '  } ]',
    '}',
  ]
}

/** The password that a leaf node or a check signs in with. */
export function passwordOf(auth: NatsAuth): string {
  if (auth.kind === 'user') return auth.password
  if (auth.kind !== 'user-file') return ''
  try {
    return readFileSync(auth.file, 'utf8').trim()
  } catch (cause) {
    throw new BusError(
      `${auth.file} (nats.password_file) cannot be read: ${messageOf(cause)}`,
      'Join the fleet again: gantry fleet join.',
      { cause },
    )
  }
}

function userOf(auth: NatsAuth): string {
  if (auth.kind !== 'user' && auth.kind !== 'user-file') return ''
  return `${encodeURIComponent(auth.user)}:${encodeURIComponent(passwordOf(auth))}@`
}

function tlsWords({ caFile, certFile, keyFile }: NatsTls): string {
  const files = [
    caFile ? `ca_file: ${JSON.stringify(caFile)}` : '',
    certFile ? `cert_file: ${JSON.stringify(certFile)}` : '',
    keyFile ? `key_file: ${JSON.stringify(keyFile)}` : '',
  ].filter(Boolean)
  return ['timeout: 5', ...files].join(', ') // not empty: only with a block is TLS required
}
