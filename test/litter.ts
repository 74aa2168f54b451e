/** What tests leave behind: folders and processes. `bun test` runs no exit handlers, so clean-up.ts asks for it. */
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Subprocess } from 'bun'
import { commandLineOf, environOf } from '../src/core/processes/proc.ts'

export const dirs = new Set<string>()
export const processes = new Set<Subprocess>()

export function cleanUp(): void {
  for (const child of processes) child.kill('SIGKILL')
  processes.clear()
  // All processes first: a folder that cannot be removed must not keep the others running.
  for (const pid of [...dirs].flatMap((dir) => [daemonIn(dir), natsIn(dir)])) {
    if (pid !== undefined) process.kill(pid, 'SIGKILL')
  }
  for (const dir of dirs) rmSync(dir, { recursive: true, force: true })
  dirs.clear()
}

/** The daemon of this home, also one that started by itself; never somebody else who got its number. */
export function daemonIn(home: string): number | undefined {
  try {
    const pid = Number(readFileSync(join(home, 'run/gantry.pid'), 'utf8'))
    return environOf(pid).includes(`GANTRY_HOME=${home}`) ? pid : undefined
  } catch {
    return undefined
  }
}

/** The nats-server that a daemon of this home left running; never somebody else who got its number. */
export function natsIn(home: string): number | undefined {
  try {
    const pid = Number(readFileSync(join(home, 'state/nats/nats.pid'), 'utf8'))
    return commandLineOf(pid).includes(join(home, 'state/nats/nats.conf')) ? pid : undefined
  } catch {
    return undefined
  }
}
