/** Somebody works on the file between install and uninstall: their work stays, ours goes. */
import { afterEach, describe, expect, test } from 'bun:test'
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { applyEdits, modify } from 'jsonc-parser'
import { settingsIn } from '../../src/install/edit/settings-text.ts'
import { FILES, forgetUsers, MERGED, makeUser, type User } from './kit.ts'
import { nastyFor } from './nasty.ts'

afterEach(forgetUsers)

const THEIRS = { matcher: 'newer', hooks: [{ type: 'command', command: 'theirs' }] }

/** One more setting, one hook before ours and one behind: with another tool than the one under test. */
function edit(text: string): string {
  const add = (source: string, path: (string | number)[], value: unknown, isArrayInsertion = false) =>
    applyEdits(source, modify(source, path, value, { isArrayInsertion }))
  const bom = text.startsWith('\uFEFF') ? '\uFEFF' : ''
  let edited = add(text.slice(bom.length), ['theirs'], { x: [1, 2] })
  edited = add(edited, ['hooks', 'SessionStart', 0], THEIRS, true)
  return bom + add(edited, ['hooks', 'SessionStart', -1], THEIRS, true)
}

for (const id of MERGED) {
  const file = FILES[id] ?? ''
  describe(`${id}: a newer edit survives the uninstall of`, () => {
    test.each(nastyFor(id).taken.map(({ name, set }) => [name, set] as const))('%s', (_, set) => {
      const user = makeUser()
      set(user, file)
      const before = existsSync(user.path(file)) ? user.text(file) : ''
      user.install(id)
      user.put(file, edit(user.text(file)))

      expect(user.uninstall(id).map(({ way }) => way)).toEqual(['ours'])
      const wanted = (settingsIn(before, file) ?? {}) as { hooks?: Record<string, unknown[]> }
      const sessionStart = [THEIRS, ...(wanted.hooks?.SessionStart ?? []), THEIRS]
      const after = user.text(file)
      expect(settingsIn(after, file) as unknown).toEqual({
        ...wanted,
        theirs: { x: [1, 2] },
        hooks: { ...wanted.hooks, SessionStart: sessionStart },
      })
      for (const comment of before.match(/\/\/[^"\r\n]*$|\/\*.*?\*\//gm) ?? [])
        expect(after).toContain(comment)
      expect(after.startsWith('\uFEFF')).toBe(before.startsWith('\uFEFF'))
      if (before.includes('\r\n')) expect(after).not.toMatch(/[^\r]\n/)
    })
  })
}

describe('uninstall', () => {
  const backupsOf = (user: User) => join(user.places.state, 'install/backups')
  const CLAUDE = FILES.claude ?? ''

  test('gives back the file that nobody touched, to the byte', () => {
    const user = makeUser()
    const original = '{"model" : "opus",\n\n   "hooks":{}\n}'
    user.put(CLAUDE, original)
    user.install('claude')
    expect(user.uninstall('claude').map(({ way }) => way)).toEqual(['exact'])
    expect(user.text(CLAUDE)).toBe(original)
  })

  test('takes out only what is ours where the copy of the original is gone', () => {
    const user = makeUser()
    user.put(CLAUDE, '{\n  "model": "opus"\n}\n')
    user.install('claude')
    rmSync(backupsOf(user), { recursive: true })
    expect(user.uninstall('claude').map(({ way }) => way)).toEqual(['ours'])
    expect(JSON.parse(user.text(CLAUDE))).toEqual({ model: 'opus' })
  })

  test('keeps a copy of a file of ours that somebody changed', () => {
    const user = makeUser()
    user.install('copilot')
    user.put(FILES.copilot ?? '', '{ "theirs": true }')
    expect(user.uninstall('copilot').map(({ way }) => way)).toEqual(['exact'])
    expect(existsSync(user.path(FILES.copilot ?? ''))).toBe(false)
    const kept = readdirSync(backupsOf(user)).map((name) => readFileSync(join(backupsOf(user), name), 'utf8'))
    expect(kept).toContain('{ "theirs": true }')
  })

  test('and install leave a file on one line that is on one line', () => {
    const user = makeUser()
    user.put(CLAUDE, '{"model":"opus","hooks":{}}')
    user.install('claude')
    expect(user.text(CLAUDE).split('\n').length).toBe(1)
  })

  test('keeps what is not JSON, and was put in later', () => {
    for (const id of MERGED) {
      const user = makeUser()
      const file = FILES[id] ?? ''
      user.put(file, '{\n  "model": "opus"\n}\n')
      user.install(id)
      user.put(
        file,
        user
          .text(file)
          .replace('{', '{ // later')
          .replace(/\n\}\n$/, ',\n}\n'),
      )
      expect(user.uninstall(id).map(({ way }) => way)).toEqual(['ours'])
      expect(user.text(file)).toBe('{ // later\n  "model": "opus",\n}\n')
    }
  })

  test('leaves a file alone that is gone', () => {
    const user = makeUser()
    user.put('.claude/settings.json', '{}')
    user.install('claude')
    rmSync(user.path('.claude/settings.json'))
    expect(user.uninstall('claude').map(({ way }) => way)).toEqual(['nothing'])
    expect(existsSync(user.path('.claude/settings.json'))).toBe(false)
    expect(user.records().filter((name) => name.endsWith('claude.json'))).toEqual([])
  })

  test('removes a file that we made, when others only changed its layout', () => {
    const user = makeUser()
    user.install('gemini')
    user.put('.gemini/settings.json', JSON.stringify(JSON.parse(user.text('.gemini/settings.json'))))
    user.uninstall('gemini')
    expect(user.snapshot()).toEqual({})
  })

  test('keeps a file that we made, when others put something in', () => {
    const user = makeUser()
    user.install('gemini')
    user.put(
      '.gemini/settings.json',
      user.text('.gemini/settings.json').replace('{', '{\n  "theme": "dark",'),
    )
    user.uninstall('gemini')
    expect(JSON.parse(user.text('.gemini/settings.json'))).toEqual({ theme: 'dark' })
  })

  test('restores the status line also after somebody changed its padding', () => {
    const user = makeUser()
    user.put(
      '.claude/settings.json',
      '{ "statusLine": { "type": "command", "command": "date", "padding": 0 } }',
    )
    user.install('claude')
    user.put(
      '.claude/settings.json',
      user.text('.claude/settings.json').replace('"padding": 0', '"padding": 2'),
    )
    user.uninstall('claude')
    const left = { statusLine: { type: 'command', command: 'date', padding: 2 } }
    expect(JSON.parse(user.text('.claude/settings.json'))).toEqual(left)
  })

  test('leaves a status line that is no longer ours', () => {
    const user = makeUser()
    user.install('claude')
    const settings = JSON.parse(user.text('.claude/settings.json')) as Record<string, unknown>
    user.put(
      '.claude/settings.json',
      JSON.stringify({ ...settings, statusLine: { type: 'command', command: 'new' } }),
    )
    user.uninstall('claude')
    expect(JSON.parse(user.text('.claude/settings.json'))).toEqual({
      statusLine: { type: 'command', command: 'new' },
    })
  })
})
