/**
 * Reads a stream of the bus from another process, with or without a durable consumer.
 *
 *   const reading = await subscribeBus(places(), { stream: 'HOOK_EVENTS', filter: 'Stop', durable: 'reports' })
 *   for await (const message of reading.messages) {
 *     …
 *     reading.ack(message.seq)
 *   }
 */
import { GantryError } from '../core/errors.ts'
import type { Places } from '../core/files/paths.ts'
import type { BusStreamName, Envelope } from '../rpc/index.ts'
import { lines, open } from './connection.ts'
import { type Through, throughRestarts } from './restarts.ts'

/** Where to start: with new messages, with all, at a sequence, or at a time in UTC milliseconds. */
export type BusDeliver = 'new' | 'all' | { readonly seq: number } | { readonly time: number }

export interface BusRequest {
  /** HOOK_EVENTS by default. */
  readonly stream?: BusStreamName
  /** A type or a subject with `*` and `>`. */
  readonly filter?: string
  /** Name of a durable consumer: the daemon keeps its position, and each message must be acknowledged. */
  readonly durable?: string
  /** `new` by default; an existing durable consumer continues from its position. */
  readonly deliver?: BusDeliver
  readonly ackWaitMs?: number
  readonly maxInFlight?: number
  /** Only without `durable`: a slow reader gets just the latest of a burst of measurements. */
  readonly coalesce?: boolean
  /** The stream on NATS with all hosts' messages; not with `durable`. Sequences are those of NATS. */
  readonly fleet?: boolean
}

export interface WireMessage {
  readonly stream: BusStreamName
  readonly seq: number
  /** The event's id: the same over every transport, for deduplication. */
  readonly id: string
  /** When it was received, UTC milliseconds. */
  readonly at: number
  readonly subject: string
  readonly type: string
  readonly agent: string
  readonly native: string
  readonly session: string
  /** On a stream of all hosts: where it comes from. */
  readonly host?: string
  /** The payload as it came; `dataBase64` replaces it if it is not valid UTF-8. */
  readonly data?: string
  readonly dataBase64?: string
  /** For a durable consumer: number of deliveries, including this one. */
  readonly deliveries?: number
}

interface BusWelcome {
  readonly stream: BusStreamName
  readonly filter: string
  /** Messages after this one follow. */
  readonly after: number
}

interface BusReading {
  readonly welcome: BusWelcome
  readonly messages: AsyncIterable<WireMessage>
  ack(...seqs: number[]): void
  /** Asks for redelivery, at once or after a delay. */
  nak(seq: number, delayMs?: number): void
  /** Gives messages up for good. */
  term(...seqs: number[]): void
  /** Closes once the daemon has received all acknowledgements. */
  end(): Promise<void>
}

const END_DEADLINE_MS = 2_000

/** Ends when the daemon goes away, the loop is left, or the signal aborts. Throws the daemon's refusal. */
export async function subscribeBus(
  places: Places,
  request: BusRequest,
  signal?: AbortSignal,
): Promise<BusReading> {
  const socket = await open(places)
  const leave = () => socket.destroy()
  signal?.addEventListener('abort', leave)
  socket.once('close', () => signal?.removeEventListener('abort', leave))
  if (signal?.aborted) leave()
  const say = (value: unknown) => void socket.write(`${JSON.stringify(value)}\n`)
  const incoming = lines(socket)
  say({ sub: 'bus', ...request })
  try {
    const { value, done } = await incoming.next()
    if (done) throw new GantryError('DAEMON_AWAY', 'The daemon closed the connection. Run: gantry status')
    const envelope = JSON.parse(value) as Envelope
    if (!envelope.ok) throw refusal(envelope)
    return {
      welcome: envelope.data as BusWelcome,
      messages: messages(incoming, () => socket.destroy()),
      ack: (...seqs) => say({ ack: seqs }),
      nak: (seq, delayMs = 0) => say({ nak: { seq, delayMs } }),
      term: (...seqs) => say({ term: seqs }),
      end: async () => {
        if (request.durable !== undefined) {
          say({ ack: [], sync: true })
          const late = setTimeout(() => socket.destroy(), END_DEADLINE_MS) // this also ends the lines
          await answered(incoming)
          clearTimeout(late)
        }
        socket.destroy()
      },
    }
  } catch (error) {
    socket.destroy()
    throw error
  }
}

/**
 * Messages, each with its reading to acknowledge it, through restarts of the daemon: it continues after the last one.
 * `first` runs before the first connection.
 */
export async function* followBus(
  places: Places,
  request: BusRequest,
  { first, ...through }: Through & { readonly first?: (signal: AbortSignal) => Promise<void> } = {},
): AsyncGenerator<{ readonly message: WireMessage; readonly reading: BusReading }, void> {
  let next: number | undefined
  yield* throughRestarts(through, async function* (signal, here) {
    if (next === undefined) await first?.(signal)
    const from = next === undefined ? request : { ...request, deliver: { seq: next } }
    const reading = await subscribeBus(places, from, signal)
    here()
    next ??= reading.welcome.after + 1
    for await (const message of reading.messages) {
      next = message.seq + 1
      let isLeft = true
      try {
        yield { message, reading }
        isLeft = false
      } finally {
        if (isLeft) await reading.end() // sends pending acknowledgements before the connection closes
      }
    }
  })
}

async function* messages(incoming: AsyncGenerator<string>, close: () => void): AsyncGenerator<WireMessage> {
  try {
    for await (const line of incoming) {
      const said = JSON.parse(line) as { msg?: WireMessage } | Envelope
      if ('msg' in said && said.msg) yield said.msg
      else if ('ok' in said && !said.ok) throw refusal(said)
    }
  } finally {
    close()
  }
}

/** Messages still in flight are redelivered to the next reader. */
async function answered(incoming: AsyncGenerator<string>): Promise<void> {
  for (;;) {
    const { value, done } = await incoming.next()
    if (done || value.startsWith('{"ok":')) return
  }
}

function refusal(envelope: Extract<Envelope, { ok: false }>): GantryError {
  return new GantryError(envelope.error, envelope.message)
}
