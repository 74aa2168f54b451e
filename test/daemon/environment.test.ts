/** What a daemon is started with: what its owner said, and nothing that a project put into the environment of an agent. */
import { describe, expect, test } from 'bun:test'
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Places } from '../../src/core/files/paths.ts'
import {
  daemonPid,
  endDaemon,
  GANTRY,
  gantry,
  HOOK,
  makeHome,
  ROOT,
  run,
  startDaemon,
  tempDir,
  until,
} from '../kit.ts'

const isLinux = process.platform === 'linux'
const hook = (at: Places, env: Record<string, string>, client = [HOOK]) =>
  run([...client, 'claude', 'Stop'], at, '{"session_id":"s1"}', env)

/** A project that has agents load and run what is its own. */
function hostile() {
  const dir = tempDir()
  const mark = join(dir, 'ran')
  const evil = join(dir, 'evil.js')
  writeFileSync(
    evil,
    `require('node:fs').appendFileSync(${JSON.stringify(mark)}, process.argv.join(' ') + '\\n')`,
  )
  mkdirSync(join(dir, 'config/gantry'), { recursive: true })
  writeFileSync(join(dir, 'config/gantry/gantry.toml'), '[http]\nport = 0\n')
  const env = {
    BD_NATS_URL: 'nats://127.0.0.1:1',
    BUN_INSPECT_PRELOAD: evil,
    BUN_OPTIONS: `--preload=${evil}`,
    NODE_OPTIONS: `--require=${evil}`,
    XDG_CONFIG_HOME: join(dir, 'config'),
  }
  return { env, mark }
}

async function environmentOf(at: Places): Promise<Record<string, string>> {
  const pid = await until(() => daemonPid(at), 'a daemon')
  const lines = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').filter(Boolean)
  return Object.fromEntries(lines.map((line) => line.split(/=(.*)/s)))
}

describe.skipIf(!isLinux)('a daemon that a hook starts', () => {
  test.each([
    ['the native client', [HOOK]],
    // Not the built one: Bun obeys BUN_OPTIONS in whatever it compiled, before a line of ours runs.
    ['the client in TypeScript', [join(ROOT, 'bin/gantry'), 'hook']],
  ])('by %s has nothing of the project', async (_, client) => {
    const at = makeHome()
    const { env, mark } = hostile()
    expect(await hook(at, env, client)).toEqual({ exit: 0, stdout: '', stderr: '' })
    const given = await environmentOf(at)
    await until(async () => (await gantry(at, 'status')).exit === 0, 'a daemon that listens')
    expect(Object.keys(env).filter((name) => name in given)).toEqual([])
    expect(existsSync(mark) ? readFileSync(mark, 'utf8') : '').toBe('')
    await endDaemon(at)
  })

  test('is started as its owner did it, with what other programs told the daemon', async () => {
    const at = makeHome()
    const beads = join(tempDir(), 'beads')
    const seeds = { BD_NATS_PORT: '4399', BD_DAEMON_TOKEN: 'a-token', BEADS_DIR: beads, TZ: 'Asia/Tokyo' }
    const first = await startDaemon(at, { ...seeds, BUN_CONFIG_VERBOSE_FETCH: '0' })
    expect(statSync(at.environment).mode & 0o777).toBe(0o600)
    await first.kill('SIGKILL')
    await hook(at, { ...hostile().env, BD_NATS_PORT: '1', BEADS_DIR: '/project' })
    const given = await environmentOf(at)
    expect(given).toMatchObject({ ...seeds, GANTRY_NATS: 'off', HOME: at.home ?? '' })
    expect(Object.keys(given).filter((name) => name.startsWith('BUN_CONFIG'))).toEqual([])
    const kept = readFileSync(at.environment, 'utf8')
    await endDaemon(at)
    // Neither a start by a hook nor one by an agent is its owner's.
    expect((await run([GANTRY, 'up'], at, '', { CLAUDECODE: '1', BD_NATS_PORT: '1' })).exit).toBe(0)
    expect(await environmentOf(at)).toMatchObject(seeds)
    expect(readFileSync(at.environment, 'utf8')).toBe(kept)
    await endDaemon(at)
  })

  test('by "gantry up" finds no programs of the project that one is in', async () => {
    const at = makeHome()
    const project = tempDir()
    mkdirSync(join(project, '.git'))
    mkdirSync(join(project, 'sub'))
    const path = [`${project}/bin`, '/x/node_modules/.bin', '.', '', '/usr/bin', '/bin'].join(':')
    const child = Bun.spawn([GANTRY, 'up'], {
      cwd: join(project, 'sub'),
      env: {
        PATH: path,
        HOME: at.home ?? '',
        GANTRY_HOME: at.home ?? '',
        GANTRY_NATS: 'off',
        BUN_OPTIONS: '',
      },
      stdout: 'ignore',
    })
    expect(await child.exited).toBe(0)
    expect((await environmentOf(at)).PATH).toBe('/usr/bin:/bin')
    await endDaemon(at)
  })
})
