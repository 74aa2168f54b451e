/** Stops the daemon: it answers what waits, brings the database to rest, goes, and stays away until `gantry up`. */
import { existsSync, readFileSync } from 'node:fs'
import { call, type Status } from '../client/index.ts'
import { GantryError } from '../errors.ts'
import { keepDown, letStart } from '../kept-down.ts'
import type { Places } from '../places.ts'
import type { Command } from './command.ts'
import { out } from './terminal.ts'

const STOP_DEADLINE_MS = 10_000

export const down: Command = {
  name: 'down',
  summary: 'Stop the daemon',
  usage: '[--until-next-hook]',
  options: {
    'until-next-hook': { type: 'boolean', help: 'Let the next hook of an agent start it again' },
  },
  examples: [
    { line: 'gantry down', does: 'Stops it cleanly; hooks spool their events until "gantry up"' },
    { line: 'gantry down --until-next-hook', does: 'Stops it, and the next hook starts it again' },
  ],
  async run({ flags, places }) {
    const isForNow = flags['until-next-hook'] === true
    // Before it stops: from then on any hook may start it.
    const problem = attempt(() => (isForNow ? letStart(places) : keepDown(places)))
    const exit = await stop(places)
    if (problem) throw problem
    out(isForNow ? FOR_NOW : FOR_GOOD)
    return exit
  },
}

const FOR_GOOD = 'It stays down until "gantry up"; meanwhile hooks keep their events in the spool.'
const FOR_NOW = 'The next hook of an agent starts it again.'

async function stop(places: Places): Promise<number> {
  let status: Status
  try {
    const patience = { deadlineMs: STOP_DEADLINE_MS }
    status = (await call(places, 'status', {}, patience)) as Status
    await call(places, 'stop', {}, patience)
  } catch (error) {
    if (!(error instanceof GantryError)) throw error
    if (error.code === 'DEADLINE') throw stuck(readPid(places))
    if (error.code !== 'DAEMON_AWAY') throw error
    out('gantry is not running')
    return 0
  }
  const until = performance.now() + STOP_DEADLINE_MS
  while (isAlive(status.pid)) {
    if (performance.now() > until) throw stuck(status.pid)
    await Bun.sleep(10)
  }
  out(`gantry is down; ${status.events.toLocaleString('en')} events are in ${status.database}`)
  return existsSync(places.socket) ? 1 : 0
}

function attempt(work: () => void): unknown {
  try {
    work()
    return undefined
  } catch (error) {
    return error
  }
}

function stuck(pid: number | undefined): GantryError {
  const message =
    pid === undefined
      ? 'The daemon does not answer. Find its process and end it with: kill -9'
      : `The daemon (pid ${pid}) does not stop. End it with: kill -9 ${pid}`
  return new GantryError('DEADLINE', message)
}

function readPid(places: Places): number | undefined {
  try {
    return Number(readFileSync(places.pid, 'utf8')) || undefined
  } catch {
    return undefined
  }
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
