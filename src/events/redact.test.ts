import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { redact } from './redact.ts'

const MARK = '[redacted]'

/** Put together here, so that no scanner takes this file for a leak. */
const upper = (count: number) => 'QWERTZUIOPASDFGH0123456789YXCVBNM'.repeat(9).slice(0, count)
const mixed = (count: number) => 'aB3dE5gH7jK9mN1pQ2sT4vW6yZ8'.repeat(9).slice(0, count)
const pem = (kind: string, newline: string) =>
  [
    `-----BEGIN ${kind}PRIVATE KEY-----`,
    mixed(64),
    `${mixed(40)}+/==`,
    `-----END ${kind}PRIVATE KEY-----`,
  ].join(newline)

const SECRETS: Record<string, string> = {
  Anthropic: `sk-ant-${'api03-'}${mixed(80)}_-AA`,
  'OpenAI project': `sk-proj-${mixed(48)}`,
  'OpenAI service account': `sk-svcacct-${mixed(48)}`,
  'OpenAI admin': `sk-admin-${mixed(48)}`,
  'GitHub personal': `ghp_${mixed(36)}`,
  'GitHub OAuth': `gho_${mixed(36)}`,
  'GitHub user': `ghu_${mixed(36)}`,
  'GitHub server': `ghs_${mixed(36)}`,
  'GitHub refresh': `ghr_${mixed(76)}`,
  'GitHub fine-grained': `github_pat_${mixed(22)}_${mixed(59)}`,
  GitLab: `glpat-${mixed(20)}`,
  'AWS key': `AKIA${upper(16)}`,
  'AWS temporary key': `ASIA${upper(16)}`,
  Google: `AIza${mixed(35)}`,
  'Slack bot': `xoxb-${'123456789012-'}${mixed(24)}`,
  'Slack user': `xoxp-${'123456789012-'}${mixed(24)}`,
  'Stripe secret': `sk_live_${mixed(24)}`,
  'Stripe restricted': `rk_live_${mixed(24)}`,
  npm: `npm_${mixed(36)}`,
  'Hugging Face': `hf_${mixed(34)}`,
  'JSON web token': `eyJ${mixed(30)}.eyJ${mixed(60)}.${mixed(43)}`,
  'private key': pem('', '\n'),
  'RSA private key': pem('RSA ', '\r\n'),
  'OpenSSH private key': pem('OPENSSH ', '\n'),
  'private key in JSON text': pem('EC ', '\\n'),
}

describe('a secret is replaced, and nothing around it', () => {
  for (const [name, secret] of Object.entries(SECRETS)) {
    test(name, () => {
      expect(redact(secret)).toEqual({ text: MARK, count: 1 })
      for (const [before, after] of [
        ['{"command":"export X=', '"}'],
        ['curl -H "Authorization: Bearer ', '" https://example.org'],
        ['line one\\n', '\\nline two'],
        ['\\t', '\\r'],
        ['\\u003c', '\\u003e'],
        ['\\u001b[01;31m', '\\u001b[0m'],
        ['\u001b[32m', '\u001b[0m'],
        ['ünïcode → ', ' ← 日本 🚂'],
        ['(', ')'],
      ] as const) {
        expect(redact(before + secret + after)).toEqual({ text: before + MARK + after, count: 1 })
      }
    })
  }

  test('many in one text', () => {
    const all = Object.values(SECRETS)
    expect(redact(all.join('  '))).toEqual({ text: all.map(() => MARK).join('  '), count: all.length })
  })
})

describe('ordinary text stays byte for byte', () => {
  const innocent = [
    'the branch is fix-sk-ant-hill-and-more-words-in-it',
    'task-ant-0123456789abcdefghijklmnop',
    'myghp_0123456789abcdefghijklmnopqrstuvwxyz',
    `AKIA${upper(15)}`,
    `AKIA${upper(17)}`, // one too many: some other identifier
    'sk-proj-short',
    'npm_config_registry=https://example.org',
    'hf_transfer',
    'eyJhbGciOiJIUzI1NiJ9.not-a-token',
    '-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----',
    '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----',
    'c4f3ad2a-d89e-4889-830b-e7c835403de8',
    'toolu_01T1x1fJ34qAmk2tNTrN7Up6',
    'C:\\\\new\\\\names\\\\table',
  ]
  for (const text of innocent) {
    test(text.slice(0, 40).replaceAll('\n', ' '), () => {
      const result = redact(text)
      expect(result).toEqual({ text, count: 0 })
    })
  }

  test('whatever surrounds a secret, only its span changes', () => {
    // Anything that cannot be part of a token, or of an escape that ends in a letter, on both sides of it.
    const around = fc.string({
      unit: fc.constantFrom('ä', ' ', '"', '{', '}', ':', ',', '\n', '🚂', '/', '.'),
    })
    fc.assert(
      fc.property(around, fc.constantFrom(...Object.values(SECRETS)), around, (before, secret, after) => {
        expect(redact(`${before} ${secret} ${after}`).text).toBe(`${before} ${MARK} ${after}`)
      }),
    )
  })

  test('text of any kind comes out as it went in when there is nothing to hide', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 2000 }), (text) => {
        expect(redact(text).text).toBe(text)
      }),
    )
  })
})

describe('a hostile text of 8 MB takes less than a second', () => {
  const SIZE = 8 * 1024 * 1024
  const fill = (piece: string) => piece.repeat(Math.ceil(SIZE / piece.length)).slice(0, SIZE)
  const hostile: Record<string, string> = {
    'one endless token': `sk-ant-${fill('a')}`,
    'prefixes without a break': fill('sk-ant-'),
    'prefixes with breaks': fill('sk-ant- '),
    'prefixes after escapes': fill('\\nsk-ant-'),
    'escapes inside a token': fill('ghp_aaaa\\n'),
    'tokens one character short': fill(`ghp_${'a'.repeat(35)} `),
    'AWS keys one character long': fill(`AKIA${upper(17)} `),
    'web tokens without an end': fill(`eyJ${'a'.repeat(20)}.`),
    'one web token of two endless parts': `eyJ${fill('a')}.eyJ${fill('a')}`,
    'beginnings of keys': fill('-----BEGIN PRIVATE KEY-----'),
    'one beginning of a key with an endless name': `-----BEGIN ${fill('A ')}`,
    'one key with an endless body': `-----BEGIN PRIVATE KEY-----${fill('A\\n')}`,
    'keys with ends that do not fit': fill('-----BEGIN PRIVATE KEY-----AAAA-----END CERTIFICATE-----'),
    'colours without an end': fill('\\u001b[0;0;0;0;'),
    'one colour with endless numbers': `\\u001b[${fill('0m')}`,
    'colours before prefixes': fill('\\u001b[0mghp_'),
    dashes: fill('-'),
    backslashes: fill('\\'),
    'letters without a break': fill('a'),
  }
  for (const [name, text] of Object.entries(hostile)) {
    test(name, () => {
      const start = performance.now()
      redact(text)
      expect(performance.now() - start).toBeLessThan(1000)
    })
  }
})
