/** Stops the daemon: it answers pending hooks, checkpoints the database, exits, and stays down until `gantry up`. */
import { existsSync } from 'node:fs'
import { ANSWER_MS, call, endByForce, isAlive, isSilent, type Status } from '../../client/index.ts'
import { keepDown, letStart } from '../../client/kept-down.ts'
import { removeInfo, staleInfo } from '../../client/nats-info.ts'
import type { Places } from '../../core/files/paths.ts'
import { counted } from '../../core/text/text.ts'
import { until } from '../../core/time/waits.ts'
import { isAway } from '../framework/daemon.ts'
import type { Input } from '../framework/define.ts'
import { note, out, plain } from '../framework/terminal.ts'
import type * as commands from './index.ts'

const STOP_DEADLINE_MS = 10_000

export async function run({ flags, places }: Input<typeof commands.down>): Promise<number> {
  const isForNow = flags['until-next-hook']
  // Before it stops, since after that any hook may start it.
  const problem = attempt(() => (isForNow ? letStart(places) : keepDown(places)))
  const exit = await stop(places)
  if (problem) throw problem
  out(isForNow ? FOR_NOW : FOR_GOOD)
  return exit
}

const FOR_GOOD = 'It stays down until "gantry up"; meanwhile hooks keep their events in the spool.'
const FOR_NOW = 'The next hook of an agent starts it again.'

export async function stop(places: Places): Promise<number> {
  let status: Status
  let said: { readonly whole?: boolean }
  try {
    const patience = { deadlineMs: ANSWER_MS }
    status = await call(places, 'status', {}, patience)
    said = await call(places, 'stop', {}, patience)
  } catch (error) {
    if (isSilent(error)) return byForce(places)
    if (!isAway(error)) throw error
    out('gantry is not running')
    await removeStale(places)
    return 0
  }
  if (!(await until(() => !isAlive(status.pid), STOP_DEADLINE_MS, 10))) return byForce(places, status.pid)
  if (said.whole === false) out('gantry is down; its database was removed or broken. See: gantry doctor')
  else out(`gantry is down; ${counted(status.events, 'event is', 'events are')} in ${status.database}`)
  return existsSync(places.socket) ? 1 : 0
}

/** Removes the NATS info files that a killed daemon left. */
async function removeStale(places: Places): Promise<void> {
  const stale = await staleInfo(places)
  if (stale.length === 0) return
  removeInfo(places.nats)
  for (const file of stale) out(`removed ${plain(file)}, which named a NATS server that is gone`)
}

function attempt(work: () => void): unknown {
  try {
    work()
    return undefined
  } catch (error) {
    return error
  }
}

async function byForce(places: Places, pid?: number): Promise<number> {
  await endByForce(places, note, pid)
  out('gantry is down; what it had answered is stored')
  return 0
}
