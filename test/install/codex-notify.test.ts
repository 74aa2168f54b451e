/** A Codex that is too old for hooks is offered `notify`; the slot is the user's, and no line in it ever leads nowhere. */
import { afterEach, expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { forgetUsers, makeUser } from './kit.ts'

afterEach(forgetUsers)

const CONFIG = '.codex/config.toml'
const OWN = 'notify = ["my-notifier"]\nmodel = "x"\n'

test('install shows the line, and writes nothing into config.toml', () => {
  const user = makeUser()
  user.put(CONFIG, OWN)
  const { notes } = user.planInstall('codex', '0.98.0')
  const line = `notify = [${JSON.stringify(user.client.path)}, "--home", ${JSON.stringify(user.client.home)}, "codex", "notify"]`
  expect(notes.join('\n')).toContain(line)
  expect(Bun.TOML.parse(line)).toEqual({
    notify: [user.client.path, '--home', user.client.home, 'codex', 'notify'],
  })
  user.install('codex', '0.98.0')
  expect(user.text(CONFIG)).toBe(OWN)
  user.uninstall('codex')
  expect(user.text(CONFIG)).toBe(OWN)
})

test('one that has hooks needs none', () => {
  const user = makeUser()
  expect(user.planInstall('codex', '0.166.0').notes.join()).not.toContain('notify')
})

test('uninstall names a line that a person put there, and keeps the client until it is gone', () => {
  const user = makeUser()
  user.put(CONFIG, OWN)
  expect(user.gantry(['install', '--yes', 'codex']).exit).toBe(0)
  user.put(CONFIG, `notify = ["${user.client.path}", "codex", "notify"]\nmodel = "x"\n`)
  const ran = user.gantry(['uninstall', '--yes'])
  expect(ran.stdout).toContain('config.toml')
  expect(existsSync(user.client.path)).toBe(true)
  user.put(CONFIG, OWN)
  expect(user.gantry(['uninstall', '--yes']).exit).toBe(0)
  expect(existsSync(user.client.path)).toBe(false)
  expect(user.text(CONFIG)).toBe(OWN)
})
