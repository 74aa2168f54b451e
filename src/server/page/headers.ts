/** The headers of everything a browser gets of the page, and its small answers. */
import { EncodedAnswer, type Envelope } from '../../rpc/index.ts'

/**
 * No inline script, nothing from elsewhere, no frame around it. Trusted types make every way to write HTML from text
 * an error, also one of a library.
 */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
].join('; ')

const HEADERS = {
  'content-security-policy': POLICY,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  'cache-control': 'no-store',
}

export function pageAnswer(
  body: string | Uint8Array<ArrayBuffer>,
  type: string,
  { status = 200, headers = {} }: { status?: number; headers?: Record<string, string> } = {},
): Response {
  return new Response(body, { status, headers: { ...HEADERS, 'content-type': type, ...headers } })
}

export function jsonAnswer(value: unknown, status = 200): Response {
  return pageAnswer(JSON.stringify(value), 'application/json', { status })
}

/** What a call answered. */
export function encodedAnswer(answer: Envelope | EncodedAnswer): Response {
  return answer instanceof EncodedAnswer
    ? pageAnswer(new Uint8Array(answer.line), 'application/json')
    : jsonAnswer(answer)
}

/** As a call answers; `error` as far as programs have to tell. */
export function refusal(status: number, error: string, message: string): Response {
  return jsonAnswer({ ok: false, error, message }, status)
}

/** A page without script, in the page's own style if there is one. */
export function plainPage(
  { title, lines, css, refresh }: PlainPage,
  options: { status?: number; headers?: Record<string, string> } = {},
): Response {
  const head = [
    '<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="color-scheme" content="light dark">',
    refresh === undefined ? '' : `<meta http-equiv="refresh" content="0;url=${escaped(refresh)}">`,
    `<title>${escaped(title)}</title><link rel="icon" href="data:,">`,
    css === undefined ? '' : `<link rel="stylesheet" href="${escaped(css)}">`,
  ]
  const body = `<main class="plain"><h1>${escaped(title)}</h1>${lines.map((line) => `<p>${code(line)}</p>`).join('')}</main>`
  return pageAnswer(
    `<!doctype html><html lang="en"><head>${head.join('')}</head><body>${body}</body></html>`,
    'text/html; charset=utf-8',
    options,
  )
}

interface PlainPage {
  readonly title: string
  /** What stands between backticks is code. */
  readonly lines: readonly string[]
  readonly css?: string | undefined
  readonly refresh?: string
}

function code(line: string): string {
  return escaped(line).replace(/`([^`]+)`/g, '<code>$1</code>')
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
}
