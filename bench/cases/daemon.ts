/** The daemon's start time and memory. */
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { call } from '../../src/client/index.ts'
import type { Places } from '../../src/core/files/paths.ts'
import { hookOnce, load } from '../load.ts'
import { type Result, versus } from '../measure.ts'
import { ownMemoryMb } from '../process.ts'
import { interleave, SOURCE, type Stage } from '../stage.ts'

/**
 * From the start of the process to "ready": the socket listens and the spool is drained. With a gantry.toml, which is
 * checked, and without one; built as in an install, and from source as after a change; and the first hook after that, compared to
 * the following ones.
 */
export async function daemonStart(stage: Stage): Promise<Result[]> {
  const [configured, plain] = [stage.home(), stage.home()]
  rmSync(plain.configFile)
  const empty = join(stage.dir, 'empty-start.ts')
  writeFileSync(empty, '')
  const firstHooks: number[] = []
  const laterHooks: number[] = []
  const startOf = (at: Places, command?: readonly string[]) => async () => {
    const begin = performance.now()
    const daemon = await stage.daemon(at, {}, command)
    const took = performance.now() - begin
    if (!command) firstHooks.push(await hookTime(at))
    for (let n = 0; n < HOOKS_AFTER_FIRST; n++) laterHooks.push(await hookTime(at))
    await daemon.stop()
    return [took]
  }
  const bun = async () => {
    const begin = performance.now()
    await Bun.spawn([process.execPath, empty], { stdio: ['ignore', 'ignore', 'ignore'] }).exited
    return [performance.now() - begin]
  }
  const rounds = Math.max(3, Math.round(20 * stage.effort))
  const [ours = [], bare = [], floor = [], source = []] = await interleave(
    rounds,
    startOf(configured),
    startOf(plain),
    bun,
    startOf(configured, SOURCE),
  )
  return [
    versus('daemon-start', 'ms', ours, floor, 'Bun running an empty file'),
    versus('daemon-start-unconfigured', 'ms', bare, floor, 'Bun running an empty file'),
    versus('daemon-start-from-source', 'ms', source, floor, 'Bun running an empty file'),
    versus('first-hook', 'ms', firstHooks, laterHooks, 'the hooks after it'),
  ]
}

const HOOKS_AFTER_FIRST = 10

async function hookTime(at: Places): Promise<number> {
  const begin = performance.now()
  if (!(await hookOnce(at))) throw new Error('the daemon did not take a hook')
  return performance.now() - begin
}

/**
 * Resident memory after a thousand sessions have each sent twenty events: a second later, at rest, and at rest without the pages of
 * the program itself.
 */
export async function memory1000Sessions(stage: Stage): Promise<Result[]> {
  const at = stage.home()
  const daemon = await stage.daemon(at)
  const resident = async () => (await call(at, 'status')).memoryBytes / 1024 / 1024
  const [idle, idleOwn] = [await resident(), ownMemoryMb(daemon.pid)]
  await call(at, 'bus.status') // starts the background thread, which counts, too
  const events = Math.max(2000, Math.round(20_000 * stage.effort))
  await load(stage, at, { clients: 16, events, sessions: 1_000, seed: 7 })
  await Bun.sleep(1000)
  const soon = await resident()
  await Bun.sleep(AT_REST_MS)
  const [atRest, own] = [await resident(), ownMemoryMb(daemon.pid)]
  await daemon.stop()
  const result = (name: string, mb: number, floor: number) =>
    versus(name, 'MB', [mb], [floor], 'the same daemon before its first event')
  return [
    result('memory-1000-sessions', soon, idle),
    result('memory-1000-sessions-at-rest', atRest, idle),
    result('memory-1000-sessions-own', own, idleOwn),
  ]
}

const AT_REST_MS = 4_000 // two seconds after the last event it returns what it no longer needs
