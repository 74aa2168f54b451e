/**
 * A timeline as lanes of spans: turns, tools, waits for a person, each sub-agent, compactions, denials. And where the time
 * went: worked, waited for you, idle. For the swimlane of the page and for traces; pure, and free of other modules, because
 * it runs in browsers, too.
 *
 *   const { lanes, sums } = lanesOf(entries, { from: session.startedAt, now: Date.now() })
 */
import type { Entry } from './entry.ts'

type LaneKind = 'turns' | 'waits' | 'tools' | 'agent' | 'compactions' | 'denials'
export type SpanTone = 'work' | 'tool' | 'need' | 'error' | 'busy' | 'quiet'

export interface Span {
  readonly from: number
  /** Never before `from`; the same for a moment. */
  readonly to: number
  readonly label: string
  readonly text: string
  readonly tone: SpanTone
  /** Sequence of its first event. */
  readonly seq?: number
  /** Spans of one row do not overlap. In turns, waits and compactions there is only row 0. */
  readonly row: number
  /** It has not ended. */
  readonly open?: true
}

export interface Lane {
  /** `turns`, `tools`, …, `agent:<id>`. */
  readonly id: string
  readonly kind: LaneKind
  readonly name: string
  /** By their beginning. */
  readonly spans: readonly Span[]
  readonly rows: number
}

/** Milliseconds; together they are the length of the session. */
export interface TimeSums {
  readonly workedMs: number
  readonly waitedMs: number
  readonly idleMs: number
}

export interface Lanes {
  readonly from: number
  readonly to: number
  /** Those with spans; turns, waits, tools, then sub-agents by their beginning, compactions, denials. */
  readonly lanes: readonly Lane[]
  readonly sums: TimeSums
}

export interface LaneBounds {
  /** Start of the session, unless earlier entries are left out; by default, and at the latest, the first entry. */
  readonly from?: number
  /** Its end, if it has ended. */
  readonly endedAt?: number
  readonly now: number
}

/** Those of a session, of whose timeline the beginning may be `cut` off. */
export function boundsOf(
  { startedAt, endedAt }: { readonly startedAt: number; readonly endedAt?: number | undefined },
  cut: boolean,
  now: number,
): LaneBounds {
  return { now, ...(cut ? {} : { from: startedAt }), ...(endedAt === undefined ? {} : { endedAt }) }
}

type Draft = { -readonly [Key in keyof Span]: Span[Key] }

export function lanesOf(entries: readonly Entry[], bounds: LaneBounds): Lanes {
  const isOver = bounds.endedAt !== undefined
  const times = entries.map(({ at }) => at)
  const from = least([...times, bounds.from ?? Number.POSITIVE_INFINITY], bounds.now)
  // A moment after the end, such as a note of gantry's own, is no part of its length.
  const last = entries.reduce((most, { at, endAt }) => Math.max(most, endAt ?? (isOver ? from : at)), from)
  const to = Math.max(bounds.endedAt ?? bounds.now, last)
  const context = { from, to }
  const waits = apart(entries.filter(isWait).map((entry) => spanOf(entry, context)))
  const turns = turnsOf(entries, context)
  const agents = agentLanes(entries, context)
  const lanes = [
    laneOf('turns', 'turns', 'turns', turns),
    laneOf('waits', 'waits', 'waits for you', waits),
    laneOf(
      'tools',
      'tools',
      'tools',
      entries.filter(isOwnTool).map((one) => spanOf(one, context)),
    ),
    ...agents,
    laneOf('compactions', 'compactions', 'compactions', apart(compactionsIn(entries, context))),
    laneOf(
      'denials',
      'denials',
      'denials',
      entries.filter(({ denied }) => denied).map((one) => momentOf(one, context)),
    ),
  ]
  const busy = [...turns, ...agents.flatMap(({ spans }) => spans)]
  return {
    from,
    to,
    lanes: lanes.filter(({ spans }) => spans.length > 0),
    sums: sumsOf(context, busy, waits),
  }
}

interface Context {
  readonly from: number
  readonly to: number
}

function least(values: readonly number[], otherwise: number): number {
  const found = values.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY)
  return Number.isFinite(found) ? found : otherwise
}

function isWait({ kind }: Entry): boolean {
  return kind === 'ask'
}

/** A call that failed, was refused or gave no result is an error or a note; other errors and notes have no end. */
function isTool({ kind, endAt }: Entry): boolean {
  return kind === 'tool' || ((kind === 'error' || kind === 'note') && endAt !== undefined)
}

function isOwnTool(entry: Entry): boolean {
  return isTool(entry) && entry.agentId === undefined
}

const TURN_ENDS: ReadonlySet<string> = new Set(['failed', 'interrupted', 'denied'])

function isTurnEnd({ kind, label, agentId, endAt }: Entry): boolean {
  if (agentId !== undefined || endAt !== undefined) return false
  if (kind === 'stop') return label === 'done'
  return (kind === 'error' && TURN_ENDS.has(label)) || (kind === 'session' && label === 'end')
}

/** If the start of a call is no longer in the journal, the entry is its end. */
function beginOf({ at, endAt, tookMs, kind }: Entry): number {
  return kind === 'tool' && endAt === at ? at - Math.max(0, tookMs ?? 0) : at
}

/** A call without a result is a moment: nobody knows when it ended. */
function spanOf(entry: Entry, { from, to }: Context): Draft {
  const begin = within(beginOf(entry), from, to)
  const end = entry.open ? to : within(entry.endAt ?? begin, begin, to)
  const tone: SpanTone = entry.kind === 'ask' ? 'need' : entry.kind === 'error' ? 'error' : 'tool'
  return {
    from: begin,
    to: end,
    label: entry.label,
    text: entry.text,
    tone,
    ...(entry.seq === undefined ? {} : { seq: entry.seq }),
    row: 0,
    ...(entry.open ? { open: true } : {}),
  }
}

function momentOf(entry: Entry, context: Context): Draft {
  const { open: _, ...span } = spanOf(entry, context)
  return { ...span, to: span.from, tone: 'error' }
}

function within(time: number, from: number, to: number): number {
  return Math.min(Math.max(time, from), to)
}

/**
 * From a prompt to the stop. A turn that no prompt began (the agent woke up, or the journal begins later) starts with its
 * first call, and ends with its last one if no stop is known.
 */
function turnsOf(entries: readonly Entry[], context: Context): Draft[] {
  const turns: Draft[] = []
  let turn: (Draft & { told?: boolean }) | undefined
  const close = (at: number, tone: SpanTone = 'work') => {
    if (!turn) return
    const { told: _, open: __, ...span } = turn
    turns.push({ ...span, to: within(at, span.from, context.to), tone })
    turn = undefined
  }
  for (const entry of entries) {
    if (entry.agentId !== undefined) continue
    if (entry.kind === 'prompt') {
      close(turn?.told ? entry.at : Math.min(entry.at, turn?.to ?? entry.at))
      turn = { ...spanOf(entry, context), label: 'turn', told: true }
    } else if (isTurnEnd(entry)) {
      close(entry.at, entry.kind === 'error' ? 'error' : 'work')
    } else if (isTool(entry) || isWait(entry)) {
      const { from, to, seq } = spanOf(entry, context)
      turn ??= {
        from,
        to: from,
        label: 'turn',
        text: '',
        tone: 'work',
        row: 0,
        ...(seq === undefined ? {} : { seq }),
      }
      turn.to = Math.max(turn.to, to)
      if (entry.open) turn.told = true
    }
  }
  if (turn) {
    const isOpen = turn.told === true
    const { told: _, ...span } = turn
    turns.push({ ...span, tone: 'work', ...(isOpen ? { to: context.to, open: true as const } : {}) })
  }
  return apart(turns)
}

/** Each sub-agent: row 0 is its life, its calls are below. */
function agentLanes(entries: readonly Entry[], context: Context): Lane[] {
  const lives = new Map<string, { life?: Draft; calls: Draft[]; name: string }>()
  const of = (id: string, name = '') => {
    const known = lives.get(id) ?? { calls: [], name }
    if (known.name === '') known.name = name
    lives.set(id, known)
    return known
  }
  for (const entry of entries) {
    if (entry.subagent !== undefined && (entry.open || entry.endAt !== undefined)) {
      const one = of(entry.subagent, entry.text.split(' ')[0])
      // The same id may begin again: a teammate, a resumed sub-agent.
      const span = { ...spanOf(entry, context), tone: 'busy' as const }
      one.life = one.life
        ? { ...span, from: Math.min(one.life.from, span.from), to: Math.max(one.life.to, span.to) }
        : span
    } else if (entry.agentId !== undefined) {
      const one = of(entry.agentId, entry.agentType)
      if (isTool(entry)) one.calls.push(spanOf(entry, context))
    }
  }
  return [...lives]
    .filter(([, { life, calls }]) => life !== undefined || calls.length > 0)
    .map(([id, { life, calls, name }]) => agentLane(id, name || id, life, calls))
    .sort((a, b) => (a.spans[0]?.from ?? 0) - (b.spans[0]?.from ?? 0))
}

function agentLane(id: string, name: string, life: Draft | undefined, calls: readonly Draft[]): Lane {
  const from = least([...calls.map((one) => one.from), life?.from ?? Number.POSITIVE_INFINITY], 0)
  const to = calls.reduce((most, one) => Math.max(most, one.to), life?.to ?? from)
  const whole = { label: name, text: '', tone: 'busy' as const, ...life, from, to, row: 0 }
  const below = laneOf(`agent:${id}`, 'agent', name, calls)
  const spans = [whole, ...below.spans.map((span) => ({ ...span, row: span.row + 1 }))]
  return { ...below, spans, rows: calls.length > 0 ? below.rows + 1 : 1 }
}

function compactionsIn(entries: readonly Entry[], context: Context): Draft[] {
  return entries
    .filter(({ kind, label }) => kind === 'window' && label === 'compaction')
    .map((entry) => ({ ...spanOf(entry, context), tone: 'busy' as const }))
}

/** In order, none over another: the later one begins where the earlier one ends. */
function apart(spans: readonly Draft[]): Draft[] {
  let end = Number.NEGATIVE_INFINITY
  return spans
    .toSorted((a, b) => a.from - b.from)
    .map((span) => {
      const from = Math.max(span.from, end)
      const to = Math.max(from, span.to)
      end = to
      return { ...span, from, to }
    })
}

/** Calls that run at the same time get rows of their own. */
function laneOf(id: string, kind: LaneKind, name: string, spans: readonly Draft[]): Lane {
  const ends: number[] = []
  const placed = spans
    .toSorted((a, b) => a.from - b.from)
    .map((span) => {
      const free = ends.findIndex((end) => end <= span.from)
      const row = free < 0 ? ends.length : free
      ends[row] = span.to
      return { ...span, row }
    })
  return { id, kind, name, spans: placed, rows: ends.length }
}

/** A wait counts as one, even if a sub-agent worked meanwhile. */
function sumsOf({ from, to }: Context, busy: readonly Span[], waits: readonly Span[]): TimeSums {
  const waitedMs = lengthOf(waits)
  const workedMs = lengthOf([...busy, ...waits]) - waitedMs
  return { workedMs, waitedMs, idleMs: to - from - workedMs - waitedMs }
}

/** Of the union. */
function lengthOf(spans: readonly Span[]): number {
  let length = 0
  let end = Number.NEGATIVE_INFINITY
  for (const span of spans.toSorted((a, b) => a.from - b.from)) {
    length += Math.max(0, span.to - Math.max(span.from, end))
    end = Math.max(end, span.to)
  }
  return length
}
