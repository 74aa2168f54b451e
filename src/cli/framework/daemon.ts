/** A daemon that is away: telling that from other faults, and reading on once it is back. */
import { GantryError } from '../../core/errors.ts'
import { note } from './terminal.ts'

const RECONNECT_MS = 500

export function isAway(error: unknown): error is GantryError {
  return error instanceof GantryError && error.code === 'DAEMON_AWAY'
}

/** Calls `read` until it says that it is done, through restarts of the daemon. `read` resumes where it was. */
export async function throughRestarts(
  read: () => Promise<'done' | 'ended'>,
  isRestart: (error: unknown) => boolean = isAway,
): Promise<void> {
  for (;;) {
    try {
      if ((await read()) === 'done') return
      note('the daemon went away; waiting for it')
    } catch (error) {
      if (!isRestart(error)) throw error
    }
    await Bun.sleep(RECONNECT_MS)
  }
}

const TAKEN_POLL_MS = 50
const TAKEN_POLLS = 100 // until the daemon has loaded it

/** Waits until the daemon works with what was just written, and says whether it does. */
export async function inForce(isSo: () => Promise<boolean>): Promise<string> {
  try {
    for (let left = TAKEN_POLLS; left > 0; left--) {
      if (await isSo()) return 'it is in force'
      await Bun.sleep(TAKEN_POLL_MS)
    }
    return 'it is not in force yet, see: gantry doctor'
  } catch (error) {
    if (isAway(error)) return 'it is in force once the daemon runs: gantry up'
    throw error
  }
}
