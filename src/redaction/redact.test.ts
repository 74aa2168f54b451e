import { describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { anyText } from '../../test/any-text.ts'
import { rounds } from '../../test/long.ts'
import { redact } from './redact.ts'
import { LEAD_FORMATS, PLACED_FORMATS, TOKEN_FORMATS } from './secret-formats.ts'
import { KEYS, PLACED, TOKENS } from './secret-samples.ts'

const MARK = '[redacted]'
const whole = Object.entries(KEYS).map(([name, lines]) => [name, lines.join('\n')] as const)
const SECRETS: readonly (readonly [string, string])[] = [
  ...Object.entries(TOKENS).flatMap(([name, all]) => all.map((one) => [name, one] as const)),
  ...whole,
]

test('docs/redaction.md names every vendor', () => {
  const page = readFileSync(join(import.meta.dir, '../../docs/redaction.md'), 'utf8').replace(/\s+/g, ' ')
  const names = [...TOKEN_FORMATS, ...LEAD_FORMATS].map(
    ({ of }) => of.split(/, | OAuth| AI | Cloud$| Bedrock/)[0] ?? '',
  )
  for (const name of names) {
    const isKind = name === 'JSON web token' || name === 'Signed webhooks' || name.startsWith('OpenAI and')
    if (!isKind) expect(page).toContain(name)
  }
})

test('every format and every prefix has a sample', () => {
  const all = [...Object.values(TOKENS).flat(), ...Object.values(PLACED).flat(2)]
  for (const { of, prefixes } of TOKEN_FORMATS) {
    expect(TOKENS[of] ?? PLACED[of], of).toBeDefined()
    for (const prefix of prefixes)
      expect(
        all.some((one) => one.startsWith(prefix)),
        prefix,
      ).toBe(true)
  }
  for (const { of } of LEAD_FORMATS) expect(TOKENS[of] ?? PLACED[of], of).toBeDefined()
  for (const { of } of PLACED_FORMATS) expect(PLACED[of], of).toBeDefined()
})

const ESCAPED: Readonly<Record<string, readonly string[]>> = {
  b: ['\b'],
  f: ['\f'],
  n: ['\n'],
  r: ['\r'],
  t: ['\t'],
}

describe('only the secret itself is replaced', () => {
  const AROUND = [
    ['{"command":"export X=', '"}'],
    ['curl -H "PRIVATE-TOKEN: ', '" https://example.org'],
    ['line one\\n', '\\nline two'],
    ['\\t', '\\r'],
    ['\\\\n', '\\\\n'],
    ['\\u003c', '\\u003e'],
    ['\\x3d', '\\x20'],
    ['\\u001b[01;31m', '\\u001b[0m'],
    ['\u001b[32m', '\u001b[0m'],
    ['ünïcode → ', ' ← 日本 🚂'],
    ['(', ')'],
    ['--token=', ' --yes'],
    ['`', '`'],
    ['+', '\\n'],
    ['https://example.org/?token=', '&x=1'],
    ['https%3A%2F%2Fexample.org%2F%3Ftoken%3D', '%26x%3D1'],
    ['%22', '%22'],
    ['token%253D', '%2526x'],
  ] as const
  for (const [name, secret] of SECRETS) {
    test(`${name} ${secret.slice(0, 7)}…`, () => {
      expect(redact(secret)).toEqual({ text: MARK, count: 1 })
      for (const [before, after] of AROUND) {
        expect(redact(before + secret + after), before).toEqual({ text: before + MARK + after, count: 1 })
      }
    })
  }

  for (const [name, samples] of Object.entries(PLACED)) {
    test(`${name}, recognised by the text before it`, () => {
      for (const [before, secret, after] of samples) {
        const text = `{"command":"${before}${secret}${after}"}`
        expect(redact(text), before).toEqual({ text: `{"command":"${before}${MARK}${after}"}`, count: 1 })
      }
    })
  }

  test('many secrets in one text', () => {
    const all = SECRETS.map(([, secret]) => secret)
    expect(redact(all.join('  '))).toEqual({ text: all.map(() => MARK).join('  '), count: all.length })
  })

  test('a header with a known token counts once', () => {
    const [token = ''] = TOKENS.GitHub ?? []
    expect(redact(`Authorization: Bearer ${token}`)).toEqual({
      text: `Authorization: Bearer ${MARK}`,
      count: 1,
    })
  })
})

describe('private keys', () => {
  const secretIn = (lines: readonly string[]) => lines.filter((line) => /^[A-Za-z0-9+/]{30,}=*$/.test(line))

  /** The forms in which a file's lines appear in a payload. */
  const FORMS: Readonly<Record<string, (lines: readonly string[]) => string>> = {
    'as a file': (lines) => lines.join('\n'),
    'with Windows line ends': (lines) => lines.join('\r\n'),
    'as JSON text': (lines) => JSON.stringify({ text: lines.join('\n') }),
    'as JSON text inside of JSON text': (lines) =>
      JSON.stringify({ text: JSON.stringify({ text: lines.join('\n') }) }),
    'with numbers of lines': (lines) =>
      JSON.stringify({ text: lines.map((line, i) => `${String(i + 1).padStart(6)}\t${line}`).join('\n') }),
    'with numbers of lines and arrows': (lines) =>
      JSON.stringify({ text: lines.map((line, i) => `${String(i + 1).padStart(6)}→${line}`).join('\n') }),
    'in a diff': (lines) => JSON.stringify({ text: lines.map((line) => `+${line}`).join('\n') }),
    'quoted in source text': (lines) =>
      JSON.stringify({ text: lines.map((line) => `"${line}\\n" +`).join('\n') }),
    indented: (lines) => JSON.stringify({ text: lines.map((line) => `      ${line}`).join('\n') }),
    'in an address': (lines) => `key=${encodeURIComponent(lines.join('\n'))}&x=1`,
    'in a form': (lines) => `key=${new URLSearchParams({ k: lines.join('\n') })}&x=1`,
  }
  for (const [name, lines] of Object.entries(KEYS)) {
    test(`${name}: whole and cut off, in every form`, () => {
      for (const [form, make] of Object.entries(FORMS)) {
        for (const part of [lines, lines.slice(0, -1), lines.slice(0, -2)]) {
          const text = make(part)
          const clean = redact(text).text
          for (const line of secretIn(part)) {
            expect(clean.includes(line), `${form}: ${clean}`).toBe(false)
            expect(clean.includes(encodeURIComponent(line)), `${form}: ${clean}`).toBe(false)
          }
          if (text.startsWith('{')) expect(() => JSON.parse(clean), form).not.toThrow()
        }
      }
    })
  }

  test('text after an unterminated key stays', () => {
    const lines = KEYS['RSA private key']?.slice(0, -1) ?? []
    const text = JSON.stringify({ stdout: `${lines.join('\n')}\n... and so on, see the file`, exit: 0 })
    expect(redact(text).text).toContain('and so on, see the file')
    expect(JSON.parse(redact(text).text)).toMatchObject({ exit: 0 })
  })

  test('a key never includes text that follows it', () => {
    const [begin = '', body = ''] = KEYS['private key'] ?? []
    const end = KEYS['private key']?.at(-1) ?? ''
    const text = JSON.stringify({ a: `${begin}\n${body}`, b: 'mine', c: end })
    expect(JSON.parse(redact(text).text)).toEqual({ a: MARK, b: 'mine', c: end })
  })

  test('a PuTTY key', () => {
    const [, body = ''] = KEYS['private key'] ?? []
    const text = `PuTTY-User-Key-File-3: ssh-rsa\nPublic-Lines: 1\n${body}\nPrivate-Lines: 2\n${body}\n${body}\nPrivate-MAC: ${'0a'.repeat(32)}`
    expect(redact(text)).toEqual({
      text: `PuTTY-User-Key-File-3: ssh-rsa\nPublic-Lines: 1\n${body}\n${MARK}`,
      count: 1,
    })
  })
})

describe('no command can hide behind the mark', () => {
  const [begin = '', line = ''] = KEYS['private key'] ?? []
  const end = KEYS['private key']?.at(-1) ?? ''
  test.each([
    `echo "${begin}\n${line}"; rm -rf /; echo "${end}"`,
    `echo '${begin}\n${line}\n'; rm -rf /\n${end}`,
    `${begin}\nComment: x; rm -rf /\n\n${line}\n${end}`,
    `${begin}\n${line}\nrm -rf /\n${line}\n${end}`,
    `${begin}\n${line}\nsudo rm -rf / now\n${end}`,
    'curl https://a:1;rm -rf /;@example.org',
    'curl https://a:12345678$(rm -rf /)@example.org',
    `sk-ant-${line};rm -rf /`,
    `curl -H "Authorization: Bearer ${line}";rm -rf / `,
    `AWS_SESSION_TOKEN=${line.repeat(3)}&&rm -rf /`,
  ])('%j', (text) => {
    expect(redact(text).text).toContain('rm -rf /')
    expect(redact(JSON.stringify({ text })).text).toContain('rm -rf /')
  })
})

test('JSON stays JSON', () => {
  const pieces = [
    '\\',
    '"',
    '\n',
    '\t',
    '/',
    '+',
    '-----',
    ' ',
    '\u0007',
    'é',
    '%',
    ':',
    '@',
    '://',
    'a',
    '=',
  ]
  const piece = fc.oneof(fc.constantFrom(...SECRETS.map(([, secret]) => secret)), fc.constantFrom(...pieces))
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (parts) => {
      const text = JSON.stringify({ a: parts.join(''), b: [JSON.stringify(parts)] })
      expect(() => JSON.parse(redact(text).text)).not.toThrow()
    }),
    { numRuns: rounds(200, 5_000) },
  )
})

describe('ordinary text stays byte for byte', () => {
  const words = 'abcdefghijklmnopqrstuvwxyz'.repeat(3)
  const innocent = [
    'the branch is fix-sk-ant-hill-and-more-words-in-it',
    'task-ant-0123456789abcdefghijklmnop',
    'myghp_0123456789abcdefghijklmnopqrstuvwxyz',
    `AKIA${words.slice(0, 15).toUpperCase()}`,
    `AKIA${words.slice(0, 17).toUpperCase()}`, // one too many: another identifier
    'sk-proj-short',
    'sk-learn-is-a-library-that-is-often-called-by-this-name',
    `sk-${words.slice(0, 40)}`,
    'npm_config_registry=https://example.org',
    'hf_transfer',
    'eyJhbGciOiJIUzI1NiJ9.not-a-token',
    '-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----',
    `-----BEGIN CERTIFICATE-----\n${words}\n-----END CERTIFICATE-----`,
    'grep -r "BEGIN RSA PRIVATE KEY" .',
    'A key starts with -----BEGIN PRIVATE KEY----- and ends with -----END PRIVATE KEY-----.',
    '-----BEGIN PRIVATE KEY-----\nNote: the key was cut out by somebody\n',
    'c4f3ad2a-d89e-4889-830b-e7c835403de8',
    'toolu_01T1x1fJ34qAmk2tNTrN7Up6',
    'msg_01XFDUDYJgAACzvnptvVoYEL and req_011CSHoEeqs5C35K2UUqR7Fy',
    'C:\\\\new\\\\names\\\\table',
    'sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    'integrity sha512-z4PhNX7vuL3xVChQ1m2AB9Yg5AULVxXcg/SpIdNs6c5H0NE8XYXysP+DGNKHfuwvY7kxvUdBeoGlODJ6+SfaPg==',
    'commit 74e5f41c0ffee0123456789abcdef0123456789a',
    'Authorization: Bearer $TOKEN',
    'Authorization: Bearer YOUR_ACCESS_TOKEN_GOES_HERE',
    'x-api-key: $API_KEY_OF_THE_SERVICE_1',
    'the authorization of the request is checked before anything else happens',
    'postgres://postgres:postgres@localhost:5432/test',
    'https://user:password@example.org',
    'https://user:$PASSWORD@example.org',
    'ssh://git@example.org:2222/a/b.git',
    'mailto:somebody@example.org, see https://example.org:8443/@scope/name@1.2.3',
    'key_value_pairs_are_sorted_by_their_names_before_they_are_written',
    'secret_santa_is_a_game_for_many_people_in_december',
    'pattern.compile and patAbcdefghijkl.method_of_this_name',
    'Module.prototype_of_the_class.method_with_a_long_name_in_it',
    'AA_very_long_constant_name_that_means_nothing: 12345678:AA',
    'import("./components/re_exported_names_of_the_module.ts")',
    '//registry.example.org/:_authToken=$NPM_TOKEN_OF_THE_BUILD_2',
    'this._auth = createAuthentication2For3Clients(options)',
    'export ACME_API_KEY=your-api-key-goes-here-1234567890',
    'ACME_TOKEN=/run/secrets/acme/token1/of2/these3',
    'MAX_TOKEN=123456789012345678901234567890',
    'ACME_SECRET=$(cat secret1.txt | base64 -d | tr -d x2)',
    'Set-Cookie: theme=dark; Domain=app1.internal.example.org; Path=/',
    'Cookie: theme=the-dark-one-with-a-long-name',
    'client-key-data: DATA+OMITTED',
    'PrivateKey = $privateKeyOfThisInterfaceAndNoOther1',
    'PRIVATE-TOKEN: <your_access_token_goes_here>',
    'monkey-0c7d18be and SKU0123456789abcdef',
    `data:image/png;base64,${'iVBORw0KGgoAAAANSUhEUgAA'.repeat(20)}`,
  ]
  for (const text of innocent) {
    test(text.slice(0, 50).replaceAll('\n', ' '), () => {
      expect(redact(text)).toEqual({ text, count: 0 })
    })
  }

  test("only the secret's span changes, whatever surrounds it", () => {
    // Surround it with anything that cannot be part of a token, or of an escape that ends in a letter.
    const around = fc.string({
      unit: fc.constantFrom('ä', ' ', '"', '{', '}', ':', ',', '\n', '🚂', '/', '.'),
    })
    fc.assert(
      fc.property(around, fc.constantFrom(...SECRETS), around, (before, [, secret], after) => {
        expect(redact(`${before} ${secret} ${after}`).text).toBe(`${before} ${MARK} ${after}`)
      }),
    )
  })

  test('text without a secret stays unchanged', () => {
    fc.assert(
      fc.property(anyText({ maxLength: 2000 }), (text) => {
        expect(redact(text).text).toBe(text)
      }),
    )
  })

  test('JSON stays JSON', () => {
    const pieces = [
      ...[
        '\\n',
        '\\t',
        '"',
        '\\\\',
        '/',
        '\\u0001',
        "'",
        ' ',
        ': ',
        '=',
        'X-API-Key: ',
        '-----BEGIN PRIVATE KEY-----',
      ],
      ...SECRETS.map(([, secret]) => secret),
      ...Object.values(PLACED).flatMap((samples) => samples.flat()),
      // The letter of an escape must not count as the first one of a token.
      ...SECRETS.flatMap(([, secret]) =>
        (ESCAPED[secret[0] ?? ''] ?? []).map((one) => one + secret.slice(1)),
      ),
    ]
    const text = fc.array(fc.constantFrom(...pieces), { maxLength: 8 }).map((some) => some.join(''))
    fc.assert(
      fc.property(text, text, (a, b) => {
        const json = `{"a":${JSON.stringify(a)},"b":[${JSON.stringify({ a, b })},123456789012345678901234567]}`
        expect(() => JSON.parse(redact(json).text)).not.toThrow()
      }),
      { numRuns: rounds(1_000, 20_000) },
    )
    const key = '{"k":["-----BEGIN PRIVATE KEY-----\\\\",123456789012345678901234567]}'
    expect(redact(key).count).toBe(0)
  })

  test('half of an escape is no part of a secret', () => {
    const token = 'api_a1b2c3d4e5f6g7h8i9j0k1l2m3n4o5p6q7r8s9t0' // with an n before it, Neon's
    const text = JSON.stringify({ command: `git push --force\n#\n${token}` })
    expect(redact(text)).toEqual({ text, count: 0 })
    expect(redact(JSON.stringify({ command: `x\nn${token}` })).text).toBe(
      String.raw`{"command":"x\n[redacted]"}`,
    )
    expect(redact(JSON.stringify({ command: `x\\n${token}` })).text).toBe(
      String.raw`{"command":"x\\[redacted]"}`,
    )
  })

  test('a number in JSON that is taken for a secret becomes a string', () => {
    for (const number of ['1234567890123456', '-1234567890123456.5e-7', '12345678901234567890']) {
      const text = `{"tool_input":{"command":"rm -rf ~","x-api-key":${number},"y":1}}`
      expect(JSON.parse(redact(text).text)).toEqual({
        tool_input: { command: 'rm -rf ~', 'x-api-key': MARK, y: 1 },
      })
    }
    const [key, rest] = ['1234567890'.repeat(4), '.25']
    expect(JSON.parse(redact(`{"aws_secret_access_key":${key}${rest}}`).text)).toEqual({
      aws_secret_access_key: MARK,
    })
    const shell = `{ export X_API_KEY=12${'a1b2c3d4'.repeat(4)}; }`
    expect(redact(shell).text).toBe(`{ export X_API_KEY=${MARK}; }`)
    const inside = JSON.stringify({ command: 'curl -H X-API-Key:1234567890123456' })
    expect(redact(inside).text).toBe(`{"command":"curl -H X-API-Key:${MARK}"}`)
  })

  test('redaction is idempotent', () => {
    const all = [
      ...SECRETS.map(([, secret]) => secret),
      ...Object.values(PLACED).flatMap((samples) => samples.map((parts) => parts.join(''))),
    ]
    for (const text of all) expect(redact(redact(text).text).count).toBe(0)
  })
})
