/**
 * The background thread as the daemon sees it: starts it, tells it of commits, writes for it, asks it. One that fails is started
 * again and goes on from its marks. It dies with the daemon, so two of them never publish the same.
 *
 *   const background = new Background({ … })
 *   background.start()                        // once the daemon listens
 *   background.stored(events)                 // after each commit, …
 *   background.committed()                    // … and again with its followers
 *   await background.call('bus.status')
 *   await background.close()
 */
import { type BusMessage, type Endpoint, hookMessage, type LastSeqs, type Sources } from '../../bus/index.ts'
import type { OutgoingGlance } from '../../bus/outgoing.ts'
import { plannedNats, removeLeftNats } from '../../bus/service.ts'
import { writeFirstMarks } from '../../bus/webhooks/first-mark.ts'
import { GantryError, messageOf } from '../../core/errors.ts'
import type { Places } from '../../core/files/paths.ts'
import type { Log } from '../../core/log.ts'
import { threadModule } from '../../core/processes/self.ts'
import { Alarm } from '../../core/time/alarm.ts'
import { backoff, within } from '../../core/time/waits.ts'
import type { HookEvent, RawEvent } from '../../events/index.ts'
import { applyWrites, type Store, type Write } from '../../store/index.ts'
import type { Config } from '../config/config.ts'
import type { FromThread, ToThread } from './messages.ts'
import type { ThreadCalls } from './thread.ts'

export interface BackgroundParts {
  readonly store: Store
  readonly sources: Sources
  readonly places: Places
  readonly log: Log
  readonly config: () => Config
  readonly raise: (rawEvent: RawEvent, done: (isStored: boolean) => void) => void
  /** Where NATS is; undefined when it is off. */
  readonly connected: (endpoint: Endpoint | undefined) => void
  /** The thread's module, and when it counts as hung, for tests. */
  readonly module?: string
  readonly hungMs?: number
}

const START_AFTER_MS = 200 // the socket comes first
const START_LATER_MS = 10_000 // if nobody gets messages: it takes two thirds as much processor time as the rest of a start
const ROWS_MS = 20 // until messages that are derived from events have their rows
const TELL_MS = 2 // of commits with several events: a thread that is woken by each takes the processor from the next hook
const TELL_LATER_MS = 50 // if nobody gets messages
const LONE_BYTES = 64 * 1024 // a lone event up to this size is handed over, which is sooner than to read it
const RETRY_MS = 1_000
const ANSWER_MS = 15_000
const GLANCE_MS = 500
const CLOSE_MS = 4_000
const END_MS = 300
const LAST_RESTART_MS = 60_000
const PING_MS = 20_000
const HUNG_MS = 60_000 // much longer than anything it does in one turn, on however busy a machine

interface Call {
  resolve(value: unknown): void
  reject(error: Error): void
}

export class Background {
  readonly #parts: BackgroundParts
  /** What a webhook that is new has not to send. */
  #last: LastSeqs
  #thread: Worker | undefined
  #pinging: ReturnType<typeof setInterval> | undefined
  /** By the monotonic clock. */
  #heardAt = 0
  #toldAt = 0
  #failures = 0
  #delivers = false
  #glance: OutgoingGlance
  readonly #calls = new Map<number, Call>()
  #called = 0
  #unwritten: { readonly id: number; readonly writes: readonly Write[] }[] = []
  readonly #openLater = new Alarm(() => this.#open())
  readonly #tellSoon = new Alarm(() => this.#tell())
  readonly #writeRows = new Alarm(() => this.#rows())
  readonly #writeAgain = new Alarm(() => this.#write())
  #closed: (() => void) | undefined

  constructor(parts: BackgroundParts) {
    this.#parts = parts
    this.#last = this.#stored()
    this.#glance = plannedNats(parts.config(), parts.places)
  }

  start(afterMs = this.#hasReceivers ? START_AFTER_MS : START_LATER_MS): void {
    this.#writeFirstMarks(this.#last)
    if (!this.#hasReceivers) void this.#removeLeft()
    this.#openLater.clear()
    this.#openLater.within(afterMs)
  }

  apply(): void {
    this.#writeFirstMarks(this.#stored())
    if (this.#thread) this.#post({ kind: 'config', config: this.#parts.config() })
    else {
      this.#last = this.#stored()
      this.#glance = plannedNats(this.#parts.config(), this.#parts.places)
      if (this.#hasReceivers && !this.#closed) this.start()
    }
  }

  /** Called as soon as the replies were sent, before all followers: a lone event goes out while they work. */
  stored(events: readonly HookEvent[]): void {
    if (!this.#thread || !this.#delivers) return
    const [event] = events
    if (event && events.length === 1 && event.raw.length < LONE_BYTES) this.#tell([hookMessage(event)])
    else if (performance.now() - this.#toldAt > TELL_MS) this.#tell()
  }

  /** Called after each commit, once its messages have their rows. */
  committed(): void {
    if (!this.#thread) return
    if (!Bun.deepEquals(this.#last, this.#stored()))
      this.#tellSoon.within(this.#delivers ? TELL_MS : TELL_LATER_MS)
    if (this.#delivers && this.#hasRowsToWrite) this.#writeRows.within(ROWS_MS)
  }

  /** As it was when it was last asked for. */
  get glance(): OutgoingGlance {
    return this.#glance
  }

  /** Asks for a glance; a thread that is busy is not waited for, and none is started if nobody gets messages. */
  async look(): Promise<OutgoingGlance> {
    if (!this.#thread && !this.#hasReceivers) return this.#glance
    const asked = this.call('glance').then((glance) => {
      this.#glance = glance
    })
    await within(
      asked.catch(() => {}),
      GLANCE_MS,
    )
    return this.#glance
  }

  /** Nothing of the daemon waits for it. Rejects if there can be no thread. */
  async checkpoint(): Promise<void> {
    if (!this.#thread && !this.#closed) this.#open()
    if (!this.#thread) throw new GantryError('DEADLINE', 'There is no background thread.')
    await this.call('checkpoint')
  }

  async call<Name extends keyof ThreadCalls>(
    name: Name,
    ...args: Parameters<ThreadCalls[Name]>
  ): Promise<Awaited<ReturnType<ThreadCalls[Name]>>> {
    if (!this.#thread && this.#closed === undefined) this.#open()
    this.#called += 1
    const id = this.#called
    const { promise, resolve, reject } = Promise.withResolvers<unknown>()
    const late = () =>
      reject(new GantryError('DEADLINE', 'The background thread does not answer. See: gantry doctor'))
    const timer = setTimeout(late, ANSWER_MS)
    this.#calls.set(id, { resolve, reject })
    this.#tell()
    this.#post({ kind: 'call', id, name, args })
    try {
      return (await promise) as Awaited<ReturnType<ThreadCalls[Name]>>
    } finally {
      clearTimeout(timer)
      this.#calls.delete(id)
    }
  }

  /** Lets it send and save what is left. */
  async close(): Promise<void> {
    this.#openLater.clear()
    clearInterval(this.#pinging)
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#closed = resolve
    if (!this.#thread) return
    this.#rows()
    this.#post({ kind: 'close' })
    await within(promise, CLOSE_MS)
    for (const alarm of [this.#tellSoon, this.#writeRows, this.#writeAgain]) alarm.clear()
    const thread = this.#thread
    this.#thread = undefined
    if (!thread) return
    const ended = new Promise((resolve) => thread.addEventListener('close', resolve))
    thread.terminate()
    await within(ended, END_MS) // its connection to the database ends with it
  }

  /** The nats-server that a killed daemon left, and its address; the thread would be late. */
  async #removeLeft(): Promise<void> {
    const { places, log } = this.#parts
    try {
      await removeLeftNats(places, log)
    } catch (error) {
      log.warn('background', `the NATS of an earlier start cannot be ended: ${messageOf(error)}`)
    }
  }

  /** Also of a plan that fails, which the thread reports. */
  get #hasReceivers(): boolean {
    const { mode, problem } = this.#glance.nats
    return mode !== 'off' || problem !== null || this.#parts.config().webhooks.length > 0
  }

  #writeFirstMarks(last: LastSeqs): void {
    const { store, config, log } = this.#parts
    try {
      writeFirstMarks(store, config().webhooks, last)
    } catch (error) {
      log.warn('background', `the mark of a new webhook cannot be written: ${messageOf(error)}`) // the thread tries it again
    }
  }

  #open(): void {
    this.#openLater.clear()
    if (!this.#parts.store.files.areThere()) return // they are being saved; another connection would be in the way
    const { places, config, module = threadModule('src/daemon/background/thread') } = this.#parts
    const thread = new Worker(module, { smol: true })
    this.#thread = thread
    this.#heardAt = performance.now()
    thread.onmessage = ({ data }: MessageEvent<FromThread>) => {
      if (this.#thread !== thread) return // what one says that has failed
      this.#heardAt = performance.now()
      this.#take(data)
    }
    thread.onerror = ({ message }) => this.#failed(thread, message)
    thread.addEventListener('close', () => this.#failed(thread, 'it ended'))
    this.#watch(thread)
    this.#post({
      ...{ kind: 'start', places, config: config(), last: this.#last },
      identity: this.#parts.store.files.identity,
    })
    this.#tell()
  }

  /** One that loops forever says nothing, and ends nothing. */
  #watch(thread: Worker): void {
    const { hungMs = HUNG_MS } = this.#parts
    clearInterval(this.#pinging)
    this.#pinging = setInterval(
      () => {
        if (performance.now() - this.#heardAt > hungMs) this.#failed(thread, 'it hung')
        else this.call('glance').catch(() => {})
      },
      Math.min(PING_MS, hungMs / 2),
    )
  }

  #failed(thread: Worker, how: string): void {
    if (this.#thread !== thread || this.#closed) return
    const { log, store } = this.#parts
    log.error('background', `the background thread failed: ${how}; it is started again`)
    store.counters.count('follower', 'background: messages go out later', Date.now())
    this.#thread = undefined
    clearInterval(this.#pinging)
    thread.terminate()
    for (const { reject } of this.#calls.values())
      reject(new GantryError('HANDLER_ERROR', `The background thread failed: ${how}. Try again.`))
    this.#unwritten = [] // it goes on from what is written
    this.#failures += 1
    this.start(backoff(this.#failures, LAST_RESTART_MS))
  }

  get #hasRowsToWrite(): boolean {
    const { sessions, own } = this.#parts.sources
    return sessions.storedSeq() < sessions.lastSeq() || own.storedSeq() < own.lastSeq()
  }

  #post(message: ToThread): void {
    this.#thread?.postMessage(message)
  }

  #tell(hooks: readonly BusMessage[] = []): void {
    this.#tellSoon.clear()
    this.#toldAt = performance.now()
    this.#last = this.#stored()
    this.#post({ kind: 'committed', last: this.#last, hooks })
  }

  #stored(): LastSeqs {
    const { sessions, decisions, own } = this.#parts.sources
    return {
      HOOK_EVENTS: this.#parts.store.journal.lastSeq,
      SESSION_EVENTS: sessions.storedSeq(),
      DECISION_EVENTS: decisions.storedSeq(),
      GANTRY_EVENTS: own.storedSeq(),
    }
  }

  #rows(): void {
    const { sources, log } = this.#parts
    try {
      sources.sessions.write()
      sources.own.write()
    } catch (error) {
      log.warn('background', `messages are published later: ${messageOf(error)}`)
      this.#writeRows.within(RETRY_MS)
    }
    this.#tell()
  }

  #take(message: FromThread): void {
    const { raise, connected, log } = this.#parts
    switch (message.kind) {
      case 'write':
        this.#failures = 0
        this.#unwritten.push(message)
        this.#write()
        return
      case 'raise': {
        const { id } = message.rawEvent
        raise(message.rawEvent, (isStored) => this.#post({ kind: 'raised', id, isStored }))
        return
      }
      case 'log':
        log[message.level](message.component, message.message)
        return
      case 'delivers':
        this.#delivers = message.isOn
        if (message.isOn && this.#hasRowsToWrite) this.#rows()
        else this.#tell() // rows that were written meanwhile
        return
      case 'connected':
        connected(message.endpoint)
        return
      case 'answer':
        this.#calls.get(message.id)?.resolve(message.value)
        return
      case 'refusal':
        this.#calls.get(message.id)?.reject(new GantryError(message.code, message.message))
        return
      case 'failed':
        if (this.#thread) this.#failed(this.#thread, message.message)
        return
      case 'closed':
        this.#closed?.()
    }
  }

  /** In order; one that cannot be written holds up the others. */
  #write(): void {
    const { store, log } = this.#parts
    for (let next = this.#unwritten[0]; next; next = this.#unwritten[0]) {
      const { id, writes } = next
      try {
        store.journal.relaxed(() => applyWrites(store, writes))
      } catch (error) {
        log.warn('background', `how far messages went out cannot be written: ${messageOf(error)}`)
        this.#writeAgain.within(RETRY_MS)
        return
      }
      this.#unwritten.shift()
      this.#post({ kind: 'written', id })
    }
  }
}
