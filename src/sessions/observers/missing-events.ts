/**
 * Compares a transcript of the time when no hooks were received with the journal, and returns the missing events in order.
 * Pure: each is applied to the session before the next is considered.
 *
 *   const { rawEvents } = missedEvents(session, facts, { heard, from, to }, now)
 */
import type { TranscriptFact } from '../../agents/index.ts'
import type { RawEvent } from '../../events/index.ts'
import { type Missed, missedEvent, readEvent } from '../../journal/index.ts'
import { type Evidence, infer, reduce, type Session } from '../state/index.ts'
import { Dialogs } from './dialogs.ts'
import { type Call, hasCall, hasEnd, type RecordedEvent, unheardPrompts } from './recorded-events.ts'

const EARLY_MS = 500 // a line has the time at which it was begun, and its hook runs up to 220 ms later
const QUIET_MS = 10_000 // an answer that may precede a call counts as final after this much silence

interface Gap {
  /** Hooks were received until then. */
  readonly from: number
  /** And again from then on. */
  readonly to: number
  /** What the journal has from about that time on; nothing when it is too much to compare with. */
  readonly heard: readonly RecordedEvent[] | undefined
}

interface MissedEvents {
  readonly rawEvents: readonly RawEvent[]
  /** When to look again: the last answer may not have been final. */
  readonly againAt?: number
}

/** Facts about a state, and what no hook ever reports. */
const STANDING: ReadonlySet<string> = new Set(['usage', 'title', 'model', 'version', 'unhooked-call'])

type Fact = Exclude<TranscriptFact, { kind: 'usage' | 'title' | 'model' | 'version' | 'unhooked-call' }>
type Of<Kind extends Fact['kind']> = Extract<Fact, { kind: Kind }>

export function missedEvents(
  session: Session,
  facts: readonly TranscriptFact[],
  gap: Gap,
  now: number,
): MissedEvents {
  const words = facts.filter(isWord).sort((a, b) => a.at - b.at)
  const search = new Search(session, words, gap, now)
  const rawEvents: RawEvent[] = []
  for (const [index, fact] of words.entries()) {
    if (fact.at >= gap.to) break
    const missed = fact.at < session.startedAt ? undefined : search.missing(fact, index)
    if (!missed) continue
    const rawEvent = missedEvent(session, missed, now)
    rawEvents.push(rawEvent)
    search.found(missed, rawEvent)
  }
  return { rawEvents, ...(search.againAt === undefined ? {} : { againAt: search.againAt }) }
}

/** Something happened that a hook should have reported. */
export function isWord(fact: TranscriptFact): fact is Fact {
  return !STANDING.has(fact.kind)
}

class Search {
  againAt: number | undefined
  /** The session including the events found so far. */
  #session: Session
  /** Calls of this turn with a found start and no end yet. */
  readonly #begun = new Set<string>()
  readonly #words: readonly Fact[]
  readonly #gap: Gap
  readonly #now: number
  readonly #heard: readonly RecordedEvent[]
  readonly #unheard: ReadonlySet<Fact>
  readonly #calls: ReadonlyMap<string, Call>
  readonly #void: ReadonlySet<string>

  constructor(session: Session, words: readonly Fact[], gap: Gap, now: number) {
    this.#session = session
    this.#words = words
    this.#gap = gap
    this.#now = now
    this.#heard = gap.heard ?? []
    this.#unheard = unheardPrompts(
      words.filter((one) => one.kind === 'prompt'),
      this.#heard,
    )
    this.#calls = callsIn(words)
    this.#void = new Set(
      words.flatMap((one) => (one.kind === 'tool-end' && one.outcome === 'void' ? one.useId : [])),
    )
  }

  missing(fact: Fact, index: number): Missed | undefined {
    switch (fact.kind) {
      case 'turn-start':
      case 'interrupt':
      case 'turn-error':
        return this.#healed(fact)
      case 'turn-end':
        return this.#healed({ ...this.#answerBefore(index), ...fact })
      case 'permission-asked':
        return undefined
      case 'permission-answered':
        return this.#answered(fact, index)
    }
    if (!this.#gap.heard || fact.at < this.#gap.from - EARLY_MS) return undefined
    switch (fact.kind) {
      case 'prompt':
        return this.#prompt(fact)
      case 'tool-start':
        return this.#start(fact)
      case 'tool-end':
        return this.#end(fact, index)
      case 'answer':
        return this.#answer(fact, index)
    }
  }

  found({ type, what }: Missed, rawEvent: RawEvent): void {
    this.#session = reduce(this.#session, readEvent(rawEvent))
    if (type === 'PreToolUse') this.#begun.add(what)
    else if (what === '') this.#begun.clear()
    else this.#begun.delete(what)
  }

  #prompt(fact: Of<'prompt'>): Missed | undefined {
    if (!this.#unheard.has(fact)) return undefined
    const { text, at } = fact
    const evidence = 'a prompt in the transcript'
    return { type: 'UserPromptSubmit', at, evidence, what: text, fields: { prompt: text } }
  }

  #start({ useId, at }: Of<'tool-start'>): Missed | undefined {
    const call = this.#calls.get(useId)
    const isOpen = this.#session.openTools.some((open) => open.call === useId)
    if (!call || isOpen || this.#void.has(useId) || hasCall(this.#heard, call)) return undefined
    const fields = { tool_name: call.name, tool_input: call.input, tool_use_id: useId }
    return { type: 'PreToolUse', at, evidence: 'a tool call in the transcript', what: useId, fields }
  }

  /** Only for an open call: no end is reported twice, nor for a call that Esc ends with the turn. */
  #end({ useId, at, outcome, error = '' }: Of<'tool-end'>, index: number): Missed | undefined {
    const call = this.#calls.get(useId)
    const open = this.#session.openTools.find(
      (one) => one.call === useId || (one.call.startsWith('=') && one.name === call?.name),
    )
    // Later hooks were received, so its turn is long over; the end only completes the found start.
    const isLate = !open && outcome === 'ok' && this.#begun.has(useId)
    if ((!open && !isLate) || (call && hasEnd(this.#heard, call))) return undefined
    if (outcome === 'denied' && this.#next(index)?.kind === 'interrupt') return undefined
    const fields = {
      tool_name: open?.name ?? call?.name ?? '',
      ...(call ? { tool_input: call.input } : {}),
      ...(isLate || open?.call === useId ? { tool_use_id: useId } : {}),
      ...(outcome === 'ok' ? {} : { error }),
    }
    const evidence = 'the result of a tool call in the transcript'
    return { type: ENDINGS[outcome], at, evidence, what: useId, fields }
  }

  #answer({ at, final, message }: Of<'answer'>, index: number): Missed | undefined {
    const next = this.#next(index)
    if (next && next.kind !== 'prompt' && next.kind !== 'turn-start') return undefined
    const isRemark = !final && !next
    if (isRemark && this.#session.openTools.length > 0) return undefined
    if (isRemark && this.#now - at < QUIET_MS) {
      this.againAt = at + QUIET_MS
      return undefined
    }
    const says = isRemark ? 'an answer, and nothing after it' : 'the last answer'
    return this.#healed({ kind: 'turn-end', at, says, ...(message === undefined ? {} : { message }) })
  }

  /** The last of several dialogs. Another line reports the end of a refused call. */
  #answered({ at, outcome }: Of<'permission-answered'>, index: number): Missed | undefined {
    if (outcome === 'cancelled') return undefined
    const dialogs = new Dialogs()
    const isLast = this.#words
      .slice(0, index + 1)
      .map((one) => dialogs.take(one))
      .at(-1)?.isLast
    return isLast ? this.#healed({ kind: 'answered', at, says: 'a dialog in the transcript' }) : undefined
  }

  #healed(evidence: Evidence): Missed | undefined {
    const healed = infer(this.#session, evidence)
    if (!healed) return undefined
    const { type, at, reason, prompt, error, details, message } = healed
    const fields = {
      ...(prompt === undefined ? {} : { prompt }),
      ...(error === undefined ? {} : { error }),
      ...(details === undefined ? {} : { error_details: details }),
      ...(message === undefined ? {} : { last_assistant_message: message }),
    }
    return { type, at, evidence: reason, what: '', fields }
  }

  /** The next event of the turn, ignoring results of calls. */
  #next(index: number): Fact | undefined {
    return this.#words.slice(index + 1).find(({ kind }) => kind !== 'tool-end')
  }

  #answerBefore(index: number): { message?: string } {
    const before = this.#words[index - 1]
    return before?.kind === 'answer' && before.message !== undefined ? { message: before.message } : {}
  }
}

const ENDINGS = {
  ok: 'PostToolUse',
  error: 'PostToolUseFailure',
  denied: 'PermissionDenied',
  void: 'PostToolUseFailure',
} as const

/** Gemini rewrites a growing message: the first mention of a call counts. */
function callsIn(words: readonly Fact[]): Map<string, Call> {
  const calls = new Map<string, Call>()
  for (const one of words) {
    if (one.kind === 'tool-start' && !calls.has(one.useId)) {
      const { useId, name, input, at } = one
      calls.set(useId, { useId, name, input, startedAt: at, endedAt: at })
    }
  }
  for (const one of words) {
    const call = one.kind === 'tool-end' ? calls.get(one.useId) : undefined
    if (call && call.endedAt === call.startedAt) calls.set(call.useId, { ...call, endedAt: one.at })
  }
  return calls
}
