/**
 * A killed agent says nothing. Its process is looked at once a second, by pid and start time, so that another process
 * with the same pid is not taken for it. There is no push for the end of a process that is not our child.
 */
import { readFileSync } from 'node:fs'
import { heal, type Session } from '../../sessions/index.ts'
import { healedArrival } from '../raised.ts'
import type { HealerParts } from './transcripts.ts'

const LOOK_MS = 1_000

export class ProcessHealer {
  readonly #parts: HealerParts
  readonly #watched = new Map<string, { pid: number; start: string }>()
  readonly #timer: ReturnType<typeof setInterval>

  constructor(parts: HealerParts) {
    this.#parts = parts
    this.#timer = setInterval(() => this.#look(), LOOK_MS)
  }

  follow(session: Session): void {
    if (session.endedAt !== undefined || session.pid === undefined) {
      this.#watched.delete(session.key)
      return
    }
    if (this.#watched.get(session.key)?.pid === session.pid) return
    const start = startOf(session.pid)
    // A pid that cannot be seen belongs to another machine or container; nothing follows from that.
    if (start !== undefined) this.#watched.set(session.key, { pid: session.pid, start })
  }

  close(): void {
    clearInterval(this.#timer)
  }

  #look(): void {
    for (const [key, { pid, start }] of this.#watched) {
      if (startOf(pid) === start) continue
      this.#watched.delete(key)
      const session = this.#parts.session(key)
      const now = Date.now()
      const healed = session && heal(session, { kind: 'gone', at: now, says: `process ${pid} ended` })
      if (session && healed) this.#parts.raise(healedArrival(session, healed, now))
    }
  }
}

/** Field 22 of /proc/<pid>/stat, after the name in parentheses, which may hold anything. Zombies have ended. */
export function startOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return fields[0] === 'Z' || fields[0] === 'X' ? undefined : fields[19]
  } catch {
    return undefined
  }
}
