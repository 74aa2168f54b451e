/** The daemon as a tenant of the machine: how fast it is there, how much memory it takes. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { call, type Status } from '../../src/client/index.ts'
import { type Result, round, versus } from '../measure.ts'
import { interleave, numbers, type Stage } from '../stage.ts'

/** From the start of the process to "ready": the socket listens and the spool is drained. */
export async function daemonStart(stage: Stage): Promise<Result[]> {
  const at = stage.home()
  const empty = join(stage.dir, 'empty-start.ts')
  writeFileSync(empty, '')
  const start = async () => {
    const begin = performance.now()
    const daemon = await stage.daemon(at)
    const took = performance.now() - begin
    await daemon.stop()
    return [took]
  }
  const bun = async () => {
    const begin = performance.now()
    await Bun.spawn([process.execPath, empty], { stdio: ['ignore', 'ignore', 'ignore'] }).exited
    return [performance.now() - begin]
  }
  const [ours = [], floor = []] = await interleave(Math.max(5, Math.round(20 * stage.effort)), start, bun)
  return [versus('daemon-start', 'ms', ours, floor, 'Bun running an empty file')]
}

/** Resident memory after a thousand sessions have each sent twenty events. */
export async function memory1000Sessions(stage: Stage): Promise<Result[]> {
  const at = stage.home()
  const daemon = await stage.daemon(at)
  const idle = ((await call(at, 'status')) as Status).memoryBytes
  const events = Math.max(2000, Math.round(20_000 * stage.effort))
  await numbers([stage.program('load'), at.socket, '16', String(events), '2048', '1000', '7'], {})
  await Bun.sleep(1000)
  const { memoryBytes } = (await call(at, 'status')) as Status
  await daemon.stop()
  const mb = (bytes: number) => round(bytes / 1024 / 1024)
  const value = mb(memoryBytes)
  return [
    {
      name: 'memory-1000-sessions',
      unit: 'MB',
      p50: value,
      p95: value,
      p99: value,
      n: 1,
      floor: mb(idle),
      ratio: round(memoryBytes / idle),
      against: 'the same daemon before its first event',
    },
  ]
}
