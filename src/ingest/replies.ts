/**
 * From what arrived to an event, from an event to a verdict, from a verdict to a reply. None of it may throw on the
 * hook path; what was odd is counted, for drift and doctor.
 */
import { type Agent, type Answer, agentFor, agents } from '../agents/index.ts'
import type { Log } from '../core/log.ts'
import {
  EMPTY_REPLY,
  type HookEvent,
  type HookReply,
  isKnownType,
  isPast,
  NO_VERDICT,
  OWN_AGENT,
  type RawEvent,
  type Transport,
  UNDECIDED_EXIT,
  UNREADABLE,
  type Verdict,
} from '../events/index.ts'
import { isInbound, parseRawEvent, withoutSecrets } from '../journal/index.ts'
import { redact } from '../redaction/index.ts'
import type { Store } from '../store/index.ts'
import { keepAsSent } from './as-sent.ts'
import type { Pending } from './pending-decisions.ts'

/** Puts a verdict into words: an agent's own, or those that the sender wants. */
export type Words = Agent['answer']

/** In the place of an event's name, in counters. */
export const NAMELESS = '(event not named)'

type Counters = Store['counters']

interface Parts {
  readonly store: Store
  readonly log: Log
}

/** Roads at whose end an agent waits; whoever spooled an event has long gone on. */
const WAITS: ReadonlySet<Transport> = new Set<Transport>(['socket', 'http', 'rpc'])

/** Roads on which agents speak themselves. */
const HOOK_ROADS: ReadonlySet<Transport> = new Set<Transport>([...WAITS, 'spool'])

/** An answer can still change what the agent does; strangers get no say. */
export function isAsked(event: HookEvent): boolean {
  return WAITS.has(event.transport) && !isInbound(event)
}

/** A payload that cannot be read does not say which hook it is of; the command line does, and its rules still hold. */
function asNamed(event: HookEvent): HookEvent {
  if (event.type !== UNREADABLE) return event
  const { events } = agentFor(event.agent)
  const type = Object.hasOwn(events, event.native) ? events[event.native]?.type : undefined
  return type === undefined ? event : { ...event, type }
}

/** An agent gantry knows, and no word of which of its events this is. */
function isNameless(event: HookEvent): boolean {
  return event.type === UNREADABLE && agents.has(event.agent)
}

const NAME_IT =
  "Name the event in the hook's command (gantry-hook claude PreToolUse), or in the address (?event=PreToolUse)."

/**
 * Agents have words for each event, and none for one that is not known. Exit 2 refuses whatever can be refused. Exit 1 is a
 * hook that failed: its agent goes on and shows why, and a client with --required makes it 2.
 */
function answerNameless(_event: HookEvent, { decision, reason = '' }: Verdict): Answer {
  if (decision !== 'deny' && decision !== 'ask')
    return { reply: EMPTY_REPLY, ...(decision === 'none' ? {} : { degraded: [decision] }) }
  const stderr = `gantry: no decision. ${reason} ${NAME_IT}\n`
  return {
    reply: { exit: decision === 'deny' ? 2 : UNDECIDED_EXIT, stdout: '', stderr },
    degraded: [decision],
  }
}

/** Whatever a sender says may hold a secret: the payload, what it tells of itself, the name of the event. */
export function redactAndParse(rawEvent: RawEvent, redaction: boolean, counters: Counters): HookEvent {
  if (!redaction) return parseRawEvent(rawEvent)
  const { raw, count } = withoutSecrets(rawEvent.raw)
  const said = JSON.stringify([rawEvent.client, rawEvent.event])
  const { text, count: more } = redact(said)
  if (count + more === 0) return parseRawEvent(rawEvent)
  counters.count('redacted', rawEvent.agent, rawEvent.receivedAt)
  const [client, event] = JSON.parse(text) as [RawEvent['client'], string | null]
  const clean = parseRawEvent({ ...rawEvent, raw, client, ...(event === null ? {} : { event }) })
  keepAsSent(clean, rawEvent)
  return clean
}

/**
 * A decision that fails is none, and counted: an observer's mistake must not stop an agent. It is made once; a later try
 * of the same commit only writes again what it wrote.
 */
export function decideOn(
  event: HookEvent,
  parts: Parts & {
    readonly decide?: (event: HookEvent) => Verdict | Pending
    readonly observe?: (event: HookEvent) => void
    readonly repeat?: (event: HookEvent) => void
  },
  before?: Verdict | Pending,
): Verdict | Pending {
  try {
    if (before !== undefined) parts.repeat?.(event)
    else if (isAsked(event)) return parts.decide?.(asNamed(event)) ?? NO_VERDICT
    else if (event.seq > 0) parts.observe?.(event)
    return before ?? NO_VERDICT
  } catch (error) {
    // SQLite gave the whole transaction up: nothing of the batch is stored, and nobody may be told that it is.
    if (!parts.store.journal.isOpen) throw error
    noteMissed(event, String(error), parts)
    return before ?? NO_VERDICT
  }
}

export function noteMissed(event: HookEvent, problem: string, { store, log }: Parts): void {
  log.error('policy', `no decision on ${event.native}: ${problem}`)
  store.counters.count('missed', `${event.agent} ${event.native}`, event.receivedAt)
}

export function replyTo(
  event: HookEvent,
  verdict: Verdict,
  words: Words | undefined,
  { store, log }: Parts,
): HookReply {
  try {
    const named = asNamed(event)
    const say = words ?? (isNameless(named) ? answerNameless : agentFor(event.agent).answer)
    const answer = say(named, verdict)
    for (const word of answer.degraded ?? [])
      store.counters.count('degraded', `${event.agent} ${nativeName(event)} ${word}`, event.receivedAt)
    return answer.reply
  } catch (error) {
    log.error('pipeline', `answering ${event.native} failed: ${String(error)}`)
    return EMPTY_REPLY
  }
}

export function noteOddities(event: HookEvent, fresh: boolean, counters: Counters): void {
  if (!fresh) {
    counters.count('duplicate', event.agent, event.receivedAt)
    return
  }
  if (event.cutFrom !== undefined)
    counters.count('cut', `${event.agent} ${nativeName(event)}`, event.receivedAt)
  if (event.type === UNREADABLE)
    counters.count('unreadable', `${event.agent} ${nativeName(event)}`, event.receivedAt)
  else if (isSessionless(event))
    counters.count('sessionless', `${event.agent} ${nativeName(event)}`, event.receivedAt)
  if (isStranger(event)) counters.count('stranger', event.agent, event.receivedAt)
  if (event.unknown === undefined || event.transport === 'healer' || isPast(event)) return
  for (const name of event.unknown)
    counters.count('unknown', `${event.agent} ${event.native} ${name}`, event.receivedAt)
}

/** A hook that belongs to nobody: it is stored, and no session shows it. Some of opencode's own events are of no session. */
function isSessionless(event: HookEvent): boolean {
  if (event.sessionId !== '' || !HOOK_ROADS.has(event.transport) || isInbound(event)) return false
  return agents.has(event.agent) && isKnownType(event.type)
}

/** An agent that gantry has no words for: one of somebody's own, or a name that was mistyped in a hook's command. */
function isStranger(event: HookEvent): boolean {
  if (agents.has(event.agent) || event.agent === OWN_AGENT) return false
  return HOOK_ROADS.has(event.transport) && !isInbound(event)
}

function nativeName({ native }: HookEvent): string {
  return native || NAMELESS
}
