/** The client that agents start, and the launcher beside it. */
import { afterAll, beforeEach, describe, expect, test } from 'bun:test'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { places } from '../core/files/paths.ts'
import { VERSION } from '../core/version.ts'
import { clientState, installClient, installedClient, ownClient, removeClient } from './hook-client.ts'

const root = mkdtempSync(join(tmpdir(), 'gantry-client-'))
let home = ''
let count = 0
beforeEach(() => {
  home = join(root, String(++count))
  mkdirSync(home)
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

const clientOf = (env: Record<string, string>) => installedClient(places(env), env)
const here = () => clientOf({ HOME: home })

describe('its place', () => {
  test('is below the data folder, or in GANTRY_HOME', () => {
    const home = 'xdg:/me/.local/state'
    expect(clientOf({ HOME: '/me' })).toEqual({ path: '/me/.local/share/gantry/bin/gantry-hook', home })
    expect(clientOf({ HOME: '/me', XDG_DATA_HOME: '/data' })).toEqual({
      path: '/data/gantry/bin/gantry-hook',
      home,
    })
    expect(clientOf({ HOME: '/me', XDG_DATA_HOME: 'data' })).toEqual({
      path: '/me/.local/share/gantry/bin/gantry-hook',
      home,
    })
    expect(clientOf({ HOME: '/me', XDG_STATE_HOME: '/s' }).home).toBe('xdg:/s')
    expect(clientOf({ HOME: '/me', GANTRY_HOME: '/g' })).toEqual({ path: '/g/bin/gantry-hook', home: '/g' })
  })

  test('may not be one that no shell can name', () => {
    expect(() => clientOf({ HOME: '/me\\you' })).toThrow('without backslashes')
    expect(() => clientOf({ HOME: '/me\nyou' })).toThrow('No shell command can name')
    expect(() => clientOf({ HOME: '/me', XDG_STATE_HOME: '/me\\you' })).toThrow('without backslashes')
  })
})

describe('installing it', () => {
  test('writes a private client that runs, and reports when it is no longer of this gantry', async () => {
    const client = here()
    expect(clientState(client)).toBe('missing')
    await installClient(client)
    expect(clientState(client)).toBe('current')
    expect(statSync(client.path).mode & 0o777).toBe(0o700)
    const said = Bun.spawnSync([client.path, '--version'], {
      env: { PATH: process.env.PATH ?? '' },
    }).stdout.toString()
    expect(said).toMatch(new RegExp(`^gantry.hook ${VERSION}\n$`))
    writeFileSync(client.path, 'older')
    expect(clientState(client)).toBe('outdated')
    await installClient(client)
    expect(readFileSync(client.path).equals(readFileSync(ownClient() ?? ''))).toBe(true)
    chmodSync(client.path, 0o600)
    expect(clientState(client)).toBe('outdated')
    await installClient(client)
    expect(statSync(client.path).mode & 0o777).toBe(0o700)
  })

  test('replaces a client that is running', async () => {
    const client = here()
    await installClient(client)
    const running = Bun.spawn([client.path, 'claude', 'Stop'], {
      env: { HOME: home, GANTRY_NO_AUTOSTART: '1' },
      stdio: ['pipe', 'ignore', 'ignore'],
    })
    await installClient(client)
    running.stdin.write('{}')
    running.stdin.end()
    expect(await running.exited).toBe(0)
  })

  test('is undone with the folders that are then empty', async () => {
    const client = here()
    await installClient(client)
    writeFileSync(join(dirname(client.path), `.gantry-hook.${2 ** 22 + 1}.gantry-draft`), 'half')
    expect(removeClient(client)).toBe(true)
    expect(existsSync(join(home, '.local/share/gantry'))).toBe(false)
    expect(existsSync(join(home, '.local/share'))).toBe(true)
    expect(removeClient(client)).toBe(false)
  })
})

describe('the launcher beside it', () => {
  const run = (launcher: string, PATH: string) => {
    const ran = Bun.spawnSync([launcher, '--version'], { env: { PATH, HOME: home }, timeout: 5_000 })
    return { exit: ran.exitCode, stdout: ran.stdout.toString(), stderr: ran.stderr.toString() }
  }
  const gone = (launcher: string) => {
    const text = readFileSync(launcher, 'utf8').replaceAll(/'[^']*\/bin\/gantry'/g, "'/gone/gantry'")
    writeFileSync(launcher, text)
  }

  test('starts the gantry that wrote it', async () => {
    await installClient(here())
    const launcher = join(dirname(here().path), 'gantry')
    expect(run(launcher, '/usr/bin:/bin')).toEqual({ exit: 0, stdout: `gantry ${VERSION}\n`, stderr: '' })
  })

  test('else the one on PATH, else nothing, and never itself', async () => {
    await installClient(here())
    const launcher = join(dirname(here().path), 'gantry')
    gone(launcher)
    expect(run(launcher, '/usr/bin:/bin')).toEqual({ exit: 0, stdout: '', stderr: '' })
    mkdirSync(join(home, 'links'))
    symlinkSync(launcher, join(home, 'links/gantry'))
    expect(run(launcher, `${join(home, 'links')}:/usr/bin:/bin`)).toEqual({ exit: 0, stdout: '', stderr: '' })
    expect(run(launcher, `${dirname(launcher)}:/usr/bin:/bin`)).toEqual({ exit: 0, stdout: '', stderr: '' })
    mkdirSync(join(home, 'other'))
    writeFileSync(join(home, 'other/gantry'), '#!/bin/sh\necho other "$@"\n')
    chmodSync(join(home, 'other/gantry'), 0o755)
    expect(run(launcher, `${join(home, 'other')}:/usr/bin:/bin`).stdout).toBe('other --version\n')
  })
})
