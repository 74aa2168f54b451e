/** One connection to the daemon: calls and subscriptions as JSON lines. */
import { lstatSync, statSync } from 'node:fs'
import { connect as netConnect, type Socket } from 'node:net'
import { resolve as absolute } from 'node:path'
import { GantryError } from '../core/errors.ts'
import type { Places } from '../core/files/paths.ts'
import { linesOf } from '../core/text/line-cutter.ts'
import { shellWord } from '../core/text/text.ts'
import type {
  CallArgs,
  CallName,
  CallResult,
  Envelope,
  EventQuery,
  SessionChange,
  WireEvent,
} from '../rpc/index.ts'
import { isSilent, silenceOf, wasStopped } from './silence.ts'
import { ENV_ALLOW_LIST } from './wire.ts'

const DEADLINE_STEPS = 4
const CONNECT_DEADLINE_MS = 1_000
const ANSWER_DEADLINE_MS = 30_000
const PROBE_AFTER_MS = 2_000 // few calls take this long; then the daemon is probed
const PROBE_MS = 8_000 // the machine may be busy

/** The calling agent and its `gantry run`: all that most calls pass on of their environment. */
const CALLER_VARIABLES = ['AGENT_ID', 'GANTRY_RUN_ID'] as const
/** A hook sent as a call passes on what a hook client does. */
const HOOK_VARIABLES = [...ENV_ALLOW_LIST, 'TMUX', 'TMUX_PANE'] as const

export interface CallOptions {
  readonly deadlineMs?: number
  /** Abandons the call and throws the signal's reason. A sent request may still be executed. */
  readonly signal?: AbortSignal | undefined
}

/** Arguments are optional if the call needs none. */
type CallRest<Name extends CallName> =
  Record<never, never> extends CallArgs<Name>
    ? [args?: CallArgs<Name>, options?: CallOptions]
    : [args: CallArgs<Name>, options?: CallOptions]

/**
 * One call, one answer. Throws DAEMON_AWAY if there is no daemon, else the call's own error.
 *
 *   const { events } = await call(places(), 'status')
 */
export async function call<Name extends CallName>(
  places: Places,
  name: Name,
  ...[args, options]: CallRest<Name>
): Promise<CallResult<Name>> {
  return (await callByName(places, name, args, options)) as CallResult<Name>
}

/** For names known only at run time. */
export async function callByName(
  places: Places,
  cmd: string,
  args: unknown = {},
  { deadlineMs = ANSWER_DEADLINE_MS, signal }: CallOptions = {},
): Promise<unknown> {
  signal?.throwIfAborted()
  const socket = await open(places)
  const leave = () => socket.destroy()
  signal?.addEventListener('abort', leave)
  try {
    signal?.throwIfAborted()
    socket.write(`${JSON.stringify({ cmd, args, ...callerEnvironment(cmd) })}\n`)
    const answer = within(firstLine(socket), deadlineMs, `The daemon did not answer "${cmd}"`)
    const line = await (deadlineMs > PROBE_AFTER_MS + PROBE_MS ? unlessSilent(answer, places) : answer)
    const envelope = JSON.parse(line) as Envelope
    if (envelope.ok) return envelope.data
    throw new GantryError(envelope.error, envelope.message, { details: envelope.details })
  } catch (error) {
    signal?.throwIfAborted()
    throw error
  } finally {
    signal?.removeEventListener('abort', leave)
    socket.destroy()
  }
}

/** Waits for a long call, but not for a daemon that answers nobody: a second request tells the two apart. */
function unlessSilent(answer: Promise<string>, places: Places): Promise<string> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const silence = new Promise<never>((_, reject) => {
    const say = () => {
      const { what, fix } = silenceOf(places)
      const message = `${what}. Meanwhile hooks spool their events. Try: ${fix}`
      reject(new GantryError('DEADLINE', message))
    }
    timer = setTimeout(() => {
      if (wasStopped(places)) say()
      else call(places, 'status', {}, { deadlineMs: PROBE_MS }).catch((error) => isSilent(error) && say())
    }, PROBE_AFTER_MS)
  })
  return Promise.race([answer, silence]).finally(() => clearTimeout(timer))
}

function callerEnvironment(cmd: string): { readonly env?: Readonly<Record<string, string>> } {
  const names = cmd.startsWith('hooks.') ? HOOK_VARIABLES : CALLER_VARIABLES
  const set = names.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : []))
  return set.length === 0 ? {} : { env: Object.fromEntries(set) }
}

/**
 * Events as they are committed, from `query.after` on, until the daemon goes away, the loop is left, or the signal aborts.
 * `begun` is called once the daemon has taken the request.
 *
 *   for await (const event of subscribe(places(), { type: 'Stop' })) …
 */
export async function* subscribe(
  places: Places,
  query: EventQuery,
  signal?: AbortSignal,
  begun?: () => void,
): AsyncGenerator<WireEvent> {
  for await (const message of messages(places, { sub: 'events', query }, signal)) {
    const { event } = message as { event?: WireEvent }
    if (event) yield event
    else begun?.()
  }
}

/**
 * All sessions at once, then each again whenever its visible state changes. Ends like `subscribe`.
 *
 *   for await (const change of subscribeSessions(places())) …
 */
export async function* subscribeSessions(
  places: Places,
  signal?: AbortSignal,
  begun?: () => void,
): AsyncGenerator<SessionChange> {
  for await (const message of messages(places, { sub: 'sessions' }, signal)) {
    const change = message as SessionChange | Envelope
    if ('snapshot' in change || 'session' in change) yield change
    else begun?.()
  }
}

async function* messages(places: Places, request: unknown, signal?: AbortSignal): AsyncGenerator<object> {
  const socket = await open(places)
  const leave = () => socket.destroy()
  signal?.addEventListener('abort', leave)
  try {
    if (signal?.aborted) return
    socket.write(`${JSON.stringify(request)}\n`)
    for await (const line of lines(socket)) {
      const message = JSON.parse(line) as object | Envelope
      if ('ok' in message && !message.ok) throw new GantryError(message.error, message.message)
      yield message
    }
  } finally {
    signal?.removeEventListener('abort', leave)
    socket.destroy()
  }
}

export async function open(places: Places): Promise<Socket> {
  const path = [places.socket, places.socketLink].find((at) => lstatSync(at, { throwIfNoEntry: false }))
  if (!path) throw away(places)
  const owner = statSync(path, { throwIfNoEntry: false })?.uid
  if (owner !== undefined && owner !== process.geteuid?.()) {
    throw new GantryError(
      'PERMISSION',
      `${path} belongs to another user. Set GANTRY_HOME to a folder of yours.`,
    )
  }
  const socket = netConnect(path)
  const connected = new Promise<Socket>((resolve, reject) => {
    socket.once('connect', () => resolve(socket))
    socket.on('error', (cause) => reject(away(places, cause))) // also handles later errors: readers see the end
  })
  try {
    return await within(connected, CONNECT_DEADLINE_MS, 'The daemon did not accept the connection')
  } catch (error) {
    socket.destroy()
    throw error
  }
}

async function firstLine(socket: Socket): Promise<string> {
  for await (const line of lines(socket)) return line
  const message = 'The daemon closed the connection. See "gantry status" and its log.'
  throw new GantryError('DAEMON_AWAY', message, { details: { sent: true } }) // it may have been executed, so it is not repeated
}

export function lines(socket: Socket): AsyncGenerator<string, void> {
  return linesOf(chunks(socket))
}

/** A killed daemon ends the connection with an error; for readers that is the end, too. */
async function* chunks(socket: Socket): AsyncGenerator<Buffer> {
  try {
    yield* socket as AsyncIterable<Buffer>
  } catch {
    return
  }
}

function within<T>(work: Promise<T>, ms: number, what: string): Promise<T> {
  const message = `${what} within ${ms / 1000} s. It may be stuck: see its log, or restart it with: gantry down && gantry up`
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    // In steps: if this process itself stands still, an answer that came meanwhile is read before the next step.
    const wait = (steps: number) => {
      timer = setTimeout(
        () => (steps > 1 ? wait(steps - 1) : reject(new GantryError('DEADLINE', message))),
        ms / DEADLINE_STEPS,
      )
    }
    wait(DEADLINE_STEPS)
  })
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}

/** Names a home that the environment does not: otherwise the next command would look elsewhere. */
function away({ home }: Places, cause?: unknown): GantryError {
  const { GANTRY_HOME: usual } = process.env
  const isUsual = home === undefined || (usual !== undefined && absolute(usual) === home)
  const [where, how] = isUsual ? ['', ''] : [` in ${home}`, ` --home ${shellWord(home)}`]
  const message = `The daemon is not running${where}. Start it with: gantry up${how}`
  return new GantryError('DAEMON_AWAY', message, { cause })
}
