/**
 * A killed agent says nothing. Its process is looked at, by pid and start time, so that another process
 * with the same pid is not taken for it. There is no push for the end of a process that is not our child.
 * Who it is, is written down: an agent may end while the daemon is away.
 */
import { readFileSync } from 'node:fs'
import { ancestorsOf, isInTerminal, startOf } from '../../core/processes/process-tree.ts'
import { healedEvent, parentEvent } from '../../journal/index.ts'
import { heal, type Session } from '../state/index.ts'
import type { Observer, ObserverParts } from './observer.ts'

const LOOK_MS = 100 // lag people notice begins at a quarter of a second
const LOOK_PER_PROCESS_MS = 1 // a look takes about 10 µs: a thousand agents are looked at once a second

interface Watched {
  readonly pid: number
  readonly start: string
  /** Of the session: the next one may have another process, in a container with the same number even. */
  readonly generation: number
}

export class ProcessObserver implements Observer {
  readonly #parts: ObserverParts
  readonly #watched = new Map<string, Watched>()
  /** Before this, what ended meanwhile may still have something to say: the spool, and its transcript. */
  #mayTell = false
  #timer: ReturnType<typeof setTimeout> | undefined

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
    // One that cannot be seen belongs to another machine or container, or has just ended.
    if (start === undefined) return
    this.#watched.set(key, { pid, start, generation })
    this.#write(key, { pid, start })
    if (session.parentSessionId === undefined) this.#findParent(key, pid)
  }

  /** A session from before the daemon was away, with the process that it had then. */
  resume(session: Session): void {
    const row = this.#parts.store.processes.get(session.key)
    if (!row || row.pid !== session.pid) return
    const { key, generation } = session
    this.#watched.set(key, { pid: row.pid, start: row.boot === BOOT ? row.start : NEVER, generation })
  }

  /** Everything that was said meanwhile is known. */
  resumed(): void {
    this.#mayTell = true
  }

  /** The process of the agent, where it was seen. */
  pidOf(key: string): number | undefined {
    return this.#watched.get(key)?.pid
  }

  /** Other sessions of its process, where that has a terminal: one holds one conversation. */
  besides(key: string): { readonly key: string; readonly pid: number }[] {
    const own = this.#watched.get(key)
    if (!own) return []
    const others = [...this.#watched].filter(
      ([other, { pid, start }]) => other !== key && pid === own.pid && start === own.start,
    )
    return others.length > 0 && isInTerminal(own.pid) ? others.map(([key, { pid }]) => ({ key, pid })) : []
  }

  close(): void {
    clearTimeout(this.#timer)
  }

  #lookLater(): void {
    const pause = LOOK_MS + LOOK_PER_PROCESS_MS * this.#watched.size
    this.#timer = setTimeout(() => {
      this.#look()
      this.#lookLater()
    }, pause)
  }

  /** An agent that runs in a tool call of another one: a session's process is among its ancestors. */
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
    for (const [key, { pid, start }] of this.#watched) {
      if (startOf(pid) === start) continue
      this.#watched.delete(key)
      this.#write(key, undefined)
      const session = this.#parts.session(key)
      const now = Date.now()
      const healed = session && heal(session, { kind: 'gone', at: now, says: `process ${pid} ended` })
      if (session && healed) this.#parts.raise(healedEvent(session, healed, now))
    }
  }
}

const NEVER = '' // no process began then
/** Another one after each start of the system, which counts pids and times anew. */
const BOOT = bootId()

function bootId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim()
  } catch {
    return ''
  }
}
