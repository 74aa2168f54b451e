/** Reads along in the transcripts of living sessions, and says what their hooks left out. */
import { homedir } from 'node:os'
import { agentFor, type TranscriptFact } from '../../agents/index.ts'
import type { Arrival, HookEvent } from '../../events/index.ts'
import { type Evidence, heal, type Session } from '../../sessions/index.ts'
import { healedArrival, titleArrival, usageArrival } from '../raised.ts'
import type { Recovery } from './recovery.ts'
import { type Tail, tail } from './tail.ts'

export interface HealerParts {
  session(key: string): Session | undefined
  raise(arrival: Arrival): void
}

const HOOK_FIRST_MS = 400 // where a hook says the same, it gets the time to do so
const USAGE_EVERY_MS = 5_000
const MAX_TAILS = 1_500 // each is a watch of the system's and a page of memory
const CONTEXT_WINDOW = 200_000 // of a model in Claude that nobody knows, unless its tokens show a larger one
const LARGE_CONTEXT_WINDOW = 1_000_000

type Used = Extract<TranscriptFact, { kind: 'usage' }>

export class TranscriptHealer {
  readonly #parts: HealerParts
  readonly #recovery: Pick<Recovery, 'owns'>
  readonly #tails = new Map<string, { path: string; tail: Tail }>()
  readonly #usage = new Map<string, { at: number; tokens: number; tenth: number }>()
  /** By session: the model that answers, and what it holds, as it was said or shown. */
  readonly #windows = new Map<string, { model: string; contextWindow: number }>()

  constructor(parts: HealerParts, recovery: Pick<Recovery, 'owns'>) {
    this.#parts = parts
    this.#recovery = recovery
  }

  /** Begins to read along as soon as there is something to read, ends with the session. */
  follow(session: Session, env: HookEvent['client']['env']): void {
    const known = this.#tails.get(session.key)
    if (session.endedAt !== undefined) {
      this.#forget(session.key)
      return
    }
    const reader = agentFor(session.agent).transcript
    if (!reader || !session.transcriptPath || known?.path === session.transcriptPath) return
    if (this.#tails.size >= MAX_TAILS && !known) this.#forgetSilent()
    known?.tail.close()
    const { key, transcriptPath: path } = session
    const since = session.turn.startedAt ?? Math.max(session.generationAt, session.startedAt)
    let isPast = true // what is there already; by whichever clock, the rest is written from now on
    const opened = tail(path, reader.roots(env, env.HOME ?? homedir()), (line) => {
      for (const fact of reader.read(line)) {
        if (fact.kind === 'model') this.#windows.set(key, fact)
        else if (!isPast || fact.at >= since) this.#weigh(key, fact)
      }
    })
    isPast = false
    if (opened) this.#tails.set(key, { path, tail: opened })
    else this.#tails.delete(key)
  }

  close(): void {
    for (const key of [...this.#tails.keys()]) this.#forget(key)
  }

  #weigh(key: string, fact: TranscriptFact): void {
    const session = this.#parts.session(key)
    if (!session) return
    if (fact.kind === 'usage') this.#use(session, fact)
    else if (fact.kind === 'title') {
      if (fact.title !== session.title) this.#parts.raise(titleArrival(key, fact.title, Date.now()))
    } else if (isEvidence(fact) && !this.#recovery.owns(key, fact.at)) {
      const hasHook = fact.kind !== 'interrupt' || 'Interrupt' in agentFor(session.agent).events
      if (hasHook) setTimeout(() => this.#heal(key, fact), HOOK_FIRST_MS)
      else this.#heal(key, fact)
    }
  }

  #heal(key: string, fact: Evidence): void {
    const session = this.#parts.session(key)
    const healed = session && heal(session, fact)
    if (session && healed) this.#parts.raise(healedArrival(session, healed, Date.now()))
  }

  #use(session: Session, fact: Used): void {
    const last = this.#usage.get(session.key)
    const now = performance.now()
    const window = session.agent === 'claude' ? this.#claudeWindow(session, fact) : (fact.contextWindow ?? 0)
    const contextPct = window > 0 ? Math.round((fact.contextTokens / window) * 1000) / 10 : undefined
    const tenth = Math.floor((contextPct ?? 0) / 10) // something may have to be done at the next one
    if (last?.tokens === fact.contextTokens) return
    if (last && last.tenth === tenth && now - last.at < USAGE_EVERY_MS) return
    this.#usage.set(session.key, { at: now, tokens: fact.contextTokens, tenth })
    const usage = { tokens: fact.contextTokens, ...(contextPct === undefined ? {} : { contextPct }) }
    this.#parts.raise(usageArrival(session.key, usage, Date.now()))
  }

  /** 0 where the status line reports: it knows the window, and its percentage stands. */
  #claudeWindow({ key, usage }: Session, { model = '', contextTokens, contextWindow }: Used): number {
    if (usage.costUsd !== undefined && !usage.costEstimated) return 0
    const said = this.#windows.get(key)
    const known = said && isOf(model, said.model) ? said.contextWindow : (contextWindow ?? CONTEXT_WINDOW)
    if (contextTokens <= known) return known
    this.#windows.set(key, { model, contextWindow: LARGE_CONTEXT_WINDOW }) // also when it is emptier again
    return LARGE_CONTEXT_WINDOW
  }

  /** Whoever has said nothing for longest will not miss it. */
  #forgetSilent(): void {
    const heard = (key: string) => this.#parts.session(key)?.lastActivity ?? 0
    const silent = [...this.#tails.keys()].reduce((a, b) => (heard(b) < heard(a) ? b : a))
    this.#forget(silent)
  }

  #forget(key: string): void {
    this.#tails.get(key)?.tail.close()
    this.#windows.delete(key)
    this.#tails.delete(key)
    this.#usage.delete(key)
  }
}

/** Answers name it with its date; one without a name is only the same as another without. */
function isOf(model: string, said: string): boolean {
  return said === '' ? model === '' : model.startsWith(said)
}

/** The rest is what hooks say themselves. */
function isEvidence(fact: TranscriptFact): fact is TranscriptFact & Evidence {
  return fact.kind === 'interrupt' || fact.kind === 'turn-end' || fact.kind === 'turn-error'
}
