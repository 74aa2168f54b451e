/**
 * After the daemon was away: what hooks said to nobody, and no hook client could spool, is still in the transcripts.
 * They are looked at once, when the spool is empty and the journal has all that anybody will send.
 */

import { homedir } from 'node:os'
import { agentFor, type TranscriptFact } from '../../agents/index.ts'
import { messageOf } from '../../core/errors.ts'
import { readLines } from '../../core/files/lines.ts'
import { counted } from '../../core/text/text.ts'
import type { HookEvent } from '../../events/index.ts'
import { parseRow } from '../../journal/index.ts'
import type { Session } from '../state/index.ts'
import { isWord, missedEvents } from './missing-events.ts'
import type { Observer, ObserverParts } from './observer.ts'
import { type RecordedEvent, recordedOf } from './recorded-events.ts'

const HISTORY_BYTES = 4 * 1024 * 1024 // hours of work; whoever missed more is told its end
const GRACE_MS = 500 // a client that found no daemon is still writing to the spool
const SPOOL_LIMIT_MS = 10_000 // then it holds what cannot be stored now; prompts and calls could be among it
const MAX_FACTS = 200 // of one session; whoever missed more is told the last of it
const BEFORE_MS = 60_000 // what the journal has from shortly before is compared with, too
const FILE_TIME_MS = 2_000 // a file's time lags behind the clock, and lines behind what they tell
const AGAIN_MS = 10_000 // also where a transcript was written before the clock was set back
const PAGE = 200
const MAX_PAGES = 50

export interface Emptied {
  drain(): Promise<number>
  /** Frames that are still there. */
  left(): Promise<number>
}

export class Recovery implements Observer {
  readonly #parts: ObserverParts
  /** Sessions whose transcripts are still to be looked at. */
  readonly #due = new Map<string, HookEvent['client']['env']>()
  readonly #timers = new Set<ReturnType<typeof setTimeout>>()
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

  /** From now on hooks are heard. */
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
        `found in transcripts, and missed by hooks: ${counted(found, 'event')}`,
      )
  }

  close(): void {
    this.#closed = true
    for (const timer of this.#timers) clearTimeout(timer)
  }

  /** A frame in the spool is the event itself: it goes first. False when there are some that nobody can take. */
  async #settled(spool: Emptied): Promise<boolean> {
    const until = performance.now() + SPOOL_LIMIT_MS
    while (!this.#closed && performance.now() < until) {
      await spool.drain()
      await new Promise<void>((resolve) => this.#later(resolve, GRACE_MS))
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
      // All at once from here on: what comes in meanwhile comes after it.
      const gap = { from: this.#parts.heardUntil, to: this.#openedAt, heard }
      const { rawEvents, againAt } = missedEvents(session, facts, gap, Date.now())
      for (const rawEvent of rawEvents) this.#parts.raise(rawEvent)
      if (againAt !== undefined)
        this.#later(() => void this.#recover(key, env, true), Math.min(againAt - Date.now(), AGAIN_MS))
      return rawEvents.length
    } catch (error) {
      this.#parts.log.warn('observers', `the transcript of ${key} cannot be looked at: ${messageOf(error)}`)
      return 0
    }
  }

  #later(work: () => void, ms: number): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer)
      work()
    }, ms)
    this.#timers.add(timer)
  }

  async #facts(key: string, env: HookEvent['client']['env']): Promise<TranscriptFact[]> {
    const session = this.#parts.session(key)
    const reader = session && agentFor(session.agent).transcript
    if (!session?.transcriptPath || session.endedAt !== undefined || !reader) return []
    const facts: TranscriptFact[] = []
    const roots = reader.roots(env, env.HOME ?? homedir())
    const read = reader.reading?.() ?? reader.read
    // What an Esc left open is worth a look, however old it is.
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
