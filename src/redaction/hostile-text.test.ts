/** A long hostile text holds the loop no longer than a few readings of an ordinary one do. */
import { expect, test } from 'bun:test'
import { cpuMsOf } from '../../test/kit.ts'
import { rounds } from '../../test/long.ts'
import { redact } from './redact.ts'
import { KEYS, TOKENS } from './secret-samples.ts'

const SIZE = rounds(1, 8) * 1024 * 1024
const TIMES_THE_FLOOR = 300 // it takes up to 60; a pattern that goes back over the text takes thousands
const fill = (piece: string) => piece.repeat(Math.ceil(SIZE / piece.length)).slice(0, SIZE)
const [github = ''] = TOKENS.GitHub ?? []
const mixed = 'aB3dE5gH7jK9mN1pQ2sT4vW6yZ8'
const [begin = '', body = ''] = KEYS['private key'] ?? []

const HOSTILE: Readonly<Record<string, () => string>> = {
  'one endless token': () => `sk-ant-${fill('a')}`,
  'prefixes without a break': () => fill('sk-ant-'),
  'prefixes with breaks': () => fill('sk-ant- '),
  'prefixes after escapes': () => fill('\\nsk-ant-'),
  'escapes inside a token': () => fill('ghp_aaaa\\n'),
  'tokens one character short': () => fill(`${github.slice(0, -1)} `),
  'tokens only': () => fill(`${github} `),
  'keys of 20 capitals and one more': () => fill(`AKIA${'A1'.repeat(9)} `),
  'web tokens without an end': () => fill(`eyJ${'a'.repeat(20)}.`),
  'one web token of two endless parts': () => `eyJ${fill('a')}.eyJ${fill('a')}`,
  'bot tokens without an end': () => fill(`M${'a'.repeat(25)}.aaaaaa.`),
  'beginnings of keys': () => fill('-----BEGIN PRIVATE KEY-----'),
  'beginnings of keys and one end': () => `${fill('-----BEGIN PRIVATE KEY-----A')}-----END PRIVATE KEY-----`,
  'one beginning of a key with an endless name': () => `-----BEGIN ${fill('A ')} PRIVATE KEY`,
  'one key with an endless body': () => `${begin}${fill(`${body}\\n`)}`,
  'one key with endless headers': () => `${begin}${fill('\nComment: value')}`,
  'keys inside of headers': () => fill('Comment: -----BEGIN PRIVATE KEY-----\n'),
  'one key with endless gaps': () => `${begin}${fill('\\n+ 12\t')}`,
  'keys with ends that do not fit': () => fill('-----BEGIN PRIVATE KEY-----AAAA-----END CERTIFICATE-----'),
  'a key and quotes behind backslashes': () => `${begin}${fill('\\\\\\"')}-----END PRIVATE KEY-----`,
  'numbers behind header names': () => `{${fill('"x-api-key":1234567890123456,')}`,
  'colours without an end': () => fill('\\u001b[0;0;0;0;'),
  'one colour with endless numbers': () => `\\u001b[${fill('0m')}`,
  'colours before prefixes': () => fill('\\u001b[0mghp_'),
  'addresses without a password': () => fill('://a:'),
  'addresses that never end': () => `@${fill(`://${'a'.repeat(60)}:${'b'.repeat(126)}`)}`,
  'headers without a value': () => fill('Authorization: Bearer '),
  'headers with a quote and no value': () => fill('Authorization"\\":= \\"'),
  'a header and endless escapes': () => `Authorization${fill('\\\\')}`,
  'headers with endless escapes': () => fill(`Authorization${'\\\\'.repeat(40)}n`),
  'signatures without a value': () => fill('&sig='),
  'cookies without a value': () => `Cookie: ${fill('; a=')}`,
  'cookies with endless names': () => `Cookie: ${fill(`;${'a'.repeat(64)}`)}`,
  'one endless cookie': () => `Cookie: a=${fill('a')}`,
  'assignments without a value': () => fill('_TOKEN='),
  'one endless assignment': () => `_TOKEN=${fill('a1')}(`,
  'assignments of words': () => fill(`_TOKEN=${'a'.repeat(200)} `),
  'random values that nothing names': () => fill(`me:${mixed} `),
  'random values behind names, and a call': () => fill(`token=${mixed}( `),
  'one endless value behind a name': () => `token=${fill(`${mixed}/`)}(`,
  'names and quotes of JSON in JSON': () => fill(`\\\\\\"token\\\\\\": \\\\\\"${mixed}(`),
  'values of variables in two members': () => fill(`${'\\n'.repeat(30)}"value": "${mixed}" `),
  'colours before values': () => fill(`\\u001b[0m\\u001b[32m${mixed} `),
  'logins without a name': () => fill(`-u ${'me'.repeat(20)}:${mixed}`),
  'spaces before values': () => fill(`token${' '.repeat(90)}${mixed}`),
  'addresses with a token': () => fill(`://${mixed}@`),
  'signs of addresses': () => fill(`%22%3A%22${mixed}`),
  'names in addresses': () => fill(`token%3D${mixed}`),
  'names of keys only': () => fill('key=key='),
  'digests without an answer': () => `Digest ${fill(',response=')}`,
  'hex without an end': () => fill(`${'0a'.repeat(15)} `),
  'secrets with a tilde': () => fill('aaa1Q~'),
  dashes: () => fill('-'),
  backslashes: () => fill('\\'),
  percents: () => fill('%25'),
  'letters without a break': () => fill('a'),
  'random letters': () =>
    fill(Buffer.from(crypto.getRandomValues(new Uint8Array(50_000))).toString('base64')),
}

/** The best of a few runs: time to look at each character once. */
function floorMs(text: string): number {
  let seen = 0
  const look = () => {
    for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) === 0) seen += 1
  }
  return Math.min(...[1, 2, 3].map(() => cpuMsOf(look))) + seen
}

for (const [name, make] of Object.entries(HOSTILE)) {
  test(name, () => {
    const text = make()
    const floor = floorMs(text)
    const took = cpuMsOf(() => redact(text))
    expect(took / floor, `${took.toFixed(0)} ms, floor ${floor.toFixed(1)} ms`).toBeLessThan(TIMES_THE_FLOOR)
  })
}
