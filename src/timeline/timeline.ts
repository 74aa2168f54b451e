/**
 * What happened in a session, one entry per thing: a tool call is one, however many hooks report it. Made from the journal
 * and the work engine's notes; pure. Open entries follow from the session's own state, event by event: an entry is open
 * exactly as long as the session has its call or question.
 *
 *   timelineOf({ id: 's1', agent: 'claude' }, events, efforts)   // in the order of the journal
 */
import { asksPermission, OWN_AGENT, type TimelineEffort, type WireEvent } from '../client/index.ts'
import { type HookEvent, isKnownType, isRaised, keyOf, UNREADABLE } from '../events/index.ts'
import {
  type Attention,
  blankSession,
  isHard,
  type OpenTool,
  refusalWords,
  type Session,
  SessionMap,
  setBackBy,
} from '../sessions/state/index.ts'
import {
  type Ask,
  agentText,
  askOf,
  type Entry,
  type EntryKind,
  errorText,
  inputText,
  toolText,
} from './entry.ts'
import { instantEntry } from './instants.ts'
import { workEntries } from './work.ts'

/** What is an agent's own, as opencode's MessagePartUpdated, would be a name that tells nobody anything. */
function saysSomething(event: HookEvent): boolean {
  const isOwn = !isKnownType(event.type) && event.type !== UNREADABLE && !isRaised(event)
  return !isOwn || instantEntry(event)[2] !== undefined
}

type Draft = { -readonly [Key in keyof Entry]: Entry[Key] }

/** Events without interest for a person here. */
const QUIET: ReadonlySet<string> = new Set([
  'StatusLine',
  'PreModelRequest',
  'PostModelRequest',
  'PreToolSelection',
  'PostCompact',
  'MessageDisplay',
  'UserPromptExpansion',
  'InstructionsLoaded',
  'ConfigChange',
  'FileChanged',
  'SessionSeen',
  'GraceSet',
  'GraceEnded',
  'SessionSummarized', // the stop before it has its text
])

/** Shown as the end of other entries. */
const SHOWN_AS_END: ReadonlySet<string> = new Set([
  'PostToolBatch',
  'PermissionRequest',
  'PermissionResolved',
  'PermissionReplied',
  'Elicitation',
  'ElicitationResult',
])

export function timelineOf(
  session: { readonly id: string; readonly agent: string },
  events: readonly WireEvent[],
  efforts: readonly TimelineEffort[],
): Entry[] {
  const own = events.filter(
    ({ agent, hidden }) => (agent === session.agent || agent === OWN_AGENT) && hidden === undefined,
  )
  const builder = new TimelineBuilder(session.agent, session.id)
  for (const event of own) builder.take(event as HookEvent)
  const work = efforts.flatMap((effort) => workEntries(session, effort, own))
  return merged(builder.entries, work)
}

/** Keeps the journal's order, whatever the clock did; entries without a sequence are placed by time. */
function merged(entries: readonly Draft[], work: readonly Entry[]): Entry[] {
  const all: Entry[] = [...entries]
  for (const one of work.toSorted((a, b) => a.at - b.at))
    all.splice(all.findLastIndex(({ at }) => at <= one.at) + 1, 0, one)
  return all
}

interface Asked {
  readonly attention: Attention
  readonly entry: Draft
}

const ENDS: ReadonlySet<string> = new Set(['PostToolUse', 'PostToolUseFailure', 'PermissionDenied'])
const ASK_LABELS: Readonly<Record<string, string>> = { elicitation: 'MCP input' }

/** Follows the events in order, and the session's state with them. */
class TimelineBuilder {
  readonly entries: Draft[] = []
  readonly #fleet = new SessionMap()
  readonly #key: string
  readonly #tools = new Map<string, Draft>()
  readonly #subjects = new Map<string, Ask>()
  readonly #agents = new Map<string, Draft>()
  readonly #ended = new Set<string>()
  #asks: readonly Asked[] = []
  #promptAt: number | undefined
  /** The last end of a turn, and when that turn was prompted: it may turn out to be none. */
  #stop: { readonly entry: Draft; readonly promptAt: number | undefined } | undefined
  #compaction: Draft | undefined

  constructor(agent: string, sessionId: string) {
    this.#key = keyOf({ agent, sessionId })
    // The journal may begin in the middle of the session.
    this.#fleet.load([blankSession({ agent, sessionId, at: 0 })])
  }

  take(event: HookEvent): void {
    const byMs = setBackBy(event)
    if (byMs !== undefined) for (const entry of this.entries) setBack(entry, byMs)
    const before = this.#session()
    this.#fleet.apply(event)
    const after = this.#session()
    if (this.#compaction && !after?.compacting) {
      this.#compaction.endAt = event.at
      this.#compaction = undefined
    }
    const refused = this.#closeAsks(after, event)
    const closed = this.#closeTools(before, after, event, refused)
    if (ENDS.has(event.type)) this.#end(event, closed)
    if (!QUIET.has(event.type) && !SHOWN_AS_END.has(event.type) && byMs === undefined) this.#addEntry(event)
    this.#openAsks(after, event, this.#opened(before, after))
  }

  #session(): Session | undefined {
    return this.#fleet.get(this.#key)
  }

  /** The call that this event started. */
  #opened(before: Session | undefined, after: Session | undefined): OpenTool | undefined {
    const last = after?.openTools.at(-1)
    return last && !before?.openTools.some(({ call }) => call === last.call) ? last : undefined
  }

  /** New requests; a question or a plan is its own call, and shares one entry with it. */
  #openAsks(after: Session | undefined, event: HookEvent, opened: OpenTool | undefined): void {
    const hard = (after?.attention ?? []).filter(isHard)
    const own =
      opened &&
      hard.find(({ kind, call }) => (kind === 'question' || kind === 'plan') && call === opened.call)
    const subject = askOf(event)
    if (opened) {
      if (subject) this.#subjects.set(opened.call, subject)
      if (!own)
        this.#tools.set(
          opened.call,
          this.#add(event, 'tool', opened.name || 'tool', inputText(event), { open: true }),
        )
    }
    this.#asks = hard.map((attention) => {
      const known = this.#asks.find((one) => isSame(one.attention, attention))
      return { attention, entry: known?.entry ?? this.#ask(attention, event) }
    })
    for (const [call, entry] of this.#tools) {
      if (hard.some((one) => one.call === call)) entry.held = true
      else delete entry.held
    }
  }

  #ask(attention: Attention, event: HookEvent): Draft {
    const { kind, reason, call = '' } = attention
    const asks = askOf(event) ?? this.#subjects.get(call)
    const isCall = kind === 'question' || kind === 'plan'
    const said = event.tool
      ? isCall
        ? inputText(event)
        : toolText(event)
      : [asks?.tool ?? reason, asks?.subject]
    const text = typeof said === 'string' ? said : said.filter(Boolean).join('  ')
    const whose = attention.agentId === undefined ? event : { ...event, agentId: attention.agentId }
    return this.#add(whose, 'ask', ASK_LABELS[kind] ?? kind, text, { open: true, ...(asks ? { asks } : {}) })
  }

  /** The calls whose permission was refused. */
  #closeAsks(after: Session | undefined, event: HookEvent): Map<string, string> {
    const refused = new Map<string, string>()
    for (const { attention, entry } of this.#asks) {
      if (after?.attention.some((one) => isSame(one, attention))) continue
      const answer = answerIn(event, attention)
      delete entry.open
      entry.endAt = answeredAt(event, attention)
      const words = answer === 'denied' ? refusalWords(event.reason) : answer
      entry.text = [entry.text, words].filter(Boolean).join(' → ')
      if (event.type === 'PermissionResolved' || event.type === 'PermissionReplied')
        entry.tookMs = event.at - entry.at
      if (REFUSALS.has(answer)) refused.set(attention.call ?? '', answer)
    }
    return refused
  }

  #closeTools(
    before: Session | undefined,
    after: Session | undefined,
    event: HookEvent,
    refused: ReadonlyMap<string, string>,
  ): number {
    const gone = (before?.openTools ?? []).filter(
      ({ call }) => !after?.openTools.some((open) => open.call === call),
    )
    for (const { call } of gone) {
      const entry = this.#tools.get(call)
      this.#tools.delete(call)
      this.#subjects.delete(call)
      if (entry) ended(entry, event, refused.get(call))
    }
    return gone.length
  }

  /** An end that closes nothing: its start is no longer in the journal, or comes after it. A call ends once. */
  #end(event: HookEvent, closed: number): void {
    const call = event.tool?.useId
    const isToldAlready = call !== undefined && this.#ended.has(call)
    if (call !== undefined) this.#ended.add(call)
    if (closed > 0 || isToldAlready) return
    ended(this.#add(event, 'tool', event.tool?.name ?? 'tool', inputText(event)), event, undefined, false)
  }

  #addEntry(event: HookEvent): void {
    switch (event.type) {
      case 'PreToolUse':
      case 'PostToolUse':
      case 'PostToolUseFailure':
      case 'PermissionDenied':
        return
      case 'UserPromptSubmit':
        if (!event.promptInjected) this.#promptAt = event.at
        this.#add(
          event,
          event.promptInjected ? 'note' : 'prompt',
          event.promptInjected ? 'injected' : 'prompt',
          event.prompt,
        )
        return
      case 'StopBlocked':
        this.#keep(event)
        return
      case 'Stop':
      case 'StopFailure':
      case 'Interrupt':
      case 'UserPromptDenied':
      case 'SessionEnd':
        this.#over(event)
        return
      case 'SubagentStart':
        this.#agents.set(
          event.agentId ?? '',
          this.#add({ ...event, agentId: undefined }, 'agent', 'sub-agent', agentText(event), {
            ...(event.agentId === undefined ? {} : { subagent: event.agentId }),
            open: true,
          }),
        )
        return
      case 'SubagentStop':
        this.#agentEnd(event)
        return
      case 'Notification':
        // The dialog has its own entry already.
        if (event.notification?.type === 'permission_prompt' || asksPermission(event)) return
        this.#add(event, 'note', 'notice', event.notification?.message ?? event.notification?.type)
        return
      case 'PreCompact':
        this.#compaction = this.#add(event, ...instantEntry(event))
        return
      default:
        if (saysSomething(event)) this.#add(event, ...instantEntry(event))
    }
  }

  #add(
    event: Pick<HookEvent, 'at' | 'seq'> & {
      readonly agentId?: string | undefined
      readonly agentType?: string | undefined
    },
    kind: EntryKind,
    label: string,
    text: string | undefined,
    more: Partial<Entry> = {},
  ): Draft {
    const { agentId, agentType } = event
    const child = agentId ? { child: true, agentId, ...(agentType ? { agentType } : {}) } : {}
    const entry = { seq: event.seq, at: event.at, kind, label, text: text ?? '', ...child, ...more }
    this.entries.push(entry)
    return entry
  }

  #over(event: HookEvent): void {
    const tookMs = this.#promptAt === undefined ? {} : { tookMs: event.at - this.#promptAt }
    switch (event.type) {
      case 'Stop':
        this.#stop = {
          entry: this.#add(event, 'stop', 'done', event.message, tookMs),
          promptAt: this.#promptAt,
        }
        break
      case 'StopFailure':
        this.#add(event, 'error', 'failed', errorText(event), tookMs)
        break
      case 'Interrupt':
        this.#add(event, 'error', 'interrupted', event.reason, tookMs)
        break
      case 'UserPromptDenied':
        this.#add(event, 'error', 'denied', refusalWords(event.reason), { ...tookMs, denied: true })
        break
      default:
        this.#add(event, 'session', 'end', event.reason)
    }
    this.#promptAt = undefined
  }

  /** The end before it was blocked. */
  #keep(event: HookEvent): void {
    const { entry, promptAt } = this.#stop ?? {}
    if (event.agentId === undefined && entry?.at === event.at) {
      this.#promptAt = promptAt
      Object.assign(entry, { kind: 'note', label: 'answer' })
      delete entry.tookMs
    }
    this.#add(event, 'note', 'kept going', event.reason?.replace(/^kept going /, ''))
  }

  #agentEnd(event: HookEvent): void {
    const begun = this.#agents.get(event.agentId ?? '')
    if (begun) {
      delete begun.open
      begun.endAt = event.at
    }
    this.#agents.delete(event.agentId ?? '')
    const text = [agentText(event), event.message].filter(Boolean).join(': ')
    const tookMs = begun === undefined ? {} : { tookMs: event.at - begun.at }
    this.#add({ at: event.at, seq: event.seq }, 'agent', 'sub-agent', `${text || 'unknown'} → done`, {
      ...tookMs,
      ...(event.agentId === undefined ? {} : { subagent: event.agentId }),
    })
  }
}

/** The same request, also if its call was found later, or it was repeated. */
function isSame(a: Attention, b: Attention): boolean {
  if (a.kind !== b.kind || a.agentId !== b.agentId) return false
  if (a.call !== undefined && a.call === b.call) return true
  return a.since === b.since && a.reason === b.reason && (isLoose(a) || isLoose(b))
}

/** Not bound to its own call yet. */
function isLoose({ call, print }: Attention): boolean {
  return call === undefined || call.startsWith('=') || print !== undefined
}

const REFUSALS: ReadonlySet<string> = new Set(['denied', 'rejected'])

/** A result tells that the permission was given some time before: as long as the call took. */
function answeredAt({ at, tool }: HookEvent, { kind, since }: Attention): number {
  const ranMs = kind === 'permission' ? (tool?.durationMs ?? 0) : 0 // a question is itself the call
  return Math.min(at, Math.max(since, at - ranMs))
}

function setBack(entry: Draft, byMs: number): void {
  entry.at -= byMs
  if (entry.endAt !== undefined) entry.endAt -= byMs
}

/** How a request ended, inferred from the event that ended it. */
function answerIn(event: HookEvent, { kind }: Attention): string {
  const yes = kind === 'permission' || kind === 'plan' ? 'allowed' : 'answered'
  switch (event.type) {
    case 'PostToolUse':
    case 'PostToolUseFailure':
    case 'PermissionResolved':
    case 'ElicitationResult':
      return yes
    case 'PermissionReplied': // opencode
      return event.reason === 'reject' ? 'denied' : yes
    case 'PermissionDenied':
      return 'denied'
    case 'PostToolBatch': // Claude 2.1.325 has no other event for a sub-agent's call refused with Esc
    case 'Interrupt':
      return 'rejected'
    default:
      return 'not answered'
  }
}

function ended(entry: Draft, event: HookEvent, refusal?: string, isBegun = true): void {
  const { tool } = event
  delete entry.open
  delete entry.held
  entry.endAt = event.at
  if (event.type === 'PermissionDenied' || (refusal !== undefined && REFUSALS.has(refusal)))
    entry.denied = true
  const isEnd = event.type === 'PostToolUse' || event.type === 'PostToolUseFailure'
  // A refused call never ran, however long the question was open.
  if (isEnd) {
    const tookMs = tool?.durationMs ?? (isBegun ? event.at - entry.at : undefined)
    if (tookMs !== undefined) entry.tookMs = tookMs
  }
  if (event.type === 'PostToolUse') return
  const why =
    event.type === 'PermissionDenied'
      ? refusalWords(event.reason)
      : event.type === 'PostToolUseFailure'
        ? tool?.interrupted
          ? 'interrupted'
          : (tool?.error ?? 'failed')
        : (refusal ?? 'no result')
  if (why !== 'no result') entry.kind = 'error'
  else entry.kind = 'note'
  entry.text = [entry.text, why].filter(Boolean).join(' → ')
}
