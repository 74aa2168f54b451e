/**
 * Recovery after downtime: events that no daemon received and no hook client spooled are still in the transcripts. They are
 * read once, when the spool is empty and the journal has everything that will arrive.
 */
import { agentFor, type TranscriptFact } from '../../agents/index.ts'
import { messageOf } from '../../core/errors.ts'
import { readLines } from '../../core/files/lines.ts'
import { homeOf } from '../../core/files/paths.ts'
import { counted } from '../../core/text/text.ts'
import { Timers } from '../../core/time/timers.ts'
import type { HookEvent } from '../../events/index.ts'
import { parseRow } from '../../journal/index.ts'
import type { Session } from '../state/index.ts'
import { isWord, missedEvents } from './missing-events.ts'
import type { Observer, ObserverParts } from './observer.ts'
import { type RecordedEvent, recordedOf } from './recorded-events.ts'

const HISTORY_BYTES = 4 * 1024 * 1024 // hours of work; of a longer gap only the end is recovered
const GRACE_MS = 500 // a client that found no daemon may still be writing to the spool
const SPOOL_LIMIT_MS = 10_000 // after that, the spool holds events that cannot be stored now, perhaps prompts and calls
const MAX_FACTS = 200 // per session; of more only the last are recovered
const BEFORE_MS = 60_000 // journal events from shortly before are compared, too
const FILE_TIME_MS = 2_000 // file times lag behind the clock, and lines behind events
const AGAIN_MS = 10_000 // also if the transcript was written before the clock was set back
const PAGE = 200
const MAX_PAGES = 50

export interface Emptied {
  drain(): Promise<number>
  /** Remaining frames. */
  left(): Promise<number>
}

export class Recovery implements Observer {
  readonly #parts: ObserverParts
  /** Sessions whose transcripts are still to be looked at. */
  readonly #due = new Map<string, HookEvent['client']['env']>()
  readonly #later = new Timers()
  #openedAt = Number.POSITIVE_INFINITY
  #closed = false

  constructor(parts: ObserverParts) {
    this.#parts = parts
  }

  resume(session: Session, env: HookEvent['client']['env']): void {
    if (session.endedAt !== undefined || this.#parts.heardUntil === 0) return
    if (agentFor(session.agent).transcript && session.transcriptPath) this.#due.set(session.key, env)
  }

  isRecovered(key: string, at: number): boolean {
    return at < this.#openedAt && this.#due.has(key)
  }

  /** From now on hooks are received. */
  async run(spool: Emptied, openedAt: number): Promise<void> {
    this.#openedAt = openedAt
    const isWhole = await this.#settled(spool)
    let found = 0
    for (const [key, env] of this.#due) {
      if (this.#closed) return
      found += await this.#recover(key, env, isWhole)
      this.#due.delete(key)
    }
    if (found > 0)
      this.#parts.log.info(
        'observers',
        `recovered ${counted(found, 'event')} that hooks missed from transcripts`,
      )
  }

  close(): void {
    this.#closed = true
    this.#later.close()
  }

  /** Spooled frames are the events themselves, so they go first. False if some cannot be stored. */
  async #settled(spool: Emptied): Promise<boolean> {
    const until = performance.now() + SPOOL_LIMIT_MS
    while (!this.#closed && performance.now() < until) {
      await spool.drain()
      await new Promise<void>((resolve) => this.#later.add(GRACE_MS, resolve))
      if ((await spool.left()) === 0) return true
    }
    return false
  }

  async #recover(key: string, env: HookEvent['client']['env'], isWhole: boolean): Promise<number> {
    try {
      const facts = await this.#facts(key, env)
      const heard = isWhole && facts.length > 0 ? await this.#heard(key) : undefined
      const session = this.#parts.session(key)
      if (this.#closed || !session || facts.length === 0) return 0
      // No await from here on: what arrives meanwhile comes after these events.
      const gap = { from: this.#parts.heardUntil, to: this.#openedAt, heard }
      const { rawEvents, againAt } = missedEvents(session, facts, gap, Date.now())
      for (const rawEvent of rawEvents) this.#parts.raise(rawEvent)
      if (againAt !== undefined)
        this.#later.add(Math.min(againAt - Date.now(), AGAIN_MS), () => void this.#recover(key, env, true))
      return rawEvents.length
    } catch (error) {
      this.#parts.log.warn('observers', `cannot read the transcript of ${key}: ${messageOf(error)}`)
      return 0
    }
  }

  async #facts(key: string, env: HookEvent['client']['env']): Promise<TranscriptFact[]> {
    const session = this.#parts.session(key)
    const reader = session && agentFor(session.agent).transcript
    if (!session?.transcriptPath || session.endedAt !== undefined || !reader) return []
    const facts: TranscriptFact[] = []
    const roots = reader.roots(env, homeOf(env))
    const read = reader.reading?.() ?? reader.read
    // An interrupted turn is worth a look, however old it is.
    const isBusy = session.turn.open || session.openTools.length > 0
    const since = isBusy ? 0 : this.#parts.heardUntil - FILE_TIME_MS
    await readLines(session.transcriptPath, roots, { offset: 0, maxBytes: HISTORY_BYTES, since }, (line) => {
      facts.push(...read(line).filter(isWord))
      if (facts.length > MAX_FACTS) facts.splice(0, facts.length - MAX_FACTS)
    })
    return facts
  }

  /** Nothing when there is more than can be compared with. */
  async #heard(key: string): Promise<RecordedEvent[] | undefined> {
    const { store, heardUntil } = this.#parts
    const heard: RecordedEvent[] = []
    let after = store.seqBefore(heardUntil - BEFORE_MS)
    for (let page = 0; page < MAX_PAGES; page++) {
      const session = this.#parts.session(key)
      if (!session || this.#closed) return undefined
      let count = 0
      for (const row of store.oldest({ session: session.id, agent: session.agent, after }, PAGE)) {
        count += 1
        after = row.seq
        const one = recordedOf(parseRow(row))
        if (one) heard.push(one)
      }
      if (count < PAGE) return heard
      await new Promise(setImmediate)
    }
    return undefined
  }
}
