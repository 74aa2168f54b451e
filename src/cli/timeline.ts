/**
 * What happened in a session, one entry per thing: a tool call is one, however many hooks told of it. Made from the
 * journal and from what the work engine noted; pure.
 *
 *   timelineOf({ id: 's1', agent: 'claude' }, events, efforts)   // oldest first
 */
import { asksPermission, type EffortDetail, type WireEvent } from '../client/index.ts'
import {
  agentText,
  callOf,
  type Entry,
  type EntryKind,
  errorText,
  inputText,
  toolText,
} from './timeline-entry.ts'
import { workEntries } from './timeline-work.ts'

type Draft = { -readonly [Key in keyof Entry]: Entry[Key] }

/** Says nothing that a person would look for here. */
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
  'SessionSummarized', // the stop before it has the words it is made of
])

const OWN_AGENT = 'gantry'
/** Tools that ask by being called. */
const QUESTION_TOOLS: ReadonlySet<string> = new Set(['AskUserQuestion', 'ask_user', 'request_user_input'])

export function timelineOf(
  session: { readonly id: string; readonly agent: string },
  events: readonly WireEvent[],
  efforts: readonly EffortDetail[],
): Entry[] {
  const own = events.filter(
    ({ agent, hidden, type }) =>
      (agent === session.agent || agent === OWN_AGENT) && hidden === undefined && !QUIET.has(type),
  )
  const told = new Told()
  for (const event of own) told.take(event)
  const work = efforts.flatMap((effort) => workEntries(session, effort, own))
  return [...told.entries, ...work].sort((a, b) => a.at - b.at)
}

/** Follows the events in their order: an end finds its beginning. */
class Told {
  readonly entries: Draft[] = []
  readonly #tools = new Map<string, Draft[]>()
  readonly #agents = new Map<string, number>()
  /** The sub-agents whose calls and questions they are. */
  readonly #owners = new Map<Draft, string>()
  #asks: Draft[] = []
  #promptAt: number | undefined

  take(event: WireEvent): void {
    switch (asksPermission(event) ? 'PermissionRequest' : event.type) {
      case 'PreToolUse':
        this.#begin(event)
        return
      case 'PostToolUse':
      case 'PostToolUseFailure':
      case 'PermissionDenied':
        this.#end(event)
        return
      case 'PostToolBatch':
        for (const call of event.endedCalls ?? []) this.#closeCall(call, event)
        return
      case 'PermissionRequest':
        this.#asks.push(
          this.#own(event, this.#add(event, 'ask', 'permission', toolText(event), { open: true })),
        )
        return
      case 'PermissionResolved':
        this.#answered('allowed', event)
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
      case 'Stop':
      case 'StopFailure':
      case 'Interrupt':
      case 'UserPromptDenied':
      case 'SessionEnd':
        this.#over(event)
        return
      case 'SubagentStart':
        this.#agents.set(event.agentId ?? '', event.at)
        this.#add({ ...event, agentId: undefined }, 'agent', 'sub-agent', agentText(event))
        return
      case 'SubagentStop':
        this.#agentEnd(event)
        return
      case 'Notification':
        // The dialog has its own entry already.
        if (event.notification?.type === 'permission_prompt' && this.#asks.length > 0) return
        this.#add(event, 'ask', 'notice', event.notification?.message ?? event.notification?.type)
        return
      default:
        this.#other(event)
    }
  }

  #add(
    event: Pick<WireEvent, 'at'> & { readonly agentId?: string | undefined },
    kind: EntryKind,
    label: string,
    text: string | undefined,
    more: Partial<Entry> = {},
  ): Draft {
    const child = event.agentId !== undefined && event.agentId !== ''
    const entry = { at: event.at, kind, label, text: text ?? '', ...(child ? { child } : {}), ...more }
    this.entries.push(entry)
    return entry
  }

  #begin(event: WireEvent): void {
    const isQuestion = QUESTION_TOOLS.has(event.tool?.name ?? '')
    const [kind, label] = isQuestion
      ? (['ask', 'question'] as const)
      : (['tool', event.tool?.name ?? 'tool'] as const)
    const entry = this.#own(event, this.#add(event, kind, label, inputText(event), { open: true }))
    const key = callOf(event)
    this.#tools.set(key, [...(this.#tools.get(key) ?? []), entry])
  }

  #end(event: WireEvent): void {
    this.#answered(event.type === 'PermissionDenied' ? 'denied' : 'allowed', event)
    const [begun, ...later] = this.#tools.get(callOf(event)) ?? []
    this.#tools.set(callOf(event), later)
    const entry = begun ?? this.#add(event, 'tool', event.tool?.name ?? 'tool', inputText(event))
    const tookMs = event.tool?.durationMs ?? (begun ? event.at - begun.at : undefined)
    delete entry.open
    if (tookMs !== undefined) entry.tookMs = tookMs
    if (event.type === 'PostToolUse') return
    entry.kind = 'error'
    const why =
      event.type === 'PermissionDenied'
        ? 'denied'
        : event.tool?.interrupted
          ? 'broken off'
          : event.tool?.error
    entry.text = [entry.text, why ?? 'failed'].filter(Boolean).join(' → ')
  }

  /** The dialog of the same call; agents do not say which, so it is the oldest with the same words. */
  #answered(answer: string, event: WireEvent): void {
    const ask = this.#asks.find(({ text }) => event.tool === undefined || text === toolText(event))
    if (ask) this.#settle(ask, answer, event)
  }

  #settle(ask: Draft, answer: string, event: WireEvent): void {
    delete ask.open
    ask.text = `${ask.text} → ${answer}`
    if (answer === 'allowed' && event.type === 'PermissionResolved') ask.tookMs = event.at - ask.at
    this.#asks = this.#asks.filter((one) => one !== ask)
  }

  #over(event: WireEvent): void {
    const isEnd = event.type === 'SessionEnd'
    // What a sub-agent asks, it asks whatever becomes of the turn.
    for (const ask of this.#asks.filter(({ child }) => isEnd || !child))
      this.#settle(ask, event.type === 'Interrupt' ? 'rejected' : 'not answered', event)
    this.#closeTools(isEnd)
    const tookMs = this.#promptAt === undefined ? {} : { tookMs: event.at - this.#promptAt }
    switch (event.type) {
      case 'Stop':
        this.#add(event, 'stop', 'stop', event.message, tookMs)
        break
      case 'StopFailure':
        this.#add(event, 'error', 'stop', errorText(event), tookMs)
        break
      case 'Interrupt':
        this.#add(event, 'error', 'interrupt', event.reason, tookMs)
        break
      case 'UserPromptDenied':
        this.#add(event, 'error', 'denied', event.reason, tookMs)
        break
      default:
        this.#add(event, 'session', 'end', event.reason)
    }
    this.#promptAt = undefined
  }

  /** Calls that were denied, or whose end nobody told. Sub-agents may work on when the turn is over. */
  #closeTools(all: boolean): void {
    for (const [key, tools] of this.#tools) {
      if (!all && tools.some(({ child }) => child)) continue
      this.#tools.delete(key)
      for (const tool of tools) this.#leave(tool, 'no result')
    }
  }

  /** Claude 2.1.325 tells by nothing else that a call of a sub-agent was refused with Esc. */
  #closeCall(call: string, event: WireEvent): void {
    for (const tool of this.#tools.get(call) ?? []) {
      const ask = this.#asks.find(({ text }) => text === [tool.label, tool.text].filter(Boolean).join('  '))
      if (ask) this.#settle(ask, 'rejected', event)
      this.#leave(tool, ask ? 'rejected' : 'no result')
    }
    this.#tools.delete(call)
  }

  #leave(tool: Draft, why: string): void {
    delete tool.open
    tool.text = [tool.text, why].filter(Boolean).join(' → ')
  }

  #own({ agentId }: WireEvent, entry: Draft): Draft {
    if (agentId) this.#owners.set(entry, agentId)
    return entry
  }

  /** What a sub-agent that is over has left open. */
  #closeAgent(agentId: string, event: WireEvent): void {
    const isIts = (entry: Draft) => this.#owners.get(entry) === agentId
    for (const ask of this.#asks.filter(isIts)) this.#settle(ask, 'not answered', event)
    for (const [key, tools] of this.#tools) {
      for (const tool of tools.filter(isIts)) this.#leave(tool, 'no result')
      this.#tools.set(
        key,
        tools.filter((tool) => !isIts(tool)),
      )
    }
  }

  #agentEnd(event: WireEvent): void {
    if (event.agentId) this.#closeAgent(event.agentId, event)
    const startedAt = this.#agents.get(event.agentId ?? '')
    const text = [agentText(event), event.message].filter(Boolean).join(': ')
    const tookMs = startedAt === undefined ? {} : { tookMs: event.at - startedAt }
    this.#add({ at: event.at }, 'agent', 'sub-agent', `${text || 'unknown'} → done`, tookMs)
  }

  #other(event: WireEvent): void {
    const fields = event.fields ?? {}
    switch (event.type) {
      case 'SessionStart':
        this.#add(event, 'session', 'start', [event.source, event.model].filter(Boolean).join(' · '))
        return
      case 'PreCompact':
        this.#add(event, 'window', 'compaction', event.trigger)
        return
      case 'EffortDehydrated':
        this.#add(
          event,
          'window',
          'written down',
          `effort ${fields.effort_id}: the next window goes on from here`,
        )
        return
      case 'RestartRequested':
        this.#add(event, 'window', 'restart', event.reason)
        return
      case 'TaskCreated':
      case 'TaskCompleted':
        this.#add(
          event,
          'note',
          'task',
          `${event.type.slice(4).toLowerCase()}: ${event.task?.subject ?? event.task?.id}`,
        )
        return
      case 'TeammateIdle':
        this.#add(event, 'agent', 'teammate', `${event.teammate?.name ?? ''} idle`)
        return
      default:
        this.#add(event, 'note', event.type, event.message ?? event.reason ?? event.source)
    }
  }
}
