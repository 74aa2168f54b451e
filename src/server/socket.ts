/**
 * The Unix socket for hook frames, calls and subscriptions of one user. It handles framing, limits and replies, not
 * their meaning. The file permissions are the authentication: folder 0700, socket 0600.
 */
import { chmodSync, lstatSync, unlinkSync } from 'node:fs'
import type { UnixSocketListener } from 'bun'
import { SOCKET_MODE } from '../client/wire.ts'
import { GantryError } from '../core/errors.ts'
import { lazy } from '../core/lazy.ts'
import type { Log } from '../core/log.ts'
import { type ClientMessage, FrameReader, type HookPeer, ReplyQueue, rawEventOf } from '../ingest/index.ts'
import { type Connection, descriptorOf, drop, flush, line, type Peer, send } from './connection.ts'
import { type RequestOptions, serveRequest } from './requests.ts'

export interface DoorOptions extends RequestOptions {
  readonly path: string
  readonly log: Log
}

export interface Door {
  readonly connections: number
  /** Accepts no new connections; waiting ones still get their answer. */
  close(): void
  /** Closes the remaining connections. */
  end(): void
}

const SILENCE_LIMIT_S = 30 // for an incomplete frame; subscribers are exempt
const LINGER_S = 8 // for a client to read why it was refused; the runtime counts in steps of 4 s, the first of which may be short
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
          hooks: new ReplyQueue(lineTo(peer, log)),
          kept: false,
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
        peer.data.kept ||= messages.some((one) => one.kind === 'hook' && one.header.keep === true)
        // The runtime counts from the last call of timeout(), not from the last byte.
        if ((messages.length > 0 || peer.data.kept) && !peer.data.subscription) peer.timeout(silenceOf(peer))
        for (const message of messages) serve(peer, message, options)
        if (held > HELD_LIMIT_BYTES) drop(peer, log, 'too many incomplete frames at once')
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
        data.hungUp?.abort()
        data.hooks.close()
        peers.delete(peer)
      },
      error(_peer, error) {
        log.warn('door', `connection failed: ${error.message}`)
      },
    },
  })
  chmodSync(path, SOCKET_MODE)
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

function serve(peer: Peer, message: ClientMessage, options: DoorOptions): void {
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
      // Closing with unread input would discard the answer; further input is read and ignored.
      peer.shutdown()
      peer.timeout(LINGER_S)
    }
  }
}

function serveHook(
  peer: Peer,
  message: Extract<ClientMessage, { kind: 'hook' }>,
  options: DoorOptions,
): void {
  const { payload, cutFrom } = message
  const transport = message.header.replay === true ? 'replay' : 'socket'
  const delivery = { payload, transport, receivedAt: Date.now() } as const
  const rawEvent = rawEventOf(message.header, cutFrom === undefined ? delivery : { ...delivery, cutFrom })
  const { done, waiter } = peer.data.hooks.take(message.header)
  options.pipeline.take(rawEvent, done, { ...waiter, peer: () => pidOf(peer) })
}

/** The foreign function interface is loaded with the first session, not at the start. */
const peers = lazy(() => require('./peer.ts') as typeof import('./peer.ts'))

function pidOf(peer: Peer): number | undefined {
  return peers().peerPid(descriptorOf(peer))
}

function lineTo(peer: Peer, log: Log): HookPeer {
  return {
    send: (bytes) => send(peer, bytes),
    hangUp: () => peer.end(),
    mayBeSilent: (may) => peer.timeout(may ? 0 : silenceOf(peer)),
    tooMany: () => drop(peer, log, 'too many hooks that wait for a reply'),
  }
}

/** In seconds; 0 is no limit. */
function silenceOf({ data }: Peer): number {
  return data.kept && data.reader.pending === 0 ? 0 : SILENCE_LIMIT_S
}

/** The holder of the daemon's lock may remove a dead daemon's socket, but nothing else. */
function makeWay(path: string): void {
  if (Buffer.byteLength(path) > SOCKET_PATH_LIMIT) {
    const message = `The socket path is longer than the system allows (${SOCKET_PATH_LIMIT} bytes): ${path}. `
    throw new GantryError('PATH_TOO_LONG', `${message}Set GANTRY_HOME to a shorter folder.`)
  }
  const there = lstatSync(path, { throwIfNoEntry: false })
  if (!there) return
  if (!there.isSocket()) {
    throw new GantryError('START_FAILED', `${path} exists and is not a socket. Move it away and try again.`)
  }
  unlinkSync(path)
}
