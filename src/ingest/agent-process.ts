/**
 * The process of the agent that sent an event. A hook client knows only its parent, often a shell that ends with it, so
 * the daemon looks while the client waits for its answer: both are there then. What was raised or played back comes from
 * nobody who waits, and tells no process; what was spooled only does for a moment, and where all fits.
 *
 *   const pid = agentProcess(event, () => peerPid(fd))   // stored with the event, so that a rebuild knows it, too
 */
import { factsOf, pidIn } from '../agents/facts.ts'
import {
  aboveShells,
  agentAbove,
  ancestorsOf,
  beganAt,
  cwdOf,
  isOurs,
  parentOf,
} from '../core/processes/process-tree.ts'
import type { HookEvent } from '../events/index.ts'
import { keyOf, pidOf, type Session } from '../sessions/state/index.ts'

/** Who holds the other end of the connection, as the kernel says: see peer.ts. */
export type PeerPid = () => number | undefined

const LOOK_AGAIN_MS = 2_000 // a look climbs through /proc for 100 µs: not under every hook of a session that shows nobody
const MAX_REMEMBERED = 5_000

/** Looks once, and again where that has shown nothing that can be watched, but not with every hook. */
export class AgentProcesses {
  readonly #looks = new Map<
    string,
    { readonly said: number | undefined; readonly found: number | undefined; readonly at: number }
  >()

  /** `isWatched`: the process of the session is known, and lives. */
  locate(
    event: HookEvent,
    peer: PeerPid | undefined,
    session: Session | undefined,
    isWatched: () => boolean,
  ): number | undefined {
    const isStart = event.type === 'SessionStart'
    const said = pidOf(event)
    if (!isStart && session && (said ?? session.pid) === session.pid && isWatched()) return undefined
    const key = keyOf(event)
    const isLive = event.transport === 'socket'
    const mayRepeat = isLive && !isStart && session?.endedAt === undefined
    const last = mayRepeat ? this.#looks.get(key) : undefined
    const now = performance.now()
    // What was found and cannot be watched has ended: it was there for one hook.
    const isGone = last?.found !== undefined && last.found > 0 && !isWatched()
    if (last && !isGone && last.said === said && now - last.at < LOOK_AGAIN_MS) return last.found
    const found = agentProcess(event, peer, isStart ? undefined : session?.lastActivity)
    if (this.#looks.size >= MAX_REMEMBERED) this.#looks.clear()
    if (isLive) this.#looks.set(key, { said, found, at: now })
    return found
  }
}

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
  const named = pidIn(agent, env)
  return named !== undefined && !ancestorsOf(client).includes(Number(named))
}

const FOR_HOOK_MS = 2_000 // the hook clients of a script that passes hooks on are there a moment after it
const FRESH_MS = 10_000 // by then its number may be another process's

/** The hook that had the daemon started, and those before it: the agent is alive, and nobody else could tell. */
function spooledBy({ agent, at, receivedAt, cwd, client }: HookEvent): number | undefined {
  const { ppid } = client
  if (factsOf(agent).inProcess || ppid === undefined || ppid <= 1) return undefined
  if (receivedAt - at > FRESH_MS) return undefined
  if (cwd === undefined || cwdOf(ppid) !== cwd || (beganAt(ppid) ?? at + 1) > at) return undefined
  return isOurs(ppid) ? aboveShells(ppid) : undefined
}

function above(event: HookEvent, client: number, heardAt: number | undefined): number | undefined {
  if (client <= 1 || parentOf(client) < 0) return undefined
  if (factsOf(event.agent).inProcess) return client
  const said = saidIn(event)
  if (said !== undefined && ancestorsOf(client).includes(said)) return aboveShells(said)
  // A script that passes hooks on begins with each of them: younger than what the session said before.
  const isForHook = (pid: number) => {
    const began = heardAt === undefined ? undefined : beganAt(pid)
    return heardAt !== undefined && began !== undefined && began > heardAt && Date.now() - began < FOR_HOOK_MS
  }
  return agentAbove(client, isForHook)
}

/** Its hooks are in the process, or are told which one it is. */
function namesItself({ agent, client }: HookEvent): boolean {
  return factsOf(agent).inProcess === true || pidIn(agent, client.env) !== undefined
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
