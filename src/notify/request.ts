/**
 * One web request and what became of it. The other side may be slow, silent, endless or a stranger: one deadline over
 * all of it, no redirects, only the beginning of the answer, and no address in any message, for it may hold a secret.
 */
import { isLoopback } from '../bus/index.ts'
import { VERSION } from '../core/version.ts'
import { oneLine } from '../tmux/index.ts'
import type { Sent } from './channel.ts'

const ANSWER_BYTES = 2_048
const ANSWER_COLUMNS = 160

/** Below 500, but worth another attempt. */
const LATER: ReadonlySet<number> = new Set([408, 425, 429])

export interface Request {
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body: string
}

/** `secrets` are cut out of what the other side says. */
export async function post(
  { url, headers, body }: Request,
  timeoutMs: number,
  secrets: readonly string[] = [],
): Promise<Sent> {
  // What was checked when the configuration was read may have come out of a file since.
  if (!URL.canParse(url)) return { ok: false, detail: 'its address is not one' }
  if (!isAllowed(url)) return { ok: false, detail: 'plain http goes to this machine only; use https' }
  const direct = (isLoopback(url) ? { proxy: false } : {}) as RequestInit // not to a proxy, either
  const signal = AbortSignal.timeout(timeoutMs)
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'user-agent': `gantry/${VERSION}`,
        'accept-encoding': 'identity', // a small answer may become a large one
        ...headers,
      },
      body,
      redirect: 'manual',
      signal,
      ...direct,
    })
    const answer = oneLine(hidden(await beginningOf(response), secrets), ANSWER_COLUMNS)
    const { status, ok } = response
    const detail = answer === '' ? `HTTP ${status}` : `HTTP ${status}: ${answer}`
    if (ok) return { ok, detail }
    return { ok, detail, ...(status >= 500 || LATER.has(status) ? { again: true } : {}) }
  } catch (error) {
    if (signal.aborted) return { ok: false, detail: `no answer within ${timeoutMs / 1000} s`, again: true }
    const { code, name } = error as NodeJS.ErrnoException
    return { ok: false, detail: code || name || 'the request failed', again: true }
  }
}

export function isAllowed(url: string): boolean {
  const { protocol } = new URL(url)
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(url))
}

async function beginningOf(response: Response): Promise<string> {
  const reader = response.body?.getReader()
  if (!reader) return ''
  const kept: Uint8Array[] = []
  try {
    for (let read = 0; read < ANSWER_BYTES; ) {
      const { done, value } = await reader.read()
      if (done) break
      kept.push(value.slice(0, ANSWER_BYTES - read))
      read += value.length
    }
  } catch {
    // It broke off or the time was up; the status has said what counts.
  }
  void reader.cancel().catch(() => {})
  return Buffer.concat(kept).toString('utf8')
}

function hidden(text: string, secrets: readonly string[]): string {
  return secrets.reduce((rest, secret) => (secret === '' ? rest : rest.replaceAll(secret, '***')), text)
}
