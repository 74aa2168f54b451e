/**
 * Ends an agent's process. The system reuses pids, so the process must have started before the agent's last event with
 * that pid, and must be in the session's pane if there is one. Nothing here blocks: the daemon does it, too.
 */
import { readFileSync } from 'node:fs'
import type { SessionView } from '../client/index.ts'
import { isOver, statOf, TICKS_PER_S } from '../core/processes/proc.ts'
import { closePane, type Done, paneOf, paneState } from './pane.ts'

const GENTLE_MS = 4_000 // for the agent to write its transcript and run its last hooks
const LOOK_MS = 50
const CLOCK_SLACK_MS = 1_500 // start times have a resolution of one second
const MAX_ANCESTORS = 64

interface Facts {
  readonly parent: number
  readonly startedAt: number
}

export async function endAgent(session: SessionView): Promise<Done> {
  const pane = paneOf(session)
  const there = pane && (await paneState(pane))
  const pid = session.pid
  const found = pid === undefined ? undefined : await factsOf(pid)
  const isIt = found !== undefined && found.startedAt <= session.lastActivity + CLOCK_SLACK_MS
  if (pid !== undefined && pid > 1 && found && isIt && (!there || (await descends(pid, there.pid))))
    return end(pid, found.startedAt, session.name)
  if (pane && there) {
    const closed = await closePane(pane)
    return closed.ok ? { ok: true, says: `Closed the pane of ${session.name}.` } : closed
  }
  return { ok: false, says: `${session.name} has no process or pane that can be seen from here.` }
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

async function descends(pid: number, ancestor: number): Promise<boolean> {
  let at = pid
  for (let up = 0; up < MAX_ANCESTORS && at > 1; up++) {
    if (at === ancestor) return true
    at = (await factsOf(at))?.parent ?? 0
  }
  return false
}

/** Undefined if the process does not exist or is a zombie. */
async function factsOf(pid: number): Promise<Facts | undefined> {
  return process.platform === 'linux' ? factsFromProc(pid) : factsFromPs(pid)
}

function factsFromProc(pid: number): Facts | undefined {
  const stat = statOf(pid)
  if (!stat || isOver(stat)) return undefined
  try {
    const bootedAt = Number(/^btime (\d+)$/m.exec(readFileSync('/proc/stat', 'utf8'))?.[1]) * 1000
    return { parent: stat.parent, startedAt: bootedAt + (Number(stat.start) / TICKS_PER_S) * 1000 }
  } catch {
    return undefined
  }
}

async function factsFromPs(pid: number): Promise<Facts | undefined> {
  const ps = Bun.spawn(['ps', '-o', 'ppid=,stat=,lstart=', '-p', String(pid)], {
    env: { ...process.env, LC_ALL: 'C' },
    stderr: 'ignore',
    timeout: 1_000,
  })
  const said = await new Response(ps.stdout).text()
  const [, parent, stat, started] = /^\s*(\d+)\s+(\S+)\s+(.+)$/m.exec(said) ?? []
  if ((await ps.exited) !== 0 || parent === undefined || stat?.startsWith('Z')) return undefined
  return { parent: Number(parent), startedAt: Date.parse(started ?? '') }
}
