/**
 * The page: its files, who may see it, what it may ask. Loaded with the first request for it. Host and a foreign Origin
 * were refused before (server/http.ts).
 *
 *   page.link(url, '/session/claude:4f1c')      // http://127.0.0.1:4520/open?once=…
 */
import { hostname } from 'node:os'
import type { HostsBus } from '../../bus/index.ts'
import { viewAt } from '../../client/page-views.ts'
import { GantryError } from '../../core/errors.ts'
import type { Places } from '../../core/files/paths.ts'
import { readOrMakeToken } from '../../core/files/private-files.ts'
import { isObject } from '../../core/is-object.ts'
import { jsonIn } from '../../core/json.ts'
import { randomText } from '../../core/random.ts'
import { VERSION } from '../../core/version.ts'
import type { Feed } from '../../journal/index.ts'
import type { EventQuery, FleetSessions, RpcRegistry } from '../../rpc/index.ts'
import type { SessionFeed } from '../../sessions/index.ts'
import type { SocketHandler } from '../websocket.ts'
import {
  type AnswerParts,
  actOnSession,
  answerApproval,
  newNonce,
  proposeDevice,
  raiseBudget,
} from './answers.ts'
import { type Asset, Assets } from './assets.ts'
import { PageCalls } from './calls.ts'
import { Devices } from './devices.ts'
import { pageAnswer, plainPage, refusal } from './headers.ts'
import { FleetWatch } from './hosts.ts'
import { LiveSocket } from './live.ts'
import { OneTime } from './one-time.ts'
import { SealedFile } from './sealed-file.ts'
import { Links, Logins } from './sign-in.ts'

export interface PageParts {
  readonly places: Places
  readonly rpc: RpcRegistry
  readonly sessions: SessionFeed
  readonly feed: Feed
  readonly hosts: HostsBus
  readonly parseQuery: (value: unknown) => EventQuery
  /** Name of this host in a fleet. */
  readonly host?: () => string
}

interface PageRequest {
  readonly request: Request
  readonly url: URL
  readonly port: number
  /** False if the request is no WebSocket handshake. */
  readonly upgrade: (handler: SocketHandler) => boolean
}

/** Undefined if the request became a WebSocket. */
type Answer = Response | undefined

const BODY_BYTES = 256 * 1024 // of a POST; a draft of a rule with an event to try it on fits
const MAX_SOCKETS = 64 // each costs a part of every change of a session
const NONCE_MS = 60_000 // from the press of a button to its request
const MAX_NONCES = 256
const SIGN_IN = ['Run `gantry web` in a terminal. It opens this page with a link that works once.']

export class Page {
  readonly #parts: PageParts
  readonly #assets = new Assets()
  readonly #links = new Links()
  readonly #logins: Logins
  readonly devices: Devices
  readonly #answers: AnswerParts
  readonly #calls: PageCalls
  readonly #hosts: FleetWatch
  readonly #sockets = new Set<LiveSocket>()
  /** Another one means that the daemon was started anew. */
  readonly #daemon = randomText(8, 'hex')

  constructor(parts: PageParts) {
    this.#parts = parts
    const { places, rpc } = parts
    const key = () => readOrMakeToken(places.approvalKey)
    this.#logins = new Logins(new SealedFile(places.pageLogins, key))
    this.devices = new Devices(new SealedFile(places.pageDevices, key))
    const nonces = new OneTime({ lifeMs: NONCE_MS, most: MAX_NONCES })
    this.#answers = { devices: this.devices, rpc, key, nonces }
    this.#calls = new PageCalls(rpc)
    this.#hosts = new FleetWatch({
      isShared: () => parts.hosts.isSharing,
      read: async () => {
        const answer = await rpc.call({ cmd: 'fleet.sessions' })
        if (!('ok' in answer) || !answer.ok) throw new Error('fleet.sessions failed')
        return answer.data as FleetSessions
      },
    })
  }

  /** A link that signs in the first browser that opens it. */
  link(url: string, to = '/'): string {
    const once = this.#links.make(Date.now())
    return `${url}/open?once=${once}${to === '/' ? '' : `&to=${encodeURIComponent(to)}`}`
  }

  /** Signs out every browser, ends their connections, and makes links and codes void. Returns how many there were. */
  signOut(): number {
    this.#links.clear()
    this.#answers.nonces.clear()
    this.devices.forgetProposed()
    for (const socket of [...this.#sockets]) socket.end()
    return this.#logins.clear()
  }

  async serve(asked: PageRequest): Promise<Answer> {
    const { request, url } = asked
    const { pathname } = url
    if (pathname.startsWith('/api/')) return this.#api(asked)
    if (request.method !== 'GET') return refusal(405, 'USAGE', 'use GET')
    if (pathname === '/open') return this.#open(asked)
    if (pathname.startsWith('/assets/')) return this.#asset(pathname.slice('/assets/'.length))
    if (!this.#isSignedIn(asked))
      return plainPage({ title: 'gantry', lines: SIGN_IN, css: this.#assets.css() }, { status: 401 })
    const index = this.#assets.get('index.html')
    // At any other address, too: the page says that it has no such view, and leads to those it has.
    if (index) return zipped(index, {}, viewAt(pathname) ? 200 : 404)
    const lines = ['The page was not built. In the checkout, run `npm install`; then load this again.']
    return plainPage({ title: 'gantry', lines }, { status: 503 })
  }

  /**
   * Answers with a page that goes on by itself: after a redirect from another site's link, a browser would not send the
   * cookie it has just got.
   */
  async #open(asked: PageRequest): Promise<Response> {
    const { request, url, port } = asked
    const css = this.#assets.css()
    const once = url.searchParams.get('once') ?? ''
    // A browser that only looks ahead must not use it up.
    const isAhead = /prefetch|prerender/.test(
      `${request.headers.get('sec-purpose')} ${request.headers.get('purpose')}`,
    )
    if (isAhead || !this.#links.use(once, Date.now())) {
      const lines = ['This link was used already, or is older than ten minutes.', ...SIGN_IN]
      return plainPage({ title: 'gantry', lines, css }, { status: 403 })
    }
    const cookie = this.#isSignedIn(asked)
      ? {}
      : { headers: { 'set-cookie': this.#logins.begin(port, Date.now()) } }
    const refresh = ownPath(url.searchParams.get('to') ?? '/', url)
    return plainPage({ title: 'gantry', lines: ['Signed in.'], css, refresh }, cookie)
  }

  async #asset(name: string): Promise<Response> {
    const asset = name === 'index.html' ? undefined : this.#assets.get(name)
    if (!asset) return refusal(404, 'USAGE', 'there is no such file; load the page again')
    return zipped(asset, { 'cache-control': 'private, max-age=31536000, immutable' })
  }

  async #api(asked: PageRequest): Promise<Answer> {
    const { request, url } = asked
    const stranger = checkOrigin(request) ?? (this.#isSignedIn(asked) ? undefined : signedOut())
    if (stranger) return stranger
    if (url.pathname === '/api/live') return this.#live(asked)
    const wrong = checkPost(request)
    if (wrong) return wrong
    const body = await bodyOf(request)
    if (body === undefined) return refusal(413, 'TOO_LARGE', `a request has at most ${BODY_BYTES / 1024} KB`)
    const said = jsonIn(body)
    if (!isObject(said)) return refusal(400, 'VALIDATION_ERROR', 'send a JSON object')
    switch (url.pathname) {
      case '/api/call':
        return this.#calls.make(said, request.signal)
      case '/api/device':
        return invalidTold(() => proposeDevice(said, this.#answers))
      case '/api/answer':
        return invalidTold(() => answerApproval(said, this.#answers))
      case '/api/nonce':
        return newNonce(this.#answers)
      case '/api/raise':
        return invalidTold(() => raiseBudget(said, this.#answers))
      case '/api/act':
        return invalidTold(() => actOnSession(said, this.#answers))
      default:
        return refusal(404, 'UNKNOWN_COMMAND', `nothing at ${url.pathname}`)
    }
  }

  #live({ request, upgrade }: PageRequest): Answer {
    if (request.method !== 'GET') return refusal(405, 'USAGE', 'use GET')
    if (this.#sockets.size >= MAX_SOCKETS) return refusal(503, 'BUSY', 'too many pages are open')
    const { sessions, feed, parseQuery, host = hostname } = this.#parts
    const socket = new LiveSocket({
      ...{ sessions, feed, parseQuery },
      hosts: this.#hosts,
      hello: () => ({ daemon: this.#daemon, version: VERSION, host: host() }),
      closed: (one) => this.#sockets.delete(one),
    })
    if (!upgrade(socket)) return refusal(400, 'USAGE', 'this is not a WebSocket handshake')
    this.#sockets.add(socket)
    return undefined
  }

  #isSignedIn({ request, port }: PageRequest): boolean {
    return this.#logins.has(request, port, Date.now())
  }
}

async function invalidTold(act: () => Promise<Response>): Promise<Response> {
  try {
    return await act()
  } catch (error) {
    if (error instanceof GantryError) return refusal(400, error.code, error.message)
    throw error
  }
}

function signedOut(): Response {
  return refusal(401, 'PERMISSION', 'This browser is not signed in. Run: gantry web')
}

/** Browsers send it with every POST and every WebSocket; another port of this host is another origin. */
function checkOrigin(request: Request): Response | undefined {
  const host = request.headers.get('host')?.toLowerCase()
  const site = request.headers.get('sec-fetch-site')
  if (
    request.headers.get('origin')?.toLowerCase() === `http://${host}` &&
    (site ?? 'same-origin') === 'same-origin'
  )
    return undefined
  return refusal(403, 'PERMISSION', 'only the page itself may ask this')
}

/** A form of another site can send neither this content type nor this header. */
function checkPost(request: Request): Response | undefined {
  if (request.method !== 'POST') return refusal(405, 'USAGE', 'use POST')
  const type = request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase()
  if (type !== 'application/json') return refusal(415, 'USAGE', 'send application/json')
  if (request.headers.get('x-gantry-page') !== '1')
    return refusal(403, 'PERMISSION', 'send "x-gantry-page: 1"')
  return undefined
}

/** Undefined if it is too long; the rest is not read then. */
async function bodyOf(request: Request): Promise<string | undefined> {
  if (Number(request.headers.get('content-length') ?? 0) > BODY_BYTES) return undefined
  const parts: Uint8Array[] = []
  let length = 0
  for await (const part of request.body ?? []) {
    length += part.length
    if (length > BODY_BYTES) return undefined
    parts.push(part)
  }
  return Buffer.concat(parts).toString()
}

/** Where a link may lead: a view of this page. */
function ownPath(to: string, url: URL): string {
  if (!/^\/(?![/\\])[^\\]*$/.test(to)) return '/'
  const target = URL.parse(to, url.origin)
  return target?.origin === url.origin && viewAt(target.pathname) !== undefined
    ? `${target.pathname}${target.search}${target.hash}`
    : '/'
}

/** Every browser takes gzip. */
function zipped({ type, zipped: body }: Asset, headers: Record<string, string>, status = 200): Response {
  return pageAnswer(body, type, { status, headers: { 'content-encoding': 'gzip', ...headers } })
}
