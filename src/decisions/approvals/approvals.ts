/**
 * Permissions that a person may answer from elsewhere. A hook that asks for one is held while somebody is asked; the
 * answer becomes its verdict. Whatever else happens (the wait ends, the person answers in the agent's own dialog, the hook
 * is ended, the daemon stops), the agent gets what it would have got without this, and the approval is over at once.
 *
 *   const person = approvals.personFor(event)                // undefined for nearly every event
 *   if (person?.wanted(verdict)) await person.answer(verdict, patienceMs)
 */
import { inputLine, isLargeInput } from '../../core/text/input-line.ts'
import { Timers } from '../../core/time/timers.ts'
import { withoutUndefined } from '../../core/without-undefined.ts'
import { type HookEvent, keyOf, type Verdict } from '../../events/index.ts'
import { printOf, type Session } from '../../sessions/state/index.ts'
import type { ApprovalSettings } from './config.ts'
import { dialogFor, isAboutTool, isAsking, isLeftToPerson, isUnasked, verdictOf } from './permission.ts'
import { type Approval, ApprovalBook, type Ending, type Found } from './waiting.ts'

interface ApprovalParts {
  readonly settings: () => ApprovalSettings
  readonly session: (key: string) => Session | undefined
  /** Told of every beginning and end. */
  readonly told: (approval: Approval, ending?: Ending) => void
  /** A question that is only asked because it is held: its session is to know of it. */
  readonly asked: (event: HookEvent) => void
  /** A person has answered, or nobody in time, and no agent says that it heard it. */
  readonly answered: (event: HookEvent, print: string, ending: Ending) => void
  /** An agent ended the hook before the wait was over, and asks by itself now. */
  readonly cutShort: (approval: Approval, afterMs: number) => void
}

/** Somebody who can be asked about one event. */
export interface Person {
  readonly holdMs: number
  /** The verdict leaves it to a person. */
  wanted(verdict: Verdict): boolean
  /** The verdict with what they said; as it was when they said nothing in time. */
  answer(verdict: Verdict, patienceMs: number): Promise<Verdict>
  abandon(why: string): void
}

interface Waiting {
  readonly event: HookEvent
  readonly verdict: Verdict
  /** How its tool call is known. */
  readonly print: string
  readonly done: (verdict: Verdict) => void
  /** The session was seen to wait for it. */
  isSeen: boolean
}

const MAX_OPEN = 200 // of the agents that may be held at once, some are left for handlers
const SLACK_MS = 1_000 // so that the end of the wait is ours, and not a decision that was missed
const WORTHWHILE_MS = 10_000 // nobody can be asked in the few seconds that a client without holds has
const AFTERMATH_MS = 3_000 // by then an interrupted agent has said so

export class Approvals {
  readonly #parts: ApprovalParts
  readonly #book = new ApprovalBook()
  readonly #waiting = new Map<string, Waiting>()
  /** By approval: the end of the wait, later that of the aftermath. */
  readonly #timers = new Timers()
  readonly #listeners: ((key: string) => void)[] = []
  #closed = false

  constructor(parts: ApprovalParts) {
    this.#parts = parts
  }

  /** `changed` is called with the session of every approval that begins or ends. */
  listen(changed: (key: string) => void): void {
    this.#listeners.push(changed)
  }

  all(): Approval[] {
    return this.#book.all()
  }

  of(key: string): Approval[] {
    return this.#book.of(key)
  }

  find(id: string): Found | undefined {
    return this.#book.find(id)
  }

  /** The person to ask about this event; undefined if the configuration or the event does not allow it. */
  personFor(event: HookEvent): Person | undefined {
    const { enabled, hold, wait_s } = this.#parts.settings()
    if (!enabled || this.#closed || !isAboutTool(event)) return undefined
    const isListed = hold.some((agent) => agent === event.agent)
    const dialog = dialogFor(event, this.#parts.session(keyOf(event)))
    if (event.type === 'PermissionRequest') {
      if (dialog === undefined || (dialog === 'after-hook' && !isListed)) return undefined
    } else if (event.type !== 'PreToolUse' || !isListed) return undefined
    let abandoned = false
    let id: string | undefined
    return {
      holdMs: wait_s * 1000 + SLACK_MS,
      wanted: (verdict) => isLeftToPerson(event, verdict),
      answer: (verdict, patienceMs) => {
        const waitMs = Math.min(wait_s * 1000, patienceMs - SLACK_MS)
        const isHurried = patienceMs < Math.min(wait_s * 1000, WORTHWHILE_MS)
        if (abandoned || isHurried || this.#closed || this.#book.size >= MAX_OPEN)
          return Promise.resolve(verdict)
        return new Promise((done) => {
          id = this.#open(event, verdict, waitMs, done)
        })
      },
      abandon: (why) => {
        abandoned = true
        if (id !== undefined) this.#left(id, why, dialog)
      },
    }
  }

  /** A person's answer to an open request. */
  answer(approval: Approval, said: 'allow' | 'deny', by: string, message: string | undefined): void {
    const waiting = this.#waiting.get(approval.id)
    if (!waiting) return
    this.#end(
      approval.id,
      {
        how: said === 'allow' ? 'allowed' : 'denied',
        at: Date.now(),
        by,
        ...(message === undefined ? {} : { message }),
      },
      verdictOf(waiting.event, waiting.verdict, { said, id: approval.id, message }),
    )
  }

  /** The clock was set back, and with it what sessions know: they are compared with the event that asked. */
  setBack(byMs: number): void {
    for (const [id, one] of this.#waiting) {
      const event = { ...one.event, at: one.event.at - byMs }
      this.#waiting.set(id, { ...one, event })
    }
    this.#book.setBack(byMs)
  }

  /** After each commit: who was answered in the agent's own dialog, or does not ask any more. */
  committed(changes: readonly { readonly session: Session }[]): void {
    if (this.#book.size === 0) return
    for (const { session } of changes) {
      for (const { id } of this.#book.of(session.key)) {
        const waiting = this.#waiting.get(id)
        if (!waiting) continue
        if (isAsking(session, waiting.event, waiting.print)) {
          waiting.isSeen = true
          continue
        }
        if (!waiting.isSeen) continue // it is about to be told
        const { cause } = session
        this.#withdraw(id, `the agent went on without it${cause ? ` (${cause.type})` : ''}`)
      }
    }
  }

  close(): void {
    this.#closed = true
    for (const { id } of this.#book.all()) this.#withdraw(id, 'gantry stopped')
    this.#timers.close()
  }

  #open(
    event: HookEvent,
    verdict: Verdict,
    waitMs: number,
    done: (verdict: Verdict) => void,
  ): string | undefined {
    const key = keyOf(event)
    const session = this.#parts.session(key)
    const print = printOf(event)
    const isSeen = session !== undefined && isAsking(session, event, print)
    if (!isSeen && !(session && isUnasked(event))) {
      done(verdict) // it was answered before anybody could be asked
      return undefined
    }
    const { agent, native, sessionId, agentId, cwd, tool } = event
    const { reason } = verdict
    const approval = this.#book.open(
      {
        eventId: event.id,
        ...{ agent, native, sessionId, key, tool: tool?.name ?? '', input: tool?.input },
        line: inputLine(tool?.input),
        isLarge: isLargeInput(tool?.input),
        ...withoutUndefined({ agentId, reason, cwd }),
      },
      waitMs,
      Date.now(),
    )
    const { id } = approval
    this.#timers.set(id, waitMs, () => this.#end(id, { how: 'expired', at: Date.now() }))
    this.#waiting.set(id, { event, verdict, print, done, isSeen })
    this.#tell(approval)
    if (!isSeen) this.#parts.asked(event)
    return id
  }

  #tell(approval: Approval, ending?: Ending): void {
    this.#parts.told(approval, ending)
    for (const changed of this.#listeners) changed(approval.key)
  }

  #withdraw(id: string, by: string): void {
    this.#end(id, { how: 'withdrawn', at: Date.now(), by })
  }

  #left(id: string, why: string, dialog: 'concurrent' | 'after-hook' | undefined): void {
    const waiting = this.#waiting.get(id)
    const found = this.#book.find(id)
    this.#withdraw(id, why)
    if (!waiting || found?.state !== 'open' || this.#closed || dialog !== 'after-hook') return
    const { event } = waiting
    const { approval } = found
    const afterMs = Date.now() - approval.since
    this.#timers.set(id, AFTERMATH_MS, () => {
      const session = this.#parts.session(approval.key)
      if (session && isAsking(session, event, waiting.print)) this.#parts.cutShort(approval, afterMs)
    })
  }

  #end(id: string, ending: Ending, verdict?: Verdict): void {
    const approval = this.#book.end(id, ending)
    const waiting = this.#waiting.get(id)
    if (!approval || !waiting) return
    this.#waiting.delete(id)
    this.#timers.clear(id)
    waiting.done(verdict ?? waiting.verdict)
    this.#tell(approval, ending)
    if (verdict || isUnasked(waiting.event)) this.#parts.answered(waiting.event, waiting.print, ending)
  }
}
