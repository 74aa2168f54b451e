/**
 * Decides about an event: rules, guards and the other deciders at once; then the user's handlers and, for a permission, a person,
 * which takes time. A denial is final, so later steps are skipped. All that keep a turn going count against the same limit.
 */
import { agentFor, agents } from '../agents/index.ts'
import { DECIDERS } from '../client/wire.ts'
import { type HookEvent, keyOf, mergeVerdicts, type RawEvent, type Verdict } from '../events/index.ts'
import { asSent, isAsked, type Pending } from '../ingest/index.ts'
import {
  deniedCallEvent,
  deniedPromptEvent,
  inferredEvent,
  stopBlockedEvent,
  stopLoopEvent,
} from '../journal/index.ts'
import type { Session } from '../sessions/state/index.ts'
import { type Approvals, isByPerson } from './approvals/index.ts'
import { type Handlers, withSecrets } from './handlers/index.ts'
import { judge } from './judge.ts'
import { type Policy, rewritten } from './rules/index.ts'
import { truncateContext } from './truncate-context.ts'
import { isFinal, isStop, isStopBlock } from './verdicts.ts'

interface DecisionParts {
  readonly policy: Policy
  readonly guards: { decide(event: HookEvent, before?: HookEvent): Verdict }
  /** They only add to what rules and guards say, and know nothing of each other. */
  readonly others: readonly { decide(event: HookEvent): Verdict }[]
  readonly handlers: Handlers
  readonly approvals: Pick<Approvals, 'personFor'>
  /** Folder for contexts that are too long for an agent. */
  readonly contexts: string
  readonly session: (key: string) => Session | undefined
  readonly raise: (rawEvent: RawEvent) => void
  /** Notifies the person of what a rule says about an event. */
  readonly notify: (event: HookEvent, says: string) => void
}

export class Decisions {
  readonly #parts: DecisionParts
  /** Prompts that came while a turn was open: without them, it goes on. */
  readonly #midway = new WeakSet<HookEvent>()

  constructor(parts: DecisionParts) {
    this.#parts = parts
  }

  decide(event: HookEvent): Verdict | Pending {
    const { policy, guards, others, handlers, approvals } = this.#parts
    if (event.type === 'UserPromptSubmit' && isMidway(this.#parts.session(keyOf(event))))
      this.#midway.add(event)
    const sent = asSent(event)
    const { verdict: judged, stopLoop, isTold } = judge({ policy, guards }, sent, Date.now())
    const now = others.reduce((verdict, other) => mergeVerdicts(verdict, other.decide(event)), judged)
    if (!isTold) this.#tellLoop(event, stopLoop)
    if (stopLoop !== undefined) return now
    const asks = !isFinal(now) && handlers.wants(event) && asksHandlers(event)
    const mayAskPerson = asks || now.decision === 'ask' || event.type === 'PermissionRequest'
    const person = mayAskPerson ? approvals.personFor(event) : undefined
    if (!asks && !person?.wanted(now)) return now
    const ahead = asks && event.seq > 0 ? handlers.askAhead(event, now) : undefined
    ahead?.catch(() => {}) // `settle` may never be called
    const settle = async (patienceMs: number) => {
      const began = performance.now()
      const said = asks ? await this.#withHandlers(event, now, ahead ?? handlers.ask(event, now)) : now
      if (!person?.wanted(said)) return said
      return person.answer(said, patienceMs - (performance.now() - began))
    }
    const holdMs = (asks ? handlers.chainMs : 0) + (person?.holdMs ?? 0)
    return {
      now,
      holdMs,
      isQuick: ahead !== undefined && !person,
      settle,
      ...(person ? { abandon: (why) => person.abandon(why) } : {}),
    }
  }

  /** Events that no handler was asked about: those registered for them run now. */
  committed(events: readonly HookEvent[]): void {
    const { handlers } = this.#parts
    for (const event of events) if (handlers.wants(event) && !asksHandlers(event)) handlers.observe(event)
  }

  /**
   * Raises events for what most agents send no hook about: a refused prompt, which ends its turn; a refused tool call; a blocked
   * stop, after which the turn goes on.
   */
  answered(event: HookEvent, verdict: Verdict): void {
    const { raise, notify } = this.#parts
    if (verdict.notify) notify(event, verdict.notify.join('\n'))
    if (event.type === 'UserPromptSubmit' && event.agentId === undefined && !this.#midway.has(event)) {
      if (refuses(event, verdict)) raise(deniedPromptEvent(event, verdict, Date.now()))
    } else if (event.tool !== undefined && isCall(event, verdict)) {
      if (refuses(event, verdict)) raise(deniedCallEvent(event, verdict, Date.now()))
      this.#tellEnd(event, verdict)
    } else if (isKept(event, verdict)) raise(stopBlockedEvent(event, verdict, Date.now()))
  }

  /** The answer ended the turn, too, and no hook says so. */
  #tellEnd(event: HookEvent, verdict: Verdict): void {
    if (!verdict.stop || event.transport === 'rpc') return
    const session = this.#parts.session(keyOf(event))
    if (!session || agentFor(event.agent).answer(event, verdict).endsTurn !== true) return
    const now = Date.now()
    const reason = `stopped by ${verdict.by}`
    this.#parts.raise(inferredEvent(session, { type: 'Interrupt', at: Math.max(now, event.at), reason }, now))
  }

  async #withHandlers(event: HookEvent, known: Verdict, asking: Promise<Verdict>): Promise<Verdict> {
    const { policy } = this.#parts
    const asked = this.#guardRewrite(event, known, restoreSecrets(event, known, await asking))
    const { verdict, stopLoop, isTold } = policy.guarded(event, asked, Date.now())
    if (!isTold) this.#tellLoop(event, stopLoop)
    return verdict
  }

  /** The guards have judged the input as the rules left it; a handler may have replaced it. */
  #guardRewrite(event: HookEvent, known: Verdict, asked: Verdict): Verdict {
    if (asked.input === known.input) return asked
    const sent = asSent(event)
    return mergeVerdicts(asked, this.#parts.guards.decide(rewritten(sent, asked), rewritten(sent, known)))
  }

  /** What its agent can take in of a verdict. After the commit: it may write a file. */
  fit(event: HookEvent, verdict: Verdict): Verdict {
    return truncateContext(verdict, agentFor(event.agent).contextLimit, this.#parts.contexts, event.id)
  }

  #tellLoop(event: HookEvent, stopLoop: string | undefined): void {
    if (stopLoop !== undefined) this.#parts.raise(stopLoopEvent(event, stopLoop, Date.now()))
  }
}

/** Handlers see an event without its secrets, so their rewrite has marks in place of them. */
function restoreSecrets(event: HookEvent, known: Verdict, asked: Verdict): Verdict {
  if (asked.input === undefined || asked.input === known.input) return asked
  const sent = asSent(event)
  if (sent === event) return asked
  const input = withSecrets(asked.input, event.tool?.input, sent.tool?.input)
  if (input !== undefined) return input === asked.input ? asked : { ...asked, input }
  const { input: _, ...rest } = asked
  const who = asked.by ?? 'A handler'
  const reason = `${who} rewrote an input with redacted secrets, so that it is not clear which secret belongs where. Rewrite it so that each mark keeps the text before it, or deny it.`
  return { ...rest, decision: 'deny', reason }
}

/** A session that its first prompt made works already, and that prompt has not been heard. */
function isMidway(session: Session | undefined): boolean {
  return session?.turn.open === true && session.prompted
}

/**
 * After an approval the session already has the person's answer. A permission request before the agent's own rules is not part
 * of the session, and its input differs from the call's (Copilot CLI 1.0.102).
 */
function isCall({ type, hidden }: HookEvent, verdict: Verdict): boolean {
  return (
    type === 'PreToolUse' || (type === 'PermissionRequest' && hidden === undefined && !isByPerson(verdict))
  )
}

/** The agent obeys the block and continues the turn that it reported as ended. */
function isKept(event: HookEvent, verdict: Verdict): boolean {
  if (!isStopBlock(verdict) || !isStop(event.type) || event.hidden !== undefined) return false
  if (event.transport === 'rpc') return true
  return agentFor(event.agent).answer(event, verdict).degraded?.includes('block-stop') !== true
}

/** An agent that cannot ask refuses. Some agents take no refusal. Clients that make the hook as a call know only yes and no. */
function refuses(event: HookEvent, { decision }: Verdict): boolean {
  if (decision !== 'deny' && decision !== 'ask') return false
  if (event.transport === 'rpc') return true
  const cannot = (word: 'deny' | 'ask') =>
    agentFor(event.agent).answer(event, { decision: word }).degraded?.includes(word) === true
  return !cannot('deny') && (decision === 'deny' || cannot('ask'))
}

/**
 * The agent waits for this event and takes an answer; otherwise there is no reason to hold it. A payload that was cut is not
 * valid JSON, so no handler could read it.
 */
function asksHandlers(event: HookEvent): boolean {
  if (!isAsked(event) || event.cutFrom !== undefined || event.hidden !== undefined) return false
  return DECIDERS.has(event.native) && agents.has(event.agent)
}
