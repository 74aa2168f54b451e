/**
 * An agent's tool dialogs, as found in its transcript. Several may be shown one after the other: the session waits for a
 * person until the last is answered. It has no side effects.
 *
 *   const answered = dialogs.take(fact)     // undefined for most facts
 */
import type { TranscriptFact } from '../../agents/index.ts'
import { BoundedMap } from '../../core/bounded-map.ts'

export interface Answered {
  readonly at: number
  /** The refused call, if known; it does not run. */
  readonly refused?: { readonly name: string; readonly input: unknown }
  /** No other dialog is open. */
  readonly isLast: boolean
}

const MAX_CALLS = 64 // per session: many more than run concurrently

export class Dialogs {
  readonly #open = new Set<string>()
  readonly #calls = new BoundedMap<string, { name: string; input: unknown }>(MAX_CALLS)

  take(fact: TranscriptFact): Answered | undefined {
    switch (fact.kind) {
      case 'tool-start':
        this.#calls.set(fact.useId, { name: fact.name, input: fact.input })
        return undefined
      case 'prompt':
      case 'interrupt':
        this.#open.clear()
        return undefined
      case 'permission-asked':
        this.#open.add(fact.id)
        return undefined
      case 'permission-answered': {
        this.#open.delete(fact.id)
        if (fact.outcome === 'cancelled') return undefined // its turn is over, which another line reports
        const call = fact.outcome === 'denied' ? this.#calls.get(fact.useId ?? '') : undefined
        return { at: fact.at, isLast: this.#open.size === 0, ...(call ? { refused: call } : {}) }
      }
      default:
        return undefined
    }
  }
}
