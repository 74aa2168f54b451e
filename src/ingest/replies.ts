/**
 * From a raw event to an event, from an event to a verdict, from a verdict to a reply. None of it may throw on the hook
 * path; anomalies are counted, for drift and doctor.
 */
import { factsOf } from '../agents/facts.ts'
import { type Agent, type Answer, agentFor, agents } from '../agents/index.ts'
import { jsonIn } from '../core/json.ts'
import type { Log } from '../core/log.ts'
import { RecentMap } from '../core/recent-map.ts'
import {
  CANARY,
  EMPTY_REPLY,
  type HookEvent,
  type HookReply,
  isDecisionWord,
  isKnownType,
  isPast,
  isUnreadableCall,
  NO_VERDICT,
  OWN_AGENT,
  type RawEvent,
  type Transport,
  UNDECIDED_EXIT,
  UNREADABLE,
  unsupportedWord,
  type Verdict,
} from '../events/index.ts'
import { isInbound, readEvent, withoutSecrets } from '../journal/index.ts'
import { redact } from '../redaction/index.ts'
import type { Store } from '../store/index.ts'
import { keepAsSent } from './as-sent.ts'
import { type Pending, reasonOf } from './pending-decisions.ts'

/** Formats a verdict: in the agent's own format, or the sender's. */
export type Words = Agent['answer']

/** Replaces a missing event name in counters. */
export const NAMELESS = '(event not named)'

type Counters = Store['counters']

interface Parts {
  readonly store: Store
  readonly log: Log
}

/** Transports with a waiting agent; the sender of a spooled event is gone. */
export const WAITING_TRANSPORTS: readonly Transport[] = ['socket', 'http', 'rpc']

/** Transports that agents themselves use. */
const HOOK_TRANSPORTS: ReadonlySet<Transport> = new Set<Transport>([...WAITING_TRANSPORTS, 'spool'])

/** An answer can still change what the agent does; inbound webhooks get no decision. */
export function isAsked(event: HookEvent): boolean {
  return WAITING_TRANSPORTS.includes(event.transport) && !isInbound(event)
}

/** An unreadable payload does not name its event, but the command line does, and its rules still apply. */
export function withNamedType(event: HookEvent): HookEvent {
  if (event.type !== UNREADABLE) return event
  const { events } = agentFor(event.agent)
  const type = Object.hasOwn(events, event.native) ? events[event.native]?.type : undefined
  return type === undefined ? event : { ...event, type }
}

/** A known agent, but an unknown event. */
function isNameless(event: HookEvent): boolean {
  return event.type === UNREADABLE && agents.has(event.agent)
}

const NAME_IT =
  "Name the event in the hook's command (gantry-hook claude PreToolUse), or in the address (?event=PreToolUse)."

/**
 * Agents have no reply format for an unknown event. Exit 2 refuses whatever can be refused. Exit 1 is a failed hook: its
 * agent continues and shows the reason, and a client with --required turns it into 2.
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

const KNOWN = 256
const KNOWN_CHARS = 2_048
const NO_FACTS = [{ env: {} }, null]
/** Client facts without secrets: the hooks of a session have the same, over and over. */
const knownClean = new RecentMap<string, true>(KNOWN)

/** Everything from a sender may hold a secret: the payload, its client facts, the event's name. */
export function redactAndParse(rawEvent: RawEvent, redaction: boolean, counters: Counters): HookEvent {
  if (!redaction) return readEvent(rawEvent)
  const { raw, count } = withoutSecrets(rawEvent.raw)
  const { pid, ppid, agentPid, ...texts } = rawEvent.client
  const said = JSON.stringify([texts, rawEvent.event])
  const { text, count: more } = knownClean.has(said) ? { text: said, count: 0 } : redact(said)
  if (more === 0 && said.length <= KNOWN_CHARS) knownClean.set(said, true)
  if (count + more === 0) return readEvent(rawEvent)
  counters.count('redacted', rawEvent.agent, rawEvent.receivedAt)
  const [client, event] = (jsonIn(text) ?? NO_FACTS) as [RawEvent['client'], string | null]
  const clean = readEvent({
    ...rawEvent,
    raw,
    client: { ...rawEvent.client, ...client },
    ...(event === null ? {} : { event }),
  })
  keepAsSent(clean, rawEvent)
  return clean
}

/**
 * A failed decision counts as none: an observer's mistake must not stop an agent. It is made once; a retry of the same
 * commit only repeats its writes.
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
    else if (isAsked(event) && event.hidden !== CANARY)
      return parts.decide?.(withNamedType(event)) ?? NO_VERDICT
    else if (event.seq > 0) parts.observe?.(event)
    return before ?? NO_VERDICT
  } catch (error) {
    // SQLite rolled back the whole transaction: nothing of the batch is stored, and nobody may be told that it is.
    if (!parts.store.journal.isOpen) throw error
    noteMissed(event, String(error), parts)
    return before ?? NO_VERDICT
  }
}

export function noteMissed(event: HookEvent, problem: string, { store, log }: Parts): void {
  log.error('policy', `no decision on ${event.native}: ${problem}`)
  store.counters.count('missed', `${event.agent} ${event.native} ${reasonOf(problem)}`, event.receivedAt)
}

export function replyTo(
  event: HookEvent,
  verdict: Verdict,
  words: Words | undefined,
  { store, log }: Parts,
): HookReply {
  try {
    const named = withNamedType(event)
    const say = words ?? (isNameless(named) ? answerNameless : agentFor(event.agent).answer)
    const answer = say(named, verdict)
    for (const word of answer.degraded ?? [])
      if (isDecisionWord(word))
        store.counters.count(
          'missed',
          `${event.agent} ${nativeName(event)} ${unsupportedWord(word)}`,
          event.receivedAt,
        )
      else store.counters.count('degraded', `${event.agent} ${nativeName(event)} ${word}`, event.receivedAt)
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
  if (isUndecided(event)) counters.count('missed', `${event.agent} ${event.native} away`, event.receivedAt)
  if (isAsked(event) && event.hidden !== CANARY && isUnreadableCall(withNamedType(event)))
    counters.count('missed', `${event.agent} ${nativeName(event)} unreadable`, event.receivedAt)
  if (isStranger(event)) counters.count('stranger', event.agent, event.receivedAt)
  if (event.unknown === undefined || event.hidden === CANARY || event.transport === 'healer' || isPast(event))
    return
  for (const name of event.unknown)
    counters.count('unknown', `${event.agent} ${event.native} ${name}`, event.receivedAt)
}

/** A hook without a session: it is stored, but no session shows it. Some of opencode's own events have none. */
function isSessionless(event: HookEvent): boolean {
  if (event.sessionId !== '' || !HOOK_TRANSPORTS.has(event.transport) || isInbound(event)) return false
  return agents.has(event.agent) && isKnownType(event.type)
}

/** Its agent went on without an answer, which could have changed what it does. */
function isUndecided({ agent, native, transport, hidden }: HookEvent): boolean {
  return transport === 'spool' && hidden !== CANARY && factsOf(agent).deciders.includes(native)
}

/** An unknown agent: a custom one, or a typo in a hook's command. */
function isStranger(event: HookEvent): boolean {
  if (agents.has(event.agent) || event.agent === OWN_AGENT) return false
  return HOOK_TRANSPORTS.has(event.transport) && !isInbound(event)
}

function nativeName({ native }: HookEvent): string {
  return native || NAMELESS
}
