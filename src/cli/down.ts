/** Stops the daemon: it answers what waits, brings the database to rest, and goes. */
import { existsSync, readFileSync } from 'node:fs'
import { call, type Status } from '../client/index.ts'
import { GantryError } from '../errors.ts'
import type { Command } from './command.ts'
import { out } from './terminal.ts'

const STOP_DEADLINE_MS = 10_000

export const down: Command = {
  name: 'down',
  summary: 'Stop the daemon',
  usage: '',
  options: {},
  examples: [
    { line: 'gantry down', does: 'Stops it cleanly; hooks spool their events until it is up again' },
  ],
  async run({ places }) {
    let status: Status
    try {
      status = (await call(places, 'status')) as Status
      await call(places, 'stop')
    } catch (error) {
      if (!(error instanceof GantryError) || error.code !== 'DAEMON_AWAY') throw error
      out('gantry is not running')
      return 0
    }
    const until = performance.now() + STOP_DEADLINE_MS
    while (isAlive(status.pid)) {
      if (performance.now() > until) {
        throw new GantryError(
          'DEADLINE',
          `The daemon (pid ${status.pid}) does not stop. End it with: kill -9 ${status.pid}`,
        )
      }
      await Bun.sleep(10)
    }
    out(`gantry is down; ${status.events.toLocaleString('en')} events are in ${status.database}`)
    return existsSync(places.socket) ? 1 : 0
  },
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return !isZombie(pid)
  } catch {
    return false
  }
}

/** In a container nobody may ever collect a process that has ended. */
function isZombie(pid: number): boolean {
  try {
    return / Z [^)]*$/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false // no such folder on this system, or gone by now
  }
}
