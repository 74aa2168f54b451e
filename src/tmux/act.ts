/** What a person does to an agent from elsewhere. Nothing here blocks: the daemon does it, too. */
import { refusesAct, type SessionView } from '../client/index.ts'
import { isThere, type ProcessRow, upFrom } from '../core/processes/process-table.ts'
import { clean } from '../core/text/text.ts'
import { until } from '../core/time/waits.ts'
import { paneOf } from '../core/tmux.ts'
import type { Act } from '../sessions/state/phase.ts'
import { closePane, type Done, interruptPane, paneState, typeInto } from './pane.ts'
import { outOfReach, processOf } from './reach.ts'

const GENTLE_MS = 4_000 // for the agent to write its transcript and run its last hooks
const LOOK_MS = 50

export async function actOn(session: SessionView, act: Act, text = ''): Promise<Done> {
  const why = refusesAct(session, act)
  if (why !== undefined) return no(why)
  if (act === 'end') return endAgent(session)
  const pane = paneOf(session)
  if (!pane) return no(`No tmux server is known for ${session.name}.`)
  const line = clean(text)
  if (act === 'send' && line === '') return no('There is no text to send.')
  const done = await (act === 'send' ? typeInto(pane, session, line) : interruptPane(pane, session))
  const says = act === 'send' ? `Sent to ${session.name}.` : `Escape sent to ${session.name}.`
  return done.ok ? { ok: true, says } : done
}

/**
 * Ends its process, which must be in the session's pane if there is one; or the pane, if the process cannot be seen from here
 * and no shell is back in it.
 */
export async function endAgent(session: SessionView): Promise<Done> {
  const pane = paneOf(session)
  const there = pane && (await paneState(pane))
  const { pid, name } = session
  const found = await processOf(session)
  if (pid !== undefined && found && (!there || (await isBelow(pid, there.pid)))) return end(found, name)
  if (pane && there) {
    const why = await outOfReach(session, there)
    if (why !== undefined) return no(`${why} Nothing was ended.`)
    const closed = await closePane(pane)
    return closed.ok ? { ok: true, says: `Closed the pane of ${name}.` } : closed
  }
  return no(`${name} has no process or pane that can be seen from here.`)
}

function no(says: string): Done {
  return { ok: false, says }
}

async function end(row: ProcessRow, name: string): Promise<Done> {
  const { pid } = row
  try {
    process.kill(pid, 'SIGTERM')
    if (await until(async () => !(await isThere(row)), GENTLE_MS, LOOK_MS))
      return { ok: true, says: `${name} has ended.` }
    process.kill(pid, 'SIGKILL')
    return { ok: true, says: `${name} did not end by itself and was killed.` }
  } catch {
    return (await isThere(row))
      ? no(`Process ${pid} belongs to another user, so you cannot end it.`)
      : { ok: true, says: `${name} has ended.` }
  }
}

async function isBelow(pid: number, ancestor: number): Promise<boolean> {
  for await (const one of upFrom(pid)) if (one.pid === ancestor) return true
  return false
}
