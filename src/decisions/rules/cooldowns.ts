/**
 * When rules with `once` or `cooldown` spoke last, for each session. In memory; a file keeps it over a restart, written when it
 * is quiet. A daemon that is killed before that may let a rule speak again.
 *
 *   spoken.load(readPlain(file, SPOKEN_BYTES))
 *   spoken.save((text) => writeAtomic(file, text))
 */
import { BoundedMap } from '../../core/bounded-map.ts'
import { isObject } from '../../core/is-object.ts'
import { jsonIn } from '../../core/json.ts'
import { keyOf } from '../../events/index.ts'
import type { Facts, Rule } from './rule.ts'

const MAX_KNOWN = 5_000 // rules times sessions; the oldest are forgotten first
const MAX_KEY_CHARS = 512 // per saved key: the agent chooses the session id
export const SPOKEN_BYTES = 4 * 1024 * 1024

interface Last {
  readonly at: number
  readonly turn: unknown
}

export class RuleCooldowns {
  readonly #last = new BoundedMap<string, Last>(MAX_KNOWN)
  #isSaved = true

  /** Whether the rule may speak to this event. */
  allows({ id, once, cooldownMs }: Rule, facts: Facts): boolean {
    if (once === undefined && cooldownMs === undefined) return true
    const last = this.#last.get(keyFor(id, facts))
    if (last === undefined) return true
    if (once === 'session') return false
    const turn = facts.world.fact(facts.event, 'turn')
    if (once === 'turn' && turn !== undefined && turn === last.turn) return false
    return cooldownMs === undefined || Math.abs(facts.event.receivedAt - last.at) >= cooldownMs
  }

  note({ id, once, cooldownMs }: Rule, facts: Facts): void {
    if (once === undefined && cooldownMs === undefined) return
    this.#last.set(keyFor(id, facts), {
      at: facts.event.receivedAt,
      turn: facts.world.fact(facts.event, 'turn'),
    })
    this.#isSaved = false
  }

  /** What `save` wrote; anything else counts for nothing. */
  load(text: string | undefined): void {
    const rows = jsonIn(text) // of a broken file nothing: rules may speak again
    for (const row of Array.isArray(rows) ? rows : []) {
      const [key, last] = Array.isArray(row) ? row : []
      if (typeof key === 'string' && isObject(last) && typeof last.at === 'number')
        this.#last.set(key, { at: last.at, turn: last.turn })
    }
  }

  /** Calls `write` if there is something new. */
  save(write: (text: string) => void): void {
    if (this.#isSaved) return
    write(JSON.stringify([...this.#last].filter(([key]) => key.length <= MAX_KEY_CHARS)))
    this.#isSaved = true
  }
}

function keyFor(id: string, { event }: Facts): string {
  return `${id}\n${keyOf(event)}`
}
