/**
 * The dialogs that an agent shows for its tools, as its transcript tells of them. It may show several, one after the
 * other: the session waits for a person until the last of them is answered. Pure but for what it remembers.
 *
 *   const answered = dialogs.take(fact)     // undefined for most facts
 */
import type { TranscriptFact } from '../../agents/index.ts'

export interface Answered {
  readonly at: number
  /** A call that was refused and does not run, where it is known. */
  readonly refused?: { readonly name: string; readonly input: unknown }
  /** Nothing else is asked. */
  readonly isLast: boolean
}

const MAX_CALLS = 64 // of one session: many more than run side by side

export class Dialogs {
  readonly #open = new Set<string>()
  readonly #calls = new Map<string, { name: string; input: unknown }>()

  take(fact: TranscriptFact): Answered | undefined {
    switch (fact.kind) {
      case 'tool-start':
        this.#calls.set(fact.useId, { name: fact.name, input: fact.input })
        if (this.#calls.size > MAX_CALLS) this.#calls.delete([...this.#calls.keys()][0] ?? '')
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
        if (fact.outcome === 'cancelled') return undefined // its turn is over, which another line says
        const call = fact.outcome === 'denied' ? this.#calls.get(fact.useId ?? '') : undefined
        return { at: fact.at, isLast: this.#open.size === 0, ...(call ? { refused: call } : {}) }
      }
      default:
        return undefined
    }
  }
}
