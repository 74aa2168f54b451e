import { AGENT_MARKS } from '../agents/inside-agent.ts'
import { commandLineOf, environOf } from '../core/processes/proc.ts'
import { ancestorsOf, startOf, terminalOf } from '../core/processes/process-tree.ts'
import type { Caller } from '../rpc/index.ts'
import type { Session } from '../sessions/state/index.ts'
import { peerOf } from './peer.ts'

/** The process at the other end of an open connection. */
export function callerAt(descriptor: number, sessions: Iterable<Session>): Caller {
  const peer = peerOf(descriptor)
  if (peer === 'untold') return { place: '' }
  if (peer === 'unknown') return { place: '', insideAgent: 'the system does not say who called' }
  const agents = new Map<number, Session>()
  for (const session of sessions)
    if (session.pid !== undefined && session.endedAt === undefined) agents.set(session.pid, session)
  const insideAgent = agentAround(peer.pid, agents)
  return { place: processWords(peer.pid), ...(insideAgent === undefined ? {} : { insideAgent }) }
}

/**
 * Why the caller counts as an agent; undefined for a person. `agents`: sessions by the pid of their agent. Each
 * environment is read once, because a process that ends loses it between two reads.
 */
function agentAround(pid: number, agents: ReadonlyMap<number, Session>): string | undefined {
  for (const at of [pid, ...ancestorsOf(pid)]) {
    const agent = agents.get(at)
    if (agent && isItsProgram(at, agent)) return `it was started by ${agent.name}, process ${at}`
    const environ = environOf(at)
    // Processes of other users, above a login shell, may be hidden; the caller itself is this user's.
    if (at === pid && (environ.length === 0 || startOf(at) === undefined))
      return 'the process of the caller cannot be read, or has ended'
    const mark = markIn(environ)
    if (mark !== undefined) return `${mark} is set around it`
  }
  return undefined
}

/** A person's own script may send hooks, too, and must not lock the person out. */
function isItsProgram(pid: number, { agent }: Session): boolean {
  const words = commandLineOf(pid)
  return words.length === 0 || words.some((word) => word.includes(agent))
}

/** `process 4711 on /dev/pts/3`: where an answer came from. */
function processWords(pid: number): string {
  const terminal = terminalOf(pid)
  return terminal === undefined ? `process ${pid}` : `process ${pid} on ${terminal}`
}

function markIn(variables: readonly string[]): string | undefined {
  return AGENT_MARKS.find((mark) =>
    variables.some((one) => one.startsWith(`${mark}=`) && one.length > mark.length + 1),
  )
}
