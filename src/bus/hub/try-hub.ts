/**
 * Whether a hub lets this host in, tried as a leaf node would: the greeting, TLS, the sign-in. Says in one sentence what is in
 * the way, which the server itself only writes to its log.
 *
 *   await tryHub({ servers: ['hub.example:7422'], auth, tls })   // undefined, or { message, fix }
 */
import { readFileSync } from 'node:fs'
import { connect as connectPlain, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { messageOf } from '../../core/errors.ts'
import { objectIn } from '../../core/json.ts'
import { randomText } from '../../core/random.ts'
import type { LeafPlan } from '../nats/leaf.ts'
import { passwordOf } from '../nats/leaf.ts'
import { BusError, type BusProblem } from '../nats/problem.ts'

type HubAddress = Pick<LeafPlan, 'servers' | 'auth' | 'tls' | 'hub'>

interface Greeting {
  readonly version?: string
  readonly tls_required?: boolean
  readonly nonce?: string
  /** Its JetStream domain. */
  readonly domain?: string
}

const DEADLINE_MS = 5_000
const MAX_CHARS = 65_536

/** Undefined if one of the servers lets it in. */
export async function tryHub({ servers, auth, tls, hub }: HubAddress): Promise<BusProblem | undefined> {
  let problem: BusProblem | undefined
  for (const server of servers) {
    try {
      const { domain } = await signedIn(server, auth, tls)
      return domain === hub ? undefined : wrongDomain(server, hub, domain)
    } catch (error) {
      problem ??= problemOf(error, server)
    }
  }
  return problem
}

async function signedIn(server: string, auth: LeafPlan['auth'], tls: LeafPlan['tls']): Promise<Greeting> {
  const [, host = '', port = ''] = /^\[?(.*?)\]?:(\d+)$/.exec(server) ?? []
  const plain = connectPlain(Number(port), host)
  const line = new Dialogue(plain)
  try {
    const first = await line.until(/^INFO [^\n]*\n/)
    const greeting = greetingOf(first)
    if (!tls && greeting.tls_required) throw new Refused('tls')
    if (tls && !greeting.tls_required) throw new Refused('plain')
    if (tls) {
      const { caFile, certFile, keyFile } = tls
      const files = {
        ...(caFile ? { ca: readFileSync(caFile) } : {}),
        ...(certFile && keyFile ? { cert: readFileSync(certFile), key: readFileSync(keyFile) } : {}),
      }
      line.use(connectTls({ socket: plain, host, servername: isAddress(host) ? '' : host, ...files }))
    }
    const about = {
      verbose: false,
      name: `gantry-check-${randomText(6, 'hex')}`,
      ...(await loginOf(auth, greeting)),
    }
    line.write(`CONNECT ${JSON.stringify(about)}\r\nPING\r\n`)
    const said = await line.until(/^(PONG|-ERR .*)\r?\n/m)
    if (said.startsWith('-ERR')) throw new Refused('sign-in', said.slice(5))
    return greeting
  } finally {
    line.end()
  }
}

/** A file of credentials has a seed that signs the server's nonce. */
async function loginOf(auth: LeafPlan['auth'], { nonce = '' }: Greeting): Promise<object> {
  if (auth.kind === 'user' || auth.kind === 'user-file') return { user: auth.user, pass: passwordOf(auth) }
  if (auth.kind !== 'creds') return {}
  const { credsAuthenticator } = await import('@nats-io/transport-node')
  return credsAuthenticator(readFileSync(auth.file))(nonce) as object
}

class Refused extends Error {
  readonly why: 'tls' | 'plain' | 'sign-in' | 'not-nats'

  constructor(why: Refused['why'], message = '') {
    super(message)
    this.why = why
  }
}

function problemOf(error: unknown, server: string): BusProblem {
  const said = (message: string, fix: string): BusProblem => ({ level: 'fail', message, fix })
  const away = (message: string, fix: string): BusProblem => ({ level: 'warn', message, fix })
  if (error instanceof BusError) return error.problem
  const text = messageOf(error)
  if (error instanceof Refused) {
    switch (error.why) {
      case 'tls':
        return said(
          `the hub at ${server} wants TLS`,
          'Write nats.hub with tls://, and set nats.tls_ca to its authority.',
        )
      case 'plain':
        return said(
          `the hub at ${server} has no TLS`,
          'Give it a certificate: gantry fleet init --tls-cert --tls-key.',
        )
      case 'sign-in':
        return said(
          `the hub at ${server} refuses this host: ${text}`,
          'Make it a new login on the hub with "gantry fleet add", and join again with that file.',
        )
      case 'not-nats':
        return said(
          `what listens at ${server} is not a leaf node port of NATS`,
          'Correct nats.hub; its usual port is 7422.',
        )
    }
  }
  if (/ENOTFOUND|EAI_AGAIN|getaddrinfo/.test(text))
    return away(`the name of the hub at ${server} cannot be resolved`, 'Correct nats.hub.')
  if (/refused|ECONNREFUSED/i.test(text))
    return away(`no hub listens at ${server}`, 'Start its nats-server, or correct nats.hub.')
  if (/certificate|self.signed|SSL|TLS|hostname|altname|ENOENT|verif|issuer/i.test(text)) {
    return said(
      `the hub at ${server} and this host do not trust each other: ${text}`,
      'Set nats.tls_ca to the authority of its certificate, and nats.tls_cert and nats.tls_key if it asks for yours.',
    )
  }
  return away(
    `the hub at ${server} cannot be reached: ${text}`,
    'This host works on; the hub catches up when it is there.',
  )
}

function wrongDomain(server: string, wanted: string, domain: string | undefined): BusProblem {
  return domain === undefined
    ? {
        level: 'fail',
        message: `the hub at ${server} has no JetStream domain`,
        fix: `Add "domain: ${wanted}" to the jetstream block of its configuration.`,
      }
    : {
        level: 'fail',
        message: `the JetStream domain of the hub at ${server} is "${domain}", not "${wanted}"`,
        fix: `Set it: gantry config set nats.hub_domain ${domain}`,
      }
}

function greetingOf(line: string): Greeting {
  const greeting = objectIn(line.slice('INFO '.length)) as Greeting | undefined
  if (greeting === undefined) throw new Refused('not-nats')
  return greeting
}

function isAddress(host: string): boolean {
  return /^[\d.]+$/.test(host) || host.includes(':')
}

/** What the other side says, until it matches. */
class Dialogue {
  #socket: Socket
  #text = ''
  #look: () => void = () => {}
  #failed: (error: Error) => void = () => {}

  constructor(socket: Socket) {
    this.#socket = socket
    this.#listen(socket)
  }

  use(socket: Socket): void {
    this.#text = ''
    this.#socket.removeAllListeners('data')
    this.#socket = socket
    this.#listen(socket)
  }

  write(text: string): void {
    this.#socket.write(text)
  }

  end(): void {
    this.#socket.destroy()
  }

  until(pattern: RegExp): Promise<string> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error('it does not answer')), DEADLINE_MS)
      const done = (act: () => void) => {
        clearTimeout(timer)
        this.#look = () => {}
        this.#failed = () => {}
        act()
      }
      this.#failed = (error) => done(() => reject(error))
      this.#look = () => {
        const found = pattern.exec(this.#text)
        if (found) done(() => resolve(found[0].trim()))
        else if (
          /^(?!INFO |I$|IN$|INF$|INFO$|PING|\+OK|LS|-ERR|PONG)./.test(this.#text) ||
          this.#text.length > MAX_CHARS
        )
          done(() => reject(new Refused('not-nats')))
      }
      this.#look()
    })
  }

  #listen(socket: Socket): void {
    socket.on('data', (chunk) => {
      this.#text += chunk.toString('latin1')
      this.#look()
    })
    socket.on('error', (error) => this.#failed(error))
    socket.on('close', () => this.#failed(new Error('it hangs up')))
  }
}
