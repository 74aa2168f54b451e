/**
 * Ends an agent: its process, which must be in the session's pane if there is one; or the pane, if the process cannot be seen
 * from here and no shell is back in it. Nothing here blocks: the daemon does it, too.
 */
import type { SessionView } from '../client/index.ts'
import { closePane, type Done, paneOf, paneState } from './pane.ts'
import { factsOf, upFrom } from './process-facts.ts'
import { outOfReach, processOf } from './reach.ts'

const GENTLE_MS = 4_000 // for the agent to write its transcript and run its last hooks
const LOOK_MS = 50

export async function endAgent(session: SessionView): Promise<Done> {
  const pane = paneOf(session)
  const there = pane && (await paneState(pane))
  const { pid, name } = session
  const found = await processOf(session)
  if (pid !== undefined && found && (!there || (await isBelow(pid, there.pid))))
    return end(pid, found.startedAt, name)
  if (pane && there) {
    const why = await outOfReach(session, there)
    if (why !== undefined) return { ok: false, says: `${why} Nothing was ended.` }
    const closed = await closePane(pane)
    return closed.ok ? { ok: true, says: `Closed the pane of ${name}.` } : closed
  }
  return { ok: false, says: `${name} has no process or pane that can be seen from here.` }
}

async function end(pid: number, startedAt: number, name: string): Promise<Done> {
  const isThere = async () => (await factsOf(pid))?.startedAt === startedAt
  try {
    process.kill(pid, 'SIGTERM')
    for (let waited = 0; waited < GENTLE_MS; waited += LOOK_MS) {
      if (!(await isThere())) return { ok: true, says: `${name} has ended.` }
      await Bun.sleep(LOOK_MS)
    }
    if (await isThere()) process.kill(pid, 'SIGKILL')
    return { ok: true, says: `${name} did not end by itself and was killed.` }
  } catch {
    return (await isThere())
      ? { ok: false, says: `Process ${pid} belongs to another user, so you cannot end it.` }
      : { ok: true, says: `${name} has ended.` }
  }
}

async function isBelow(pid: number, ancestor: number): Promise<boolean> {
  for await (const one of upFrom(pid)) if (one.pid === ancestor) return true
  return false
}
