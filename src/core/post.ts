/**
 * Sends one POST of JSON. The server may be slow, silent, endless or hostile: one deadline covers everything, redirects are
 * not followed, only the beginning of the answer is kept, and no message contains the URL, which may hold a secret.
 */
import { VERSION } from './version.ts'

interface PostOptions {
  readonly headers?: Readonly<Record<string, string>>
  readonly body: string
  readonly timeoutMs: number
  /** Aborts the request early. */
  readonly signal?: AbortSignal | undefined
  /** How much of the answer is kept. */
  readonly maxBytes: number
  /** What follows the status may take as long as all of it; without this, it may take a moment. */
  readonly needsAnswer?: boolean
}

type Posted =
  | { readonly response: Response; readonly answer: string; readonly cut?: 'long' | 'broken' }
  | { readonly error: string; readonly isLate: boolean }

const READ_BYTES = 64 * 1024 // an answer that is read to its end leaves a connection that can be used again
const ANSWER_DEADLINE_MS = 1_000 // for what follows the status, where that has said what counts

export async function postJson(url: string, options: PostOptions): Promise<Posted> {
  const { headers, body, timeoutMs, signal, maxBytes, needsAnswer } = options
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
    const read = await beginningOf(response, maxBytes, needsAnswer ? timeoutMs : ANSWER_DEADLINE_MS)
    if (needsAnswer && isLate) throw new Error('late')
    return { response, ...read }
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

async function beginningOf(
  response: Response,
  maxBytes: number,
  ms: number,
): Promise<{ answer: string; cut?: 'long' | 'broken' }> {
  const reader = response.body?.getReader()
  if (!reader) return { answer: '' }
  const enough = () => void reader.cancel().catch(() => {}) // the connection closes
  const timer = setTimeout(enough, ms)
  const kept: Uint8Array[] = []
  try {
    for (let read = 0; read < READ_BYTES; ) {
      const { done, value } = await reader.read()
      if (done) return { answer: textOf(kept), ...(read > maxBytes ? { cut: 'long' } : {}) }
      if (read < maxBytes) kept.push(value.slice(0, maxBytes - read))
      read += value.length
    }
    enough()
    return { answer: textOf(kept), cut: 'long' }
  } catch {
    return { answer: textOf(kept), cut: 'broken' } // or the time was up
  } finally {
    clearTimeout(timer)
  }
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
