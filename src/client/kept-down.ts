/**
 * After `gantry down` the daemon stays down until `gantry up`, also across reboots: a file in the state folder marks it.
 * Hook clients check the file before they start the daemon, and the started daemon checks again, so a start under way
 * cannot outlive a `gantry down`.
 */
import { lstatSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { GantryError } from '../core/errors.ts'
import type { Places } from '../core/files/paths.ts'

export function keepDown({ state, down }: Places): void {
  try {
    mkdirSync(state, { recursive: true, mode: 0o700 })
    writeFileSync(down, '', { flag: 'wx', mode: 0o600 })
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'EEXIST') return // down already; keep the older time
    const message = `Cannot write ${down}, so the next hook will start the daemon again. Make its folder writable.`
    throw new GantryError('PERMISSION', message, { cause })
  }
}

export function letStart(places: Places): void {
  const { down } = places
  try {
    if (downSince(places) !== undefined) rmSync(down)
  } catch (cause) {
    throw new GantryError(
      'PERMISSION',
      `Cannot remove ${down}, which keeps the daemon down. Remove it yourself.`,
      {
        cause,
      },
    )
  }
}

/** The time of the last `gantry down`, if it is still in force. */
export function downSince({ down }: Places): number | undefined {
  try {
    return lstatSync(down, { throwIfNoEntry: false })?.mtimeMs
  } catch {
    return undefined // an unreadable mark does not keep the daemon down
  }
}
