/**
 * What each session did over time, from the stream of their changes: one step per change of status. The stream has a few
 * thousand messages; they are read once, in short slices, and later calls read only what is new.
 *
 *   await activity.upToDate()
 *   activity.of(session, since, now)   // [{ from, to, status: 'working' }, …]
 */
import { BoundedMap } from '../core/bounded-map.ts'
import { isObject } from '../core/is-object.ts'
import { objectIn } from '../core/json.ts'
import { keyOf } from '../events/index.ts'
import type { ActivitySegment, ActivityStatus } from '../rpc/index.ts'
import { type Attention, activityOf, PHASES, phaseOf, type Session } from './state/index.ts'

/** The stream of changes of sessions, as the bus has it. */
export interface ChangeStream {
  lastSeq(): number
  read(after: number, limit: number): Iterable<ChangeMessage>
}

export interface ChangeMessage {
  readonly seq: number
  /** When gantry heard of it. */
  readonly at: number
  readonly agent: string
  readonly session: string
  /** The phase. */
  readonly type: string
  readonly data: string | Uint8Array
}

interface Step {
  readonly at: number
  readonly status: ActivityStatus | undefined
}

const SLICE = 200 // messages: half a millisecond
const MAX_STEPS = 2_000 // of a session; the oldest go
const MAX_SESSIONS = 5_000

export class SessionActivities {
  readonly #stream: ChangeStream
  /** Sessions that changed last are at the end. */
  readonly #steps = new BoundedMap<string, Step[]>(MAX_SESSIONS)
  #seq = 0
  #reading: Promise<void> | undefined

  constructor(stream: ChangeStream) {
    this.#stream = stream
  }

  /** Reads what is new, with pauses for hooks; callers share one reading. */
  upToDate(): Promise<void> {
    this.#reading ??= this.#read().finally(() => {
      this.#reading = undefined
    })
    return this.#reading
  }

  /**
   * What is known of it between two times, in order and without gaps. `askedSince`: a person is asked by gantry itself, of
   * which the agent does not know.
   */
  of(session: Session, since: number, now: number, askedSince = now): ActivitySegment[] {
    const steps = this.#steps.get(session.key) ?? []
    const current = { at: now, status: statusOf(phaseOf(session), session.attention) }
    // Without a message its status has not changed since it began, or since the stream begins.
    const first = steps[0] ?? { ...current, at: session.startedAt }
    const segments: ActivitySegment[] = []
    const end = Math.max(since, Math.min(now, session.endedAt ?? now))
    const asked = Math.max(since, Math.min(askedSince, end))
    if (asked < end) segments.push({ from: asked, to: end, status: 'asks' })
    let to = asked
    // Backwards: a clock that was set back leaves earlier steps in the future.
    for (const { at, status } of [first, ...steps.slice(1)].toReversed()) {
      const from = Math.max(since, Math.min(at, to))
      if (status !== undefined && from < to) join(segments, { from, to, status })
      to = Math.min(to, from)
      if (to <= since) break
    }
    return segments.reverse()
  }

  async #read(): Promise<void> {
    while (this.#seq < this.#stream.lastSeq()) {
      let count = 0
      for (const message of this.#stream.read(this.#seq, SLICE)) {
        this.#take(message)
        this.#seq = message.seq
        count += 1
      }
      if (count < SLICE) return
      await new Promise(setImmediate)
    }
  }

  #take({ agent, session, at, type, data }: ChangeMessage): void {
    const key = keyOf({ agent, sessionId: session })
    const steps = this.#steps.get(key) ?? []
    const text = typeof data === 'string' ? data : Buffer.from(data).toString()
    const status = statusOf(type, attentionIn(text))
    this.#steps.set(key, steps)
    const last = steps.at(-1)
    if (!last || last.status !== status) {
      // Events that were spooled, or replayed, happened before gantry heard of them; steps stay in order.
      const happened = Math.max(last?.at ?? 0, Math.min(at, happenedIn(text) ?? at))
      steps.push({ at: happened, status })
    }
    if (steps.length > MAX_STEPS) steps.splice(0, steps.length - MAX_STEPS)
  }
}

/** Nothing once it has ended. `said`: a phase, also one that another version has written. */
function statusOf(said: string, attention: readonly Pick<Attention, 'kind'>[]): ActivityStatus | undefined {
  if (said === 'ended') return undefined
  if (attention.some(({ kind }) => kind !== 'idle' && kind !== 'error')) return 'asks'
  if (attention.some(({ kind }) => kind === 'error')) return 'failed'
  const phase = PHASES.find((one) => one === said)
  return phase === undefined || phase === 'ended' ? 'idle' : activityOf(phase)
}

/** When the event behind a change happened: a message ends with its cause, and a cause with its time. */
function happenedIn(text: string): number | undefined {
  const [, at] = /"at":(\d{1,16})\}\}$/.exec(text.slice(-CAUSE_END)) ?? []
  return at === undefined ? undefined : Number(at)
}

const CAUSE_END = 32 // characters

function attentionIn(text: string): readonly Pick<Attention, 'kind'>[] {
  if (text.includes('"attention":[]')) return [] // nearly always, and parsing takes longer
  const list = objectIn(text)?.attention
  return Array.isArray(list) ? list.filter(isObject).map(({ kind }) => ({ kind }) as Attention) : []
}

/** Segments are collected newest first. */
function join(segments: ActivitySegment[], one: ActivitySegment): void {
  const later = segments.at(-1)
  if (later?.status === one.status && later.from === one.to)
    segments[segments.length - 1] = { ...later, from: one.from }
  else segments.push(one)
}
