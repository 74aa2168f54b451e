import { readPlain } from '../../core/files/small-file.ts'
import { ancestorsOf, isInTerminal, startOf } from '../../core/processes/process-tree.ts'
import { Alarm } from '../../core/time/alarm.ts'
import { inferredEvent, parentEvent } from '../../journal/index.ts'
import { infer, type Session } from '../state/index.ts'
import type { Observer, ObserverParts } from './observer.ts'

const LOOK_MS = 100 // people notice a lag from a quarter of a second on
const LOOK_PER_PROCESS_MS = 1 // one check takes about 10 µs: a thousand agents are checked once a second

interface Watched {
  readonly pid: number
  readonly start: string
  /** The session's generation: the next one may have another process, in a container even with the same pid. */
  readonly generation: number
}

export class ProcessObserver implements Observer {
  readonly #parts: ObserverParts
  readonly #watched = new Map<string, Watched>()
  /** Until then, ended processes may still have events in the spool or the transcript. */
  #mayTell = false
  readonly #next = new Alarm(() => {
    this.#look()
    this.#lookLater()
  })

  constructor(parts: ObserverParts) {
    this.#parts = parts
    this.#lookLater()
  }

  follow(session: Session): void {
    if (session.endedAt !== undefined || session.pid === undefined) {
      if (this.#watched.delete(session.key)) this.#write(session.key, undefined)
      return
    }
    const { key, pid, generation } = session
    const known = this.#watched.get(key)
    if (known?.pid === pid && known.generation === generation) return
    const start = startOf(pid)
    // An invisible process belongs to another machine or container, or has just ended.
    if (start === undefined) return
    this.#watched.set(key, { pid, start, generation })
    this.#write(key, { pid, start })
    if (session.parentSessionId === undefined) this.#findParent(key, pid)
  }

  /** Resumes a session from before a restart with its stored process. */
  resume(session: Session): void {
    const row = this.#parts.store.processes.get(session.key)
    if (!row || row.pid !== session.pid) return
    const { key, generation } = session
    this.#watched.set(key, { pid: row.pid, start: row.boot === BOOT ? row.start : NEVER, generation })
  }

  /** All missed events are known now. */
  resumed(): void {
    this.#mayTell = true
  }

  /** The agent's process, if visible. */
  pidOf(key: string): number | undefined {
    return this.#watched.get(key)?.pid
  }

  /** A session has this process. */
  has(pid: number): boolean {
    return this.#watched.values().some((watched) => watched.pid === pid)
  }

  /** Other sessions of the same process if it has a terminal: a terminal holds one conversation. */
  besides(key: string): { readonly key: string; readonly pid: number }[] {
    const own = this.#watched.get(key)
    if (!own) return []
    const others = [...this.#watched].filter(
      ([other, { pid, start }]) => other !== key && pid === own.pid && start === own.start,
    )
    return others.length > 0 && isInTerminal(own.pid) ? others.map(([key, { pid }]) => ({ key, pid })) : []
  }

  close(): void {
    this.#next.clear()
  }

  #lookLater(): void {
    this.#next.within(LOOK_MS + LOOK_PER_PROCESS_MS * this.#watched.size)
  }

  /** An agent inside a tool call of another: a known session's process is among its ancestors. */
  #findParent(key: string, pid: number): void {
    const byPid = new Map([...this.#watched].map(([other, watched]) => [watched.pid, other]))
    for (const ancestor of ancestorsOf(pid)) {
      const parent = byPid.get(ancestor)
      if (parent === undefined || parent === key) continue
      this.#parts.raise(parentEvent(key, parent, Date.now()))
      return
    }
  }

  #write(session: string, found: { pid: number; start: string } | undefined): void {
    const { journal, processes } = this.#parts.store
    journal.relaxed(() => {
      if (found) processes.put({ session, ...found, boot: BOOT })
      else processes.delete(session)
    })
  }

  #look(): void {
    if (!this.#mayTell) return
    const starts = new Map<number, string | undefined>() // a server has many sessions
    for (const [key, { pid, start }] of this.#watched) {
      if (!starts.has(pid)) starts.set(pid, startOf(pid))
      if (starts.get(pid) === start) continue
      this.#watched.delete(key)
      this.#write(key, undefined)
      const session = this.#parts.session(key)
      const now = Date.now()
      const healed = session && infer(session, { kind: 'gone', at: now, says: `process ${pid} ended` })
      if (session && healed) this.#parts.raise(inferredEvent(session, healed, now))
    }
  }
}

const NEVER = '' // no process starts then
/** Changes with every boot, which restarts pids and times. */
const BOOT = readPlain('/proc/sys/kernel/random/boot_id')?.trim() ?? ''
