import { describe, expect, test } from 'bun:test'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { tempDir } from '../../../test/kit.ts'
import { messageOf } from '../../core/errors.ts'
import { isOpenToOthers, secretOf } from '../../core/files/secret-files.ts'
import { parseConfig } from '../../daemon/config/file.ts'

const FILE = '/home/dev/.config/gantry/gantry.toml'

/** What is wrong, as "line: key: reason". */
async function complaints(text: string): Promise<string[]> {
  try {
    await parseConfig(text, FILE)
    return []
  } catch (error) {
    return messageOf(error)
      .split('\n')
      .map((line) => line.slice(FILE.length + 1))
  }
}

const GOOD = 'name = "ci"\nurl = "https://ci.example.com/x"\nsecret = "s"\n'

describe('[[webhooks]]', () => {
  test('has defaults for everything but a name, an address and a secret', async () => {
    const { webhooks } = await parseConfig(`[[webhooks]]\n${GOOD}`, FILE)
    expect(webhooks).toEqual([
      {
        name: 'ci',
        url: 'https://ci.example.com/x',
        secret: 's',
        secret_file: '',
        stream: 'HOOK_EVENTS',
        filter: [],
        enabled: true,
        timeout_s: 10,
        allow_insecure: false,
      },
    ])
  })

  test('there may be several, and a mistake is named in the right one', async () => {
    const second = GOOD.replace('"ci"', '"other"')
    expect((await parseConfig(`[[webhooks]]\n${GOOD}[[webhooks]]\n${second}`, FILE)).webhooks).toHaveLength(2)
    expect(await complaints(`[[webhooks]]\n${GOOD}\n[[webhooks]]\n${second}timeout_s = "x"\n`)).toEqual([
      expect.stringMatching(/^10: webhooks\.1\.timeout_s: /),
    ])
    expect(await complaints(`[[webhooks]]\n${GOOD}\n[[webhooks]]\n${GOOD}`)).toEqual([
      '7: webhooks.1.name: two webhooks have the name ci',
    ])
    expect(await complaints(`[log]\nkeep = 2\n[[webhooks]]\nname = "a"\nsecret = "s"\n`)).toEqual([
      expect.stringMatching(/^3: webhooks\.0\.url: /),
    ])
  })

  test.each([
    ['name = "Ci"', /webhooks\.0\.name/],
    ['name = ""', /webhooks\.0\.name/],
    ['url = "ftp://x/y"', /url: only http and https/],
    ['url = "not an address"', /url: not an address/],
    ['url = "http://ci.example.com/"', /url: plain http.*allow_insecure = true/],
    ['url = "http://127.0.0.1.example.com/"', /url: plain http/],
    ['stream = "NOPE"', /stream/],
    ['filter = ["hooks..x"]', /filter: Invalid subject "hooks\.\.x"/],
    ['filter = ["sessions.idle"]', /filter: No message of HOOK_EVENTS/],
    ['filter = "Stop"', /filter/],
    ['timeout_s = 0', /timeout_s/],
    ['timeout_s = 3600', /timeout_s/],
    ['colour = "red"', /no such key/],
  ])('%s is a mistake', async (line, complaint) => {
    const key = line.split(' ')[0] ?? ''
    const rest = GOOD.split('\n').filter((other) => !other.startsWith(`${key} `))
    expect(await complaints(['[[webhooks]]', ...rest, line].join('\n'))).toEqual([
      expect.stringMatching(complaint),
    ])
  })

  test('without a secret is a mistake; one in a file will do', async () => {
    const bare = GOOD.replace('secret = "s"\n', '')
    expect(await complaints(`[[webhooks]]\n${bare}`)).toEqual([
      expect.stringMatching(/secret: needed, or secret_file/),
    ])
    expect(await complaints(`[[webhooks]]\n${bare}secret_file = "x"`)).toEqual([])
  })

  test('plain http is for this machine, and for those who say so', async () => {
    for (const url of ['http://localhost:8080/', 'http://127.0.0.1/', 'http://[::1]/']) {
      expect(await complaints(`[[webhooks]]\nname = "a"\nsecret = "s"\nurl = "${url}"`)).toEqual([])
    }
    const far =
      '[[webhooks]]\nname = "a"\nsecret = "s"\nurl = "http://ci.example.com/"\nallow_insecure = true'
    expect(await complaints(far)).toEqual([])
  })

  test('a complaint never has the address in it', async () => {
    const text = '[[webhooks]]\nname = "a"\nsecret = "s"\nurl = "http://me:hunter2@ci.example.com/"'
    expect((await complaints(text)).join()).not.toContain('hunter2')
  })
})

describe('[inbound.<source>]', () => {
  test('has defaults for everything but the secret', async () => {
    const { inbound } = await parseConfig('[inbound.github]\nsecret = "s"\nsignature = "github"\n', FILE)
    expect(inbound).toMatchObject({
      github: { signature: 'github', tolerance_s: 300, enabled: true, header: '' },
    })
  })

  test.each(['claude', 'codex', 'gemini', 'copilot', 'opencode', 'gantry'])('cannot be %s', async (name) => {
    expect(await complaints(`[inbound.${name}]\nsecret = "s"\n`)).toEqual([
      `1: inbound.${name}: the name of an agent; events from outside need one of their own`,
    ])
  })

  test.each(['"a b"', 'Upper', '"../x"', '"a.b"', `"${'a'.repeat(33)}"`])(
    'cannot be called %s',
    async (name) => {
      expect(await complaints(`[inbound.${name}]\nsecret = "s"\n`)).toEqual([
        expect.stringContaining('lower-case letters'),
      ])
    },
  )

  test.each([
    ['', /secret: needed/],
    ['secret = "s"\nsignature = "md5"', /signature/],
    ['secret = "s"\nheader = "X Y"', /header: not the name of a header/],
    ['secret = "s"\ntolerance_s = -1', /tolerance_s/],
  ])('%j is a mistake', async (lines, complaint) => {
    expect(await complaints(`[inbound.x]\n${lines}`)).toEqual([expect.stringMatching(complaint)])
  })
})

describe('a secret', () => {
  const from = (secret_file: string) => ({ secret: 'in the table', secret_file })

  test('is in the table, or better in a file, beside it or anywhere', () => {
    const dir = tempDir()
    writeFileSync(join(dir, 'a.secret'), '  in the file\n')
    expect(secretOf(from(''), dir)).toBe('in the table')
    expect(secretOf(from('a.secret'), dir)).toBe('in the file')
    expect(secretOf(from(join(dir, 'a.secret')), '/nowhere')).toBe('in the file')
  })

  test('that is missing, empty, huge or a folder is none', () => {
    const dir = tempDir()
    mkdirSync(join(dir, 'folder'))
    writeFileSync(join(dir, 'empty'), ' \n')
    writeFileSync(join(dir, 'huge'), 'x'.repeat(5_000))
    for (const name of ['nowhere', 'folder', 'empty', 'huge', '/dev/zero']) {
      expect(() => secretOf(from(name), dir)).toThrow('the secret')
    }
  })

  test('that others can read is told', () => {
    const dir = tempDir()
    const file = join(dir, 'a.secret')
    writeFileSync(file, 'x')
    chmodSync(file, 0o644)
    expect(isOpenToOthers(from('a.secret'), dir)).toBe(true)
    chmodSync(file, 0o600)
    expect(isOpenToOthers(from('a.secret'), dir)).toBe(false)
    expect(isOpenToOthers(from(''), dir)).toBe(false)
    expect(isOpenToOthers(from('nowhere'), dir)).toBe(false)
  })
})
