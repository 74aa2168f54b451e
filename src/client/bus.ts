/**
 * Reading a stream of the bus from another process, with or without a place of one's own.
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

/** Where to begin: with what comes, with all there is, at a sequence, or at a time in UTC milliseconds. */
export type BusDeliver = 'new' | 'all' | { readonly seq: number } | { readonly time: number }

export interface BusRequest {
  /** HOOK_EVENTS when left out. */
  readonly stream?: BusStreamName
  /** A type or a subject with `*` and `>`. */
  readonly filter?: string
  /** A name: the daemon keeps the place, and each message is to be acknowledged. */
  readonly durable?: string
  /** `new` when left out; a durable consumer that exists goes on from its place. */
  readonly deliver?: BusDeliver
  readonly ackWaitMs?: number
  readonly maxInFlight?: number
  /** Without a place only: when slow, of bursts of measurements the latest will do. */
  readonly coalesce?: boolean
  /** The stream on NATS, as all hosts fill it; without a place. Sequences are those of NATS. */
  readonly fleet?: boolean
}

export interface WireMessage {
  readonly stream: BusStreamName
  readonly seq: number
  readonly id: string
  readonly at: number
  readonly subject: string
  readonly type: string
  readonly agent: string
  readonly native: string
  readonly session: string
  /** On a stream of the fleet: where it comes from. */
  readonly host?: string
  /** The payload as it came; `dataBase64` stands in for it when it was not valid UTF-8. */
  readonly data?: string
  readonly dataBase64?: string
  /** For a durable consumer: how often it was given, this time included. */
  readonly deliveries?: number
}

export interface BusWelcome {
  readonly stream: BusStreamName
  readonly filter: string
  /** Messages after this one will come. */
  readonly after: number
}

export interface BusReading {
  readonly welcome: BusWelcome
  readonly messages: AsyncIterable<WireMessage>
  ack(...seqs: number[]): void
  /** To be given again, at once or after a while. */
  nak(seq: number, delayMs?: number): void
  /** Never to be given again. */
  term(...seqs: number[]): void
  /** Leaves once the daemon has heard everything that was said. */
  end(): Promise<void>
}

const END_DEADLINE_MS = 2_000

/** Ends when the daemon goes away, the loop is left, or the signal. Throws what the daemon says against the request. */
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
    if (done) throw new GantryError('DAEMON_AWAY', 'The daemon closed the connection. See its log.')
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
          const late = setTimeout(() => socket.destroy(), END_DEADLINE_MS) // which ends the lines, too
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

/** Messages that are still on their way are given again to whoever comes next. */
async function answered(incoming: AsyncGenerator<string>): Promise<void> {
  for (;;) {
    const { value, done } = await incoming.next()
    if (done || value.startsWith('{"ok":')) return
  }
}

function refusal(envelope: Extract<Envelope, { ok: false }>): GantryError {
  return new GantryError(envelope.error, envelope.message)
}
