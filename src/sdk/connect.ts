/**
 * A program's connection to the daemon.
 *
 *   const gantry = await connect()
 *   for await (const event of gantry.subscribe({ type: 'Stop' })) console.log(event.sessionId, event.message)
 *   gantry.close()
 */
import { setMaxListeners } from 'node:events'
import { GantryError } from '../core/errors.ts'
import { places } from '../core/files/paths.ts'
import type {
  ApprovalView,
  CallArgs,
  CallName,
  EventQuery,
  SessionChange,
  Status,
  WireEvent,
} from '../rpc/index.ts'
import type { SessionView } from '../sessions/state/index.ts'
import { answer, approvalRequests, approvals } from './approvals.ts'
import { type Efforts, effortsOf } from './efforts.ts'
import { askByName, askDaemon, type CallOptions, type Link, type Waiting } from './link.ts'
import {
  type BusMessage,
  type ConsumerRequest,
  consume,
  type EventFilter,
  events,
  type MessageRequest,
  messages,
  type OpenMessage,
  sessionChanges,
} from './streams.ts'

export interface ConnectOptions extends Waiting {
  /** The daemon's folder; defaults to `GANTRY_HOME`, else the standard folders. */
  readonly home?: string | undefined
  /** Called when a loop finds the daemon gone, and when it is back. */
  readonly onState?: (state: 'here' | 'away') => void
}

export interface NewHandler {
  readonly id: string
  /** Event types, or `*`. */
  readonly events: readonly string[]
  /** Run with `/bin/sh -c`. */
  readonly command: string
  /** Lower numbers run first; default 50. */
  readonly priority?: number
}

export interface Gantry extends AsyncDisposable {
  status(options?: CallOptions): Promise<Status>
  /** Events as they are committed, or from a position in the journal on. */
  subscribe(filter?: EventFilter, waiting?: Waiting): AsyncGenerator<WireEvent, void>
  /** The newest matching events, oldest first. */
  events(query?: EventQuery & { readonly limit?: number }, options?: CallOptions): Promise<WireEvent[]>
  /** Messages of a bus stream. */
  messages(request?: MessageRequest, waiting?: Waiting): AsyncGenerator<BusMessage, void>
  /** A durable consumer: acknowledge each message; after a restart of either side it continues where it was. */
  consume(name: string, request?: ConsumerRequest, waiting?: Waiting): AsyncGenerator<OpenMessage, void>
  /** Sessions that need you come first. */
  sessions(filter?: { readonly all?: boolean }, options?: CallOptions): Promise<SessionView[]>
  /** By id, id prefix or name. */
  session(which: string, options?: CallOptions): Promise<SessionView>
  /** A snapshot of all sessions, then every session that changes. */
  sessionChanges(waiting?: Waiting): AsyncGenerator<SessionChange, void>
  rename(session: string, name: string, options?: CallOptions): Promise<SessionView>
  /** Marks the session as looked at. */
  seen(session: string, options?: CallOptions): Promise<SessionView>
  /** Pending permission requests, oldest first. */
  approvals(options?: CallOptions): Promise<readonly ApprovalView[]>
  /** Each pending request, then each new one. */
  approvalRequests(waiting?: Waiting): AsyncGenerator<ApprovalView, void>
  /** Lets the tool run. Throws if the request is already resolved, and for callers inside an agent. */
  approve(id: string, options?: CallOptions): Promise<ApprovalView>
  /** Denies the tool and tells the model why. */
  deny(id: string, message?: string, options?: CallOptions): Promise<ApprovalView>
  readonly efforts: Efforts
  /** Publishes an event of your own on the bus. */
  emit(event: string, payload?: object, options?: CallOptions): Promise<{ id: string; seq: number }>
  /** Registers a command that handles events; replaces one with the same id. */
  register(handler: NewHandler, options?: CallOptions): Promise<unknown>
  unregister(id: string, options?: CallOptions): Promise<unknown>
  /** Any call by name: see docs/calls.md. */
  call(name: string, args?: object, options?: CallOptions): Promise<unknown>
  /** Ends every loop, and every call with an error. */
  close(): void
}

/** Throws DAEMON_AWAY if no daemon runs, unless `wait` is set. */
export async function connect(options: ConnectOptions = {}): Promise<Gantry> {
  const { home, wait = false, signal, onState } = options
  const closing = new AbortController()
  setMaxListeners(0, closing.signal) // one listener per loop and call, each removed at its end
  const link: Link = {
    places: home === undefined ? places() : places(process.env, home),
    wait,
    closed: closing.signal,
    told: onState ?? (() => {}),
  }
  const leave = () => closing.abort(signal?.reason)
  signal?.addEventListener('abort', leave)
  if (signal?.aborted) leave()
  const close = () => {
    signal?.removeEventListener('abort', leave)
    closing.abort(new GantryError('USAGE', 'The connection was closed. Make another with connect().'))
  }
  const gantry = gantryOn(link, close)
  try {
    await gantry.status()
  } catch (error) {
    close()
    throw error
  }
  return gantry
}

function gantryOn(link: Link, close: () => void): Gantry {
  const read = <Name extends CallName>(name: Name, args: CallArgs<Name>, options?: CallOptions) =>
    askDaemon(link, name, args, { ...options, isRead: true })
  return {
    status: (options) => read('status', {}, options),
    subscribe: (filter = {}, waiting = {}) => events(link, filter, waiting),
    events: (query = {}, options) => read('events.list', query, options),
    messages: (request = {}, waiting = {}) => messages(link, request, waiting),
    consume: (name, request = {}, waiting = {}) => consume(link, name, request, waiting),
    sessions: (filter = {}, options) => read('sessions.list', filter, options),
    session: (which, options) => read('sessions.get', { session: which }, options),
    sessionChanges: (waiting = {}) => sessionChanges(link, waiting),
    rename: (session, name, options) => askDaemon(link, 'sessions.rename', { session, name }, options),
    seen: (session, options) => askDaemon(link, 'sessions.seen', { session }, options),
    approvals: (options) => approvals(link, options),
    approvalRequests: (waiting = {}) => approvalRequests(link, waiting),
    approve: (id, options) => answer(link, id, 'allow', undefined, options),
    deny: (id, message, options) => answer(link, id, 'deny', message, options),
    efforts: effortsOf(link),
    emit: (event, payload = {}, options) =>
      askDaemon(link, 'bus.emit', { event, payload: payload as Record<string, unknown> }, options),
    register: (handler, options) => askDaemon(link, 'bus.register', handler, options),
    unregister: (id, options) => askDaemon(link, 'bus.unregister', { id }, options),
    call: (name, args = {}, options) => askByName(link, name, args, options),
    close,
    [Symbol.asyncDispose]: async () => close(),
  }
}
