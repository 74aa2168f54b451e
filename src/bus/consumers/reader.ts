/** A live reader of a stream that keeps no place: where it begins, what it wants, and what it may do without once it is behind. */
import { LiveReader, type Sink } from '../../journal/index.ts'
import type { MessageKind } from '../../store/index.ts'
import { Cursor, type Filter, type StreamPosition } from '../streams/index.ts'
import { Encoded, type Form, PIECE_CHARS } from './encoded.ts'
import type { Stream } from './stream.ts'

interface ReaderOptions {
  readonly filter: Filter
  readonly place: StreamPosition
  readonly form: Form
  /** Once the reader lags: of bursty types, send only the latest per session. */
  readonly coalesce: boolean
}

/**
 * Bursty types of which only the latest matters: progress and measurements. A slow reader that asks for it gets the
 * latest per session; all other readers, durable consumers and the journal keep every one.
 */
export const BURSTY: ReadonlySet<string> = new Set([
  'PreModelRequest', // Gemini sends these around every request to the model, several per second
  'PostModelRequest',
  'PreToolSelection',
  'StatusLine', // Claude redraws it up to three times per second
  'UsageObserved', // cumulative: each one includes those before
  'MessageDisplay', // text while it is being written
])

/** `closed` is called when it ends, for any reason. */
export function readerOf(
  stream: Stream,
  sink: Sink,
  { filter, place, form, coalesce }: ReaderOptions,
  closed: () => void,
): LiveReader<Encoded> {
  const cursor = new Cursor(stream.source, place)
  const reader = new LiveReader<Encoded>({
    cursor,
    page: function* (hasFallenBehind) {
      const isWhole = !coalesce || !hasFallenBehind
      const except = isWhole ? undefined : superseded(stream.rows.kinds(cursor.seq, cursor.pageEnd))
      for (const message of cursor.page(filter, except)) yield new Encoded(message)
    },
    view: {
      key: `${form} ${filter.pattern}`,
      wants: ({ message }) => filter.passes(message),
      encode: (encoded) => encoded.as(form),
      pieceChars: PIECE_CHARS,
    },
    sink,
    turns: stream.turns,
    closed: () => {
      unfollow()
      closed()
    },
  })
  const unfollow = stream.follow(reader)
  return reader
}

/** Messages that a later one of the same session and type supersedes. */
function superseded(kinds: readonly MessageKind[]): Set<number> {
  const latest = new Map<string, number>()
  const gone = new Set<number>()
  for (const { seq, type, session } of kinds) {
    if (!BURSTY.has(type)) continue
    const key = `${type}\n${session}`
    const before = latest.get(key)
    if (before !== undefined) gone.add(before)
    latest.set(key, seq)
  }
  return gone
}
