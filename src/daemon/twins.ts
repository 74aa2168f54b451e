/**
 * One hook may be wired twice, as a command and over HTTP, and then arrives over two roads with two ids. The k-th
 * copy of a payload over one road is the twin of the k-th copy over another, if it comes soon after it. The same
 * payload again over the same road is a new event: people do say "continue" twice.
 */
import type { HookEvent, Transport } from '../events/index.ts'

const WINDOW_MS = 10_000 // Claude runs the hooks of one event in parallel; seconds are generous
const MAX_REMEMBERED = 20_000

type Road = 'command' | 'http'

/** What the hook client had to spool is the same road; nothing else can be wired twice. */
const ROADS: Partial<Record<Transport, Road>> = { socket: 'command', spool: 'command', http: 'http' }

interface Seen {
  readonly at: number
  readonly counts: Map<Road, number>
}

export class Twins {
  readonly #seen = new Map<string, Seen>()

  /** True when this event came before over another road. Remembers it either way. */
  isTwin(event: HookEvent, now: number): boolean {
    const road = ROADS[event.transport]
    if (!road) return false
    this.#forget(now)
    const key = `${event.agent}\n${event.sessionId}\n${Bun.hash(event.raw)}`
    const seen = this.#seen.get(key) ?? { at: now, counts: new Map<Road, number>() }
    const mine = (seen.counts.get(road) ?? 0) + 1
    const others = seen.counts.get(road === 'http' ? 'command' : 'http') ?? 0
    seen.counts.set(road, mine)
    this.#seen.set(key, seen)
    return mine <= others
  }

  clear(): void {
    this.#seen.clear()
  }

  #forget(now: number): void {
    for (const [key, seen] of this.#seen) {
      if (Math.abs(now - seen.at) < WINDOW_MS && this.#seen.size < MAX_REMEMBERED) return
      this.#seen.delete(key)
    }
  }
}
