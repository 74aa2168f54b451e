/** Follows the transcripts of live sessions, and raises what their hooks left out. */
import { type Agent, agentFor, type TranscriptFact, type TranscriptReader } from '../../agents/index.ts'
import { homeOf } from '../../core/files/paths.ts'
import { Timers } from '../../core/time/timers.ts'
import type { HookEvent } from '../../events/index.ts'
import {
  inferredEvent,
  refusedEvent,
  titleEvent,
  transcriptEvent,
  usageEvent,
  versionObserved,
} from '../../journal/index.ts'
import { type Evidence, infer, type Session } from '../state/index.ts'
import { type Answered, Dialogs } from './dialogs.ts'
import type { Observer, ObserverContext } from './observer.ts'
import { type Tail, tail } from './tail.ts'

const HOOK_FIRST_MS = 400 // where a hook says the same, it gets the time to do so
const USAGE_EVERY_MS = 5_000
const LAST_WORDS_MS = 1_000 // Copilot 1.0.102 writes 0.1 s after its last hook
const AWAITED_MS = 5_000 // Copilot 1.0.102 takes 0.1 s after its first hook
const MAX_TAILS = 1_500 // each costs a system watch and a page of memory

type Windows = NonNullable<TranscriptReader['windows']>
type Used = Extract<TranscriptFact, { kind: 'usage' }>

/** The last reported and the pending context usage: figures come with every request and are throttled. */
interface Reported {
  at: number
  tokens: number
  tenth: number
  model: string
  due?: (() => void) | undefined
}

interface Followed {
  readonly path: string
  readonly tail: Tail
}

type Context = Pick<ObserverContext, 'session' | 'raise' | 'isRecovered' | 'written'>

export class TranscriptObserver implements Observer {
  readonly #context: Context
  readonly #tails = new Map<string, Followed>()
  /**
   * By session: it has ended, and its transcript did not exist yet; by what is followed: its session has ended, and the file
   * is closed soon; by what was reported: the next figure. And what hooks may still say.
   */
  readonly #later = new Timers()
  readonly #usage = new Map<string, Reported>()
  /** Each session's model and context window, announced or observed. */
  readonly #windows = new Map<string, { model: string; contextWindow: number }>()

  constructor(context: Context) {
    this.#context = context
  }

  /** Starts reading as soon as there is a file, and ends with the session. */
  follow(session: Session, env: HookEvent['client']['env']): void {
    const known = this.#tails.get(session.key)
    if (session.endedAt !== undefined) {
      if (known) this.#endLater(session.key, known)
      else if (isAwaited(session, session.endedAt)) this.#openLate(session.key, env)
      return
    }
    this.#later.clear(known)
    this.#open(session, env, known)
  }

  #open(session: Session, env: HookEvent['client']['env'], known?: Followed): void {
    const reader = agentFor(session.agent).transcript
    if (!reader) return
    const { key } = session
    const roots = reader.roots(env, homeOf(env))
    const path = session.transcriptPath ?? reader.find?.(session.id, env, homeOf(env))
    if (!path) return
    if (known?.path === path) {
      if (known.tail.isLost) known.tail.read()
      return
    }
    if (this.#tails.size >= MAX_TAILS && !known) this.#forgetSilent()
    known?.tail.close()
    let since = session.turn.startedAt ?? Math.max(session.generationAt, session.startedAt)
    let newest = 0
    let isPast = true // existing content; later lines are new, whatever their time
    const dialogs = new Dialogs()
    const onLine = (line: string) => {
      for (const fact of reader.read(line)) {
        newest = Math.max(newest, fact.at)
        if (fact.kind === 'model') this.#windows.set(key, fact)
        else if (fact.kind === 'version') this.#nameVersion(key, fact.version)
        else if (!isPast || fact.at >= since) this.#weigh(key, fact, dialogs)
      }
    }
    const opened = tail(path, roots, onLine, (takeUp) => {
      since = Math.max(since, newest + 1) // the rest was reported before
      isPast = true
      takeUp()
      isPast = false
    })
    isPast = false
    if (!opened) {
      this.#tails.delete(key)
      return
    }
    this.#tails.set(key, { path, tail: opened })
    if (session.transcriptPath === undefined) this.#context.raise(transcriptEvent(key, path, Date.now()))
  }

  /** The last usage may be written after the session's end. */
  #endLater(key: string, followed: Followed): void {
    if (this.#later.has(followed)) return
    const tellLast = () => {
      followed.tail.read()
      this.#usage.get(key)?.due?.()
    }
    tellLast()
    this.#later.set(followed, LAST_WORDS_MS, () => {
      tellLast()
      this.#forget(key)
    })
  }

  /** A short session's whole transcript may be written after its end. */
  #openLate(key: string, env: HookEvent['client']['env']): void {
    if (this.#later.has(key)) return
    this.#later.set(key, LAST_WORDS_MS, () => {
      const session = this.#context.session(key)
      if (session?.endedAt === undefined || this.#tails.has(key)) return
      this.#open(session, env)
      const opened = this.#tails.get(key)
      if (opened) this.#endLater(key, opened)
    })
  }

  /** Whether its agent is about to write one, which only polling can detect. */
  awaits(session: Session): boolean {
    return (
      session.endedAt === undefined &&
      !this.#tails.has(session.key) &&
      isAwaited(session, session.lastActivity)
    )
  }

  close(): void {
    this.#later.close()
    for (const key of [...this.#tails.keys()]) this.#forget(key)
  }

  #weigh(key: string, fact: TranscriptFact, dialogs: Dialogs): void {
    const session = this.#context.session(key)
    if (!session) return
    this.#context.written(key, fact)
    const answered = dialogs.take(fact)
    if (answered && !this.#context.isRecovered(key, fact.at)) this.#answer(session, answered)
    if (fact.kind === 'usage') this.#use(session, fact)
    else if (fact.kind === 'title') {
      if (fact.title !== session.title) this.#context.raise(titleEvent(key, fact.title, Date.now()))
    } else if (isEvidence(fact) && !this.#context.isRecovered(key, fact.at)) {
      if (hasHook(agentFor(session.agent), fact.kind))
        this.#later.add(HOOK_FIRST_MS, () => this.#heal(key, fact))
      else this.#heal(key, fact)
    }
  }

  #nameVersion(key: string, version: string): void {
    if (this.#context.session(key)?.agentVersion !== version)
      this.#context.raise(versionObserved(key, version, Date.now()))
  }

  #answer(session: Session, { at, refused, isLast }: Answered): void {
    const reason = 'answered: a dialog in the transcript'
    if (refused) this.#context.raise(refusedEvent(session, { tool: refused }, undefined, reason, Date.now()))
    else if (isLast) this.#heal(session.key, { kind: 'answered', at, says: 'a dialog in the transcript' })
  }

  #heal(key: string, fact: Evidence): void {
    const session = this.#context.session(key)
    const healed = session && infer(session, fact)
    if (session && healed) this.#context.raise(inferredEvent(session, healed, Date.now()))
  }

  /** The last figure is reported, too, a little later, because it stays valid. */
  #use(session: Session, fact: Used): void {
    const { key } = session
    const { tellsModel, windows } = agentFor(session.agent).transcript ?? {}
    const window = windows ? this.#window(session, fact, windows) : (fact.contextWindow ?? 0)
    const tokens = fact.contextTokens
    const contextPct = window > 0 ? Math.round((tokens / window) * 1000) / 10 : undefined
    const tenth = Math.floor((contextPct ?? 0) / 10) // crossing a tenth may trigger an action
    const last = this.#usage.get(key)
    this.#later.clear(last)
    if (last) last.due = undefined
    const { model = '' } = tellsModel ? fact : {}
    if (last?.tokens === tokens && last.model === model) return
    const tell = () => {
      this.#later.clear(this.#usage.get(key))
      this.#usage.set(key, { at: performance.now(), tokens, tenth, model })
      const usage = {
        tokens,
        ...(contextPct === undefined ? {} : { contextPct }),
        ...(model === '' ? {} : { model }),
      }
      this.#context.raise(usageEvent(key, usage, Date.now()))
    }
    const waitMs =
      last && last.tenth === tenth && last.model === model ? last.at + USAGE_EVERY_MS - performance.now() : 0
    if (last && waitMs > 0) {
      last.due = tell
      this.#later.set(last, waitMs, tell)
    } else tell()
  }

  /** 0 if the status line reports usage: it knows the window, so its percentage counts. */
  #window({ key, usage }: Session, fact: Used, { usual, large }: Windows): number {
    const { model = '', contextTokens, contextWindow } = fact
    if (usage.costUsd !== undefined && !usage.costEstimated) return 0
    const said = this.#windows.get(key)
    const known = said && isOf(model, said.model) ? said.contextWindow : (contextWindow ?? usual)
    if (contextTokens <= known) return known
    this.#windows.set(key, { model, contextWindow: large }) // also after it has become emptier
    return large
  }

  /** Closes the transcript of the session that was silent longest. */
  #forgetSilent(): void {
    const heard = (key: string) => this.#context.session(key)?.lastActivity ?? 0
    const silent = [...this.#tails.keys()].reduce((a, b) => (heard(b) < heard(a) ? b : a))
    this.#forget(silent)
  }

  #forget(key: string): void {
    const followed = this.#tails.get(key)
    this.#later.clear(followed)
    followed?.tail.close()
    this.#later.clear(this.#usage.get(key))
    this.#windows.delete(key)
    this.#tails.delete(key)
    this.#usage.delete(key)
  }
}

/** For an agent whose hooks do not name the file: the session was active just now, so the file may appear. */
function isAwaited({ agent, id }: Session, lastAt: number): boolean {
  return id !== '' && agentFor(agent).transcript?.find !== undefined && Date.now() - lastAt < AWAITED_MS
}

/** Responses append a date to the model name. An unnamed model matches only another unnamed one. */
function isOf(model: string, said: string): boolean {
  return said === '' ? model === '' : model.startsWith(said)
}

const EVIDENCE: ReadonlySet<TranscriptFact['kind']> = new Set<Extract<TranscriptFact, Evidence>['kind']>([
  'turn-start',
  'interrupt',
  'turn-end',
  'turn-error',
])

function hasHook({ events, transcript }: Agent, kind: Evidence['kind']): boolean {
  if (kind === 'turn-start') return false
  if (kind === 'interrupt') return 'Interrupt' in events
  return kind !== 'turn-error' || transcript?.errorsUnhooked !== true
}

/** Hooks report all other facts themselves. */
function isEvidence(fact: TranscriptFact): fact is Extract<TranscriptFact, Evidence> {
  return EVIDENCE.has(fact.kind)
}
