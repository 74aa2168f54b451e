/**
 * The files of a hub: the configuration of its nats-server, and the logins of its hosts, of which it keeps hashes alone. Pure
 * texts; `gantry fleet init` and `gantry fleet add` write them.
 */
import { join } from 'node:path'
import { PREFIX, STREAMS } from '../streams/index.ts'

export interface HubPlan {
  readonly dir: string
  /** Where hosts reach it: `tls://hub.example:7422`. */
  readonly url: string
  /** Tells this server from the others of a cluster. */
  readonly name: string
  readonly domain: string
  /** The address that it listens at for hosts. */
  readonly listen: string
  readonly port: number
  /** For consumers on the hub itself, on loopback. */
  readonly clientPort: number
  readonly maxGb: number
  readonly tls?: {
    readonly cert: string
    readonly key: string
    /** The authority that hosts trust, and whose certificates they need if `verify` is set. */
    readonly ca?: string
    readonly verify?: boolean
  }
}

export interface HubUser {
  readonly name: string
  /** bcrypt. */
  readonly hash: string
}

/** What a host needs to join: the content of a join file. */
export interface HubLogin {
  readonly hub: string
  readonly domain: string
  readonly user: string
  readonly password: string
  /** The authority of the hub's certificate, as PEM. */
  readonly ca?: string
}

/** Signs in at the hub's client port, and may do everything there. */
export const ADMIN = 'admin'

export function hubFiles(dir: string) {
  return {
    config: join(dir, 'hub.conf'),
    users: join(dir, 'users.conf'),
    password: join(dir, 'admin.password'),
    pid: join(dir, 'hub.pid'),
    log: join(dir, 'hub.log'),
    store: join(dir, 'store'),
  }
}

export function hubText(plan: HubPlan): string {
  const { dir, url, name, domain, listen, port, clientPort, maxGb, tls } = plan
  const { pid, log, store } = hubFiles(dir)
  const quoted = JSON.stringify
  return [
    '# The hub of a fleet, written by gantry fleet init; it is yours to change. See docs/fleet.md.',
    `# url: ${url}`,
    `server_name: ${quoted(name)}`,
    'host: "127.0.0.1"',
    `port: ${clientPort}`,
    `jetstream { store_dir: ${quoted(store)}, domain: ${quoted(domain)}, max_file_store: ${maxGb}GB }`,
    'accounts {',
    '  FLEET {',
    `    jetstream { max_file: ${maxGb}GB }`,
    '    include "users.conf"',
    '  }',
    '}',
    'leafnodes {',
    `  host: ${quoted(listen)}`,
    `  port: ${port}`,
    ...(tls ? [`  tls { ${tlsWords(tls)} }`] : []),
    '}',
    `max_payload: ${MAX_PAYLOAD_BYTES}`,
    'ping_interval: "10s" # a host whose line is cut without a word is noticed soon',
    `pid_file: ${quoted(pid)}`,
    `log_file: ${quoted(log)}`,
    `logfile_size_limit: ${LOG_BYTES}`,
    '',
  ].join('\n')
}

const MAX_PAYLOAD_BYTES = 8 * 1024 * 1024 + 64 * 1024 // as a host's own server
const LOG_BYTES = 16 * 1024 * 1024

/** The url and the domain that an existing configuration was made with. */
export function readHub(text: string): { url: string; domain: string; ca: string | undefined } | undefined {
  const url = /^# url: (\S+)$/m.exec(text)?.[1]
  const domain = /^jetstream \{.* domain: "([\w-]+)"/m.exec(text)?.[1]
  const ca = /^ {2}tls \{.* ca_file: "([^"]+)"/m.exec(text)?.[1]
  return url && domain ? { url, domain, ca } : undefined
}

/** A host may read and write on the hub, and neither delete its streams nor command other hosts. */
export function usersText(users: readonly HubUser[], domain: string): string {
  const api = `$JS.${domain}.API`
  const list = (subjects: readonly string[]) => `[${subjects.map((one) => JSON.stringify(one)).join(', ')}]`
  const allow = list([`${api}.>`, '$JS.S.>', '$JSC.>', '$JS.ACK.>', '$JS.FC.>', '_INBOX.>', '_R_.>'])
  const deny = list([
    ...['DELETE', 'PURGE', 'MSG.DELETE', 'SNAPSHOT', 'RESTORE'].map((what) => `${api}.STREAM.${what}.>`),
    ...STREAMS.map((name) => `${PREFIX[name]}.>`),
  ])
  const lines = users.map(({ name, hash }) => {
    const login = `user: ${JSON.stringify(name)}, password: ${JSON.stringify(hash)}`
    if (name === ADMIN) return `  { ${login} }`
    return `  { ${login}, permissions { publish { allow: ${allow}, deny: ${deny} } } }`
  })
  return ['# Written by gantry fleet add; one line for each host.', 'users: [', ...lines, ']', ''].join('\n')
}

export function readUsers(text: string): HubUser[] {
  const found = text.matchAll(/^ {2}\{ user: "([\w-]+)", password: "(\$2a\$[^"]+)"/gm)
  return [...found].map(([, name = '', hash = '']) => ({ name, hash }))
}

/**
 * For passwords of 24 random bytes, which nobody can guess: so the cost is the least. With the usual one, twenty hosts that
 * sign in at once after a restart of the hub keep it busy for longer than each of them waits, again and again (2.9.10).
 * nats-server knows bcrypt by the prefix $2a$; for ASCII, $2b$ is the same.
 */
export async function hashOf(password: string): Promise<string> {
  const hash = await Bun.password.hash(password, { algorithm: 'bcrypt', cost: 4 })
  return hash.replace(/^\$2b\$/, '$2a$')
}

function tlsWords({ cert, key, ca, verify }: NonNullable<HubPlan['tls']>): string {
  const quoted = JSON.stringify
  return [
    `cert_file: ${quoted(cert)}`,
    `key_file: ${quoted(key)}`,
    ...(ca ? [`ca_file: ${quoted(ca)}`] : []),
    ...(verify ? ['verify: true'] : []),
    'timeout: 5',
  ].join(', ')
}
