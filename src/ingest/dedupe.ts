/**
 * Drops duplicates. A hook may be installed twice, as a command, over HTTP, as a call or by another tool's script, and then
 * arrives over two routes with two ids. The k-th copy of a payload over one route is a duplicate of the k-th copy over
 * another, if it comes soon after it. The same payload again over the same route is a new event: people do send "continue"
 * twice. The same id again is the same copy: a client that waited too long spools what it has sent.
 */
import type { HookEvent, Transport } from '../events/index.ts'

/** The fields compared, of an event or a journal row. */
type Copy = Pick<HookEvent, 'id' | 'agent' | 'sessionId' | 'transport' | 'raw'>

export const WINDOW_MS = 10_000 // Claude runs the hooks of one event in parallel; seconds are generous
const MAX_REMEMBERED = 20_000

const ALL_ROUTES = ['command', 'http', 'call', 'relay'] as const
type Route = (typeof ALL_ROUTES)[number]
const ANSWERED = ['command', 'http', 'call'] as const

/** A spooled event took the client's route; no other transport can be installed twice. */
const ROUTES: Partial<Record<Transport, Route>> = {
  socket: 'command',
  spool: 'command',
  http: 'http',
  rpc: 'call',
  relay: 'relay',
}

/** The ids of one payload over one route, in order. Thousands are remembered, and hardly any has a second id. */
class Ids {
  readonly #first: string
  #more: Map<string, number> | undefined

  constructor(first: string) {
    this.#first = first
  }

  get size(): number {
    return 1 + (this.#more?.size ?? 0)
  }

  /** From 1 on. */
  placeOf(id: string): number | undefined {
    return id === this.#first ? 1 : this.#more?.get(id)
  }

  add(id: string): void {
    this.#more ??= new Map()
    this.#more.set(id, this.size + 1)
  }
}

/** The copies of one payload. */
interface Seen {
  readonly at: number
  readonly routes: Partial<Record<Route, Ids>>
  /** Sequences of copies that another tool relayed: nobody waited for an answer to them. */
  relayed?: number[]
}

/**
 * Two generations instead of deleting the oldest from one map: deletions at the front of a map make every later access to
 * its front slower.
 */
export class Dedupe {
  #young = new Map<string, Seen>()
  #old = new Map<string, Seen>()
  #bornAt = 0
  #remembered = 0

  /** True if this event came before over another route. Remembers it either way. */
  isDuplicate(event: Copy, now: number): boolean {
    const route = ROUTES[event.transport]
    if (!route) return false
    if (this.#remembered >= MAX_REMEMBERED / 2 || isPast(this.#bornAt, now)) this.#age(now)
    const seen = this.#find(keyOf(event), now)
    const { routes } = seen
    if (routes[route]?.placeOf(event.id) === undefined) {
      this.#remembered += 1
      if (routes[route]) routes[route].add(event.id)
      else routes[route] = new Ids(event.id)
    }
    const place = routes[route]?.placeOf(event.id) ?? 0
    return ALL_ROUTES.some((other) => other !== route && place <= (routes[other]?.size ?? 0))
  }

  relayed(event: Copy, seq: number, now: number): void {
    const seen = this.#find(keyOf(event), now)
    seen.relayed ??= []
    seen.relayed.push(seq)
  }

  /** For a duplicate: its sequence in the journal if its agent is the first to wait for an answer; else 0. */
  unanswered(event: Copy, now: number): number {
    const route = ROUTES[event.transport]
    const { routes, relayed = [] } = this.#find(keyOf(event), now)
    const place = route === undefined || route === 'relay' ? undefined : routes[route]?.placeOf(event.id)
    if (place === undefined) return 0
    const isAnswered = ANSWERED.some((other) => other !== route && place <= (routes[other]?.size ?? 0))
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
    const seen: Seen = { at: now, routes: {} }
    this.#young.set(key, seen)
    return seen
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

/** Also if the clock was set back: in doubt it is past. */
function isPast(at: number, now: number): boolean {
  return Math.abs(now - at) >= WINDOW_MS
}
