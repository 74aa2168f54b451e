/**
 * One hook may be wired twice, as a command, over HTTP, as a call or by another tool's script, and then arrives over two roads with two ids. The k-th
 * copy of a payload over one road is the twin of the k-th copy over another, if it comes soon after it. The same
 * payload again over the same road is a new event: people do say "continue" twice. The same id again is the same
 * copy: a client that waited too long spools what it has sent.
 */
import type { HookEvent, Transport } from '../events/index.ts'

/** What is asked of an event, and what the journal has of it. */
type Copy = Pick<HookEvent, 'id' | 'agent' | 'sessionId' | 'transport' | 'raw'>

export const WINDOW_MS = 10_000 // Claude runs the hooks of one event in parallel; seconds are generous
const MAX_REMEMBERED = 20_000

const ALL_ROADS = ['command', 'http', 'call', 'relay'] as const
type Road = (typeof ALL_ROADS)[number]
const ANSWERED = ['command', 'http', 'call'] as const

/** What the hook client had to spool is the same road; nothing else can be wired twice. */
const ROADS: Partial<Record<Transport, Road>> = {
  socket: 'command',
  spool: 'command',
  http: 'http',
  rpc: 'call',
  relay: 'relay',
}

/** The copies of one payload: the ids that came over each road, with their places in the row. */
interface Seen {
  readonly at: number
  readonly roads: Partial<Record<Road, Map<string, number>>>
  /** The sequences of those that were passed on by another tool: nobody waited for an answer to them. */
  readonly relayed: number[]
}

/**
 * Two generations instead of one map with the oldest deleted: deleting from the front of a map makes every look at
 * its front slower.
 */
export class Dedupe {
  #young = new Map<string, Seen>()
  #old = new Map<string, Seen>()
  #bornAt = 0
  #remembered = 0

  /** True when this event came before over another road. Remembers it either way. */
  isDuplicate(event: Copy, now: number): boolean {
    const road = ROADS[event.transport]
    if (!road) return false
    if (this.#remembered >= MAX_REMEMBERED / 2 || isPast(this.#bornAt, now)) this.#age(now)
    const seen = this.#find(keyOf(event), now)
    const { roads } = seen
    roads[road] ??= new Map()
    const place = this.#place(roads[road], event.id)
    return ALL_ROADS.some((other) => other !== road && place <= (roads[other]?.size ?? 0))
  }

  relayed(event: Copy, seq: number, now: number): void {
    this.#find(keyOf(event), now).relayed.push(seq)
  }

  /** Of a twin: the sequence that it has in the journal, where its agent is the first that waits for an answer; else 0. */
  unanswered(event: Copy, now: number): number {
    const road = ROADS[event.transport]
    const { roads, relayed } = this.#find(keyOf(event), now)
    const place = road === undefined || road === 'relay' ? undefined : roads[road]?.get(event.id)
    if (place === undefined) return 0
    const isAnswered = ANSWERED.some((other) => other !== road && place <= (roads[other]?.size ?? 0))
    const seq = isAnswered ? 0 : (relayed[place - 1] ?? 0)
    if (seq > 0) relayed[place - 1] = 0 // once: a client that waited too long spools what it has sent
    return seq
  }

  clear(): void {
    this.#young.clear()
    this.#old.clear()
    this.#remembered = 0
  }

  #find(key: string, now: number): Seen {
    const known = this.#young.get(key) ?? this.#old.get(key)
    if (known && !isPast(known.at, now)) return known
    const seen: Seen = { at: now, roads: {}, relayed: [] }
    this.#young.set(key, seen)
    return seen
  }

  #place(copies: Map<string, number>, id: string): number {
    const known = copies.get(id)
    if (known !== undefined) return known
    this.#remembered += 1
    copies.set(id, copies.size + 1)
    return copies.size
  }

  #age(now: number): void {
    this.#old = this.#young
    this.#young = new Map()
    this.#bornAt = now
    this.#remembered = 0
  }
}

function keyOf({ agent, sessionId, raw }: Copy): string {
  return `${agent}\n${sessionId}\n${Bun.hash(raw)}`
}

/** Also when the clock was set back: what cannot be told is past. */
function isPast(at: number, now: number): boolean {
  return Math.abs(now - at) >= WINDOW_MS
}
