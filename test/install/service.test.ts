/** Starting at login, with the real systemctl, which writes only files while no manager may be asked. */
import { afterAll, beforeEach, expect, test } from 'bun:test'
import { existsSync, lstatSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { unit } from '../../src/install/login-service.ts'
import { GANTRY } from '../kit.ts'

const root = mkdtempSync(join(tmpdir(), 'gantry-service-'))
let home = ''
let count = 0
beforeEach(() => {
  home = join(root, String(++count))
  mkdirSync(home)
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

const hasSystemd = Bun.which('systemctl') !== null && process.platform === 'linux'
const file = () => join(home, '.config/systemd/user/gantry.service')
const link = () => join(home, '.config/systemd/user/default.target.wants/gantry.service')

function gantry(args: string[], env: Record<string, string> = { SYSTEMD_OFFLINE: '1' }) {
  const child = Bun.spawnSync([GANTRY, ...args], {
    env: { HOME: home, PATH: process.env.PATH, XDG_RUNTIME_DIR: home, ...env },
    stdin: 'ignore',
  })
  return { exit: child.exitCode, said: child.stdout.toString() + child.stderr.toString() }
}

test.if(hasSystemd)(
  'installed, it is a unit that systemd accepts; removed, nothing of it is left',
  () => {
    expect(gantry(['service', 'status'])).toMatchObject({
      exit: 1,
      said: expect.stringContaining('not installed'),
    })
    const done = gantry(['service', 'install'])
    expect(done, done.said).toMatchObject({ exit: 0 })
    expect(lstatSync(link()).isSymbolicLink()).toBe(true)
    const text = readFileSync(file(), 'utf8')
    expect(text).toContain('up" "--foreground"')
    const verified = Bun.spawnSync(['systemd-analyze', '--user', 'verify', file()])
    expect(verified.stderr.toString().includes('gantry'), verified.stderr.toString()).toBe(false)
    expect(gantry(['service', 'install']).exit).toBe(0)
    expect(readFileSync(file(), 'utf8')).toBe(text)

    expect(gantry(['service', 'uninstall'])).toMatchObject({
      exit: 0,
      said: expect.stringContaining('is gone'),
    })
    expect(existsSync(join(home, '.config/systemd'))).toBe(false)
    expect(gantry(['service', 'uninstall']).said).toContain('There is no service')
  },
  60_000,
)

test.if(hasSystemd)(
  'folders that were there stay, and a unit of somebody else is never touched',
  () => {
    mkdirSync(join(home, '.config/systemd/user/default.target.wants'), { recursive: true })
    expect(gantry(['service', 'install']).exit).toBe(0)
    expect(gantry(['service', 'uninstall']).exit).toBe(0)
    expect(existsSync(join(home, '.config/systemd/user'))).toBe(true)
    writeFileSync(file(), '[Service]\nExecStart=/bin/true\n')
    for (const word of ['install', 'uninstall'])
      expect(gantry(['service', word])).toMatchObject({
        exit: 1,
        said: expect.stringContaining("not gantry's"),
      })
    expect(readFileSync(file(), 'utf8')).toContain('/bin/true')
  },
  60_000,
)

test('without a service manager it writes nothing, and says what to do instead', () => {
  const told = gantry(['service', 'install'], { DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nowhere' })
  expect(told.exit).toBe(1)
  expect(told.said).toContain('gantry up --quiet')
  expect(existsSync(join(home, '.config'))).toBe(false)
})

test.if(hasSystemd)(
  'where its manager does not answer any more, status still tells, and everything still goes',
  () => {
    expect(gantry(['service', 'install']).exit).toBe(0)
    const away = { DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nowhere' }
    const status = gantry(['service', 'status', '--json'], away)
    expect(JSON.parse(status.said)).toMatchObject({ file: 'ours', path: file() })
    const gone = gantry(['uninstall', '--everything', '--yes'], away)
    expect(gone, gone.said).toMatchObject({
      exit: 0,
      said: expect.stringContaining('gantry.service is gone'),
    })
    expect(existsSync(join(home, '.config/systemd'))).toBe(false)
  },
  60_000,
)

test('a path with spaces, dollars and per cents reaches systemd as it is', () => {
  const text = unit(['/my $HOME 100%/"gantry"', '--home', '/a b', 'up', '--foreground'], [['PATH', '/x $y']])
  expect(text).toContain('ExecStart="/my $$HOME 100%%/\\"gantry\\"" "--home" "/a b" "up" "--foreground"')
  expect(text).toContain('Environment="PATH=/x $y"')
  expect(() => unit(['/a\nExecStart=/bin/evil'], [])).toThrow('control characters')
})
