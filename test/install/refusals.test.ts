/** What cannot be changed safely is not changed at all, and the message says where and what to do. */
import { afterEach, describe, expect, test } from 'bun:test'
import { chmodSync, chownSync, linkSync, mkdirSync, statSync, symlinkSync } from 'node:fs'
import { FILES, forgetUsers, MERGED, makeUser, type User } from './kit.ts'

afterEach(forgetUsers)

const TEXTS: Readonly<Record<string, readonly [text: string | Uint8Array, message: RegExp]>> = {
  'JSON with a hole': [
    '{\n  "model": \n}\n',
    /settings:3:1 is not valid JSON \(value expected\)\. Nothing was written\. Correct it/,
  ],
  'JSON cut off': ['{\n  "model": "opus"', /settings:2:18 is not valid JSON \(close brace expected\)/],
  'a conflict of git': ['<<<<<<< HEAD\n{}\n', /settings:1:1 is not valid JSON/],
  'two objects': ['{}\n{}\n', /settings:2:1 is not valid JSON \(end of file expected\)/],
  'an array': ['[]', /settings:1:1 has an array where an object should be/],
  'a word': ['"hello"', /settings:1:1 has a string where an object should be/],
  null: ['null', /settings:1:1 has null where an object should be/],
  'hooks twice': [
    '{\n  "hooks": {},\n  "hooks": {}\n}',
    /settings:3:3 has "hooks" a second time \(first in line 2\)/,
  ],
  'an event twice': [
    '{\n  "hooks": {\n    "SessionStart": [],\n    "SessionStart": []\n  }\n}',
    /settings:4:5 has "hooks\.SessionStart" a second time \(first in line 3\)/,
  ],
  'hooks as an array': ['{ "hooks": [] }', /settings:1:12 has an array as "hooks" where an object should be/],
  'hooks as null': ['{ "hooks": null }', /settings:1:12 has null as "hooks" where an object should be/],
  'an event as an object': [
    '{ "hooks": { "SessionStart": {} } }',
    /settings:1:30 has an object as "hooks\.SessionStart" where an array should be/,
  ],
  'UTF-16': [Buffer.from('\uFEFF{}', 'utf16le'), /settings is not UTF-8 text.*Save it as UTF-8/],
  'broken UTF-8': [Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), /settings is not UTF-8 text/],
  'a tower of brackets': [
    `{"a":${'['.repeat(200_000)}`,
    /settings(:\d+:\d+ is not valid JSON| is nested too deeply)/,
  ],
}

const FILES_IN_THE_WAY: Readonly<
  Record<string, readonly [set: (user: User, file: string) => void, message: RegExp]>
> = {
  'a read-only file': [(user, file) => user.put(file, '{}', 0o444), /settings is read-only.*chmod u\+w/],
  'a link to a read-only file': [
    (user, file) => {
      user.put('real', '{}', 0o400)
      put(user, file)
      symlinkSync(user.path('real'), user.path(file))
    },
    /settings leads to .*real, which is read-only/,
  ],
  'a link that leads nowhere': [
    (user, file) => {
      put(user, file)
      symlinkSync('nowhere', user.path(file))
    },
    /settings is a link that leads nowhere/,
  ],
  'a link in a circle': [
    (user, file) => {
      put(user, file)
      symlinkSync(user.path(file), user.path(file))
    },
    /settings is a link that leads nowhere/,
  ],
  'a folder': [(user, file) => mkdirSync(user.path(file), { recursive: true }), /settings is not a file/],
  'a hard link': [
    (user, file) => {
      user.put('real', '{}')
      put(user, file)
      linkSync(user.path('real'), user.path(file))
    },
    /settings is one of 2 hard links/,
  ],
}

const isRoot = process.getuid?.() === 0

describe("somebody else's home", () => {
  test.skipIf(!isRoot)('gets no file that its owner could not change', () => {
    const user = makeUser()
    chownSync(user.home, 12_345, 12_345)
    expect(() => user.install('codex')).toThrow(
      /would be made in .*, which is another user's\. .*Run this as its owner/,
    )
    expect(user.snapshot()).toEqual({})
    user.put('.gemini/settings.json', '{}')
    chownSync(user.path('.gemini/settings.json'), 12_345, 12_345)
    expect(() => user.install('gemini')).toThrow(/settings\.json is another user's/)
  })

  test.skipIf(!isRoot)('a file of another group keeps it', () => {
    const user = makeUser()
    user.put('.gemini/settings.json', '{}', 0o640)
    chownSync(user.path('.gemini/settings.json'), 0, 12_345)
    user.install('gemini')
    const { gid, mode } = statSync(user.path('.gemini/settings.json'))
    expect([gid, mode & 0o777]).toEqual([12_345, 0o640])
  })
})

function put(user: User, file: string): void {
  user.put(`${file}.beside`, '')
}

const short = (user: User, file: string, error: unknown) =>
  (error as Error).message.replaceAll(user.path(file), 'settings')

function refused(user: User, id: string, file: string, message: RegExp): void {
  const before = user.snapshot()
  let said = ''
  try {
    user.install(id)
  } catch (error) {
    said = short(user, file, error)
  }
  expect(said).toMatch(message)
  expect(user.snapshot()).toEqual(before)
  expect(user.records()).toEqual([])
}

for (const id of MERGED) {
  const file = FILES[id] ?? ''
  describe(`${id} is not wired into`, () => {
    test.each(Object.entries(TEXTS))('%s', (_, [text, message]) => {
      const user = makeUser()
      user.put(file, text)
      refused(user, id, file, message)
    })
    test.each(Object.entries(FILES_IN_THE_WAY))('%s', (_, [set, message]) => {
      const user = makeUser()
      set(user, file)
      refused(user, id, file, message)
    })
  })
}

describe('claude', () => {
  test('a version whose hooks could all be switched off is refused', () => {
    const user = makeUser()
    expect(() => user.install('claude', '1.0.128')).toThrow(/older than 2\.0\.77.*Update Claude Code first/)
    expect(user.snapshot()).toEqual({})
  })

  test('a status line that stands there twice is refused, unless it is left alone', () => {
    const user = makeUser()
    user.put('.claude/settings.json', '{ "statusLine": {}, "statusLine": {} }')
    expect(() => user.install('claude')).toThrow(/"statusLine" a second time/)
    expect(user.install('claude', '2.1.325', { statusLine: false }).kind).toBe('change')
  })
})

describe('uninstall refuses, too, and keeps its receipt', () => {
  test('a file that is no JSON any more', () => {
    const user = makeUser()
    user.install('codex')
    user.put('.codex/hooks.json', `${user.text('.codex/hooks.json')}oops`)
    expect(() => user.uninstall('codex')).toThrow(/hooks\.json:19:1 is not valid JSON/)
    expect(user.records()).toContain('codex.json')
  })

  test('a file that is read-only now', () => {
    const user = makeUser()
    user.install('codex')
    chmodSync(user.path('.codex/hooks.json'), 0o444)
    expect(() => user.uninstall('codex')).toThrow(/read-only/)
    chmodSync(user.path('.codex/hooks.json'), 0o644)
    user.uninstall('codex')
    expect(user.snapshot()).toEqual({})
  })
})

test('a file that changes between the plan and the write is not overwritten', async () => {
  const { applyInstall } = await import('../../src/install/index.ts')
  const user = makeUser()
  user.put('.gemini/settings.json', '{}')
  const plan = user.planInstall('gemini')
  user.put('.gemini/settings.json', '{ "theme": "dark" }')
  if (plan.kind !== 'change') throw new Error('nothing to do')
  expect(() => applyInstall(user.places, plan.change)).toThrow(/changed by somebody else/)
  expect(user.text('.gemini/settings.json')).toBe('{ "theme": "dark" }')
  user.uninstall('gemini')
  expect(user.text('.gemini/settings.json')).toBe('{ "theme": "dark" }')
})
