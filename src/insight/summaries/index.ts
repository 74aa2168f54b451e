/**
 * Summarizes each turn at its end: a title and a summary, stored as an internal event. It runs off the hook path, one
 * at a time per session, and only for the latest Stop. If a command or a model fails or is late, the extracted summary
 * is used.
 */
import { agentFor } from '../../agents/index.ts'
import { BoundedMap } from '../../core/bounded-map.ts'
import { messageOf } from '../../core/errors.ts'
import type { Log } from '../../core/log.ts'
import { Alarm } from '../../core/time/alarm.ts'
import { Timers } from '../../core/time/timers.ts'
import { within } from '../../core/time/waits.ts'
import {
  type HookEvent,
  isImported,
  isPast,
  keyOf,
  markdownOf,
  OWN_AGENT,
  type RawEvent,
} from '../../events/index.ts'
import { summarizedEvent } from '../../journal/index.ts'
import { lastEnv } from '../../sessions/index.ts'
import type { Session } from '../../sessions/state/index.ts'
import type { Store } from '../../store/index.ts'
import type { SummaryConfig } from '../config.ts'
import { conversationOf } from '../conversation.ts'
import type { TranscriptUsage } from '../usage.ts'
import { inputOf } from './answer.ts'
import { type CommandPlace, isSummarizing, runSummary } from './command.ts'
import { askModel } from './endpoint.ts'
import { extract, type Summed, type TurnFacts } from './extract.ts'
import { TurnLog } from './turn-log.ts'

interface SummaryParts {
  readonly store: Store
  readonly log: Log
  readonly usage: TranscriptUsage
  readonly place: Omit<CommandPlace, 'timeoutMs'>
  readonly settings: () => SummaryConfig
  readonly redaction: () => boolean
  /** The endpoint's API key; throws if it cannot be read. */
  readonly key: () => string | undefined
  /** Resolves when the events up to `seq` are enriched, so their changed files are known. */
  readonly reached: (seq: number, ms: number) => Promise<void>
  session(key: string): Session | undefined
  raise(rawEvent: RawEvent): void
}

interface Job {
  readonly stop: HookEvent
  /** The session at its Stop: the next prompt may arrive meanwhile. */
  readonly session: Session
  /** Undefined if the turn began before the daemon. */
  readonly commands: readonly string[] | undefined
}

const AT_ONCE = 2
const QUIET_MS = 100 // no hook for this long: no agent waits
const PACE_MS = 100 // between two starts: one takes a millisecond, which hooks in quick succession would notice
const QUIET_PACE_MS = 10
const MAX_WAITING = 1_000
const EVERY_MS = 2_000 // throttle per session, for agents that stop in a loop
const REACHED_MS = 2_000
const MAX_FILES = 50
const MAX_OWN = 500
const CLOSE_MS = 500
const TELL_MS = 250
const TOLD_AT_ONCE = 2
const TELL_AGAIN_MS = 20

export class Summaries {
  readonly #parts: SummaryParts
  readonly #turns: TurnLog
  readonly #waiting = new Map<string, Job>()
  readonly #busy = new Map<string, Promise<void>>()
  /** Throttled: summarized a moment ago. */
  readonly #resting = new Timers()
  /** Sessions of agents that a summary command runs. */
  readonly #own = new BoundedMap<string, true>(MAX_OWN)
  readonly #abort = new AbortController()
  #finished: [Session, Parameters<typeof summarizedEvent>[1]][] = []
  readonly #telling = new Alarm(() => this.#tell())
  readonly #pause = new Alarm(() => this.#next())
  #lastHook = 0
  #problem: string | undefined

  constructor(parts: SummaryParts) {
    this.#parts = parts
    this.#turns = new TurnLog(parts.store)
  }

  /** Why the last summary was made without the configured command or model. */
  get problem(): string | undefined {
    return this.#problem
  }

  /** Called after the replies were sent. */
  committed(events: readonly HookEvent[]): void {
    for (const event of events) {
      if (event.agent === OWN_AGENT || event.sessionId === '' || isImported(event)) continue
      this.#lastHook = performance.now()
      this.#turns.see(event)
      if (isSummarizing(event)) this.#own.set(keyOf(event), true)
      if (event.type === 'Stop' && event.agentId === undefined && event.hidden === undefined)
        this.#stopped(event)
      else if (event.type === 'SubagentStop') this.#measureChild(event)
    }
  }

  async close(): Promise<void> {
    this.#abort.abort()
    this.#waiting.clear()
    this.#resting.close()
    this.#telling.clear()
    this.#pause.clear()
    await within(Promise.all(this.#busy.values()), CLOSE_MS)
  }

  #stopped(stop: HookEvent): void {
    const key = keyOf(stop)
    const session = this.#parts.session(key)
    const isFull = this.#waiting.size >= MAX_WAITING && !this.#waiting.has(key)
    if (!session || this.#own.has(key) || isFull || this.#abort.signal.aborted) return
    this.#waiting.set(key, { stop, session, commands: this.#turns.of(key)?.slice() })
    this.#next()
  }

  #next(): void {
    for (const [key, job] of this.#waiting) {
      if (this.#busy.size >= AT_ONCE || this.#pause.isSet) return
      if (this.#busy.has(key) || this.#resting.has(key)) continue
      this.#waiting.delete(key)
      const isQuiet = performance.now() - this.#lastHook > QUIET_MS
      this.#pause.within(isQuiet ? QUIET_PACE_MS : PACE_MS)
      const done = this.#sum(job)
        .catch((error) => this.#parts.log.warn('summary', messageOf(error)))
        .then(() => this.#rest(key))
      this.#busy.set(key, done)
    }
  }

  /** Throttles a session that stops repeatedly, so that others get their turn. */
  #rest(key: string): void {
    this.#busy.delete(key)
    if (this.#abort.signal.aborted) return
    this.#resting.set(key, EVERY_MS, () => this.#next())
    this.#next()
  }

  async #sum({ stop, session, commands }: Job): Promise<void> {
    const { reached } = this.#parts
    await reached(stop.seq, REACHED_MS)
    await new Promise(setImmediate) // many sessions that stop together are summarized one by one, with hooks between
    if (this.#abort.signal.aborted) return
    const { mode } = this.#parts.settings()
    const isLive = !isPast(stop)
    const spoken = isLive && mode !== 'off' ? await spokenIn(stop, session, mode, this.#parts) : {}
    if (isLive) this.#measure(stop, session)
    if (mode === 'off' || this.#abort.signal.aborted) return
    const ran = commands ?? (session.turn.startedAt === undefined ? [] : this.#turns.fromJournal(stop))
    const facts = this.#factsOf(stop, session, ran, spoken.answer)
    const plain = extract(facts, session.summary?.title)
    const summed = isLive && plain ? await this.#asked({ ...facts, ...spoken }, session, plain) : plain
    const before = this.#parts.session(session.key)?.summary
    const isSame = before?.title === summed?.title && before?.text === summed?.summary
    if (!summed || this.#abort.signal.aborted || (isSame && spoken.answer === undefined)) return
    const by = summed === plain ? 'extract' : mode
    const lastAnswer = spoken.answer === undefined ? {} : { lastAnswer: spoken.answer }
    const { title, summary } = summed
    this.#finished.push([session, { title, summary, by, cause: stop.id, ...lastAnswer }])
    this.#telling.within(TELL_MS)
  }

  /** A few at a time, so that a burst of summaries does not delay hooks. */
  #tell(): void {
    if (this.#finished.length > TOLD_AT_ONCE) this.#telling.within(TELL_AGAIN_MS)
    const now = Date.now()
    for (const [session, summed] of this.#finished.splice(0, TOLD_AT_ONCE))
      this.#parts.raise(summarizedEvent(session, summed, now))
  }

  /** Uses the configured command or model; falls back to the extracted summary. */
  async #asked(facts: TurnFacts & { transcript?: string }, session: Session, plain: Summed): Promise<Summed> {
    const { settings, place, key } = this.#parts
    const { mode, command, url, model, timeout_s } = settings()
    if (mode === 'extract' || mode === 'off') return plain
    const timeoutMs = timeout_s * 1000
    const { signal } = this.#abort
    try {
      const input = inputOf(facts, session)
      const summed =
        mode === 'command'
          ? await runSummary(command, input, { ...place, timeoutMs }, signal)
          : await askModel({ speaks: mode, url, model, key: key(), timeoutMs }, input, signal)
      this.#problem = undefined
      return summed
    } catch (error) {
      if (signal.aborted) return plain
      this.#problem = `${mode}: ${messageOf(error)}`
      this.#parts.log.warn('summary', `by ${this.#problem}; made without it`)
      return plain
    }
  }

  #factsOf(
    stop: HookEvent,
    session: Session,
    commands: readonly string[],
    said: string | undefined,
  ): TurnFacts {
    const { contexts, fileChanges } = this.#parts.store
    const { agent, id } = session
    const began = contexts.promptBegan(agent, id, stop.seq)
    const files = fileChanges.ofSession(agent, id, began, stop.seq, MAX_FILES)
    const answer = stop.message ?? said
    return {
      ...(session.lastPrompt === undefined ? {} : { prompt: session.lastPrompt }),
      ...(answer === undefined ? {} : { answer }),
      files: files.map(({ path, change }) => ({ path, change })),
      commands,
    }
  }

  #measure({ client }: HookEvent, session: Session): void {
    const { agent, id: sessionId, transcriptPath: path } = session
    const hasSaid = Object.keys(client.env).length > 0
    const env = hasSaid ? client.env : lastEnv(session, this.#parts.store)
    this.#parts.usage.settle({ agent, sessionId, ...(path === undefined ? {} : { path }), env })
  }

  #measureChild({
    agent,
    sessionId,
    agentId,
    agentTranscriptPath: path,
    client,
    transport,
  }: HookEvent): void {
    if (agentId === undefined || path === undefined || isPast({ transport })) return
    this.#parts.usage.settle({ agent, sessionId, agentId, path, env: client.env })
  }
}

interface Spoken {
  readonly answer?: string
  readonly transcript?: string
}

const TRANSCRIPT_BYTES = 1024 * 1024 // from its end
const MARKDOWN_CHARS = 16_000

async function spokenIn(
  stop: HookEvent,
  session: Session,
  mode: string,
  { store, redaction }: { readonly store: Store; readonly redaction: () => boolean },
): Promise<Spoken> {
  const isNeeded = stop.message === undefined || mode !== 'extract'
  if (!isNeeded || session.transcriptPath === undefined || !agentFor(session.agent).transcript) return {}
  const found = await conversationOf(session, {
    env: lastEnv(session, store),
    maxBytes: TRANSCRIPT_BYTES,
    redaction: redaction(),
  })
  const messages = found?.messages ?? []
  const asked = messages.findLastIndex(({ role }) => role === 'user')
  const turn = messages.slice(Math.max(0, asked))
  const said = turn.findLast(({ role }) => role === 'assistant')?.text
  const answer = stop.message === undefined ? said : undefined
  return {
    ...(answer ? { answer } : {}),
    ...(turn.length > 0 ? { transcript: markdownOf(turn).slice(-MARKDOWN_CHARS) } : {}),
  }
}
