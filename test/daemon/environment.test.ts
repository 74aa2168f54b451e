/** What a daemon is started with: what its owner said, and nothing that a project put into the environment of an agent. */
import { describe, expect, test } from 'bun:test'
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Places } from '../../src/core/files/paths.ts'
import { childrenOf, environOf } from '../../src/core/processes/proc.ts'
import {
  childrenWith,
  daemonPid,
  endDaemon,
  envFor,
  GANTRY,
  gantry,
  HOOK,
  isGone,
  makeHome,
  ROOT,
  run,
  startDaemon,
  tempDir,
  until,
} from '../kit.ts'
import { processes } from '../litter.ts'

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
  return given(await until(() => daemonPid(at), 'a daemon'))
}

function given(pid: number): Record<string, string> {
  return Object.fromEntries(environOf(pid).map((line) => line.split(/=(.*)/s)))
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

test.skipIf(!isLinux)('a daemon begins anew with a small heap, which is not for what it starts', async () => {
  const at = makeHome()
  const { BUN_JSC_useFTLJIT: _, ...env } = envFor(at, { BUN_JSC_heapGrowthMaxIncrease: '0.7' })
  processes.add(Bun.spawn([GANTRY, 'up', '--foreground'], { env, stdio: ['ignore', 'ignore', 'ignore'] }))
  const options = Object.entries(await environmentOf(at)).filter(([name]) => /heapGrowth|FTL/.test(name))
  expect(Object.fromEntries(options)).toEqual({
    BUN_JSC_heapGrowthMaxIncrease: '0.7',
    BUN_JSC_useFTLJIT: '0',
  })
  await gantry(at, 'search', 'anything') // finds nothing; starts the index in a process of its own
  const endless = 'WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT count(*) FROM n'
  const asking = Bun.spawn([GANTRY, 'query', endless], { env: envFor(at) })
  const pid = daemonPid(at) ?? 0
  await until(() => childrenWith(pid, 'read-worker').length > 0, 'the reader')
  const children = childrenOf(pid).filter((child) => !isGone(child))
  const passedOn = children.flatMap((child) => Object.keys(given(child)))
  expect(passedOn).toContain('PATH')
  expect(passedOn.filter((name) => /heapGrowth|FTL/.test(name))).toEqual([])
  asking.kill('SIGKILL')
  await endDaemon(at, 'SIGTERM')
})
