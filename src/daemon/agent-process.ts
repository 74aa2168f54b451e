/**
 * The process of the agent that sent an event. A hook client knows only its parent, often a shell that ends with it, so
 * the daemon looks while the client waits for its answer: both are there then. What was spooled, raised or played back
 * comes from nobody who waits, and tells no process.
 *
 *   const pid = agentProcess(event, () => peerPid(fd))   // stored with the event, so that a rebuild knows it, too
 */
import type { HookEvent } from '../events/index.ts'
import { aboveShells, agentAbove, ancestorsOf, isOurs, parentOf } from './process-tree.ts'

/** Who holds the other end of the connection, as the kernel says: see peer.ts. */
export type PeerPid = () => number | undefined

/** Undefined where the event itself says it, or nothing can be said; 0 where what it says is not true here. */
export function agentProcess(event: HookEvent, peer: PeerPid | undefined): number | undefined {
  if (event.sessionId === '') return undefined
  if (event.transport === 'http') return saidOverHttp(event)
  if (event.transport !== 'socket' || event.client.pid === undefined) return undefined
  const client = peer?.()
  if (client === undefined) return undefined
  // Processes of a container have other numbers there than here.
  const isElsewhere = client !== event.client.pid
  if (!isElsewhere && namesItself(event)) return undefined
  return above(event, client) ?? (isElsewhere ? 0 : undefined)
}

function above(event: HookEvent, client: number): number | undefined {
  if (client <= 1 || parentOf(client) < 0) return undefined
  if (event.agent === 'opencode') return client
  const said = saidIn(event)
  if (said !== undefined && ancestorsOf(client).includes(said)) return aboveShells(said)
  return agentAbove(client)
}

/** opencode's plugin is in the process; Claude tells its hooks which one it is. */
function namesItself({ agent, client }: HookEvent): boolean {
  return agent === 'opencode' || (agent === 'claude' && client.env.CLAUDE_PID !== undefined)
}

/** There is no client to look above: any living process of this user is believed. */
function saidOverHttp(event: HookEvent): number | undefined {
  const said = saidIn(event)
  return said !== undefined && isOurs(said) ? aboveShells(said) : undefined
}

/** Hook scripts of other tools put the process into the payload, which may say anything. */
function saidIn({ fields }: HookEvent): number | undefined {
  const pid = fields?.pid
  return typeof pid === 'number' && Number.isSafeInteger(pid) && pid > 1 ? pid : undefined
}
