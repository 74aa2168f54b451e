/**
 * Drops duplicates. A hook may be installed twice, as a command, over HTTP, as a call or by another tool's script, and then
 * arrives over two routes with two ids. The k-th copy of a payload over one route is a duplicate of the k-th copy over
 * another, if it comes soon after it. The same payload again over the same route is a new event: people do send "continue"
 * twice. The same id again is the same copy: a client that waited too long spools what it has sent.
 */
import { hash53 } from '../core/text/hash.ts'
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

/** The copies of one payload. */
interface Seen {
  readonly at: number
  /** The ids that came over each route, with their places from 1 on. */
  readonly routes: Partial<Record<Route, Map<number, number>>>
  /** Sequences of copies that another tool relayed: nobody waited for an answer to them. */
  relayed?: number[]
}

/**
 * Payloads by their hash. Thousands are remembered, and nearly all come once: those are a place in arrays of numbers. As objects
 * they would lie scattered between what lives for a moment, and keep its memory from being returned.
 */
class Generation {
  readonly #payloads = new Map<number, Seen | number>()
  readonly #at = new Float64Array(MAX_REMEMBERED / 2)
  readonly #ids = new Float64Array(MAX_REMEMBERED / 2)
  readonly #routes = new Uint8Array(MAX_REMEMBERED / 2)
  #lone = 0
  readonly bornAt: number
  /** Of all payloads. */
  ids = 0

  constructor(bornAt: number) {
    this.bornAt = bornAt
  }

  find(key: number): Seen | undefined {
    const known = this.#payloads.get(key)
    if (typeof known !== 'number') return known
    const seen = this.#loneAt(known)
    this.#payloads.set(key, seen)
    return seen
  }

  addLone(key: number, id: number, route: Route, at: number): void {
    this.#payloads.set(key, this.#lone)
    this.#at[this.#lone] = at
    this.#ids[this.#lone] = id
    this.#routes[this.#lone] = ALL_ROUTES.indexOf(route)
    this.#lone += 1
    this.ids += 1
  }

  #loneAt(place: number): Seen {
    const route = ALL_ROUTES[this.#routes[place] ?? 0] ?? 'command'
    return { at: this.#at[place] ?? 0, routes: { [route]: new Map([[this.#ids[place] ?? 0, 1]]) } }
  }
}

/**
 * Two generations instead of deleting the oldest from one map: deletions at the front of a map make every later access to
 * its front slower.
 */
export class Dedupe {
  #young = new Generation(0)
  #old = new Generation(0)

  /** True if this event came before over another route. Remembers it either way. */
  isDuplicate(event: Copy, now: number): boolean {
    const route = ROUTES[event.transport]
    if (!route) return false
    if (this.#young.ids >= MAX_REMEMBERED / 2 || isPast(this.#young.bornAt, now)) this.#age(now)
    const [key, id] = [keyOf(event), hash53(event.id)]
    const routes = this.#find(key, now)?.routes
    if (!routes) {
      this.#young.addLone(key, id, route, now)
      return false
    }
    routes[route] ??= new Map()
    const ids = routes[route]
    const place = ids.get(id) ?? ids.size + 1
    if (place > ids.size) this.#young.ids += 1
    ids.set(id, place)
    return ALL_ROUTES.some((other) => other !== route && place <= (routes[other]?.size ?? 0))
  }

  /** Of an event that is not a duplicate: where the journal has it. */
  relayed(event: Copy, seq: number, now: number): void {
    const seen = this.#find(keyOf(event), now)
    if (!seen) return
    seen.relayed ??= []
    seen.relayed.push(seq)
  }

  /** For a duplicate: its sequence in the journal if its agent is the first to wait for an answer; else 0. */
  unanswered(event: Copy, now: number): number {
    const route = ROUTES[event.transport]
    const { routes = {}, relayed = [] } = this.#find(keyOf(event), now) ?? {}
    const place = route === undefined || route === 'relay' ? undefined : routes[route]?.get(hash53(event.id))
    if (place === undefined) return 0
    const isAnswered = ANSWERED.some((other) => other !== route && place <= (routes[other]?.size ?? 0))
    const seq = isAnswered ? 0 : (relayed[place - 1] ?? 0)
    if (seq > 0) relayed[place - 1] = 0 // once: a client that waited too long spools what it has sent
    return seq
  }

  clear(): void {
    this.#young = new Generation(this.#young.bornAt)
    this.#old = new Generation(0)
  }

  #find(key: number, now: number): Seen | undefined {
    const seen = this.#young.find(key) ?? this.#old.find(key)
    return seen && !isPast(seen.at, now) ? seen : undefined
  }

  #age(now: number): void {
    this.#old = this.#young
    this.#young = new Generation(now)
  }
}

function keyOf({ agent, sessionId, raw }: Copy): number {
  return hash53(`${agent}\n${sessionId}\n${Bun.hash(raw)}`)
}

/** Also if the clock was set back: in doubt it is past. */
function isPast(at: number, now: number): boolean {
  return Math.abs(now - at) >= WINDOW_MS
}
