/** Values behind telling names are found in each form that programs print, and what only resembles them stays. */
import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { rounds } from '../../test/long.ts'
import { redact, secretsIn } from './redact.ts'

const MARK = '[redacted]'
const LETTERS_AND_DIGITS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789']
/** Made up by a fixed rule, so that scanners do not report this file and each run has the same ones. */
function made(count: number, letters = LETTERS_AND_DIGITS, seed = 7): string {
  let state = seed
  return Array.from({ length: count }, () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff
    return letters[(state >>> 16) % letters.length]
  }).join('')
}
const hex = (count: number) => made(count, [...'0123456789abcdef'])
const KEY = made(40)
const UUID = 'c4f3ad2a-d89e-4889-830b-e7c835403de8'

/** `$` stands for the name, `@` for the value. */
const FORMS = [
  '{"$": "@"}',
  '{"$":"@"}',
  "{ $: '@' }",
  "{\n  HOME: '/root',\n  $: '@',\n}",
  "environ({'HOME': '/root', '$': '@'})",
  '$: @',
  'env:\n  $: @\n  OTHER: 1',
  '- $=@',
  '$ = "@"',
  "$ = '@'",
  '$="@" make',
  '$=@',
  'x\n$=@\ny',
  'x\r\n$=@\r\ny',
  'export $=@; make',
  "process.env['$'] = '@'",
  'os.environ["$"] = "@"',
  'os.environ.setdefault("$", "@")',
  "const $: string = '@'",
  "'$' => '@',",
  '$ := "@"',
  '$ ?= @',
  'FROM x\nENV $ @\n',
  'ENV $=@',
  'set -gx $ @',
  'set -Ux $ "@"',
  'setenv $ @',
  '$env:$$ = "@"'.replace('$$', '$'),
  '[{ "name": "$", "value": "@" }]',
  '- name: $\n  value: @\n',
  '- name: $\n  value: "@"\n',
  '$ = b"@"',
  "{'$': b'@'}",
  "const $ = process.env.$ ?? '@'",
  'process.env.$ || "@"',
  '| $ | @ |',
  '<add key="$" value="@" />',
  '<$>@</$>',
  'https://example.org/?a=1&$=@&b=2',
  'https://example.org/?$=@',
  '?$%3D@%26b',
  '%7B%22$%22%3A%22@%22%7D',
  '\u001b[34;1m"$"\u001b[0m\u001b[1;39m:\u001b[0m \u001b[0;32m"@"\u001b[0m',
  "  $: \u001b[32m'@'\u001b[39m,",
  '{\\u0022$\\u0022:\\u0022@\\u0022}',
  '$\\u003d@\\u0026x',
]
const NAMES = [
  'COHERE_API_KEY',
  'API_KEY',
  'TOKEN',
  'SECRET',
  'SECRET_KEY',
  'SECRET_KEY_BASE',
  'ACME_ACCESS_KEY',
  'ACME_PRIVATE_KEY',
  'ACME_APIKEY',
  'ACME_KEY',
  'DB_PASSWORD',
  'DB_PASS',
  'GITHUB_PAT',
  'github_token',
  'access_token',
  'refresh_token',
  'accessToken',
  'apiKey',
  'api-key',
  'clientSecret',
  'client_secret',
  'auth',
  '_auth',
  '_authToken',
  '_password',
  'password',
  'X-Vault-Token',
  'Authorization',
]

describe('found in every form', () => {
  for (const form of FORMS) {
    test(JSON.stringify(form), () => {
      for (const name of NAMES) {
        const shape = form.replaceAll('$', () => name)
        let [text, clean] = [shape.replace('@', KEY), shape.replace('@', MARK)]
        expect(redact(text), name).toEqual({ text: clean, count: 1 })
        for (const _ of 'once, twice and three times in JSON'.split(' ').slice(0, 3)) {
          ;[text, clean] = [JSON.stringify({ stdout: text }), JSON.stringify({ stdout: clean })]
          expect(redact(text), name).toEqual({ text: clean, count: 1 })
        }
      }
    })
  }
})

describe('found in one place', () => {
  const [token, base64] = [hex(40), `${made(86, [...LETTERS_AND_DIGITS, '+', '/'])}==`]
  const PLACES: readonly (readonly [string, string, string])[] = [
    ['SECRET_KEY_BASE=', hex(128), '\n'],
    ['api-key: ', hex(32), ''],
    ['-H "X-Vault-Token: ', KEY, '"'],
    ['VAULT_TOKEN=', `s.${made(24)}`, ' vault status'],
    ['Authorization: ', KEY, '\n'],
    ["-H 'Authorization: ", KEY, "'"],
    ['curl -u me:', KEY, ' https://example.org'],
    ["curl -u 'me:", KEY, "' https://example.org"],
    ['curl --user "me@example.org:', KEY, '" https://example.org'],
    ['git clone https://', token, '@github.com/a/b'],
    ['{"auths":{"https://index.docker.io/v1/":{"auth":"', 'ZGV2OmgzcmQtdDAtZ3UzNTUh', '"}}}'],
    ['username=me\npassword=', KEY, '\n'],
    ['machine example.org login me password ', KEY, '\n'],
    ['acme login --token ', KEY, ' --yes'],
    ['acme login --api-key=', KEY, ' --yes'],
    ['{"args":["--api-key","', KEY, '"]}'],
    ['//registry.example.org/:_password="', base64, '"'],
    ['"token": "', `a/b+c/${made(30)}`, '"'],
    ['API_KEY=', `/${made(39)}`, ' x'],
    ['API_KEY=', UUID, ''],
    ['"access_token": "', UUID, '"'],
    ['The API key: ', KEY, '. Keep it.'],
    ['APP_KEY=base64:', `${made(42)}=`, '\n'],
    ['Server=x;Pwd=', KEY, ';'],
    ['"credentials": "', KEY, '"'],
    ['"secret": "', `${made(20)}\\/${made(20)}`, '"'],
    ['"secret": "', `${made(20)}\\u002B${made(20)}`, '"'],
    ['?api_key=', `${made(20)}%2B${made(20)}%3D`, '&x=1'],
  ]
  for (const [before, secret, after] of PLACES) {
    test(before, () => {
      expect(redact(before + secret + after)).toEqual({ text: before + MARK + after, count: 1 })
      expect(redact(JSON.stringify({ command: before + secret + after })).count).toBe(1)
    })
  }
})

const HARMLESS = [
  '"token": "next"',
  '{"token": "the-next-one-in-the-list-of-all"}',
  'API_KEY=your-key-here',
  'API_KEY=your-very-own-api-key-goes-here-1234567890',
  'API_KEY=xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx',
  'API_KEY=sk-xxxxxxxxxxxxxxxxxxxxxxxxxxxx',
  'API_KEY=0123456789abcdefghijklmnopqrstuvwxyz',
  'API_KEY=00000000000000000000000000000000',
  'password: string',
  'password: PasswordOfTheUserWhoSignedInLast',
  'tokens: 12000',
  'max_token=4096',
  '"token_count": 123456789012345678901234567890',
  '"token_count": "aB3dE5gH7jK9mN1pQ2sT4vW6yZ8"',
  'const apiKey = process.env.API_KEY',
  'const apiKey = process.env.THE_API_KEY_OF_THIS_SERVICE_V2',
  'secret: getSecret()',
  `secret: ${made(30)}()`,
  `const token = ${made(30)}[0]`,
  `token: "${made(24)}\${id}"`,
  `commit=${hex(40)}`,
  `commit ${hex(40)}`,
  `"sha": "${hex(40)}"`,
  `"key": "${hex(40)}"`,
  `"cacheKey": "${hex(40)}"`,
  `CACHE_KEY=${hex(40)}`,
  `"public_key": "${KEY}"`,
  `session_token_id=${UUID}`,
  `{"sessionID":"ses_1","token":"${UUID}"}`, // session.drained of kilo 7.7.7
  `"session_id":"${UUID}"`,
  `"nextPageToken": "${KEY}"`,
  `Next page token: ${KEY}`,
  `git -c user.signingkey=${hex(40).toUpperCase()} commit`,
  `"signature": "${KEY}"`,
  `the secret of ${KEY}`,
  `unexpected token ${hex(40)}`,
  `"secretName": "${KEY}"`,
  `sha256:${hex(64)}`,
  `image: example.org/a@sha256:${hex(64)}`,
  `"tool_use_id":"toolu_01T1x1fJ34qAmk2tNTrN7Up6"`,
  'TOKEN_FILE=/run/secrets/acme/token1/of2/these3',
  'TOKEN=/run/secrets/acme/token1/of2/these3',
  'PASSWORD=/home/dev/aB3dE5gH7jK9mN1pQ2sT4vW6yZ8',
  `PWD=/tmp/work/${KEY}`,
  'TOKEN=$(cat /run/secrets/aB3dE5gH7jK9mN1pQ2sT4)',
  'TOKEN=$TOKEN_OF_THE_FIRST_2_SERVICES_AND_3_MORE',
  'token = secrets.token_urlsafe(32)',
  'password = input("What is the password of the database?")',
  'the token: a word, a number, or a sign of punctuation',
  'monkey: aB3dE5gH7jK9mN1pQ2sT4vW6yZ8',
  'bypass=aB3dE5gH7jK9mN1pQ2sT4vW6yZ8',
  'path: aB3dE5gH7jK9mN1pQ2sT4vW6yZ8',
  'author: aB3dE5gH7jK9mN1pQ2sT4vW6yZ8',
  'AWS_ACCESS_KEY_ID=AKIAIOSFODNN7EXAMPLE',
  'AWS_SECRET_ACCESS_KEY=wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
  'glpat-xxxxxxxxxxxxxxxxxxxx',
  `ghp_${'x'.repeat(36)}`,
  'https://git@github.com/a/b and mailto:somebody.with.a.long.name@example.org',
  'api_token = data.acme_secret.api_token_of_the_first_cluster.value',
  'password: "{{ vault_of_the_first_cluster.database_password }}"',
  `docker run me:${hex(40)}`,
  `ghcr.io/acme/auth:${hex(40)}`,
  `docker tag acme/auth:sha-${hex(12)}`,
  `feat/token: ${hex(40)}`,
  'arn:aws:secretsmanager:us-east-1:123456789012:secret:RDSinstanceSecretA1B2C3D4-x7YqZk3Lm9Pw',
  `ENV GPG_KEY ${hex(40).toUpperCase()}`,
  `GPG_KEY=${hex(40).toUpperCase()}`,
  `RECAPTCHA_SITE_KEY=${KEY}`,
  `NEXT_PUBLIC_CLERK_KEY=${KEY}`,
  `SSH_HOST_KEY=${KEY}`,
  `signingkey = ${hex(40).toUpperCase()}`,
  `"ClientRequestToken": "${UUID}"`,
  `{"_meta":{"progressToken":"${UUID}"}}`,
  `"nextForwardToken": "${KEY}"`,
  '"token": "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48"',
  `{"auth":"auth.${hex(20)}.js"}`,
]

describe('stays byte for byte', () => {
  for (const text of HARMLESS)
    test(text.slice(0, 60), () => {
      expect(redact(text)).toEqual({ text, count: 0 })
      const json = JSON.stringify({ a: text, b: JSON.stringify(text) })
      expect(redact(json)).toEqual({ text: json, count: 0 })
    })
})

const PIECES = [
  ...NAMES,
  KEY,
  hex(40),
  made(17),
  ...'" \' \\ / + % %3D %22 \\n \\u0022 = : , { } [ ] ( . -u --token ENV value me: https:// @'.split(' '),
  '": "',
  "': '",
  ' ',
  '\n',
  '\t',
  '\u0007',
  'é',
]

test('JSON stays JSON, also the one inside of it', () => {
  const text = fc.array(fc.constantFrom(...PIECES), { maxLength: 14 }).map((some) => some.join(''))
  fc.assert(
    fc.property(text, text, (a, b) => {
      const inner = JSON.stringify({ [a]: b, b: [a, { token: KEY }] })
      const clean = JSON.parse(redact(JSON.stringify({ inner, password: b, c: [a, 12], [b]: a })).text) as {
        inner: string
      }
      expect(() => JSON.parse(clean.inner), clean.inner).not.toThrow()
    }),
    { numRuns: rounds(2_000, 50_000) },
  )
})

test('the same is found in a text and in the JSON of it, so that a mark can get its secret back', () => {
  const text = fc.array(fc.constantFrom(...PIECES), { maxLength: 10 }).map((some) => some.join(''))
  fc.assert(
    fc.property(text, (plain) => {
      const shown = (JSON.parse(redact(JSON.stringify({ plain })).text) as { plain: string }).plain
      expect(shown.split(MARK).length - 1).toBe(secretsIn(plain).length)
    }),
    { numRuns: rounds(2_000, 50_000) },
  )
})

test('no command can hide behind the mark', () => {
  for (const form of FORMS) {
    const text = form.replaceAll('$', 'API_KEY').replace('@', () => `${KEY};rm -rf /;`)
    expect(redact(text).text).toContain('rm -rf /')
  }
})
