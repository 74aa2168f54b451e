/**
 * One message as one web request, and what became of it. The other side may be anything: slow, silent, endless, or a
 * stranger. So there is a time limit over all of it, redirects are not followed, and of the answer only a beginning
 * is read.
 */
import { VERSION } from '../../core/version.ts'
import type { WebhookOutcome } from '../../rpc/index.ts'
import type { BusMessage } from '../streams/index.ts'
import { signatureOf, TIMESTAMP_HEADER } from './signature.ts'

export interface Endpoint {
  readonly url: string
  readonly secret: string
  readonly timeoutMs: number
}

const ANSWER_LIMIT_BYTES = 4 * 1024 // enough for an error message
const ANSWER_READ_BYTES = 64 * 1024 // read to its end, the connection can be used again
const ANSWER_DEADLINE_MS = 1_000 // for what follows the status
const MAX_RETRY_AFTER_MS = 3_600_000 // rate limits are by the hour; no stranger may silence a webhook for longer

/** Answers below 500 that mean "later". */
const LATER: ReadonlySet<number> = new Set([408, 425, 429])

/** Failures of the network and of certificates, before a byte of the message was sent. */
const NOT_CONNECTED =
  /REFUSED|ENOTFOUND|EAI_|UNREACH|ENETDOWN|ConnectionRefused|FailedToOpenSocket|CERT|SELF_SIGNED|UNABLE_TO/

export async function post(
  endpoint: Endpoint,
  id: string,
  body: string,
  ended?: AbortSignal,
): Promise<WebhookOutcome> {
  const start = performance.now()
  const controller = new AbortController()
  const end = () => controller.abort()
  let isLate = false
  const timer = setTimeout(() => {
    isLate = true
    end()
  }, endpoint.timeoutMs)
  ended?.addEventListener('abort', end)
  const took = () => Math.round(performance.now() - start)
  try {
    const response = await fetch(...requestOf(endpoint, id, body, controller.signal))
    const answer = await beginningOf(response)
    return { ...judged(response), status: response.status, answer, tookMs: took() }
  } catch (error) {
    const why = reasonOf(error)
    if (isLate) {
      const message = `no answer within ${endpoint.timeoutMs / 1000} s`
      return { kind: 'failed', error: message, answer: '', tookMs: took() }
    }
    const kind = NOT_CONNECTED.test(why) ? 'unreachable' : 'failed'
    return { kind, error: why, answer: '', tookMs: took() }
  } finally {
    clearTimeout(timer)
    ended?.removeEventListener('abort', end)
  }
}

/** What a receiver gets. The payload stays as it came; one that is not JSON is wrapped. */
export function bodyOf(message: BusMessage): string {
  const { id, seq, stream, subject, type, agent, session, at } = message
  const head = JSON.stringify({ id, seq, stream, subject, type, agent, session, at })
  return `${head.slice(0, -1)},"data":${jsonOf(message.data)}}`
}

/** For people: without what may be a secret, which is anything but the host. */
export function shownUrl(url: string): string {
  const { origin, pathname, search } = new URL(url)
  return pathname === '/' && search === '' ? origin : `${origin}/…`
}

export function isLoopback(url: string): boolean {
  const { hostname } = new URL(url)
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname)
}

function requestOf(
  { url, secret }: Endpoint,
  id: string,
  body: string,
  signal: AbortSignal,
): [string, RequestInit] {
  const target = new URL(url)
  const { username, password } = target
  target.username = ''
  target.password = ''
  const timestamp = String(Math.floor(Date.now() / 1000))
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    'user-agent': `gantry/${VERSION}`,
    'accept-encoding': 'identity', // a small answer may become a large one
    'gantry-id': id,
    [TIMESTAMP_HEADER]: timestamp,
    'gantry-signature': signatureOf(secret, timestamp, body),
  }
  if (username !== '' || password !== '') headers.authorization = `Basic ${basic(username, password)}`
  // What stays on this machine must not go to a proxy; `false` is beyond the types, and a test holds it.
  const direct = (isLoopback(url) ? { proxy: false } : {}) as RequestInit
  const options = { method: 'POST', headers, body, redirect: 'manual', signal, decompress: false, ...direct }
  return [target.href, options as RequestInit]
}

function judged(response: Response): Pick<WebhookOutcome, 'kind' | 'error' | 'retryAfterMs'> {
  const { status } = response
  if (response.ok) return { kind: 'delivered' }
  const retryAfterMs = retryAfter(response.headers.get('retry-after'))
  const wait = retryAfterMs === undefined ? {} : { retryAfterMs }
  if (status >= 500 || LATER.has(status)) return { kind: 'failed', error: `HTTP ${status}`, ...wait }
  if (status >= 400) return { kind: 'rejected', error: `HTTP ${status}` }
  return { kind: 'failed', error: `HTTP ${status}; redirects are not followed` }
}

/** Seconds or a date, as HTTP has it. */
function retryAfter(header: string | null): number | undefined {
  if (header === null) return undefined
  const ms = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now()
  return Number.isFinite(ms) && ms > 0 ? Math.min(ms, MAX_RETRY_AFTER_MS) : undefined
}

/** Best effort: the status has said all that counts. */
async function beginningOf(response: Response): Promise<string> {
  const reader = response.body?.getReader()
  if (!reader) return ''
  const enough = () => void reader.cancel().catch(() => {}) // the connection closes
  const timer = setTimeout(enough, ANSWER_DEADLINE_MS)
  const kept: Uint8Array[] = []
  try {
    for (let read = 0; read < ANSWER_READ_BYTES; ) {
      const { done, value } = await reader.read()
      if (done) return text(kept)
      if (read < ANSWER_LIMIT_BYTES) kept.push(value.slice(0, ANSWER_LIMIT_BYTES - read))
      read += value.length
    }
    enough()
  } catch {
    // it broke off, or the time was up
  } finally {
    clearTimeout(timer)
  }
  return text(kept)
}

function text(parts: readonly Uint8Array[]): string {
  return Buffer.concat(parts).toString('utf8')
}

/** The runtime's own messages name the whole address. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'the request failed'
  const { code } = error as NodeJS.ErrnoException
  return typeof code === 'string' && code !== '' ? code : error.name
}

function jsonOf(data: string | Uint8Array): string {
  if (typeof data !== 'string') return JSON.stringify({ rawBase64: Buffer.from(data).toString('base64') })
  try {
    JSON.parse(data)
    return data
  } catch {
    return JSON.stringify({ raw: data })
  }
}

/** An address has user and password escaped; the header has them as they are. */
function basic(username: string, password: string): string {
  return Buffer.from(`${unescaped(username)}:${unescaped(password)}`).toString('base64')
}

function unescaped(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part // a lone % stands for itself
  }
}
