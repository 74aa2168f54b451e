/**
 * Tool calls that are in a transcript although no hook announced them: hooks are switched off, not trusted, or their program
 * is gone. In doubt a call is covered: the journal, the spool and a moment of patience come before the alarm.
 *
 *   calls.see(event)          // each committed event
 *   calls.take(key, fact)     // each new fact of a followed transcript
 */
import { agentFor, type ToolOutcome, type TranscriptFact } from '../../agents/index.ts'
import { RecentMap } from '../../core/recent-map.ts'
import { hash53 } from '../../core/text/hash.ts'
import { Timers } from '../../core/time/timers.ts'
import { type HookEvent, keyOf } from '../../events/index.ts'
import { parseRow, uncoveredEvent } from '../../journal/index.ts'
import { type Session, setBackBy } from '../state/index.ts'
import type { Observer, ObserverParts } from './observer.ts'

const HOOK_FIRST_MS = 1_000 // a hook's process takes up to 220 ms on a busy machine; the alarm is due within 2 s
const KNOWN_HOOKLESS_MS = 500 // such a session was waited for already
const LATE_MS = 250 // a timer this late: the daemon stood still, and hooks are still in the door
const MAX_TRIES = 20 // looks while the spool is not empty
const AROUND_MS = 2_000 // where hooks name no call, name and time have to do
const LEAST_HEARD = 10_000 // calls that hooks announced, all sessions together; the journal has the others
const LEAST_OPEN = 5_000 // calls in transcripts without a result yet
const MAX_TIMES = 16 // per tool of a session whose hooks name no call
const MAX_ID_CHARS = 200 // agents' ids have 30, names of tools 60
const MAX_COMPARED = 2_000 // journal rows

interface Call {
  readonly useId: string
  readonly name: string
  readonly at: number
}

const ABOUT_CALLS = ['PreToolUse', 'PostToolUse', 'PostToolUseFailure', 'PermissionDenied']

type Context = Pick<
  ObserverParts,
  'session' | 'raise' | 'isQueued' | 'spooled' | 'store' | 'comparesTranscripts'
>

export class UncoveredCalls implements Observer {
  readonly #context: Context
  /** By session and call, or session and tool where hooks name no call: the times at which those hooks came. */
  readonly #heard = new RecentMap<number, readonly number[]>(LEAST_HEARD)
  readonly #open = new RecentMap<number, Call>(LEAST_OPEN)
  readonly #later = new Timers()
  /** Before that, hooks were received by nobody, and the recovery compares. */
  #since = Number.POSITIVE_INFINITY

  constructor(context: Context) {
    this.#context = context
  }

  resumed(now = Date.now()): void {
    this.#since = now
  }

  see(event: HookEvent): void {
    const { agent, tool, type, at, transport } = event
    this.#since -= setBackBy(event) ?? 0
    if (!this.#context.comparesTranscripts()) return
    if (tool === undefined || transport === 'healer' || !ABOUT_CALLS.includes(type)) return
    if (!agentFor(agent).transcript?.places || (tool.useId?.length ?? 0) > MAX_ID_CHARS) return
    const id = idOf(keyOf(event), tool.useId ?? `=${tool.name}`)
    const times = tool.useId === undefined ? [...(this.#heard.get(id) ?? []), at].slice(-MAX_TIMES) : NO_TIMES
    this.#heard.set(id, times)
  }

  take(key: string, fact: TranscriptFact): void {
    if (fact.kind !== 'tool-start' && fact.kind !== 'tool-end' && fact.kind !== 'unhooked-call') return
    if (!this.#context.comparesTranscripts()) return
    const session = fact.useId.length > MAX_ID_CHARS ? undefined : this.#context.session(key)
    if (!session || session.replayed || !agentFor(session.agent).transcript?.places) return
    const id = idOf(key, fact.useId)
    if (fact.kind === 'tool-end') this.#end(session, this.#open.get(id), fact.outcome)
    else if (fact.at < this.#since || this.#open.has(id) || this.#heard.has(id)) return
    else if (fact.kind === 'unhooked-call') {
      this.#heard.set(id, NO_TIMES)
      this.#context.store.counters.count('blind', toolKeyOf(session, fact.name), Date.now())
    } else {
      const call = { useId: fact.useId, name: fact.name.slice(0, MAX_ID_CHARS), at: fact.at }
      this.#open.set(id, call)
      // Of several calls in one message the last may wait long for its turn, and so may its hook.
      if (session.hookless) this.#judgeLater(key, call, fact.at)
    }
  }

  /** A call that was refused or invalid did not run. */
  #end({ key, agent, hookless }: Session, call: Call | undefined, outcome: ToolOutcome): void {
    if (!call) return
    const id = idOf(key, call.useId)
    const isUnsure = !hookless && agentFor(agent).transcript?.places?.isErrorUnsure === true
    this.#open.delete(id)
    if (outcome === 'ok' || (outcome === 'error' && !isUnsure)) this.#judgeLater(key, call, Date.now())
    else this.#heard.set(id, NO_TIMES)
  }

  close(): void {
    this.#later.close()
  }

  #judgeLater(key: string, call: Call, endedAt: number, tries = 0): void {
    if (this.#isHeard(key, call, endedAt)) return
    const waitMs = this.#context.session(key)?.hookless ? KNOWN_HOOKLESS_MS : HOOK_FIRST_MS
    const due = performance.now() + waitMs
    this.#later.add(waitMs, () => {
      const isLate = performance.now() - due > LATE_MS
      void this.#judge(key, call, endedAt, isLate ? tries : tries + 1, isLate)
    })
  }

  async #judge(key: string, call: Call, endedAt: number, tries: number, isLate: boolean): Promise<void> {
    const isComing = isLate || (tries < MAX_TRIES && (await this.#context.spooled()) > 0)
    const session = this.#context.session(key)
    if (!session || this.#isHeard(key, call, endedAt)) return
    if (isComing || this.#context.isQueued(({ tool }) => tool?.name === call.name))
      return this.#judgeLater(key, call, endedAt, tries)
    this.#heard.set(idOf(key, call.useId), NO_TIMES) // it is judged once
    if (this.#isInJournal(session, call, endedAt)) return
    const now = Date.now()
    this.#context.store.counters.count('missed', `${session.agent} ${call.name} no-hook`, now)
    this.#context.raise(uncoveredEvent(session, call, now))
  }

  #isHeard(key: string, { useId, name, at }: Call, endedAt: number): boolean {
    if (this.#heard.has(idOf(key, useId))) return true
    const times = this.#heard.get(idOf(key, `=${name}`)) ?? []
    return times.some((time) => time >= at - AROUND_MS && time <= endedAt + AROUND_MS)
  }

  /** What this process has forgotten, or never saw. */
  #isInJournal({ id, agent }: Session, { useId, name, at }: Call, endedAt: number): boolean {
    const { store } = this.#context
    const after = store.seqBefore(at - AROUND_MS)
    for (const row of store.oldest({ session: id, agent, types: ABOUT_CALLS, after }, MAX_COMPARED)) {
      const { tool, transport, at: time } = parseRow(row)
      if (tool === undefined || transport === 'healer') continue
      if (tool.useId === useId) return true
      if (tool.useId === undefined && tool.name === name && time <= endedAt + AROUND_MS) return true
    }
    return false
  }
}

const NO_TIMES: readonly number[] = []

/** Thousands are remembered. Two that collide count as covered, as anything in doubt. */
function idOf(key: string, call: string): number {
  return hash53(`${key}\n${call}`)
}

/** Agent, version and tool, as `gantry coverage` groups them. */
function toolKeyOf({ agent, agentVersion = '?' }: Session, tool: string): string {
  return `${agent} ${agentVersion} ${tool}`
}
