/**
 * Who sent a web request: made for what goes out, checked for what comes in. Four ways of signing are known; the
 * first is gantry's own, the others are what GitHub, Stripe and those who only send a token do.
 *
 *   signatureOf(secret, '1763000000', body)     // v1=5f2b…
 *   checkSignature('github', { secret, header: (name) => request.headers.get(name), body, now, toleranceMs })
 */
export const SIGNATURES = ['gantry', 'github', 'stripe', 'token'] as const

export type SignatureKind = (typeof SIGNATURES)[number]

const TIMESTAMP_HEADER = 'gantry-timestamp'

/** Where each kind has its signature, unless configured otherwise. */
export const SIGNATURE_HEADER: Readonly<Record<SignatureKind, string>> = {
  gantry: 'gantry-signature',
  github: 'x-hub-signature-256',
  stripe: 'stripe-signature',
  token: 'x-gantry-token',
}

export interface Signed {
  readonly secret: string
  readonly header: (name: string) => string | null
  /** Name of the header with the signature; the usual one of its kind if empty. */
  readonly headerName?: string
  readonly body: Uint8Array
  /** UTC milliseconds. */
  readonly now: number
  /** How far off the time of a signature may be that has one. */
  readonly toleranceMs: number
}

/** `old`: signed by the right one, but not just now; somebody may be repeating what they overheard. */
export type SignatureCheck = 'ok' | 'missing' | 'wrong' | 'old'

const MAX_SIGNATURES = 8 // senders that change their secret sign with both for a while

/** Over the timestamp, too, so that it cannot be sent again later with another. */
export function signatureOf(secret: string, timestamp: string, body: string | Uint8Array): string {
  return `v1=${hmac(secret, `${timestamp}.`, body)}`
}

/** The headers that every signed request of gantry has: to webhooks, and to receivers of notifications. `at`: UTC milliseconds. */
export function signedHeaders(secret: string, at: number, body: string): Record<string, string> {
  const timestamp = String(Math.floor(at / 1000))
  return { [TIMESTAMP_HEADER]: timestamp, [SIGNATURE_HEADER.gantry]: signatureOf(secret, timestamp, body) }
}

export function checkSignature(kind: SignatureKind, signed: Signed): SignatureCheck {
  const given = signed.header(signed.headerName || SIGNATURE_HEADER[kind])
  if (given === null || given.trim() === '') return 'missing'
  switch (kind) {
    case 'gantry':
      return checkTimed(signed, signed.header(TIMESTAMP_HEADER) ?? '', valuesOf(given, 'v1'))
    case 'stripe':
      return checkTimed(signed, valuesOf(given, 't')[0] ?? '', valuesOf(given, 'v1'))
    case 'github':
      return isOneOf(valuesOf(given, 'sha256'), hmac(signed.secret, '', signed.body)) ? 'ok' : 'wrong'
    case 'token':
      return sameText(given.replace(/^Bearer +/i, '').trim(), signed.secret) ? 'ok' : 'wrong'
  }
}

/** Takes the same time wherever the difference is, and whatever the lengths are. */
export function sameText(given: string, wanted: string): boolean {
  const digest = (text: string) => new Bun.CryptoHasher('sha256').update(text).digest()
  return crypto.timingSafeEqual(digest(given), digest(wanted))
}

/** The time counts only once it is certain whose it is. */
function checkTimed(signed: Signed, timestamp: string, given: readonly string[]): SignatureCheck {
  if (!/^\d{1,12}$/.test(timestamp)) return 'wrong'
  if (!isOneOf(given, hmac(signed.secret, `${timestamp}.`, signed.body))) return 'wrong'
  return Math.abs(signed.now - Number(timestamp) * 1000) <= signed.toleranceMs ? 'ok' : 'old'
}

function isOneOf(given: readonly string[], wanted: string): boolean {
  let found = false
  for (const one of given.slice(0, MAX_SIGNATURES)) found = sameText(one.toLowerCase(), wanted) || found
  return found
}

/** `t=1,v1=a,v1=b` has two values named v1. */
function valuesOf(header: string, name: string): string[] {
  return header
    .split(/[,\s]+/)
    .filter((part) => part.startsWith(`${name}=`))
    .map((part) => part.slice(name.length + 1))
}

function hmac(secret: string, before: string, body: string | Uint8Array): string {
  return new Bun.CryptoHasher('sha256', secret).update(before).update(body).digest('hex')
}
