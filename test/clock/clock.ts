/**
 * A clock for programs under test that can be set, as a person or a time server sets a system's. Of this process it is none.
 *
 *   const clock = settableClock()
 *   await using daemon = await startDaemon(home, clock.env)
 *   clock.set(-30_000)   // half a minute back, for all programs that were started with this environment
 */
import { openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { tempDir } from '../kit.ts'

export interface SettableClock {
  readonly env: Record<string, string>
  /** Milliseconds that are added to the time of day. */
  set(addedMs: number): void
}

export function settableClock(): SettableClock {
  compiled ??= compile()
  const path = join(tempDir(), 'added')
  const fd = openSync(path, 'w')
  const set = (addedMs: number) => void writeSync(fd, new BigInt64Array([BigInt(addedMs)]), 0, 8, 0)
  set(0)
  return { env: { LD_PRELOAD: compiled, CLOCK_FILE: path }, set }
}

let compiled: string | undefined

function compile(): string {
  const library = join(tempDir(), 'clock.so')
  const source = join(import.meta.dir, 'clock.c')
  const { success, stderr } = Bun.spawnSync(['cc', '-shared', '-fPIC', '-O1', '-o', library, source])
  if (!success) throw new Error(`clock.c does not compile: ${stderr.toString()}`)
  return library
}
