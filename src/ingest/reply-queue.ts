/**
 * The hooks of one connection and their replies. A reply carries no id, so replies leave in the order of the hooks, even if
 * an earlier one takes time; meanwhile its client is told to wait.
 *
 *   const { done, waiter } = replies.take(header)
 *   pipeline.take(rawEvent, done, waiter)
 */
import { EMPTY_REPLY, type HookReply } from '../events/index.ts'
import { emitReply } from './emit-format.ts'
import type { FrameHeader } from './frames.ts'
import type { Done, Waiter } from './pipeline.ts'

/** The peer. */
export interface HookPeer {
  send(bytes: Buffer): void
  /** No answer: the client keeps its event. */
  hangUp(): void
  /** Whether the connection may be idle without a limit. */
  mayBeSilent(may: boolean): void
  tooMany(): void
}

interface Turn {
  reply?: HookReply | undefined
  ended: boolean
  held: boolean
  /** Called if the client hangs up before its reply. */
  left?: (() => void) | undefined
}

const MAX_WAITING = 20_000 // a client that keeps sending while it is held does not read its replies

export class ReplyQueue {
  readonly #line: HookPeer
  readonly #waiting: Turn[] = []
  #closed = false

  constructor(line: HookPeer) {
    this.#line = line
  }

  take(header: FrameHeader): { done: Done; waiter: Waiter } {
    const turn: Turn = { ended: false, held: false }
    this.#waiting.push(turn)
    if (this.#waiting.length > MAX_WAITING) this.#line.tooMany()
    return {
      done: (reply) => this.#end(turn, reply),
      waiter: {
        hold: header.hold === true ? (ms, left) => this.#hold(turn, ms, left) : undefined,
        words: header.reply === 'bus' ? emitReply : undefined,
      },
    }
  }

  /** The client is gone. */
  close(): void {
    this.#closed = true
    for (const { ended, left } of this.#waiting) if (!ended) left?.()
  }

  #hold(turn: Turn, ms: number, left: (() => void) | undefined): void {
    turn.held = true
    turn.left ??= left
    if (this.#closed) {
      left?.()
      return
    }
    this.#line.mayBeSilent(true)
    if (this.#waiting[0] === turn) this.#line.send(Buffer.from(`hold ${ms}\n`))
  }

  #end(turn: Turn, reply: HookReply | undefined): void {
    turn.ended = true
    turn.reply = reply
    if (turn.held) this.#line.mayBeSilent(false)
    for (let next = this.#waiting[0]; next?.ended; next = this.#waiting[0]) {
      this.#waiting.shift()
      if (next.reply) this.#line.send(encodeReply(next.reply))
      else this.#line.hangUp()
    }
  }
}

/** The format is described in src/client/wire.ts. */
function encodeReply(reply: HookReply): Buffer {
  if (reply === EMPTY_REPLY) return EMPTY_REPLY_BYTES
  const stdout = Buffer.from(reply.stdout)
  const stderr = Buffer.from(reply.stderr)
  return Buffer.concat([Buffer.from(`${reply.exit} ${stdout.length} ${stderr.length}\n`), stdout, stderr])
}

const EMPTY_REPLY_BYTES = Buffer.from('0 0 0\n')
