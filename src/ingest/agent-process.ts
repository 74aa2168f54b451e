/**
 * Finds the process of the agent that sent an event. A hook client knows only its parent, often a shell that ends with it,
 * so the daemon looks while the client waits for its answer: then both exist. Raised and replayed events have no waiting
 * sender and no process. For spooled events the process is known only for a moment, and only if everything matches.
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
import { type HookEvent, keyOf } from '../events/index.ts'
import { pidOf, type Session } from '../sessions/state/index.ts'

/** The peer of the connection, according to the kernel: see peer.ts. */
export type PeerPid = () => number | undefined

// A search in /proc takes 100 µs: not for every hook of a session without a visible process. Each one that finds the same
// doubles the wait for the next.
const LOOK_AGAIN_MS = 2_000
const LOOK_RARELY_MS = 32_000
const MAX_REMEMBERED = 5_000

interface Look {
  readonly said: number | undefined
  readonly found: number | undefined
  readonly at: number
  /** Until the next one. */
  readonly restMs: number
}

/** Searches once, and again if nothing watchable was found, but not for every hook. */
export class AgentProcesses {
  readonly #looks = new Map<string, Look>()

  /** `isWatched`: the session's process is known and alive. */
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
    // A found process that cannot be watched has ended: it existed for one hook.
    const isGone = last?.found !== undefined && last.found > 0 && !isWatched()
    if (last && !isGone && last.said === said && now - last.at < last.restMs) return last.found
    const found = agentProcess(event, peer, isStart ? undefined : session?.lastActivity)
    if (this.#looks.size >= MAX_REMEMBERED) this.#looks.clear()
    const isSame = last && last.said === said && last.found === found && !isGone
    const restMs = isSame ? Math.min(2 * last.restMs, LOOK_RARELY_MS) : LOOK_AGAIN_MS
    if (isLive) this.#looks.set(key, { said, found, at: now, restMs })
    return found
  }
}

/**
 * Undefined if the event itself names the process, or it is unknown; 0 if the named process is wrong here. `heardAt` is the
 * time of the session's last event.
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
  // Processes in a container have different pids there.
  const isElsewhere = client !== event.client.pid
  const isFalse = isElsewhere || namesAnother(event, client)
  if (!isFalse && namesItself(event)) return undefined
  return above(event, client, heardAt) ?? (isFalse ? 0 : undefined)
}

/**
 * A program that an agent runs inherits its environment, and anybody may set it: the real agent is an ancestor of its
 * hooks.
 */
function namesAnother({ agent, client: { env } }: HookEvent, client: number): boolean {
  const named = pidIn(agent, env)
  return named !== undefined && !ancestorsOf(client).includes(Number(named))
}

const FOR_HOOK_MS = 2_000 // a script that forwards hooks starts its hook clients within this time
const FRESH_MS = 10_000 // later the pid may belong to another process

/** For the hook that started the daemon and those before it: the agent is alive, and nothing else tells its process. */
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
  // A script that forwards hooks starts anew for each: it is younger than the session's last event.
  const isForHook = (pid: number) => {
    const began = heardAt === undefined ? undefined : beganAt(pid)
    return heardAt !== undefined && began !== undefined && began > heardAt && Date.now() - began < FOR_HOOK_MS
  }
  return agentAbove(client, isForHook)
}

/** The agent's hooks run in its process, or know its pid. */
function namesItself({ agent, client }: HookEvent): boolean {
  return factsOf(agent).inProcess === true || pidIn(agent, client.env) !== undefined
}

/** Without a client to start from, any live process of this user is accepted. */
function saidOverHttp(event: HookEvent): number | undefined {
  const said = saidIn(event)
  return said !== undefined && isOurs(said) ? aboveShells(said) : undefined
}

/** Other tools' hook scripts put the process into the payload, which may contain anything. */
function saidIn({ fields }: HookEvent): number | undefined {
  const pid = fields?.pid
  return typeof pid === 'number' && Number.isSafeInteger(pid) && pid > 1 ? pid : undefined
}
