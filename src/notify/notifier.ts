/**
 * Notifies people of sessions' needs, after the replies to agents were sent. Every occasion is sent once per channel,
 * across restarts. An occasion that is over before it is due is not sent.
 *
 *   const notifier = new Notifier({ store, session, sessions, place, warn })
 *   notifier.apply({ channels, quiet, timeZone, awayMs })
 *   notifier.committed(changes)
 */
import { messageOf } from '../core/errors.ts'
import { Alarm } from '../core/time/alarm.ts'
import { within } from '../core/time/waits.ts'
import type { HookEvent } from '../events/index.ts'
import type { Change, Session } from '../sessions/state/index.ts'
import type { NotificationRow, Store } from '../store/index.ts'
import type { Channel, Notification, Sent, Target } from './channels/channel.ts'
import { send } from './channels/index.ts'
import { viewOfPane } from './focus.ts'
import { isWaiting, type Occasion, occasionsOf, ruleOccasion, stands } from './occasion.ts'
import type { Quiet } from './quiet.ts'
import { channelsFor, decide, isWatched, MINUTE_MS } from './rules.ts'
import { Seen } from './seen.ts'
import { SentLog } from './sent-log.ts'
import { type Entry, Waiting } from './waiting.ts'
import { type Location, messageFor, testMessage } from './words.ts'

export interface NotifySettings {
  readonly channels: readonly Channel[]
  readonly quiet: readonly Quiet[]
  readonly timeZone: string
  readonly awayMs: number
}

interface NotifierParts {
  readonly store: Pick<Store, 'journal' | 'notifications'>
  readonly session: (key: string) => Session | undefined
  readonly sessions: () => Iterable<Session>
  readonly place: (session: Session) => Location | Promise<Location>
  readonly warn: (message: string) => void
  readonly now?: () => number
}

const MAX_WAITING = 256 // far more than anybody reads
const ATTEMPT_AFTER_MS = [5_000, 30_000] // a network may come back; later it is no longer news
const STALE_CHECK_MS = 5 * MINUTE_MS
const MAX_TIMER_MS = 10 * MINUTE_MS // after a suspended machine wakes, the clock has jumped
const NOBODY: NotifySettings = { channels: [], quiet: [], timeZone: '', awayMs: 0 }

export class Notifier {
  readonly #parts: NotifierParts
  readonly #waiting = new Waiting(MAX_WAITING)
  readonly #known = new Seen()
  readonly #sent = new SentLog()
  readonly #busy = new Map<string, Promise<void>>()
  #settings = NOBODY
  #isApplied = false
  readonly #next = new Alarm(() => this.#turn())
  #staleTimer: ReturnType<typeof setInterval> | undefined
  #closed = false

  constructor(parts: NotifierParts) {
    this.#parts = parts
  }

  get dropped(): number {
    return this.#waiting.dropped
  }

  get waiting(): number {
    return this.#waiting.size
  }

  /** May be called again at any time. Existing occasions are not announced: editing a file is no reason to notify. */
  apply(settings: NotifySettings): void {
    const wasOff = !this.#isOn()
    const isStart = !this.#isApplied
    this.#isApplied = true
    this.#settings = settings
    this.#waiting.retain(settings.channels)
    clearInterval(this.#staleTimer)
    if (!this.#isOn()) {
      this.#known.clear()
      return
    }
    if (channelsFor('stale', settings.channels).length > 0)
      this.#staleTimer = setInterval(() => this.#look(this.#parts.sessions()), STALE_CHECK_MS)
    if (wasOff) this.#begin(isStart)
    this.#schedule()
  }

  /** Called after each commit, once the replies were sent. */
  committed(changes: readonly Change[]): void {
    if (this.#closed || changes.length === 0 || !this.#isOn()) return
    this.#look(changes.map(({ session }) => session))
  }

  /** A rule has a text for the person, about an event of this session. */
  told(session: string, event: Pick<HookEvent, 'id' | 'receivedAt'>, says: string): void {
    if (this.#closed || !this.#isOn()) return
    this.#expect(ruleOccasion(session, event, says), () => true)
    this.#schedule()
  }

  /** A commit may have been missed: checks every session for new occasions. */
  lookAgain(): void {
    if (!this.#closed && this.#isOn()) this.#look(this.#parts.sessions())
  }

  /** The clock was set back and the sessions' times with it: shifts the known and waiting occasions, too. */
  setBack(byMs: number): void {
    if (this.#closed || !this.#isOn()) return
    const now = this.#now()
    this.#known.begin(this.#parts.sessions(), now)
    this.#waiting.rename((entry) => {
      const { reason, since, session: key } = entry.occasion
      if (reason === 'rule')
        return { ...entry, occasion: { ...entry.occasion, since: since - byMs }, dueAt: entry.dueAt - byMs }
      const session = this.#parts.session(key)
      const same = (one: Occasion) => one.reason === reason && one.since === since - byMs
      const occasion = session && occasionsOf(session, now).find(same)
      return occasion && { ...entry, occasion, dueAt: entry.dueAt - byMs }
    })
    this.#schedule()
  }

  /** Sends one test message, also in quiet hours; without `send`, only checks. */
  async test(
    channel: Channel,
    target: Target,
    isSent: boolean,
  ): Promise<{ readonly message: Notification; readonly sent?: Sent; readonly tookMs: number }> {
    const message = testMessage(channel.name, target, this.#now())
    if (!isSent) return { message, tookMs: 0 }
    const began = performance.now()
    const sent = await send(channel, message)
    return { message, sent, tookMs: Math.round(performance.now() - began) }
  }

  async close(graceMs: number): Promise<void> {
    this.#closed = true
    this.#next.clear()
    clearInterval(this.#staleTimer)
    this.#waiting.clear()
    await within(Promise.all(this.#busy.values()), graceMs)
  }

  #isOn(): boolean {
    return this.#settings.channels.some(({ enabled }) => enabled)
  }

  /**
   * Queues fresh occasions only; the rows know what was sent before a crash. A channel configured just now gets only
   * waiting ones.
   */
  #begin(isStart: boolean): void {
    const fresh = this.#known.begin(this.#parts.sessions(), this.#now())
    for (const occasion of fresh.filter(({ reason }) => isStart || isWaiting(reason)))
      this.#expect(occasion, (channel) => !this.#has(occasion, channel))
  }

  #look(sessions: Iterable<Session>): void {
    const now = this.#now()
    for (const session of sessions)
      for (const occasion of this.#known.news(session, now)) this.#expect(occasion, () => true)
    this.#schedule()
  }

  #expect(occasion: Occasion, isWanted: (channel: Channel) => boolean): void {
    if (this.#waiting.isFull)
      this.#waiting.prune((one) => stands(one, this.#parts.session(one.session), this.#now()))
    for (const channel of channelsFor(occasion.reason, this.#settings.channels))
      if (isWanted(channel))
        this.#waiting.put({ channel, occasion, dueAt: this.#now() + channel.afterMs, attempts: 0 })
  }

  /** One timer for all channels; a channel that is sending returns here by itself. */
  #schedule(): void {
    if (this.#closed) return
    const at = this.#waiting.nextAt((name) => this.#busy.has(name))
    if (at === undefined) this.#next.clear()
    else this.#next.reset(Math.min(Math.max(0, at - this.#now()), MAX_TIMER_MS))
  }

  #turn(): void {
    for (;;) {
      const entry = this.#waiting.take(this.#now(), (name) => this.#busy.has(name))
      if (!entry) break
      const { name } = entry.channel
      const work = this.#deal(entry)
        .catch((error) => this.#parts.warn(`${name}: ${messageOf(error)}`))
        .finally(() => {
          this.#busy.delete(name)
          this.#schedule()
        })
      this.#busy.set(name, work)
    }
    this.#schedule()
  }

  async #deal(entry: Entry): Promise<void> {
    const { channel, occasion } = entry
    const { quiet, timeZone } = this.#settings
    const now = this.#now()
    const session = this.#parts.session(occasion.session)
    if (!session || !stands(occasion, session, now)) return
    const place = await this.#parts.place(session)
    const message = messageFor(occasion, session, place, channel.withWords, now)
    const row = rowOf(entry, message, now)
    const decision = decide(channel, occasion, { now, quiet, timeZone, ...this.#sent.of(channel, occasion) })
    if (decision.do === 'wait') return this.#waiting.put({ ...entry, dueAt: decision.until })
    if (decision.do === 'skip') return this.#write({ ...row, outcome: 'skipped', detail: decision.why })
    if (channel.onlyUnfocused && (await this.#isWatched(session)))
      return this.#write({ ...row, outcome: 'skipped', detail: 'you are looking at it' })
    if (entry.attempts === 0 && !this.#claim(row)) return
    this.#sent.note(channel, occasion, this.#now())
    const sent = await send(channel, message)
    this.#finish(entry, row, sent)
  }

  #finish(entry: Entry, row: NotificationRow, { ok, detail, again }: Sent): void {
    this.#write({ ...row, outcome: ok ? 'sent' : 'failed', detail, at: this.#now() })
    if (ok) return
    this.#parts.warn(`${entry.channel.name}: ${detail}`)
    const wait = ATTEMPT_AFTER_MS[entry.attempts]
    if (!again || wait === undefined || this.#closed) return
    this.#sent.forget(entry.channel, entry.occasion)
    this.#waiting.put({ ...entry, attempts: entry.attempts + 1, dueAt: this.#now() + wait })
  }

  async #isWatched(session: Session): Promise<boolean> {
    const view = await viewOfPane(session)
    const viewers = view?.viewers.filter(({ showsPane }) => showsPane) ?? []
    return isWatched(viewers, this.#now(), this.#settings.awayMs)
  }

  #has({ key }: Occasion, { name }: Channel): boolean {
    return this.#parts.store.notifications.has(key, name)
  }

  /** False if it was sent before. If the disk is full it is sent anyway. */
  #claim(row: NotificationRow): boolean {
    const { journal, notifications } = this.#parts.store
    let isNew = true
    try {
      journal.relaxed(() => {
        isNew = notifications.claim(row)
      })
    } catch (error) {
      this.#parts.warn(`cannot be noted: ${messageOf(error)}`)
    }
    return isNew
  }

  #write(row: NotificationRow): void {
    const { journal, notifications } = this.#parts.store
    try {
      journal.relaxed(() => {
        if (!notifications.claim(row)) notifications.finish(row)
      })
    } catch (error) {
      this.#parts.warn(`cannot be noted: ${messageOf(error)}`)
    }
  }

  #now(): number {
    return this.#parts.now?.() ?? Date.now()
  }
}

function rowOf({ channel, occasion }: Entry, { title, body }: Notification, now: number): NotificationRow {
  const { key, reason, session } = occasion
  return {
    occasion: key,
    channel: channel.name,
    reason,
    session,
    title,
    body,
    at: now,
    outcome: 'sending',
    detail: '',
  }
}
