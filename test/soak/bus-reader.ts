/**
 * Reads the stream on NATS while it is written, because it keeps only the newest 10,000 messages. Whatever happens to the
 * server, it goes on where it was, and looks once more at the last ones: a killed server may have given up its newest
 * messages, and then gives their sequences to others.
 */
import { readFileSync } from 'node:fs'
import { AckPolicy, DeliverPolicy, jetstream, jetstreamManager } from '@nats-io/jetstream'
import { connect } from '@nats-io/transport-node'
import type { Places } from '../../src/core/files/paths.ts'
import type { NatsInfo } from '../../src/rpc/index.ts'

const STREAM = 'HOOK_EVENTS'
const FETCH_MS = 1_000
const FETCH_MESSAGES = 500
const AGAIN_MS = 200
const LOOK_BACK = 2_000 // more than can be in flight
const IDLE_NS = 10e9

export interface BusMessage {
  /** Which stream: it is another one when it was made anew. */
  readonly stream: string
  readonly seq: number
  /** Of the event. */
  readonly id: string
}

export class BusReader {
  /** By stream and sequence. */
  readonly #found = new Map<string, Map<number, string>>()
  /** Sequences that were gone from the stream before they could be read. */
  missed = 0
  #last = 0
  #newest = 0
  #at: Places
  #isOver = false
  #working: Promise<void>

  constructor(at: Places) {
    this.#at = at
    this.#working = this.#work()
  }

  messages(): BusMessage[] {
    return [...this.#found].flatMap(([stream, seqs]) =>
      [...seqs].sort(([a], [b]) => a - b).map(([seq, id]) => ({ stream, seq, id })),
    )
  }

  get streams(): number {
    return this.#found.size
  }

  /** It has read everything that the server had a moment ago. */
  get isCaughtUp(): boolean {
    return this.#newest > 0 && this.#last >= this.#newest
  }

  async stop(): Promise<void> {
    this.#isOver = true
    await this.#working
  }

  async #work(): Promise<void> {
    while (!this.#isOver) {
      await this.#read().catch(() => {}) // the server was killed, or is not there yet
      if (!this.#isOver) await Bun.sleep(AGAIN_MS)
    }
  }

  async #read(): Promise<void> {
    const { url, token } = JSON.parse(readFileSync(this.#at.natsInfo, 'utf8')) as NatsInfo
    const nc = await connect({ servers: url, token, reconnect: false, timeout: 2_000, noAsyncTraces: true })
    try {
      const jsm = await jetstreamManager(nc, { checkAPI: false })
      const { created, state } = await jsm.streams.info(STREAM)
      const known = this.#found.get(created) ?? new Map<number, string>()
      if (!this.#found.has(created)) this.#last = 0
      this.#found.set(created, known)
      for (const seq of known.keys()) if (seq > state.last_seq) known.delete(seq) // no longer there
      const from = Math.max(state.first_seq, Math.min(this.#last, state.last_seq) - LOOK_BACK, 1)
      this.missed += Math.max(0, state.first_seq - 1 - this.#last)
      this.#last = Math.max(from - 1, 0)
      const { name } = await jsm.consumers.add(STREAM, {
        ack_policy: AckPolicy.None,
        deliver_policy: DeliverPolicy.StartSequence,
        opt_start_seq: from,
        mem_storage: true,
        inactive_threshold: IDLE_NS,
      })
      const consumer = await jetstream(nc, { checkAPI: false }).consumers.get(STREAM, name)
      while (!this.#isOver) {
        const got = await consumer.fetch({ max_messages: FETCH_MESSAGES, expires: FETCH_MS })
        for await (const { seq, headers } of got) {
          if (seq > this.#last + 1) this.missed += seq - this.#last - 1
          this.#last = seq
          known.set(seq, headers?.get('Nats-Msg-Id') ?? `without an id: ${seq}`)
        }
        this.#newest = (await jsm.streams.info(STREAM)).state.last_seq
      }
    } finally {
      await nc.close()
    }
  }
}
