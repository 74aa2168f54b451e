/**
 * Which turns have ended, and their spans. Nothing is remembered between events: what a turn was is read from the journal when
 * it ends, so a process that was killed goes on from its mark.
 */
import { type HookEvent, isImported, OWN_AGENT } from '../events/index.ts'
import { parseRow, toWire } from '../journal/index.ts'
import type { EventReader } from '../store/index.ts'
import { type Entry, timelineOf } from '../timeline/index.ts'
import { type SpanRecord, sessionSpan, type TracedSession, turnSpans } from './spans.ts'

const TURN_ENDS: ReadonlySet<string> = new Set(['Stop', 'StopFailure', 'Interrupt', 'UserPromptDenied'])
/** What else can end a turn: also the prompt of the next one. */
const ENDS: ReadonlySet<string> = new Set([...TURN_ENDS, 'SessionEnd', 'UserPromptSubmit'])
const MAX_EVENTS = 5_000 // of one turn; what comes later in it is left out
const USAGE_SKEW_MS = 2_000 // a transcript's clock and a hook's

/** A row without its payload. */
export interface Ended {
  readonly seq: number
  readonly agent: string
  readonly type: string
  readonly sessionId: string
  readonly agentId?: string | undefined
}

export function mayEnd({ agent, type, sessionId, agentId }: Ended): boolean {
  return agent !== OWN_AGENT && sessionId !== '' && agentId === undefined && ENDS.has(type)
}

/** The spans that are complete with this event. */
export function spansAt(ended: Ended, reader: EventReader): SpanRecord[] {
  const row = reader.row(ended.seq)
  if (!row) return []
  const event = parseRow(row)
  if (isImported(event) || event.hidden !== undefined) return []
  const session = reader.rows.session(event.agent, event.sessionId) ?? {}
  const traced: TracedSession = { agent: event.agent, id: event.sessionId, ...session }
  const root = event.type === 'SessionEnd' ? [rootOf(traced, event, reader)] : []
  return [...turnBefore(traced, event, reader), ...root]
}

function rootOf(session: TracedSession, end: HookEvent, reader: EventReader): SpanRecord {
  const [first] = reader.oldest({ session: session.id, agent: session.agent }, 1)
  return sessionSpan(session, first?.at ?? end.at, end.at)
}

function turnBefore(session: TracedSession, end: HookEvent, reader: EventReader): SpanRecord[] {
  const { id, agent } = session
  const prompts = { session: id, agent, type: 'UserPromptSubmit' }
  const [began] = reader.listed({ ...prompts, before: end.seq }, 1, () => true)
  if (!began) return []
  const [next] = reader.oldest({ ...prompts, after: began.seq }, 1)
  const events: HookEvent[] = []
  for (const row of reader.oldest({ session: id, after: began.seq - 1 }, MAX_EVENTS)) {
    if (next && row.seq >= next.seq) break
    events.push(parseRow(row))
  }
  const [prompt] = events
  if (!prompt) return []
  const entries = timelineOf(session, events.map(toWire), [])
  const bySeq = new Map(events.map((event) => [event.seq, event]))
  const over = entries.findLast((entry) => isOver(entry, bySeq))
  // A stop that was blocked is none, and of several the last counts.
  if (over ? over.seq !== end.seq : end.type !== 'SessionEnd' && end.type !== 'UserPromptSubmit') return []
  const to = over?.at ?? events.at(-1)?.at ?? prompt.at
  const until = next === undefined ? Number.MAX_SAFE_INTEGER : next.at - USAGE_SKEW_MS
  const usage = reader.rows
    .turnUsage(agent, id)
    .filter(({ turnAt }) => turnAt >= prompt.at - USAGE_SKEW_MS && turnAt < until)
  return turnSpans({
    ...{ session, prompt, entries, usage },
    events: bySeq,
    to: Math.max(prompt.at, to),
    ...(over?.kind === 'error' ? { error: over.label } : {}),
  })
}

/** A stop that was blocked has become a note. */
function isOver({ kind, seq = 0 }: Entry, events: ReadonlyMap<number, HookEvent>): boolean {
  const event = events.get(seq)
  const isEnd = event !== undefined && event.agentId === undefined && TURN_ENDS.has(event.type)
  return isEnd && (kind === 'stop' || kind === 'error')
}
