/** What a settings file carries beside its bytes stays: extended attributes and access lists. */
import { afterEach, describe, expect, test } from 'bun:test'
import { statSync } from 'node:fs'
import { FILES, forgetUsers, MERGED, makeUser } from './kit.ts'

afterEach(forgetUsers)

function run(...argv: string[]): string {
  const ran = Bun.spawnSync(argv)
  if (!ran.success) throw new Error(`${argv.join(' ')}: ${ran.stderr}`)
  return ran.stdout.toString()
}

/** All of them as other programs see them, with mode and owner. */
function attributesOf(path: string): string {
  return run('getfattr', '--absolute-names', '-d', '-m', '-', path) + run('getfacl', '-pn', path)
}

describe.skipIf(process.platform !== 'linux')('a settings file keeps', () => {
  test.each([...MERGED])('its extended attributes and its access list: %s', (id) => {
    const file = FILES[id] ?? ''
    const user = makeUser()
    const path = user.path(file)
    user.put(file, '{}\n', 0o640)
    run('setfattr', '-n', 'user.note', '-v', 'keep ✓', path)
    run('setfattr', '-n', 'user.empty', path)
    run('setfacl', '-m', 'u:65534:r,g:65534:rw', path)
    const before = attributesOf(path)
    expect(before).toContain('user.note')
    expect(before).toContain('user:65534:r--')
    user.install(id)
    expect(user.text(file)).toContain('gantry-hook')
    expect(attributesOf(path)).toBe(before)
    user.uninstall(id)
    expect(user.text(file)).toBe('{}\n')
    expect(attributesOf(path)).toBe(before)
  })

  test('itself private in a folder that gives an access list to every new file', () => {
    const user = makeUser()
    const path = user.path(FILES.gemini ?? '')
    user.put(FILES.gemini ?? '', '{}\n', 0o600)
    const before = attributesOf(path)
    run('setfacl', '-d', '-m', 'u:65534:rw', user.path('.gemini'))
    user.install('gemini')
    expect(attributesOf(path)).toBe(before)
    expect(statSync(path).mode & 0o777).toBe(0o600)
  })
})
