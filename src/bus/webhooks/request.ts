/** One message as one web request, signed, and what became of it. */
import { jsonIn } from '../../core/json.ts'
import { isForLater, postJson } from '../../core/post.ts'
import type { WebhookOutcome } from '../../rpc/index.ts'
import type { BusMessage } from '../streams/index.ts'
import { signedHeaders } from './signature.ts'

export interface Endpoint {
  readonly url: string
  readonly secret: string
  readonly timeoutMs: number
}

const ANSWER_LIMIT_BYTES = 4 * 1024 // enough for an error message
const MAX_RETRY_AFTER_MS = 3_600_000 // rate limits are by the hour; no stranger may silence a webhook for longer

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
  const { url, headers } = addressed(endpoint, id, body)
  const { timeoutMs } = endpoint
  const posted = await postJson(url, {
    headers,
    body,
    timeoutMs,
    signal: ended,
    maxBytes: ANSWER_LIMIT_BYTES,
  })
  const tookMs = Math.round(performance.now() - start)
  if ('error' in posted) {
    const isUnreachable = !posted.isLate && NOT_CONNECTED.test(posted.error)
    return { kind: isUnreachable ? 'unreachable' : 'failed', error: posted.error, answer: '', tookMs }
  }
  const { response, answer } = posted
  return { ...judged(response), status: response.status, answer, tookMs }
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

/** User and password of an address go into a header. */
function addressed({ url, secret }: Endpoint, id: string, body: string) {
  const target = new URL(url)
  const { username, password } = target
  target.username = ''
  target.password = ''
  const headers: Record<string, string> = { 'gantry-id': id, ...signedHeaders(secret, Date.now(), body) }
  if (username !== '' || password !== '') headers.authorization = `Basic ${basic(username, password)}`
  return { url: target.href, headers }
}

function judged(response: Response): Pick<WebhookOutcome, 'kind' | 'error' | 'retryAfterMs'> {
  const { status } = response
  if (response.ok) return { kind: 'delivered' }
  const retryAfterMs = retryAfter(response.headers.get('retry-after'))
  const wait = retryAfterMs === undefined ? {} : { retryAfterMs }
  if (isForLater(status)) return { kind: 'failed', error: `HTTP ${status}`, ...wait }
  if (status >= 400) return { kind: 'rejected', error: `HTTP ${status}` }
  return { kind: 'failed', error: `HTTP ${status}; redirects are not followed` }
}

/** Seconds or a date, as HTTP has it. */
function retryAfter(header: string | null): number | undefined {
  if (header === null) return undefined
  const ms = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now()
  return Number.isFinite(ms) && ms > 0 ? Math.min(ms, MAX_RETRY_AFTER_MS) : undefined
}

function jsonOf(data: string | Uint8Array): string {
  if (typeof data !== 'string') return JSON.stringify({ rawBase64: Buffer.from(data).toString('base64') })
  return jsonIn(data) === undefined ? JSON.stringify({ raw: data }) : data
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
