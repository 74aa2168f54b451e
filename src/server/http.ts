/**
 * HTTP on loopback, for agents whose hooks are web requests, and for gantry's own page. Every request needs a Host of this
 * address and no foreign Origin, because a page in a browser must not act for an agent; and the token. Only signed inbound
 * webhooks need none, and the page, which has a cookie (page/service.ts).
 */
import { type Inbound, type Subscriptions, sameText } from '../bus/index.ts'
import { PAYLOAD_LIMIT_BYTES } from '../client/wire.ts'
import { GantryError } from '../core/errors.ts'
import { json, refuse } from '../core/json-response.ts'
import { lazy } from '../core/lazy.ts'
import type { Log } from '../core/log.ts'
import { VERSION } from '../core/version.ts'
import { type HookReply, isAgentName, UNDECIDED_EXIT } from '../events/index.ts'
import { type Pipeline, rawEventOf } from '../ingest/index.ts'
import type { SearchCallParts } from '../insight/index.ts'
import { dialectOf, type SessionFeed } from '../sessions/index.ts'
import { isNavigation, isPagePath } from './page/paths.ts'
import type { Page } from './page/service.ts'
import { sessionStream } from './sse.ts'
import { type SocketHandler, type SocketReader, sessionSocket } from './websocket.ts'

export interface HttpOptions {
  readonly port: number
  readonly token: string
  readonly pipeline: Pipeline
  readonly sessions: SessionFeed
  readonly bus: Subscriptions
  readonly inbound: Inbound
  readonly search: SearchCallParts
  /** What Prometheus reads, and a token that opens only this; undefined until its owner has made one. */
  readonly metrics: () => Promise<{ readonly text: string; readonly type: string }>
  readonly metricsToken: () => string | undefined
  /** The page for browsers, built when the first one asks. */
  readonly page: () => Promise<Page>
  readonly log: Log
}

export interface HttpDoor {
  readonly url: string
  readonly port: number
  readonly token: string
  stop(): Promise<void>
}

export function openHttp(options: HttpOptions): HttpDoor {
  const handle = (request: Request, server: HttpServer) => route(request, server, options)
  const websocket = sessionSocket(options.sessions)
  const serve = (port: number) =>
    Bun.serve({
      hostname: '127.0.0.1',
      port,
      maxRequestBodySize: BODY_LIMIT_BYTES,
      idleTimeout: 60,
      fetch: handle,
      websocket,
      error: (error) => {
        options.log.error('http', error.message)
        return refuse(500, 'gantry failed on this request; see gantry.log')
      },
    })
  const server = listen(serve, options)
  const port = server.port ?? 0
  return { url: `http://127.0.0.1:${port}`, port, token: options.token, stop: () => server.stop(true) }
}

type HttpServer = Bun.Server<SocketReader>
type Serve = (port: number) => HttpServer

/**
 * If the port is taken, another will do: agents still need a daemon, and `run/http.json` names the port. The next ones come
 * first, so that a later start finds the same one, which browsers and Prometheus know.
 */
function listen(serve: Serve, { port, log }: HttpOptions): HttpServer {
  const others = Array.from({ length: NEXT_PORTS }, (_, i) => port + 1 + i).filter((one) => one <= MAX_PORT)
  const server = firstFree(serve, port === 0 ? [] : [port, ...others])
  if (port !== 0 && server.port !== port)
    log.warn('http', `port ${port} is taken, listening on ${server.port}; set http.port in gantry.toml`)
  return server
}

/** Any port, if none of them is free. */
function firstFree(serve: Serve, [port = 0, ...others]: readonly number[]): HttpServer {
  try {
    return serve(port)
  } catch (error) {
    if (port === 0 || (error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error
    return firstFree(serve, others)
  }
}

const NEXT_PORTS = 9
const MAX_PORT = 65_535
const HOOKS = '/hooks/'
const INBOUND = `${HOOKS}in/`
const METRICS = '/metrics'
const BODY_LIMIT_BYTES = 2 ** 31 // more than any agent can put into one string; payloads over 8 MB are cut

type Route = (asked: {
  readonly request: Request
  readonly url: URL
  readonly server: HttpServer
  readonly options: HttpOptions
}) => Answer | Promise<Answer>
/** Undefined if the request became a WebSocket. */
type Answer = Response | undefined

const busSse = lazy(() => import('./bus-sse.ts'))
const searchCalls = lazy(() => import('../insight/search/rpc.ts'))

/** For programs, by path. */
const ROUTES: Readonly<Record<string, Route>> = {
  '/health': ({ options }) => health(options),
  '/sessions': async ({ options }) => json(await options.sessions.looked()),
  '/sessions/stream': ({ request, url, server, options }) => {
    if (request.headers.get('upgrade')?.toLowerCase() === 'websocket') return upgrade(request, server)
    server.timeout(request, 0) // silent as long as the sessions are
    return sessionStream(options.sessions, dialectOf(url.searchParams.get('dialect')))
  },
  '/search': async ({ url, options }) => json(await (await searchCalls()).searchOver(options.search, url)),
  [METRICS]: async ({ options }) => {
    const { text, type } = await options.metrics()
    return new Response(text, { headers: { 'content-type': type, 'x-content-type-options': 'nosniff' } })
  },
  '/bus/events': async ({ request, server, options }) => {
    server.timeout(request, 0)
    return (await busSse()).busStream(request, options.bus)
  },
}

function isProgramPath(pathname: string): boolean {
  return Object.hasOwn(ROUTES, pathname) || pathname.startsWith(HOOKS)
}

async function route(request: Request, server: HttpServer, options: HttpOptions): Promise<Answer> {
  const refused = checkAddress(request, server.port ?? 0)
  if (refused) return refused
  const url = new URL(request.url)
  const { pathname } = url
  if (pathname.startsWith(INBOUND)) return options.inbound.take(request, pathname.slice(INBOUND.length))
  if (isPagePath(pathname) || (!isProgramPath(pathname) && isNavigation(request))) {
    const upgrade = (handler: SocketHandler) => server.upgrade(request, { data: { handler } })
    return (await options.page()).serve({ request, url, port: server.port ?? 0, upgrade })
  }
  const reader = pathname === METRICS && request.method === 'GET' ? options.metricsToken() : undefined
  const stranger = checkToken(request, options.token, reader)
  if (stranger) return stranger
  const found = Object.hasOwn(ROUTES, pathname) ? ROUTES[pathname] : undefined
  if (found)
    return request.method === 'GET' ? read(found, { request, url, server, options }) : methodOnly('GET')
  if (pathname.startsWith(HOOKS)) {
    return request.method === 'POST' ? hook(request, url, options) : methodOnly('POST')
  }
  const routes = Object.keys(ROUTES).join(', ')
  return refuse(
    404,
    `nothing at ${pathname}; there is GET ${routes}, and POST /hooks/<agent> and /hooks/in/<source>`,
  )
}

function upgrade(request: Request, server: HttpServer): Answer {
  return server.upgrade(request, { data: {} }) ? undefined : refuse(400, 'this is not a WebSocket handshake')
}

/** Turns errors of a route into replies: invalid query, or unavailable now. */
async function read(route: Route, asked: Parameters<Route>[0]): Promise<Answer> {
  try {
    return await route(asked)
  } catch (error) {
    if (!(error instanceof GantryError)) throw error
    const isAskers = error.code === 'VALIDATION_ERROR' || error.code === 'USAGE'
    return refuse(isAskers ? 400 : 503, error.message)
  }
}

function checkAddress(request: Request, port: number): Response | undefined {
  const hosts = [`127.0.0.1:${port}`, `localhost:${port}`]
  if (!hosts.includes(request.headers.get('host')?.toLowerCase() ?? '')) {
    return refuse(
      403,
      'this Host is not allowed; use http://127.0.0.1 with the port in the file that `gantry config path http` prints',
    )
  }
  const origin = request.headers.get('origin')
  if (origin !== null && !hosts.some((host) => origin.toLowerCase() === `http://${host}`)) {
    return refuse(403, 'this Origin is not allowed')
  }
  return undefined
}

function checkToken(request: Request, token: string, other?: string): Response | undefined {
  const given = /^Bearer (.+)$/.exec(request.headers.get('authorization') ?? '')?.[1]
  const isKnown = (one: string) => given !== undefined && sameText(given, one)
  if (!isKnown(token) && !(other !== undefined && isKnown(other))) {
    return refuse(401, 'send "Authorization: Bearer <token>"; `gantry config path token` prints its file', {
      'www-authenticate': 'Bearer',
    })
  }
  return undefined
}

/** Like hooks from the socket: a payload over the limit is cut and marked, and rules treat it as not understood. */
async function hook(
  request: Request,
  { pathname, searchParams }: URL,
  { pipeline }: HttpOptions,
): Promise<Response> {
  const agent = pathname.slice(HOOKS.length)
  if (!isAgentName(agent)) return refuse(404, 'an agent name is lower-case letters, digits, "-" and "_"')
  const type = request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase()
  if (type !== 'application/json') return refuse(415, 'send the payload as application/json')
  const { payload, length } = await bodyOf(request)
  const delivery = { payload, transport: 'http', receivedAt: Date.now() } as const
  const rawEvent = rawEventOf(
    { agent, event: searchParams.get('event') },
    length > payload.length ? { ...delivery, cutFrom: length } : delivery,
  )
  const reply = await new Promise<HookReply | undefined>((resolve) => pipeline.take(rawEvent, resolve))
  if (reply?.exit === UNDECIDED_EXIT) return refuse(length > payload.length ? 413 : 400, reply.stderr.trim())
  return reply ? answer(reply) : refuse(503, 'the event could not be stored; see gantry doctor')
}

/** Reads to the end, because the sender listens only then; keeps bytes up to the limit. */
async function bodyOf(request: Request): Promise<{ readonly payload: Buffer; readonly length: number }> {
  const parts: Uint8Array[] = []
  let length = 0
  for await (const part of request.body ?? []) {
    const room = PAYLOAD_LIMIT_BYTES - length
    if (room > 0) parts.push(room < part.length ? part.subarray(0, room) : part)
    length += part.length
  }
  return { payload: Buffer.concat(parts), length }
}

/** HTTP has no exit codes: what blocks by exit 2 elsewhere blocks by decision here. */
function answer(reply: HookReply): Response {
  if (reply.exit === 2) return json({ decision: 'block', reason: reply.stderr.trim() })
  if (reply.stdout === '') return new Response(null, { status: 204 })
  return new Response(reply.stdout, { headers: { 'content-type': 'application/json' } })
}

function health({ pipeline }: HttpOptions): Response {
  const { fault } = pipeline
  return json(
    { ok: fault === undefined, version: VERSION, fault: fault ?? null },
    fault === undefined ? 200 : 503,
  )
}

function methodOnly(method: string): Response {
  return refuse(405, `use ${method}`, { allow: method })
}
