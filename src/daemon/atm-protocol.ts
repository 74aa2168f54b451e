/**
 * The socket protocol of agent-tmux-monitor (version 1.0): JSON lines with a `type`. Its clients see gantry's sessions
 * in their own three states, sub-agents as child sessions, and a session that ended as removed.
 *
 *   → {"protocol_version":{"major":1,"minor":0},"type":"list_sessions"}
 *   ← {"type":"session_list","sessions":[…]}
 */
import { type AtmStatus, atm, childPhase, isStale, type Phase, type Session } from '../sessions/index.ts'
import type { Sink } from './feed.ts'
import type { Keeper } from './keeper.ts'
import type { SessionFeed } from './session-feed.ts'

const VERSION = { major: 1, minor: 0 }

type Request = Readonly<Record<string, unknown>>

export interface AtmParts {
  readonly keeper: Keeper
  readonly sessionFeed: SessionFeed
}

export interface Subscribed {
  resume(): void
  close(): void
}

export interface AtmAnswer {
  readonly say?: unknown
  readonly subscription?: Subscribed
  readonly end?: boolean
}

export function isAtmRequest(request: Request): boolean {
  return typeof request.type === 'string' && typeof request.protocol_version === 'object'
}

export function answerAtm(request: Request, parts: AtmParts, sink: Sink): AtmAnswer {
  const { major } = (request.protocol_version ?? {}) as { major?: unknown }
  if (major !== VERSION.major) {
    const reason = `gantry speaks version ${VERSION.major}.${VERSION.minor} of this protocol`
    return { say: { type: 'rejected', reason, protocol_version: VERSION } }
  }
  switch (request.type) {
    case 'connect': {
      const client = typeof request.client_id === 'string' ? request.client_id : crypto.randomUUID()
      return { say: { type: 'connected', protocol_version: VERSION, client_id: client } }
    }
    case 'list_sessions':
      return {
        say: {
          type: 'session_list',
          sessions: [...parts.keeper.fleet.all()].flatMap((one) => atmViews(one)),
        },
      }
    case 'subscribe':
      return { subscription: subscribe(request.session_id, parts, sink) }
    case 'unsubscribe':
      return { subscription: { resume: () => {}, close: () => {} } }
    case 'ping':
      return { say: { type: 'pong', seq: request.seq ?? 0 } }
    case 'discover':
      return { say: { type: 'discovery_complete', discovered: parts.keeper.fleet.size, failed: 0 } }
    case 'disconnect':
      return { end: true }
    default:
      return {
        say: {
          type: 'error',
          message: `gantry does not answer "${String(request.type)}" here`,
          code: 'unsupported',
        },
      }
  }
}

/** Each change of a session as `session_updated`, its end and that of a sub-agent as `session_removed`. */
function subscribe(only: unknown, { keeper, sessionFeed }: AtmParts, sink: Sink): Subscribed {
  // What the client may have listed before it subscribed is known to it, too.
  const shown = new Map<string, readonly string[]>()
  for (const session of keeper.fleet.all()) shown.set(session.key, atmViews(session).map(idOf))
  const translate = (line: string): boolean => {
    const { session: changed } = JSON.parse(line) as { session?: { key: string; id: string } }
    if (!changed || (typeof only === 'string' && changed.id !== only)) return true
    const session = keeper.fleet.get(changed.key)
    const views = session ? atmViews(session) : []
    const ids = views.map(idOf)
    const gone = (shown.get(changed.key) ?? []).filter((id) => !ids.includes(id))
    if (ids.length > 0) shown.set(changed.key, ids)
    else shown.delete(changed.key)
    const lines = [
      ...views.map((view) => ({ type: 'session_updated', session: view })),
      ...gone.toReversed().map((id) => ({ type: 'session_removed', session_id: id })), // children first
    ]
    return lines.length === 0 || sink.send(lines.map((one) => `${JSON.stringify(one)}\n`).join(''))
  }
  return sessionFeed.subscribe({ send: translate })
}

function idOf({ id }: AtmView): string {
  return id
}

type AtmView = Readonly<Record<string, unknown>> & { readonly id: string }

/** The session and its sub-agents, as that tool shows them; nothing for one that ended. */
export function atmViews(session: Session, now = Date.now()): AtmView[] {
  const status = atm(session)
  if (!status) return []
  const view = {
    id: session.id,
    agent_type: session.agent,
    model: session.model ?? null,
    ...statusFields(status),
    context_percentage: session.usage.contextPct ?? 0,
    cost_usd: session.usage.costUsd ?? 0,
    working_directory: session.cwd ?? null,
    tmux_pane: session.pane ?? null,
    pid: session.pid ?? null,
    is_stale: isStale(session, now),
    started_at: new Date(session.startedAt).toISOString(),
    last_activity: new Date(session.lastActivity).toISOString(),
    parent_session_id: session.parentSessionId ?? null,
    agent_id: null as string | null,
  }
  const children = session.children
    .filter((child) => child.endedAt === undefined)
    .map((child) => {
      const status = childStatus(childPhase(session, child.agentId), child.type)
      const own = {
        id: `${session.id}/${child.agentId}`,
        agent_id: child.agentId,
        parent_session_id: session.id,
      }
      return { ...view, ...statusFields(status), ...own, agent_type: child.type }
    })
  return [view, ...children]
}

function childStatus(phase: Phase, type: string): AtmStatus {
  if (phase === 'blocked') return { status: 'AttentionNeeded', reason: 'Permission' }
  return phase === 'idle' ? { status: 'Idle' } : { status: 'Working', detail: type }
}

function statusFields(status: AtmStatus): {
  status: string
  activity_detail: string | null
  needs_attention: boolean
} {
  switch (status.status) {
    case 'Idle':
      return { status: 'idle', activity_detail: null, needs_attention: false }
    case 'Working':
      return { status: 'working', activity_detail: status.detail, needs_attention: false }
    case 'AttentionNeeded':
      return { status: 'attention_needed', activity_detail: status.reason, needs_attention: true }
  }
}
