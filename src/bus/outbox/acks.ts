/**
 * Publishing with acks: one inbox and one deadline for everything that is under way on a connection. The package can
 * do it, too, with a timer, two promises and an error for each message; that is most of what a message costs, and it is
 * the event loop of the hooks that pays.
 */
import { type ApiError, JetStreamApiError } from '@nats-io/jetstream'
import {
  ClosedConnectionError,
  createInbox,
  type Msg,
  type MsgHdrs,
  type NatsConnection,
  NoRespondersError,
  PermissionViolationError,
  TimeoutError,
} from '@nats-io/transport-node'

interface Pending {
  readonly subject: string
  /** By the clock that is never set back. */
  readonly due: number
  resolve(seq: number): void
  reject(error: unknown): void
}

const ANSWER_DEADLINE_MS = 5_000
const NO_RESPONDERS = 503

export class Acks {
  readonly #nc: NatsConnection
  readonly #deadlineMs: number
  readonly #inbox = `${createInbox()}.`
  /** In the order in which they were sent, so the first is due first. */
  readonly #pending = new Map<string, Pending>()
  #count = 0
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(nc: NatsConnection, deadlineMs = ANSWER_DEADLINE_MS) {
    this.#nc = nc
    this.#deadlineMs = deadlineMs
    nc.subscribe(`${this.#inbox}*`, {
      callback: (error, message) => (error ? this.#fail(error) : this.#answered(message)),
    })
    void this.#watch()
    void nc.closed().then(() => this.#close())
  }

  /** Gives the sequence that the stream acknowledges with. */
  publish(subject: string, data: string | Uint8Array, headers: MsgHdrs): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#count += 1
      const token = String(this.#count)
      this.#nc.publish(subject, data, { reply: this.#inbox + token, headers })
      this.#pending.set(token, { subject, due: performance.now() + this.#deadlineMs, resolve, reject })
      this.#timer ??= setTimeout(() => this.#expire(), this.#deadlineMs)
    })
  }

  #answered(message: Msg): void {
    const token = message.subject.slice(this.#inbox.length)
    const pending = this.#pending.get(token)
    if (!pending) return // it was given up before
    this.#pending.delete(token)
    if (message.data.length === 0 && message.headers?.code === NO_RESPONDERS) {
      pending.reject(new NoRespondersError(pending.subject))
      return
    }
    try {
      pending.resolve(sequenceIn(message.string()))
    } catch (error) {
      pending.reject(error)
    }
  }

  /** What may not be published is not answered; the server tells the connection. */
  async #watch(): Promise<void> {
    for await (const status of this.#nc.status()) {
      if (status.type !== 'error' || !(status.error instanceof PermissionViolationError)) continue
      const { operation, subject } = status.error
      if (operation === 'publish') this.#fail(status.error, (pending) => pending.subject === subject)
    }
  }

  #close(): void {
    clearTimeout(this.#timer)
    this.#fail(new ClosedConnectionError())
  }

  #expire(): void {
    const now = performance.now()
    this.#fail(new TimeoutError(), ({ due }) => due <= now)
    const [first] = this.#pending.values()
    this.#timer = first && setTimeout(() => this.#expire(), Math.max(1, first.due - now))
  }

  #fail(error: unknown, concerns: (pending: Pending) => boolean = () => true): void {
    for (const [token, pending] of this.#pending) {
      if (!concerns(pending)) continue
      this.#pending.delete(token)
      pending.reject(error)
    }
  }
}

function sequenceIn(answer: string): number {
  const { seq, error } = JSON.parse(answer) as { seq?: unknown; error?: ApiError }
  if (error) throw new JetStreamApiError(error)
  if (typeof seq !== 'number') throw new Error(`not an answer of a stream: ${answer.slice(0, 100)}`)
  return seq
}
