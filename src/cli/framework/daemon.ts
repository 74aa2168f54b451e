/** A daemon that is away: telling that from other faults, and saying so. */
import { GantryError } from '../../core/errors.ts'
import { until } from '../../core/time/waits.ts'
import { note } from './terminal.ts'

export function isAway(error: unknown): error is GantryError {
  return error instanceof GantryError && error.code === 'DAEMON_AWAY'
}

/** Tells a person that what is read waits for the daemon, and goes on. */
export function sayAway(): (state: 'here' | 'away') => void {
  let last = 'here'
  return (state) => {
    if (state !== last) note(state === 'away' ? 'the daemon went away; waiting for it' : 'the daemon is back')
    last = state
  }
}

const TAKEN_POLL_MS = 50
const TAKEN_MS = 5_000 // until the daemon has loaded it

/** Waits until the daemon works with what was just written, and says whether it does. */
export async function inForce(isSo: () => Promise<boolean>): Promise<string> {
  try {
    const isTaken = await until(isSo, TAKEN_MS, TAKEN_POLL_MS)
    return isTaken ? 'it is in force' : 'it is not in force yet, see: gantry doctor'
  } catch (error) {
    if (isAway(error)) return 'it is in force once the daemon runs: gantry up'
    throw error
  }
}
