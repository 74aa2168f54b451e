/** When rules with `once` or `cooldown` spoke last, for each session. In memory: after a restart they may speak again. */
import { keyOf } from '../../sessions/state/index.ts'
import type { Facts, Rule } from './rule.ts'

const MAX_KNOWN = 5_000 // rules times sessions; the oldest are forgotten first

interface Last {
  readonly at: number
  readonly turn: unknown
}

export class Spoken {
  readonly #last = new Map<string, Last>()

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
    const key = keyFor(id, facts)
    this.#last.delete(key)
    this.#last.set(key, { at: facts.event.receivedAt, turn: facts.world.fact(facts.event, 'turn') })
    if (this.#last.size > MAX_KNOWN) this.#last.delete(this.#last.keys().next().value ?? '')
  }
}

function keyFor(id: string, { event }: Facts): string {
  return `${id}\n${keyOf(event)}`
}
