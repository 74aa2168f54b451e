/**
 * The socket protocol of agent-tmux-monitor (version 1.0): JSON lines with a `type`. Its clients see gantry's sessions
 * in their own three states, sub-agents as child sessions, and an ended session as removed. What its hook script relays
 * (`hook_event`, `status_update`) is an ordinary event that nobody waits for.
 *
 *   → {"protocol_version":{"major":1,"minor":0},"type":"list_sessions"}
 *   ← {"type":"session_list","sessions":[…]}
 */
import { DEFAULT_AGENT } from '../../agents/facts.ts'
import { newId, type RawEvent } from '../../events/index.ts'
import type { Pipeline } from '../../ingest/index.ts'
import type { Sink } from '../../journal/index.ts'
import type { SessionFeed, SessionTracker } from '../../sessions/index.ts'
import type { Session } from '../../sessions/state/index.ts'
import { type AtmView, atmViews } from './atm-view.ts'

const VERSION = { major: 1, minor: 0 }

type Request = Readonly<Record<string, unknown>>

interface AtmParts {
  readonly tracker: SessionTracker
  readonly sessionFeed: SessionFeed
  readonly pipeline: Pipeline
}

export interface Subscribed {
  resume(): void
  close(): void
}

interface AtmAnswer {
  readonly say?: unknown
  readonly subscription?: Subscribed
  readonly end?: boolean
}

export function isAtmRequest(request: Request): boolean {
  return typeof request.type === 'string' && typeof request.protocol_version === 'object'
}

export function answerAtm(request: Request, parts: AtmParts, sink: Sink<string>): AtmAnswer {
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
      return { say: listed(parts) }
    case 'subscribe':
      return { say: listed(parts), subscription: subscribe(request.session_id, parts, sink) }
    case 'hook_event':
    case 'status_update':
      return relay(request.type, request.data, parts)
    case 'unsubscribe':
      return { subscription: { resume: () => {}, close: () => {} } }
    case 'ping':
      return { say: { type: 'pong', seq: request.seq ?? 0 } }
    case 'discover':
      return { say: { type: 'discovery_complete', discovered: parts.tracker.sessions.size, failed: 0 } }
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

function listed({ tracker, sessionFeed }: AtmParts): unknown {
  return {
    type: 'session_list',
    sessions: [...tracker.sessions.all()].flatMap((one) => viewsOf(one, sessionFeed)),
  }
}

function viewsOf(session: Session, feed: SessionFeed): AtmView[] {
  return atmViews(session, feed.locationOf(session.cwd))
}

/**
 * A payload of Claude Code, plus where the script ran. Without that addition it equals what the agent's own hook sends.
 */
function relay(kind: 'hook_event' | 'status_update', data: unknown, { pipeline }: AtmParts): AtmAnswer {
  const { pid, tmux_pane: pane, ...payload } = (data ?? {}) as Record<string, unknown>
  const missing = [
    ...(isName(payload.session_id) ? [] : ['session_id']),
    ...(kind === 'status_update' || isName(payload.hook_event_name) ? [] : ['hook_event_name']),
  ]
  if (missing.length > 0)
    return { say: { type: 'error', message: `Missing ${missing.join(' and ')} in data`, code: 'invalid' } }
  const now = Date.now()
  const rawEvent: RawEvent = {
    id: newId(),
    at: now,
    receivedAt: now,
    agent: DEFAULT_AGENT,
    ...(kind === 'status_update' ? { event: 'statusLine' } : {}),
    client: {
      env: {},
      ...(Number.isSafeInteger(pid) && Number(pid) > 1 ? { agentPid: Number(pid) } : {}),
      ...(typeof pane === 'string' && /^%\d{1,9}$/.test(pane) ? { pane } : {}),
    },
    transport: 'relay',
    raw: JSON.stringify(payload),
  }
  pipeline.take(rawEvent, () => {})
  return {}
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}

/** Each change of a session as `session_updated`, its end and that of a sub-agent as `session_removed`. */
function subscribe(only: unknown, { tracker, sessionFeed }: AtmParts, sink: Sink<string>): Subscribed {
  // What the client may have listed before it subscribed is known to it, too.
  const shown = new Map<string, readonly string[]>()
  for (const session of tracker.sessions.all())
    shown.set(session.key, viewsOf(session, sessionFeed).map(idOf))
  const translate = (line: string): boolean => {
    const { session: changed } = JSON.parse(line) as { session?: { key: string; id: string } }
    if (!changed || (typeof only === 'string' && changed.id !== only)) return true
    const session = tracker.sessions.get(changed.key)
    const views = session ? viewsOf(session, sessionFeed) : []
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
