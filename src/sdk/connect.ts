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
  /** The folder of the daemon; `GANTRY_HOME`, else the usual places, when left out. */
  readonly home?: string | undefined
  /** Told when a loop finds the daemon gone, and back. */
  readonly onState?: (state: 'here' | 'away') => void
}

export interface NewHandler {
  readonly id: string
  /** Types, or `*`. */
  readonly events: readonly string[]
  /** For `/bin/sh -c`. */
  readonly command: string
  /** The lowest is asked first; 50 when left out. */
  readonly priority?: number
}

export interface Gantry extends AsyncDisposable {
  status(options?: CallOptions): Promise<Status>
  /** Events as they are committed, or from a place in the journal on. */
  subscribe(filter?: EventFilter, waiting?: Waiting): AsyncGenerator<WireEvent, void>
  /** The newest events that pass, oldest first. */
  events(query?: EventQuery & { readonly limit?: number }, options?: CallOptions): Promise<WireEvent[]>
  /** Messages of a stream of the bus. */
  messages(request?: MessageRequest, waiting?: Waiting): AsyncGenerator<BusMessage, void>
  /** The same under a name: acknowledge each, and go on where it was, whichever side was restarted. */
  consume(name: string, request?: ConsumerRequest, waiting?: Waiting): AsyncGenerator<OpenMessage, void>
  /** Those that need you first. */
  sessions(filter?: { readonly all?: boolean }, options?: CallOptions): Promise<SessionView[]>
  /** By its id, the beginning of one, or its name. */
  session(which: string, options?: CallOptions): Promise<SessionView>
  /** All sessions at once, then each one that changes. */
  sessionChanges(waiting?: Waiting): AsyncGenerator<SessionChange, void>
  rename(session: string, name: string, options?: CallOptions): Promise<SessionView>
  /** Marks it as looked at. */
  seen(session: string, options?: CallOptions): Promise<SessionView>
  /** Permissions that wait for an answer, oldest first. */
  approvals(options?: CallOptions): Promise<readonly ApprovalView[]>
  /** Each that waits now, then each that comes. */
  approvalRequests(waiting?: Waiting): AsyncGenerator<ApprovalView, void>
  /** The tool runs. Throws what became of it when it is over already, and for whoever runs inside an agent. */
  approve(id: string, options?: CallOptions): Promise<ApprovalView>
  /** The tool does not run, and the model is told why. */
  deny(id: string, message?: string, options?: CallOptions): Promise<ApprovalView>
  readonly efforts: Efforts
  /** Puts an event of your own on the bus. */
  emit(event: string, payload?: object, options?: CallOptions): Promise<{ id: string; seq: number }>
  /** Has a command asked about events, in place of one with the same id. */
  register(handler: NewHandler, options?: CallOptions): Promise<unknown>
  unregister(id: string, options?: CallOptions): Promise<unknown>
  /** Any call by its name: see docs/calls.md. */
  call(name: string, args?: object, options?: CallOptions): Promise<unknown>
  /** Ends every loop, and every call with an error. */
  close(): void
}

/** Throws DAEMON_AWAY when nobody is there, unless told to wait. */
export async function connect(options: ConnectOptions = {}): Promise<Gantry> {
  const { home, wait = false, signal, onState } = options
  const closing = new AbortController()
  setMaxListeners(0, closing.signal) // one for each loop and call, and each takes its own away again
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
