/**
 * Sends one POST of JSON. The server may be slow, silent, endless or hostile: one deadline covers everything, redirects are
 * not followed, only the beginning of the answer is kept, and no message contains the URL, which may hold a secret.
 */
import { VERSION } from './version.ts'

export interface PostOptions {
  readonly headers?: Readonly<Record<string, string>>
  readonly body: string
  readonly timeoutMs: number
  /** Aborts the request early. */
  readonly signal?: AbortSignal | undefined
  /** How much of the answer is kept. */
  readonly maxBytes: number
}

export type Posted =
  | { readonly response: Response; readonly answer: string }
  | { readonly error: string; readonly isLate: boolean }

const READ_BYTES = 64 * 1024 // reading an answer to its end lets the connection be reused
const ANSWER_DEADLINE_MS = 1_000 // for the body; the status has already told the outcome

export async function postJson(url: string, options: PostOptions): Promise<Posted> {
  const { headers, body, timeoutMs, signal, maxBytes } = options
  const controller = new AbortController()
  const end = () => controller.abort()
  let isLate = false
  const timer = setTimeout(() => {
    isLate = true
    end()
  }, timeoutMs)
  if (signal?.aborted) end()
  signal?.addEventListener('abort', end)
  // A loopback request must not go through a proxy. Bun's types lack `false`, and a test covers it.
  const direct = isLoopback(url) ? { proxy: false } : {}
  const request = {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'user-agent': `gantry/${VERSION}`,
      'accept-encoding': 'identity', // prevents decompression bombs
      ...headers,
    },
    body,
    redirect: 'manual',
    signal: controller.signal,
    decompress: false,
    ...direct,
  }
  try {
    const response = await fetch(url, request as RequestInit)
    return { response, answer: await beginningOf(response, maxBytes) }
  } catch (error) {
    return { error: isLate ? `no answer within ${timeoutMs / 1000} s` : reasonOf(error), isLate }
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', end)
  }
}

/** Statuses that mean "try again later". */
export function isForLater(status: number): boolean {
  return status >= 500 || status === 408 || status === 425 || status === 429
}

export function isLoopback(url: string): boolean {
  const { hostname } = new URL(url)
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname)
}

/** Best effort: the status has already told the outcome. */
async function beginningOf(response: Response, maxBytes: number): Promise<string> {
  const reader = response.body?.getReader()
  if (!reader) return ''
  const enough = () => void reader.cancel().catch(() => {}) // the connection closes
  const timer = setTimeout(enough, ANSWER_DEADLINE_MS)
  const kept: Uint8Array[] = []
  try {
    for (let read = 0; read < READ_BYTES; ) {
      const { done, value } = await reader.read()
      if (done) return textOf(kept)
      if (read < maxBytes) kept.push(value.slice(0, maxBytes - read))
      read += value.length
    }
    enough()
  } catch {
    // the connection broke or the time was up
  } finally {
    clearTimeout(timer)
  }
  return textOf(kept)
}

function textOf(parts: readonly Uint8Array[]): string {
  return Buffer.concat(parts).toString('utf8')
}

/** Bun's own messages contain the whole URL. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'the request failed'
  const { code } = error as NodeJS.ErrnoException
  return typeof code === 'string' && code !== '' ? code : error.name || 'the request failed'
}
