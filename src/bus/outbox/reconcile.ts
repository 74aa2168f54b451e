/**
 * What a publisher finds out before it publishes: what is in the stream already, and where it has to begin. A message
 * whose answer was lost may be there or not; only the stream knows.
 */
import type { StreamInfo } from '@nats-io/jetstream'
import { messageOf } from '../../core/errors.ts'
import { KEPT } from '../../store/kept.ts'
import { type BusLog, type Connection, isDenied } from '../nats/index.ts'
import type { Source } from '../streams/index.ts'
import { ensureStream, idsIn } from './jetstream.ts'
import { scopedId } from './message.ts'

/** What was known of the stream when last something was delivered. */
export interface StreamState {
  /** When the stream was made: another one has another time. */
  readonly created: string
  /** Nothing that is not covered by the mark is in the stream up to here. */
  readonly floor: number
  /** A sequence that the stream had; one that is behind it has lost something. */
  readonly acked: number
}

export interface Findings {
  readonly info: StreamInfo
  readonly state: StreamState
  /** Ids of messages that are in the stream, among them all of ours after the floor. */
  readonly found: ReadonlySet<string>
  /** Set when it is not the stream that was there before: where to begin. */
  readonly start?: number
}

interface ReconcileParts {
  readonly connection: Connection
  readonly source: Source
  readonly replicas: number
  readonly log: BusLog
  /** Of messages on their way at the same time: so far apart their order in the stream may be. */
  readonly spread: number
}

const PAGE = 128 // rows read in one go: a millisecond or two

export async function reconcile(
  parts: ReconcileParts,
  state: StreamState | undefined,
  mark: number | undefined,
): Promise<Findings> {
  const { connection, source, replicas } = parts
  const info = await ensureStream(connection, source.name, replicas)
  const { created } = info
  const { first_seq, last_seq } = info.state
  const isSame = state?.created === created && last_seq >= state.acked && mark !== undefined
  const floor = isSame ? state.floor : Math.max(0, first_seq - 1)
  const found = await idsFound(parts, floor + 1, last_seq)
  const known = { created, floor, acked: last_seq }
  if (isSame) return { info, state: known, found }
  return { info, state: known, found, start: await startFor(source, found, mark, parts.spread) }
}

async function idsFound(
  { connection, source, log }: ReconcileParts,
  from: number,
  to: number,
): Promise<Set<string>> {
  try {
    return await idsIn(connection, source.name, from, to)
  } catch (error) {
    if (!isDenied(error)) throw error
    log.warn(
      'nats',
      `${source.name} cannot be read, so what was under way may be doubled: ${messageOf(error)}`,
    )
    return new Set()
  }
}

/**
 * Where a stream that was not there before has to begin: with what it would hold now, had it always been there. If
 * something of ours is in it, it is an older one, and everything up to there was in it once.
 */
async function startFor(
  source: Source,
  found: ReadonlySet<string>,
  mark: number | undefined,
  spread: number,
): Promise<number> {
  const last = source.lastSeq()
  const lowest = Math.max(source.firstSeq() - 1, last - KEPT.streamMessages, 0)
  const sizes: number[] = []
  let newest = 0
  for (let after = lowest, before = -1; after > before && after < last; ) {
    before = after
    for (const message of source.read(after, PAGE)) {
      after = message.seq
      sizes[after - lowest] = message.data.length
      if (found.has(message.id) || found.has(scopedId(message.id))) newest = after
    }
    await new Promise(setImmediate)
  }
  if (newest > 0) return Math.max(lowest, newest - spread)
  let start = last
  for (let bytes = 0; start > lowest; start--) {
    bytes += sizes[start - lowest] ?? 0
    if (bytes > KEPT.streamBytes) break
  }
  return Math.min(start, mark ?? start)
}
