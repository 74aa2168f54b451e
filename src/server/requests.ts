/** JSON lines on a connection: calls, subscriptions, and the protocol of agent-tmux-monitor. */
import type { HostsBus, HostsLink, Subscriptions } from '../bus/index.ts'
import { messageOf } from '../core/errors.ts'
import { lazy } from '../core/lazy.ts'
import type { Pipeline } from '../ingest/index.ts'
import type { Feed } from '../journal/index.ts'
import { type Caller, EncodedAnswer, type EventQuery, GUARDED_CALLS, type RpcRegistry } from '../rpc/index.ts'
import { dialectOf, type SessionFeed, type SessionTracker } from '../sessions/index.ts'
import {
  type BusSubscription,
  isControl,
  refusalOf,
  subscribeToBus,
  subscribeToFleet,
} from './bus-subscription.ts'
import { answerAtm, isAtmRequest } from './compat/atm-protocol.ts'
import { descriptorOf, line, type Peer, send } from './connection.ts'

export interface RequestOptions {
  readonly pipeline: Pipeline
  readonly rpc: RpcRegistry
  readonly feed: Feed
  readonly sessionFeed: SessionFeed
  readonly bus: Subscriptions
  readonly hosts: HostsBus
  readonly hostsLink: HostsLink
  readonly tracker: SessionTracker
  readonly parseQuery: (value: unknown) => EventQuery
}

/** Of agent-tmux-monitor: these need all sessions. */
const ATM_LISTS: ReadonlySet<unknown> = new Set(['list_sessions', 'subscribe'])

export function serveRequest(peer: Peer, request: Record<string, unknown>, options: RequestOptions): void {
  if (request.sub === 'events' || request.sub === 'sessions') {
    serveSubscription(peer, request, options)
    return
  }
  if (request.sub === 'bus' || (isControl(request) && peer.data.subscription?.control)) {
    serveBus(peer, request, options)
    return
  }
  if (isAtmRequest(request)) {
    const { isWhole, whole } = options.tracker
    if (isWhole || !ATM_LISTS.has(request.type)) serveAtm(peer, request, options)
    else void whole.then(() => serveAtm(peer, request, options))
    return
  }
  if (typeof request.cmd !== 'string') {
    const message =
      'Neither a hook frame, nor a call {"cmd":…}, nor a subscription {"sub":"events"}, {"sub":"sessions"} or {"sub":"bus"}.'
    send(peer, line({ ok: false, error: 'BAD_FRAME', message }))
    return
  }
  // Now, while the connection is open: before the call's turn comes, the caller may disconnect and end.
  const caller = GUARDED_CALLS.has(request.cmd) ? callerOf(peer, options) : undefined
  // Replies carry no id, so they are sent in the order of the calls.
  const { data } = peer
  data.hungUp ??= new AbortController()
  const { signal } = data.hungUp
  data.calls = data.calls.then(async () => {
    const answer = await options.rpc.call(request, { caller, signal })
    send(peer, answer instanceof EncodedAnswer ? answer.line : line(answer))
  })
}

/** The foreign function interface is loaded with the first call that needs it, not at the start. */
const callers = lazy(() => require('./caller.ts') as typeof import('./caller.ts'))

function callerOf(peer: Peer, { tracker }: RequestOptions): Caller {
  tracker.loadAll() // an agent must be known as one
  return callers().callerAt(descriptorOf(peer), tracker.sessions.all())
}

function serveSubscription(peer: Peer, request: Record<string, unknown>, options: RequestOptions): void {
  try {
    const fail = failing(peer)
    const query = options.parseQuery(request.query ?? {})
    const dialect = dialectOf(request.dialect)
    send(peer, line({ ok: true, data: null }))
    peer.timeout(0)
    peer.data.subscription?.close()
    peer.data.subscription =
      request.sub === 'sessions'
        ? options.sessionFeed.subscribe({ send: (text) => send(peer, Buffer.from(text)), fail }, dialect)
        : options.feed.subscribe(query, { send: (bytes) => send(peer, bytes as Buffer), fail })
  } catch (error) {
    const message = messageOf(error)
    send(peer, line({ ok: false, error: 'VALIDATION_ERROR', message }))
  }
}

function serveBus(peer: Peer, request: Record<string, unknown>, options: RequestOptions): void {
  const { data } = peer
  try {
    if (request.sub !== 'bus') {
      if (data.subscription?.control?.(request)) send(peer, line({ ok: true, data: null }))
      return
    }
    const sink = { send: (bytes: Uint8Array) => send(peer, bytes as Buffer), fail: failing(peer) }
    if (request.fleet !== true) {
      begin(peer, subscribeToBus(request, options.bus, sink))
      return
    }
    void subscribeToFleet(request, options, sink).then(
      (subscription) => begin(peer, subscription),
      (error) => send(peer, line(refusalOf(error))),
    )
  } catch (error) {
    send(peer, line(refusalOf(error)))
  }
}

/** Tells a subscriber that the feed failed, instead of letting it wait forever. */
function failing(peer: Peer): (error: unknown) => void {
  return (error) => {
    send(peer, line(refusalOf(error)))
    peer.end()
  }
}

function begin(peer: Peer, subscription: BusSubscription): void {
  const { data } = peer
  if (data.closed) {
    subscription.close()
    return
  }
  send(peer, line({ ok: true, data: subscription.welcome }))
  peer.timeout(0)
  data.subscription?.close()
  data.subscription = subscription
  subscription.resume()
}

function serveAtm(peer: Peer, request: Record<string, unknown>, options: RequestOptions): void {
  const sink = { send: (text: string) => send(peer, Buffer.from(text)) }
  const { say, subscription, end } = answerAtm(request, options, sink)
  if (say !== undefined) send(peer, line(say))
  if (end) peer.end()
  if (!subscription) return
  peer.timeout(0)
  peer.data.subscription?.close()
  peer.data.subscription = subscription
}
