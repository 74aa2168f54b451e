/**
 * `gantry down` means down until `gantry up`, also over a restart of the machine: a file in the state folder says so.
 * Hook clients look for it before they start the daemon, and what they started looks again, so that no start that was
 * under way outlives a `gantry down`.
 */
import { lstatSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { GantryError } from './errors.ts'
import type { Places } from './files/paths.ts'

export function keepDown({ state, down }: Places): void {
  try {
    mkdirSync(state, { recursive: true, mode: 0o700 })
    writeFileSync(down, '', { flag: 'wx', mode: 0o600 })
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'EEXIST') return // down already, since then
    const message = `${down} could not be written, so the next hook starts the daemon again. Make its folder writable.`
    throw new GantryError('PERMISSION', message, { cause })
  }
}

export function letStart(places: Places): void {
  const { down } = places
  try {
    if (downSince(places) !== undefined) rmSync(down)
  } catch (cause) {
    throw new GantryError('PERMISSION', `${down} is in the way and cannot be removed. Move it away.`, {
      cause,
    })
  }
}

/** When somebody ran `gantry down`, if it still holds. */
export function downSince({ down }: Places): number | undefined {
  try {
    return lstatSync(down, { throwIfNoEntry: false })?.mtimeMs
  } catch {
    return undefined // what cannot be reached keeps nobody down
  }
}
