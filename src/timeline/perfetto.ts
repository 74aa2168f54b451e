/**
 * A timeline as a trace in the Chrome trace event format, which ui.perfetto.dev and chrome://tracing open: the session and
 * each sub-agent are processes, their lanes are threads, prompts and denials are instants. Pure.
 *
 *   JSON.stringify(traceOf(session, entries, { now: Date.now() }))
 */
import type { Entry } from './entry.ts'
import { type Lane, type LaneBounds, lanesOf, type Span } from './lanes.ts'

export interface TraceEvent {
  /** X: a span, i: an instant, M: a name. */
  readonly ph: 'X' | 'i' | 'M'
  readonly name: string
  readonly cat?: string
  readonly pid: number
  readonly tid: number
  /** Microseconds. */
  readonly ts?: number
  readonly dur?: number
  /** Scope of an instant event: its thread. */
  readonly s?: 't'
  readonly args: Readonly<Record<string, unknown>>
}

export interface Trace {
  readonly displayTimeUnit: 'ms'
  readonly traceEvents: readonly TraceEvent[]
  readonly otherData: Readonly<Record<string, unknown>>
}

interface TracedSession {
  readonly id: string
  readonly agent: string
  readonly name: string
  readonly project?: string
  readonly model?: string
}

const SESSION = 1 // process
const US = 1_000
const TEXT_CHARS = 2_000
const NAME_CHARS = 80

export function traceOf(session: TracedSession, entries: readonly Entry[], bounds: LaneBounds): Trace {
  const { id, agent, name, project, model } = session
  const about = { id, agent, name, ...(project ? { project } : {}), ...(model ? { model } : {}) }
  const { lanes, sums, from, to } = lanesOf(entries, bounds)
  const threads = new Threads(`${agent} ${name}`)
  const spans = lanes.flatMap((lane) => laneEvents(lane, threads))
  const prompts = entries.filter(({ kind, agentId }) => kind === 'prompt' && agentId === undefined)
  const instants = prompts.map((entry) => {
    const place = threads.of(SESSION, 'prompts', 0)
    return instant(place, entry.text || entry.label, entry.at, 'prompt', entry)
  })
  return {
    displayTimeUnit: 'ms',
    traceEvents: [...threads.names, ...[...spans, ...instants].sort(byTime)],
    otherData: { ...about, from: iso(from), to: iso(to), ...sums },
  }
}

function byTime(a: TraceEvent, b: TraceEvent): number {
  // The outer span comes first, so that a reader nests them rightly.
  return (a.ts ?? 0) - (b.ts ?? 0) || (b.dur ?? 0) - (a.dur ?? 0)
}

function iso(ms: number): string {
  return Number.isFinite(ms) && Math.abs(ms) < 8.64e15 ? new Date(ms).toISOString() : ''
}

interface Thread {
  readonly pid: number
  readonly tid: number
}

/** Spans of one thread do not overlap: each row of a lane is one. */
function laneEvents(lane: Lane, threads: Threads): TraceEvent[] {
  const pid = lane.kind === 'agent' ? threads.process(lane.id, lane.name) : SESSION
  return lane.spans.map((span) => {
    const place = threads.of(
      pid,
      lane.kind === 'agent' && span.row === 0 ? 'sub-agent' : nameOf(lane),
      rowOf(lane, span),
    )
    return lane.kind === 'denials' || (span.from === span.to && !span.open)
      ? instant(place, nameOfSpan(span), span.from, lane.kind, span)
      : complete(place, span, lane.kind)
  })
}

function nameOf({ kind, name }: Lane): string {
  return kind === 'agent' ? 'tools' : name
}

function rowOf({ kind }: Lane, { row }: Span): number {
  return kind === 'agent' ? Math.max(0, row - 1) : row
}

function complete({ pid, tid }: Thread, span: Span, cat: string): TraceEvent {
  const { from, to } = span
  return {
    ...{ ph: 'X', name: nameOfSpan(span), cat, pid, tid, ts: from * US, dur: (to - from) * US },
    args: argsOf(span),
  }
}

function instant(
  { pid, tid }: Thread,
  name: string,
  at: number,
  cat: string,
  of: Pick<Span, 'text' | 'seq'>,
): TraceEvent {
  return { ph: 'i', name: cut(name, NAME_CHARS), cat, pid, tid, ts: at * US, s: 't', args: argsOf(of) }
}

/** The prompt of a turn, else what it is. */
function nameOfSpan({ label, text }: Span): string {
  return cut(label === 'turn' && text !== '' ? text : label, NAME_CHARS)
}

function argsOf({
  text,
  seq,
  ...more
}: Pick<Span, 'text' | 'seq'> & { readonly open?: boolean }): TraceEvent['args'] {
  return {
    ...(text === '' ? {} : { text: cut(text, TEXT_CHARS) }),
    ...(seq === undefined ? {} : { seq }),
    ...(more.open ? { open: true } : {}),
  }
}

function cut(text: string, chars: number): string {
  return text.length > chars ? `${text.slice(0, chars - 1)}…` : text
}

/** Numbers and names of processes and threads, in the order in which they were first used. */
class Threads {
  readonly names: TraceEvent[] = []
  readonly #processes = new Map<string, number>()
  readonly #threads = new Map<string, number>()

  constructor(session: string) {
    this.#name('process_name', SESSION, 0, { name: session })
    this.#name('process_sort_index', SESSION, 0, { sort_index: SESSION })
  }

  process(id: string, name: string): number {
    const known = this.#processes.get(id)
    if (known !== undefined) return known
    const pid = SESSION + 1 + this.#processes.size
    this.#processes.set(id, pid)
    this.#name('process_name', pid, 0, { name: `sub-agent ${cut(name, NAME_CHARS)}` })
    this.#name('process_sort_index', pid, 0, { sort_index: pid })
    return pid
  }

  of(pid: number, lane: string, row: number): Thread {
    const key = `${pid} ${row} ${lane}`
    const tid = this.#threads.get(key) ?? this.#threads.size + 1
    if (!this.#threads.has(key)) {
      this.#threads.set(key, tid)
      this.#name('thread_name', pid, tid, { name: row === 0 ? lane : `${lane} ${row + 1}` })
      this.#name('thread_sort_index', pid, tid, { sort_index: tid })
    }
    return { pid, tid }
  }

  #name(name: string, pid: number, tid: number, args: TraceEvent['args']): void {
    this.names.push({ ph: 'M', name, pid, tid, args })
  }
}
