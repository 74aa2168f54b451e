/** A daemon that is stuck is ended by its watchdog or by a person, and whoever asks is told what it is. */
import { expect, setDefaultTimeout, test } from 'bun:test'
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Places } from '../../src/core/files/paths.ts'
import {
  daemonPid,
  endDaemon,
  envFor,
  gantry,
  HOOK,
  isGone,
  journal,
  makeHome,
  ROOT,
  run,
  startDaemon,
  tempDir,
  until,
} from '../kit.ts'
import { processes } from '../litter.ts'
import { onHungMount } from './hung-mount.ts'

setDefaultTimeout(120_000)

const WATCHED = join(import.meta.dir, 'watched.ts')
const BLOCKER = join(import.meta.dir, 'blocker.ts')

async function watched(what: string, limitS: number) {
  const log = join(tempDir(), 'log')
  const child = Bun.spawn([process.execPath, WATCHED, what, log, String(limitS)], {
    stdout: 'pipe',
    stderr: 'inherit',
  })
  processes.add(child)
  void child.exited.then(() => processes.delete(child))
  await child.stdout.getReader().read()
  return { child, log: () => readFileSync(log, 'utf8') }
}

for (const [what, limitS] of [
  ['block', 1], // which takes all of a processor so long
  ['sleep', 2],
] as const) {
  test.concurrent(`the watchdog ends a loop that does not turn: ${what}`, async () => {
    const { child, log } = await watched(what, limitS)
    await child.exited
    expect(child.signalCode).toBe('SIGKILL')
    expect(log()).toContain(`error watchdog the event loop has been stuck for ${limitS} s`)
  })
}

test.concurrent('the watchdog leaves a loop alone that turns, and a process that was stopped', async () => {
  const { child } = await watched('turn', 3)
  child.kill('SIGSTOP')
  await Bun.sleep(5_000) // longer than its patience
  child.kill('SIGCONT')
  await Bun.sleep(5_000)
  expect(child.exitCode).toBeNull()
  expect(child.signalCode).toBeNull()
  child.kill('SIGKILL')
})

test.concurrent('the watchdog does not keep a process that is done', async () => {
  const { child } = await watched('stop', 20)
  expect(await child.exited).toBe(0)
})

/** gantry from its sources, with a loop that can be blocked. */
const BLOCKABLE = [process.execPath, '--preload', BLOCKER, join(ROOT, 'src/cli/main.ts')]

/** A real daemon whose loop blocks when the test says so; nothing in gantry itself can be made to. */
async function blockable(at: Places, env: Record<string, string> = {}) {
  const child = Bun.spawn([...BLOCKABLE, 'up', '--foreground'], {
    env: envFor(at, { GANTRY_READY: '1', ...env }),
    stdout: 'pipe',
    stderr: 'inherit',
  })
  processes.add(child)
  void child.exited.then(() => processes.delete(child))
  await child.stdout.getReader().read()
  const tasks = `/proc/${child.pid}/task`
  const threads = () => readdirSync(tasks).map((id) => readFileSync(`${tasks}/${id}/comm`, 'utf8').trim())
  // One is the background thread.
  await until(() => threads().filter((name) => name === 'Worker').length >= 2, 'the watchdog')
  await Bun.sleep(2_000) // a thread gets what it is told only once it runs, and by the loop that is about to be stuck
  const block = async () => {
    process.kill(child.pid, 'SIGUSR2')
    const isStuck = () => readFileSync(`/proc/${child.pid}/wchan`, 'utf8').startsWith('futex')
    await until(() => isGone(child.pid) || isStuck(), 'a loop that is stuck') // or that was: a busy machine looks late
  }
  return { pid: child.pid, child, block }
}

const stop = (id: string) => JSON.stringify({ session_id: id, hook_event_name: 'Stop' })
const sessions = (at: Places) => journal<{ session_id: string }>(at).map((row) => row.session_id)

test.concurrent('a daemon whose loop is stuck ends by itself, and the next hook starts a new one', async () => {
  const at = makeHome()
  const { pid, block, child } = await blockable(at, { STUCK_S: '4' })
  await block()
  expect(await run([HOOK, 'claude', 'Stop'], at, stop('kept'))).toMatchObject({ exit: 0, stdout: '' })
  await until(() => isGone(pid), 'the end of the stuck daemon', 90_000)
  expect(readFileSync(at.log, 'utf8')).toContain('error watchdog the event loop has been stuck for 4 s')
  await child.exited // of all its threads: until then its socket may still take connections
  await run([HOOK, 'claude', 'Stop'], at, stop('next'))
  await until(() => daemonPid(at) !== undefined && daemonPid(at) !== pid, 'a new daemon')
  await until(() => sessions(at).length === 2, 'both events')
  expect(sessions(at).toSorted()).toEqual(['kept', 'next'])
  await endDaemon(at)
})

const mayMount = process.getuid?.() === 0 && existsSync('/dev/fuse')

test.concurrent.skipIf(!mayMount)('a start that its rules hold up ends by itself', async () => {
  const at = makeHome()
  const hung = tempDir()
  mkdirSync(at.rules, { recursive: true, mode: 0o700 })
  symlinkSync(join(hung, 'guards.yaml'), join(at.rules, 'guards.yaml'))
  const env = envFor(at, { STUCK_S: '4' })
  const child = Bun.spawn(onHungMount(hung, BLOCKABLE), { env, stdout: 'inherit', stderr: 'inherit' })
  processes.add(child)
  await child.exited
  expect(child.signalCode).toBe('SIGKILL')
  expect(readFileSync(at.log, 'utf8')).toContain('error watchdog the event loop has been stuck for 4 s')
})

test.concurrent('status and doctor say that a daemon is stuck, and down ends it', async () => {
  const at = makeHome()
  const { pid, block } = await blockable(at, { STUCK_S: '110' }) // a busy machine needs more than its usual 30
  await block()
  const status = await gantry(at, 'status')
  expect(status.exit).toBe(1)
  expect(status.stdout).toContain(`(pid ${pid}) does not answer`)
  expect(status.stdout).toContain('gantry down && gantry up')
  const down = await gantry(at, 'down')
  expect(readFileSync(at.log, 'utf8')).not.toContain('error watchdog') // it had the time to end it itself
  expect(down.exit).toBe(0)
  expect(down.stdout).toContain('gantry is down')
  expect(down.stderr).toContain('sending SIGTERM')
  expect(down.stderr).toContain('sending SIGKILL')
  expect(isGone(pid)).toBe(true)
  expect((await gantry(at, 'status')).stdout).toContain('stays down')
  expect((await gantry(at, 'up')).stdout).toContain('is up')
  await endDaemon(at)
})

test.concurrent('a daemon that was stopped by a signal is shown as that, and down ends it, too', async () => {
  const at = makeHome()
  const { pid } = await startDaemon(at)
  process.kill(pid, 'SIGSTOP')
  const sessions = await gantry(at, 'sessions')
  expect(sessions.exit).toBe(1)
  expect(sessions.stderr).toContain(`Try: kill -CONT ${pid} to resume it, or: gantry down && gantry up`)
  const doctor = await gantry(at, 'doctor')
  expect(doctor.exit).toBe(1)
  expect(doctor.stdout).toContain(`(pid ${pid}) was stopped by a signal\n`)
  expect(doctor.stdout).toContain(`→ kill -CONT ${pid} to resume it, or: gantry down && gantry up`)
  const down = await gantry(at, 'down')
  expect(down.exit).toBe(0)
  expect(down.stderr).not.toContain('SIGKILL') // it goes on and ends as it should
  expect(isGone(pid)).toBe(true)
})

test.concurrent('down leaves a process alone that only has the number of a daemon', async () => {
  const at = makeHome()
  const { pid } = await startDaemon(at)
  const stranger = Bun.spawn(['sleep', '600'])
  processes.add(stranger)
  writeFileSync(at.pid, `${stranger.pid}\n`)
  process.kill(pid, 'SIGSTOP')
  const down = await gantry(at, 'down')
  expect(down).toMatchObject({ exit: 1, stderr: expect.stringContaining('does not name its process') })
  expect(stranger.exitCode).toBeNull()
  process.kill(pid, 'SIGKILL')
  stranger.kill()
})
