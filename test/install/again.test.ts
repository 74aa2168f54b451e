/** Upgrades, other wishes, lost receipts: installing again over what is there. */
import { afterEach, describe, expect, test } from 'bun:test'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { FILES, forgetUsers, MERGED, makeUser, OWNED, type User } from './kit.ts'

afterEach(forgetUsers)

const MINE = '{\n   "mine" :true,\n  "model": "opus",\n  "hooks": {\n    "Stop": [{ "hooks": [] }]\n  }\n}\n'
const FILE = '.claude/settings.json'

function hooksOf(
  user: User,
  file = FILE,
): Record<string, { matcher?: string; hooks: Record<string, unknown>[] }[]> {
  const text = user.text(file).replaceAll(/^\s*\/\/.*$/gm, '')
  return (JSON.parse(text) as { hooks: ReturnType<typeof hooksOf> }).hooks
}

function user(): User {
  const one = makeUser()
  one.put(FILE, MINE)
  return one
}

describe('a newer agent', () => {
  test('gets more events and the newer handler form in the same places, and the original stays the way back', () => {
    const me = user()
    me.install('claude', '2.0.77')
    expect(Object.keys(hooksOf(me))).toHaveLength(12)
    expect(hooksOf(me).Stop?.[1]?.hooks[0]?.args).toBeUndefined()
    const backups = me.records()
    me.install('claude', '2.1.325')
    expect(Object.keys(hooksOf(me))).toHaveLength(30)
    expect(hooksOf(me).Stop).toHaveLength(2)
    expect(hooksOf(me).Stop?.[1]?.hooks[0]?.args).toEqual(['--home', me.client.home, 'claude', 'Stop'])
    expect(me.records()).toEqual(backups)
    expect(me.uninstall('claude')[0]?.way).toBe('exact')
    expect(me.text(FILE)).toBe(MINE)
  })

  test('that became older again loses what it does not know', () => {
    const me = user()
    me.install('claude', '2.1.325')
    me.install('claude', '2.0.77')
    const fresh = user()
    fresh.install('claude', '2.0.77')
    expect(me.text(FILE)).toBe(fresh.text(FILE).replaceAll(fresh.home, me.home))
    me.uninstall('claude')
    expect(me.text(FILE)).toBe(MINE)
  })

  test('and a newer file of somebody else: both survive', () => {
    const me = user()
    me.install('claude', '2.0.77')
    me.put(FILE, me.text(FILE).replace('"opus"', '"sonnet"'))
    me.install('claude', '2.1.325')
    expect(Object.keys(hooksOf(me))).toHaveLength(30)
    expect(me.uninstall('claude')[0]?.way).toBe('exact')
    expect(me.text(FILE)).toBe(MINE.replace('"opus"', '"sonnet"'))
  })
})

/** Settings as the first release wrote them, where nothing told the client its home; with the receipt of that, or without. */
function asBefore(me: User, id: string, withReceipt: boolean): void {
  const [home = '', file = ''] = [me.client.home, FILES[id]]
  const plain = (text: string) =>
    text
      .replaceAll(new RegExp(`"--home",\\s*"${home}",\\s*`, 'g'), '')
      .replaceAll(` --home '${home}'`, '')
      .replaceAll(`INSTALLED_HOME = '${home}'`, "INSTALLED_SOCKET = '__GANTRY_SOCKET__'")
  const hash = (text: string) => new Bun.CryptoHasher('sha256').update(text).digest('hex')
  const text = plain(me.text(file))
  expect(text).not.toContain(home)
  for (const name of me.records().filter((name) => name.endsWith('.json'))) {
    const path = join(me.places.state, 'install', name)
    if (withReceipt)
      writeFileSync(path, plain(readFileSync(path, 'utf8')).replaceAll(hash(me.text(file)), hash(text)))
    else rmSync(path)
  }
  me.put(file, text)
}

const FIRST_RELEASE = ['claude', 'codex', 'gemini', 'copilot', 'opencode']

describe.each(FIRST_RELEASE)('an install of the first release for %s', (id) => {
  test.each([true, false])(
    'is replaced where it stands, and goes exactly (with its receipt: %p)',
    (withReceipt) => {
      const me = makeUser()
      const file = FILES[id] ?? ''
      const before = MERGED.some((one) => one === id) ? '{\n  "theme": "x"\n}\n' : undefined
      if (before) me.put(file, before)
      me.install(id)
      const now = me.text(file)
      asBefore(me, id, withReceipt)
      expect(me.planInstall(id).kind).toBe('change')
      me.install(id)
      expect(me.text(file)).toBe(now)
      me.uninstall(id)
      expect(existsSync(me.path(file)) ? me.text(file) : undefined).toBe(before)
    },
  )

  test('is taken back as it is', () => {
    const me = makeUser()
    const file = FILES[id] ?? ''
    me.install(id)
    asBefore(me, id, true)
    me.uninstall(id)
    expect(existsSync(me.path(file))).toBe(false)
  })
})

describe('wishes', () => {
  test('an event that is off by default comes with --with, is remembered, and goes with none', () => {
    const me = user()
    me.install('claude')
    expect(hooksOf(me).MessageDisplay).toBeUndefined()
    me.install('claude', undefined, { with: new Map([['MessageDisplay', undefined]]) })
    expect(hooksOf(me).MessageDisplay).toHaveLength(1)
    expect(me.install('claude').kind).toBe('wired')
    me.install('claude', undefined, { with: new Map() })
    expect(hooksOf(me).MessageDisplay).toBeUndefined()
    me.uninstall('claude')
    expect(me.text(FILE)).toBe(MINE)
  })

  test('FileChanged gets the matcher it was asked for', () => {
    const me = user()
    me.install('claude', undefined, { with: new Map([['FileChanged', '.env|.envrc']]) })
    expect(hooksOf(me).FileChanged?.[0]?.matcher).toBe('.env|.envrc')
  })

  test('the status line is left alone, also later, until it is asked for again', () => {
    const me = user()
    me.install('claude', undefined, { statusLine: false })
    expect(me.text(FILE)).not.toContain('statusLine')
    expect(me.install('claude').kind).toBe('wired')
    me.install('claude', undefined, { statusLine: true })
    expect(me.text(FILE)).toContain('statusLine')
    me.install('claude', undefined, { statusLine: false })
    expect(me.text(FILE)).not.toContain('statusLine')
    me.uninstall('claude')
    expect(me.text(FILE)).toBe(MINE)
  })

  test('a status line of an unknown kind is left alone, and the plan says so', () => {
    const me = makeUser()
    me.put(FILE, '{ "statusLine": { "type": "static" } }')
    expect(me.install('claude').notes.join()).toContain('"statusLine" has a format that gantry does not know')
    expect(JSON.parse(me.text(FILE)).statusLine).toEqual({ type: 'static' })
  })
})

describe('entries that somebody removed', () => {
  test('come back with the next install', () => {
    const me = user()
    me.install('gemini')
    const settings = JSON.parse(me.text('.gemini/settings.json')) as { hooks: Record<string, unknown> }
    delete settings.hooks.BeforeTool
    me.put('.gemini/settings.json', JSON.stringify(settings))
    const plan = me.install('gemini')
    expect(plan.kind).toBe('change')
    expect(hooksOf(me, '.gemini/settings.json').BeforeTool).toHaveLength(1)
  })
})

describe('without its receipt', () => {
  for (const id of [...MERGED, ...OWNED]) {
    const file = FILES[id] ?? ''
    test(`${id}: uninstall finds what is exactly ours`, () => {
      const me = makeUser()
      if (MERGED.some((one) => one === id)) me.put(file, MINE)
      const before = me.snapshot()
      me.install(id)
      rmSync(join(me.places.state, 'install'), { recursive: true })
      expect(me.planUninstall(id)[0]?.notes.join()).toContain('no receipt')
      me.uninstall(id)
      expect(me.snapshot()[file]).toEqual(before[file])
    })

    test(`${id}: install takes it over, and uninstall knows the way back`, () => {
      const me = makeUser()
      me.put('.claude/settings.json', '{ "statusLine": { "type": "command", "command": "date" } }')
      me.install(id)
      const installed = me.text(file)
      rmSync(join(me.places.state, 'install'), { recursive: true })
      me.install(id)
      expect(me.text(file)).toBe(installed)
      expect(me.install(id).kind).toBe('wired')
      me.uninstall(id)
      expect(me.planUninstall(id)).toEqual([])
      if (id === 'claude')
        expect(JSON.parse(me.text(file))).toEqual({ statusLine: { type: 'command', command: 'date' } })
      else expect(existsSync(me.path(file)) ? JSON.parse(me.text(file)) : {}).toEqual({})
    })
  }

  test('a command that only mentions the client is not ours', () => {
    const me = makeUser()
    const { path } = me.client
    const theirs = {
      hooks: {
        Stop: [
          { hooks: [{ type: 'command', command: `${path} claude Stop` }] },
          {
            hooks: [
              {
                type: 'command',
                command: `test -x '${path}' || exit 0; exec '${path}' claude Stop; rm -rf x`,
              },
            ],
          },
          { hooks: [{ type: 'command', command: path, args: ['codex', 'Stop'] }] },
          {
            hooks: [
              { type: 'command', command: path, args: ['claude', 'Stop'] },
              { type: 'command', command: 'x' },
            ],
          },
        ],
      },
      statusLine: { type: 'command', command: `echo; '${path}' claude statusline` },
    }
    me.put(FILE, JSON.stringify(theirs))
    expect(me.planUninstall('claude')).toEqual([])
  })

  test('a broken file in which we never were is not our business', () => {
    const me = makeUser()
    me.put(FILE, '{ "model": ', 0o444)
    expect(me.planUninstall('claude')).toEqual([])
    me.put('.codex/hooks.json', `{ "hooks": "${me.client.path}`)
    expect(() => me.planUninstall('codex')).toThrow(/hooks\.json:1:12 is not valid JSON/)
  })

  test('a receipt that is garbage is named, and nothing is done', () => {
    const me = user()
    me.install('claude')
    const path = join(me.places.state, 'install/claude.json')
    writeFileSync(path, '{"v":1')
    expect(() => me.install('claude')).toThrow(`The receipt ${path} cannot be read`)
    expect(() => me.uninstall('claude')).toThrow('cannot be read')
  })

  test('a backup that is damaged is not restored: only what is ours goes', () => {
    const me = user()
    me.install('claude')
    const folder = join(me.places.state, 'install/backups')
    const [backup = ''] = readdirSync(folder)
    expect(readFileSync(join(folder, backup), 'utf8')).toBe(MINE)
    writeFileSync(join(folder, backup), 'damaged')
    expect(me.uninstall('claude')[0]?.way).toBe('ours')
    expect(me.text(FILE)).toBe(MINE)
  })
})

describe('several settings folders of one agent', () => {
  test('each has its receipt, and one uninstall brings all back', () => {
    const me = user()
    me.install('claude')
    const work = me.path('work')
    mkdirSync(work)
    me.env.CLAUDE_CONFIG_DIR = work
    me.install('claude')
    expect(existsSync(join(work, 'settings.json'))).toBe(true)
    expect(me.records().filter((name) => /^claude.*\.json$/.test(name))).toHaveLength(2)
    delete me.env.CLAUDE_CONFIG_DIR
    expect(me.uninstall('claude')).toHaveLength(2)
    expect(me.text(FILE)).toBe(MINE)
    expect(readdirSync(work)).toEqual([])
  })
})

test('backups are private, and only the last few are kept', () => {
  const me = makeUser()
  for (let i = 0; i < 9; i++) {
    me.put(FILE, `{ "round": ${i} }`)
    me.install('claude')
    me.put(FILE, me.text(FILE).replace('"round"', '"touched": true, "round"'))
    me.uninstall('claude')
  }
  const backups = me.records().filter((name) => name.startsWith('backups/'))
  expect(backups.length).toBe(5)
  const { mode } = statSync(join(me.places.state, 'install', backups[0] ?? ''))
  expect(mode & 0o777).toBe(0o600)
})
