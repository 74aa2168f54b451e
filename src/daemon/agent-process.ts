/**
 * The process of the agent that sent an event. A hook client knows only its parent, often a shell that ends with it, so
 * the daemon looks while the client waits for its answer: both are there then. What was raised or played back comes from
 * nobody who waits, and tells no process; what was spooled only does for a moment, and where all fits.
 *
 *   const pid = agentProcess(event, () => peerPid(fd))   // stored with the event, so that a rebuild knows it, too
 */
import type { HookEvent } from '../events/index.ts'
import { aboveShells, agentAbove, ancestorsOf, beganAt, cwdOf, isOurs, parentOf } from './process-tree.ts'

/** Who holds the other end of the connection, as the kernel says: see peer.ts. */
export type PeerPid = () => number | undefined

/**
 * Undefined where the event itself says it, or nothing can be said; 0 where what it says is not true here. `heardAt` is when
 * the session was last heard of.
 */
export function agentProcess(
  event: HookEvent,
  peer: PeerPid | undefined,
  heardAt?: number,
): number | undefined {
  if (event.sessionId === '') return undefined
  if (event.transport === 'http') return saidOverHttp(event)
  if (event.transport === 'spool') return spooledBy(event)
  if (event.transport !== 'socket' || event.client.pid === undefined) return undefined
  const client = peer?.()
  if (client === undefined) return undefined
  // Processes of a container have other numbers there than here.
  const isElsewhere = client !== event.client.pid
  const isFalse = isElsewhere || namesAnother(event, client)
  if (!isFalse && namesItself(event)) return undefined
  return above(event, client, heardAt) ?? (isFalse ? 0 : undefined)
}

/** A program that an agent runs inherits its environment, and anybody may set it: the agent is above its hooks. */
function namesAnother({ agent, client: { env } }: HookEvent, client: number): boolean {
  if (agent !== 'claude' || env.CLAUDE_PID === undefined) return false
  return !ancestorsOf(client).includes(Number(env.CLAUDE_PID))
}

const FOR_HOOK_MS = 2_000 // the hook clients of a script that passes hooks on are there a moment after it
const FRESH_MS = 10_000 // by then its number may be another process's

/** The hook that had the daemon started, and those before it: the agent is alive, and nobody else could tell. */
function spooledBy({ agent, at, receivedAt, cwd, client }: HookEvent): number | undefined {
  const { ppid } = client
  if (agent === 'opencode' || ppid === undefined || ppid <= 1 || receivedAt - at > FRESH_MS) return undefined
  if (cwd === undefined || cwdOf(ppid) !== cwd || (beganAt(ppid) ?? at + 1) > at) return undefined
  return isOurs(ppid) ? aboveShells(ppid) : undefined
}

function above(event: HookEvent, client: number, heardAt: number | undefined): number | undefined {
  if (client <= 1 || parentOf(client) < 0) return undefined
  if (event.agent === 'opencode') return client
  const said = saidIn(event)
  if (said !== undefined && ancestorsOf(client).includes(said)) return aboveShells(said)
  // A script that passes hooks on begins with each of them: younger than what the session said before.
  const isForHook = (pid: number) => {
    const began = heardAt === undefined ? undefined : beganAt(pid)
    return heardAt !== undefined && began !== undefined && began > heardAt && Date.now() - began < FOR_HOOK_MS
  }
  return agentAbove(client, isForHook)
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
