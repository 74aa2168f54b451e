/** Sends one web request of a channel. */
import { isForLater, isLoopback, postJson } from '../../core/post.ts'
import { oneLine } from '../../tmux/index.ts'
import type { Sent } from './channel.ts'

const ANSWER_BYTES = 2_048
const ANSWER_COLUMNS = 160

export interface Request {
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body: string
}

/** `secrets` are removed from the other side's answer. */
export async function post(
  { url, headers, body }: Request,
  timeoutMs: number,
  secrets: readonly string[],
): Promise<Sent> {
  // The configuration was checked when it was read, but the URL may come from a file that changed since.
  if (!URL.canParse(url)) return { ok: false, detail: 'its address is not a valid URL' }
  if (!isAllowed(url)) return { ok: false, detail: 'plain http goes to this machine only; use https' }
  const options = { ...(headers ? { headers } : {}), body, timeoutMs, maxBytes: ANSWER_BYTES }
  const posted = await postJson(url, options)
  if ('error' in posted) return { ok: false, detail: posted.error, again: true }
  const { status, ok } = posted.response
  const answer = oneLine(hidden(posted.answer, secrets), ANSWER_COLUMNS)
  const detail = answer === '' ? `HTTP ${status}` : `HTTP ${status}: ${answer}`
  return { ok, detail, ...(isForLater(status) ? { again: true } : {}) }
}

function isAllowed(url: string): boolean {
  const { protocol } = new URL(url)
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(url))
}

function hidden(text: string, secrets: readonly string[]): string {
  return secrets.reduce((rest, secret) => (secret === '' ? rest : rest.replaceAll(secret, '***')), text)
}
