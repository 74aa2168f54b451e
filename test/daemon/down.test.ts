/** `gantry down` means down until `gantry up`, whatever agents do meanwhile. */
import { afterAll, expect, setDefaultTimeout, test } from 'bun:test'
import { existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import type { Places } from '../../src/core/files/paths.ts'
import {
  daemonPid,
  endDaemon,
  envFor,
  GANTRY,
  gantry,
  gantryJson,
  HOOK,
  isGone,
  journal,
  makeHome,
  run,
  startDaemon,
  until,
} from '../kit.ts'
import { isLong } from '../long.ts'

setDefaultTimeout(120_000)

const started: Places[] = []
afterAll(async () => {
  for (const at of started) await endDaemon(at)
})

function home(): Places {
  const at = makeHome()
  started.push(at)
  return at
}

const isRoot = process.getuid?.() === 0
const NATIVE = [HOOK]
const TWIN = [GANTRY, 'hook']
const CLIENTS = [NATIVE, TWIN]
const stop = (at: Places, client: readonly string[]) =>
  run([...client, 'claude', 'Stop'], at, '{"hook_event_name":"Stop","session_id":"s1"}')
const silent = { exit: 0, stdout: '', stderr: '' }
const frames = (at: Places) => readdirSync(at.spool).filter((name) => name.endsWith('.frame'))
const isUp = (at: Places) => existsSync(at.socket)
const STARTED_MS = 20_000
/** A start that must not be has left its lock by then; the daemon would follow. */
const isStarting = (at: Places) => existsSync(`${at.state}/start.lock`)

/** From nobody there to a daemon that the next hook has started. */
async function startsWithAHook(at: Places, client: readonly string[]): Promise<void> {
  await gantry(at, 'down')
  expect((await gantry(at, 'down', '--until-next-hook')).stdout).toContain('next hook')
  expect(existsSync(at.down)).toBe(false)
  expect(await stop(at, client)).toEqual(silent)
  await until(() => isUp(at), 'a daemon that a hook has started', STARTED_MS)
}

test.concurrent('hooks keep their events and start nothing; gantry up has them all', async () => {
  const at = home()
  // --until-next-hook leaves it to the next hook.
  await startsWithAHook(at, NATIVE)
  await until(() => journal(at).length === 1, 'the event', STARTED_MS)
  for (const client of CLIENTS) expect(await stop(at, client)).toEqual(silent)
  const down = await gantry(at, 'down')
  expect(down.exit).toBe(0)
  expect(down.stdout).toContain('stays down until "gantry up"')
  rmSync(`${at.state}/start.lock`, { force: true }) // of the first start
  for (let i = 0; i < 3; i++) for (const client of CLIENTS) expect(await stop(at, client)).toEqual(silent)
  expect(isStarting(at)).toBe(false)
  expect(frames(at)).toHaveLength(6)
  expect(isUp(at)).toBe(false)

  const { exit, stdout } = await gantry(at, 'status')
  expect(exit).toBe(1)
  expect(stdout).toMatch(/was stopped by you \d+[sm] ago and stays down.*gantry up/)
  const json = JSON.parse((await gantry(at, 'status', '--json')).stdout)
  expect(json).toEqual({ running: false, downSince: expect.any(Number) })
  expect(Math.abs(Date.now() - json.downSince)).toBeLessThan(60_000)
  expect(await gantryJson(at, 'doctor', '--json')).toContainEqual({
    level: 'warn',
    about: 'daemon',
    message: expect.stringMatching(
      /^stopped by you \(gantry down\) \d+[sm] ago; hooks keep their events in the spool$/,
    ),
    fix: 'gantry up',
  })

  expect((await gantry(at, 'up')).exit).toBe(0)
  expect(existsSync(at.down)).toBe(false)
  await until(() => frames(at).length === 0, 'an empty spool')
  expect(journal(at)).toHaveLength(9)

  rmSync(`${at.state}/start.lock`, { force: true }) // of a start a moment ago
  await startsWithAHook(at, TWIN)
  await until(() => journal(at).length === 10, 'the event', STARTED_MS)
  await endDaemon(at)
})

test.concurrent('a start that a hook has under way does not outlive it', async () => {
  for (const afterMs of isLong ? [0, 50, 100, 150, 200, 300, 500] : [0, 120]) {
    const at = makeHome()
    const child = Bun.spawn([GANTRY, 'up', '--foreground', '--quiet'], {
      env: envFor(at, { GANTRY_AUTOSTART: '1' }),
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    await Bun.sleep(afterMs)
    expect((await gantry(at, 'down')).exit).toBe(0)
    expect(await child.exited).toBe(0)
    expect(existsSync(at.down)).toBe(true)
    expect(isUp(at)).toBe(false)
  }
})

test.concurrent('what people start lifts it, in the foreground as well, and also where one runs already', async () => {
  const at = home()
  await gantry(at, 'down')
  const since = statSync(at.down).mtimeMs
  await gantry(at, 'down')
  expect(statSync(at.down).mtimeMs).toBe(since)
  await using daemon = await startDaemon(at)
  expect(existsSync(at.down)).toBe(false)
  writeFileSync(at.down, '')
  expect((await gantry(at, 'up')).stdout).toContain(`already up (pid ${daemon.pid})`)
  expect(existsSync(at.down)).toBe(false)

  // One that stands still is ended, and nobody starts another.
  process.kill(daemon.pid, 'SIGSTOP')
  const { exit, stderr } = await gantry(at, 'down')
  expect(exit).toBe(0)
  expect(stderr).toContain(`the daemon (pid ${daemon.pid}) does not answer`)
  await until(() => isGone(daemon.pid), 'its end')
  expect(await stop(at, NATIVE)).toEqual(silent)
  expect(isStarting(at)).toBe(false)
  expect(daemonPid(at)).toBeUndefined()
})

test.concurrent('a folder in the place of the mark keeps it down, and gantry up says so', async () => {
  const at = home()
  mkdirSync(at.down, { recursive: true, mode: 0o700 })
  expect(await stop(at, NATIVE)).toEqual(silent)
  expect(isStarting(at)).toBe(false)
  const { exit, stderr } = await gantry(at, 'up')
  expect(exit).toBe(1)
  expect(stderr).toContain(`Cannot remove ${at.down}`)
  rmSync(at.down, { recursive: true })
  expect((await gantry(at, 'up')).exit).toBe(0)
  await endDaemon(at)
})

test.skipIf(!isRoot)('doctor says when the spool has no room for more', async () => {
  const at = home()
  await gantry(at, 'down')
  const mounted = Bun.spawnSync(['mount', '-t', 'tmpfs', '-o', 'size=63m,mode=700', 'tmpfs', at.state])
  expect(mounted.exitCode).toBe(0)
  try {
    mkdirSync(at.spool, { mode: 0o700 })
    const { exit, stdout } = await gantry(at, 'doctor', '--json')
    expect(exit).toBe(1)
    expect(JSON.parse(stdout)).toContainEqual(
      expect.objectContaining({
        level: 'fail',
        about: 'spool',
        message: expect.stringContaining('events are lost'),
      }),
    )
  } finally {
    Bun.spawnSync(['umount', at.state])
  }
})
