/**
 * The Unix socket: hook frames, calls and subscriptions of one user. Frames, limits, answers; it knows nothing of
 * what they mean. The folder's permissions are the authentication: 0700, socket 0600.
 */
import { chmodSync, lstatSync, unlinkSync } from 'node:fs'
import type { Socket, UnixSocketListener } from 'bun'
import type { FleetBus, Subscriptions } from '../bus/index.ts'
import type { EventQuery } from '../client/protocol.ts'
import { GantryError } from '../errors.ts'
import { arrivalOf } from './arrivals.ts'
import { answerAtm, isAtmRequest } from './atm-protocol.ts'
import {
  type BusSubscription,
  isControl,
  refusalOf,
  subscribeToBus,
  subscribeToFleet,
} from './bus-subscription.ts'
import type { Feed } from './feed.ts'
import { FrameReader, type Message } from './frames.ts'
import type { Keeper } from './keeper.ts'
import type { Log } from './log.ts'
import type { Pipeline } from './pipeline.ts'
import type { RpcRegistry } from './rpc.ts'
import type { SessionFeed } from './session-feed.ts'
import { type Line, Turns } from './turns.ts'

export interface DoorOptions {
  readonly path: string
  readonly pipeline: Pipeline
  readonly rpc: RpcRegistry
  readonly feed: Feed
  readonly sessionFeed: SessionFeed
  readonly bus: Subscriptions
  readonly fleet: FleetBus
  readonly keeper: Keeper
  readonly log: Log
  readonly parseQuery: (value: unknown) => EventQuery
}

export interface Door {
  readonly connections: number
  /** No new connections; those that wait for an answer still get it. */
  close(): void
  /** Ends what is still connected. */
  end(): void
}

interface Connection {
  readonly reader: FrameReader
  /** Bytes that the other side had no room for yet. */
  out: Buffer[]
  outBytes: number
  calls: Promise<void>
  readonly hooks: Turns
  subscription?: { resume(): void; close(): void; control?: BusSubscription['control'] }
  closed: boolean
}

type Peer = Socket<Connection>

const SILENCE_LIMIT_S = 30 // a frame that does not complete; listeners are exempt
const LINGER_S = 4 // for a client to read why it was refused
const OUT_LIMIT_BYTES = 32 * 1024 * 1024
const HELD_LIMIT_BYTES = 128 * 1024 * 1024 // incomplete frames of all connections together
const SOCKET_PATH_LIMIT = 107 // sun_path on Linux, without its final zero

export function openDoor(options: DoorOptions): Door {
  const { path, log } = options
  makeWay(path)
  const peers = new Set<Peer>()
  let held = 0
  const server: UnixSocketListener<Connection> = Bun.listen<Connection>({
    unix: path,
    socket: {
      open(peer) {
        peer.data = {
          reader: new FrameReader(),
          out: [],
          outBytes: 0,
          calls: Promise.resolve(),
          hooks: new Turns(lineTo(peer, log)),
          closed: false,
        }
        peer.timeout(SILENCE_LIMIT_S)
        peers.add(peer)
      },
      data(peer, chunk) {
        const { reader } = peer.data
        held -= reader.pending
        const messages = reader.push(chunk)
        held += reader.pending
        for (const message of messages) serve(peer, message, options)
        if (held > HELD_LIMIT_BYTES) drop(peer, log, 'too many unfinished frames at once')
      },
      drain: flush,
      timeout(peer) {
        if (!peer.data.subscription) drop(peer, log, `no complete frame in ${SILENCE_LIMIT_S} s`)
      },
      close(peer) {
        const { data } = peer
        data.closed = true
        held -= data.reader.pending
        data.subscription?.close()
        data.hooks.close()
        peers.delete(peer)
      },
      error(_peer, error) {
        log.warn('door', `connection failed: ${error.message}`)
      },
    },
  })
  chmodSync(path, 0o600)
  return {
    get connections() {
      return peers.size
    },
    close: () => server.stop(false),
    end: () => {
      for (const peer of peers) peer.end()
      server.stop(true)
    },
  }
}

function serve(peer: Peer, message: Message, options: DoorOptions): void {
  switch (message.kind) {
    case 'hook':
      serveHook(peer, message, options)
      return
    case 'request':
      serveRequest(peer, message.request, options)
      return
    case 'bad': {
      options.log.warn('door', `bad frame: ${message.reason}`)
      send(peer, line({ ok: false, error: 'BAD_FRAME', message: message.reason }))
      // Closing with something unread would take the answer back; what still comes is read and forgotten.
      peer.shutdown()
      peer.timeout(LINGER_S)
    }
  }
}

function serveHook(peer: Peer, message: Extract<Message, { kind: 'hook' }>, options: DoorOptions): void {
  const { payload, cutFrom } = message
  const transport = message.header.replay === true ? 'replay' : 'socket'
  const delivery = { payload, transport, receivedAt: Date.now() } as const
  const arrival = arrivalOf(message.header, cutFrom === undefined ? delivery : { ...delivery, cutFrom })
  const { done, waiter } = peer.data.hooks.take(message.header)
  options.pipeline.take(arrival, done, waiter)
}

function serveRequest(peer: Peer, request: Record<string, unknown>, options: DoorOptions): void {
  if (request.sub === 'events' || request.sub === 'sessions') {
    serveSubscription(peer, request, options)
    return
  }
  if (request.sub === 'bus' || (isControl(request) && peer.data.subscription?.control)) {
    serveBus(peer, request, options)
    return
  }
  if (isAtmRequest(request)) {
    serveAtm(peer, request, options)
    return
  }
  if (typeof request.cmd !== 'string') {
    const message =
      'Neither a hook frame, nor a call {"cmd":…}, nor a subscription {"sub":"events"}, {"sub":"sessions"} or {"sub":"bus"}.'
    send(peer, line({ ok: false, error: 'BAD_FRAME', message }))
    return
  }
  // Answers carry no id, so they leave in the order the calls came.
  const { data } = peer
  data.calls = data.calls.then(async () => {
    const envelope = await options.rpc.call(request, () => descriptorOf(peer))
    send(peer, line(envelope))
  })
}

function serveSubscription(peer: Peer, request: Record<string, unknown>, options: DoorOptions): void {
  try {
    const sink = { send: (text: string) => send(peer, Buffer.from(text)) }
    const query = options.parseQuery(request.query ?? {})
    send(peer, line({ ok: true, data: null }))
    peer.timeout(0)
    peer.data.subscription?.close()
    peer.data.subscription =
      request.sub === 'sessions' ? options.sessionFeed.subscribe(sink) : options.feed.subscribe(query, sink)
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    send(peer, line({ ok: false, error: 'VALIDATION_ERROR', message }))
  }
}

function serveBus(peer: Peer, request: Record<string, unknown>, options: DoorOptions): void {
  const { data } = peer
  try {
    if (request.sub !== 'bus') {
      if (data.subscription?.control?.(request)) send(peer, line({ ok: true, data: null }))
      return
    }
    const fail = (error: unknown) => {
      send(peer, line(refusalOf(error)))
      peer.end()
    }
    const sink = { send: (bytes: Uint8Array) => send(peer, bytes as Buffer), fail }
    if (request.fleet !== true) {
      begin(peer, subscribeToBus(request, options.bus, sink))
      return
    }
    void subscribeToFleet(request, options.fleet, sink).then(
      (subscription) => begin(peer, subscription),
      (error) => send(peer, line(refusalOf(error))),
    )
  } catch (error) {
    send(peer, line(refusalOf(error)))
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

function serveAtm(peer: Peer, request: Record<string, unknown>, options: DoorOptions): void {
  const sink = { send: (text: string) => send(peer, Buffer.from(text)) }
  const { say, subscription, end } = answerAtm(request, options, sink)
  if (say !== undefined) send(peer, line(say))
  if (end) peer.end()
  if (!subscription) return
  peer.timeout(0)
  peer.data.subscription?.close()
  peer.data.subscription = subscription
}

function lineTo(peer: Peer, log: Log): Line {
  return {
    send: (bytes) => send(peer, bytes),
    hangUp: () => peer.end(),
    mayBeSilent: (may) => peer.timeout(may ? 0 : SILENCE_LIMIT_S),
    tooMany: () => drop(peer, log, 'too many hooks that wait for a reply'),
  }
}

/** False when the other side has no room left and the rest waits here. */
function send(peer: Peer, bytes: Buffer): boolean {
  const { data } = peer
  if (data.closed) return false
  if (data.out.length === 0) {
    const written = peer.write(bytes)
    if (written < 0) return false
    if (written === bytes.length) return true
    bytes = bytes.subarray(written)
  }
  // One answer may be as large as it is; what must not grow is the pile of a reader who does not read.
  if (data.outBytes > OUT_LIMIT_BYTES) {
    peer.terminate()
    return false
  }
  data.out.push(bytes)
  data.outBytes += bytes.length
  return false
}

function flush(peer: Peer): void {
  const { data } = peer
  while (data.out.length > 0) {
    const bytes = data.out[0] ?? Buffer.alloc(0)
    const written = peer.write(bytes)
    if (written < 0) return
    data.outBytes -= written
    if (written < bytes.length) {
      data.out[0] = bytes.subarray(written)
      return
    }
    data.out.shift()
  }
  data.subscription?.resume()
}

/** Bun has it on every socket and leaves it out of its types (1.4.4). */
function descriptorOf(peer: Peer): number {
  const { fd } = peer as unknown as { fd?: unknown }
  return typeof fd === 'number' ? fd : -1
}

function drop(peer: Peer, log: Log, why: string): void {
  log.warn('door', `connection closed: ${why}`)
  peer.terminate()
}

/** Whoever holds the daemon's lock may remove a socket that a dead daemon left; never anything else. */
function makeWay(path: string): void {
  if (Buffer.byteLength(path) > SOCKET_PATH_LIMIT) {
    const message = `The socket path is longer than the system allows (${SOCKET_PATH_LIMIT} bytes): ${path}. `
    throw new GantryError('PATH_TOO_LONG', `${message}Set GANTRY_HOME to a shorter folder.`)
  }
  const there = lstatSync(path, { throwIfNoEntry: false })
  if (!there) return
  if (!there.isSocket()) {
    throw new GantryError(
      'START_FAILED',
      `${path} is in the way and not a socket. Move it away and try again.`,
    )
  }
  unlinkSync(path)
}

function line(value: unknown): Buffer {
  return Buffer.from(`${JSON.stringify(value)}\n`)
}
