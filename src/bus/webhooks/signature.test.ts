import { describe, expect, test } from 'bun:test'
import { createHmac } from 'node:crypto'
import { checkSignature, type SignatureKind, type Signed, sameText, signatureOf } from './signature.ts'

const SECRET = 'correct horse battery staple'
const NOW = 1_763_000_000_000
const BODY = Buffer.from('{"type":"push","text":"grüße"}')

const hex = (text: string | Uint8Array, secret = SECRET) =>
  createHmac('sha256', secret).update(text).digest('hex')
const timed = (t: string, secret = SECRET) => hex(Buffer.concat([Buffer.from(`${t}.`), BODY]), secret)

function check(kind: SignatureKind, headers: Record<string, string>, more: Partial<Signed> = {}) {
  const given = new Headers(headers)
  return checkSignature(kind, {
    secret: SECRET,
    header: (name) => given.get(name),
    body: BODY,
    now: NOW,
    toleranceMs: 300_000,
    ...more,
  })
}

/** Headers of a request that each kind accepts, signed at a time of our choice. */
const genuine: Record<SignatureKind, (seconds: number, secret?: string) => Record<string, string>> = {
  gantry: (t, secret) => ({ 'Gantry-Timestamp': `${t}`, 'Gantry-Signature': `v1=${timed(`${t}`, secret)}` }),
  stripe: (t, secret) => ({ 'Stripe-Signature': `t=${t},v1=${timed(`${t}`, secret)},v0=old` }),
  github: (_t, secret) => ({ 'X-Hub-Signature-256': `sha256=${hex(BODY, secret)}` }),
  token: (_t, secret = SECRET) => ({ 'X-Gantry-Token': secret }),
}

const KINDS = Object.keys(genuine) as SignatureKind[]

describe.each(KINDS)('%s', (kind) => {
  const headers = (ms = NOW, secret?: string) => genuine[kind](Math.floor(ms / 1000), secret)

  test('the right signature fits', () => {
    expect(check(kind, headers())).toBe('ok')
  })

  test('none at all is missing', () => {
    expect(check(kind, {})).toBe('missing')
    expect(check(kind, Object.fromEntries(Object.keys(headers()).map((name) => [name, ' '])))).toBe('missing')
  })

  test('one with another secret is wrong', () => {
    expect(check(kind, headers(NOW, `${SECRET}.`))).toBe('wrong')
    expect(check(kind, headers(), { secret: 'another' })).toBe('wrong')
  })

  test('nonsense is wrong', () => {
    for (const value of ['x', 'v1=', 'sha256=', 't=1,v1=', '=', ','.repeat(5000), 'v1=\u00e9', 'sha256=zz']) {
      const name = Object.keys(headers()).at(-1) ?? ''
      expect(check(kind, { ...headers(), [name]: value })).toBe('wrong')
    }
  })

  test('it may be in another header', () => {
    const [name = '', value = ''] = Object.entries(headers()).at(-1) ?? []
    const { [name]: _, ...others } = headers()
    expect(check(kind, { ...others, 'X-Mine': value }, { headerName: 'x-mine' })).toBe('ok')
    expect(check(kind, headers(), { headerName: 'x-mine' })).toBe('missing')
  })
})

describe.each(['gantry', 'stripe'] as const)('%s has a time', (kind) => {
  test.each([
    [-299, 'ok'],
    [299, 'ok'],
    [-301, 'old'],
    [301, 'old'],
    [-86_400, 'old'],
  ] as const)('%i s away is %s', (seconds, expected) => {
    expect(check(kind, genuine[kind](NOW / 1000 + seconds))).toBe(expected)
  })

  test('another time under the same signature is wrong, not fresh', () => {
    const stale = genuine[kind](NOW / 1000 - 4000)
    const moved = Object.fromEntries(
      Object.entries(stale).map(([name, value]) => [
        name,
        value.replaceAll(`${NOW / 1000 - 4000}`, `${NOW / 1000}`),
      ]),
    )
    expect(check(kind, moved)).toBe('wrong')
  })

  test.each(['', '-5', '1e3', 'now', '9'.repeat(40)])('a time of %j is wrong', (t) => {
    const headers = {
      'Gantry-Timestamp': t,
      'Gantry-Signature': `v1=${timed(t)}`,
      'Stripe-Signature': `t=${t},v1=${timed(t)}`,
    }
    expect(check(kind, headers)).toBe('wrong')
  })
})

test.each(['gantry', 'stripe', 'github'] as const)('%s: a changed body is wrong', (kind) => {
  expect(
    check(kind, genuine[kind](NOW / 1000), { body: Buffer.from('{"type":"push","text":"grüsse"}') }),
  ).toBe('wrong')
})

test('one of several signatures is enough, as while a secret changes', () => {
  const t = `${NOW / 1000}`
  const both = `v1=${timed(t, 'the new one')},v1=${timed(t)}`
  expect(check('gantry', { 'Gantry-Timestamp': t, 'Gantry-Signature': both })).toBe('ok')
  expect(check('stripe', { 'Stripe-Signature': `t=${t},${both}` })).toBe('ok')
})

test('a token may come as a bearer', () => {
  expect(check('token', { Authorization: `Bearer ${SECRET}` }, { headerName: 'authorization' })).toBe('ok')
})

test('what goes out is what comes in', () => {
  const t = `${NOW / 1000}`
  const signature = signatureOf(SECRET, t, BODY)
  expect(signature).toBe(signatureOf(SECRET, t, BODY.toString()))
  expect(check('gantry', { 'gantry-timestamp': t, 'gantry-signature': signature })).toBe('ok')
})

test('texts of any length are compared', () => {
  expect(sameText('a', 'a')).toBe(true)
  expect(sameText('', 'a')).toBe(false)
  expect(sameText('a'.repeat(10_000), 'a')).toBe(false)
})
