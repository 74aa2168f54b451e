/** `gantry uninstall --everything`: what goes, what stays unless somebody asks, and what is never deleted. */
import { beforeEach, expect, test } from 'bun:test'
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { GANTRY, tempDir } from '../kit.ts'

let home = ''
beforeEach(() => {
  home = tempDir()
  mkdirSync(join(home, '.claude'))
  writeFileSync(join(home, '.claude/settings.json'), SETTINGS)
  mkdirSync(join(home, '.config/gantry'), { recursive: true, mode: 0o700 })
  writeFileSync(join(home, '.config/gantry/gantry.toml'), '[http]\nport = 0\n[nats]\nmode = "off"\n')
})

const SETTINGS = '{ "model": "opus" }\n'

function gantry(args: string[], more: Record<string, string> = {}) {
  const env = { HOME: home, PATH: process.env.PATH, BUN_INSTALL_CACHE_DIR: '/tmp', ...more }
  const child = Bun.spawnSync([GANTRY, ...args], { env, stdin: 'ignore' })
  return { exit: child.exitCode, said: child.stdout.toString() + child.stderr.toString() }
}

test('hooks and daemon go, data stays; with --data that goes, too', () => {
  expect(gantry(['install', 'claude', '--yes'])).toMatchObject({ exit: 0 })
  expect(gantry(['up', '--quiet'])).toMatchObject({ exit: 0 })
  const shown = gantry(['uninstall', '--everything', '--data', '--dry-run'])
  expect(shown.said).toContain('.local/state/gantry: deleted')
  expect(gantry(['status']).exit).toBe(0)

  const kept = gantry(['uninstall', '--everything', '--yes'])
  expect(kept, kept.said).toMatchObject({ exit: 0 })
  expect(kept.said).toContain('Your data stays')
  expect(gantry(['status']).exit).not.toBe(0)
  expect(readFileSync(join(home, '.claude/settings.json'), 'utf8')).toBe(SETTINGS)
  expect(existsSync(join(home, '.local/share/gantry'))).toBe(false)
  expect(existsSync(join(home, '.local/state/gantry/gantry.db'))).toBe(true)

  // Nobody can be asked here, so nothing is deleted without --yes.
  const refused = gantry(['uninstall', '--everything', '--data'])
  expect(refused).toMatchObject({ exit: 1, said: expect.stringContaining('--yes') })
  expect(existsSync(join(home, '.config/gantry'))).toBe(true)
  expect(gantry(['uninstall', '--everything', '--data', '--yes']).exit).toBe(0)
  expect(readdirSync(home).filter((name) => name !== '.bun')).toEqual(['.claude'])
}, 120_000)

test('a GANTRY_HOME that holds other things is never emptied', () => {
  const shared = join(home, 'shared')
  mkdirSync(join(shared, 'config'), { recursive: true })
  writeFileSync(join(shared, 'thesis.txt'), 'mine')
  const told = gantry(['uninstall', '--everything', '--data', '--yes'], { GANTRY_HOME: shared })
  expect(told).toMatchObject({ exit: 1, said: expect.stringContaining('thesis.txt') })
  expect(existsSync(join(shared, 'config'))).toBe(true)
})

test('a GANTRY_HOME in which no gantry has been is never emptied, whatever its folders are called', () => {
  const app = join(home, 'app')
  mkdirSync(join(app, 'config'), { recursive: true })
  writeFileSync(join(app, 'config/app.yaml'), 'mine')
  const told = gantry(['uninstall', '--everything', '--data', '--yes'], { GANTRY_HOME: app })
  expect(told).toMatchObject({ exit: 1, said: expect.stringContaining('delete it yourself') })
  expect(readFileSync(join(app, 'config/app.yaml'), 'utf8')).toBe('mine')
})

test('a folder that is a link goes as a link, and what it leads to is named', () => {
  const far = join(home, 'big disk')
  mkdirSync(far, { mode: 0o700 })
  mkdirSync(join(home, '.local/state'), { recursive: true })
  symlinkSync(far, join(home, '.local/state/gantry'))
  writeFileSync(join(far, 'thesis.txt'), 'mine')
  const told = gantry(['uninstall', '--everything', '--data', '--yes'])
  expect(told, told.said).toMatchObject({ exit: 0 })
  expect(told.said).toContain(`which was a link. Its data stays: rm -r '${far}'`)
  expect(readFileSync(join(far, 'thesis.txt'), 'utf8')).toBe('mine')
  expect(existsSync(join(home, '.local/state/gantry'))).toBe(false)
})

test.each(['--data', '--everything --json', 'claude --everything'])('%s is wrong usage', (args) => {
  expect(gantry(['uninstall', ...args.split(' ')]).exit).toBe(2)
})

test('an agent may not remove everything', () => {
  const told = gantry(['uninstall', '--everything', '--yes'], { CLAUDECODE: '1' })
  expect(told.exit).not.toBe(0)
  expect(existsSync(join(home, '.config/gantry/gantry.toml'))).toBe(true)
})
