/**
 * Permissions that wait for a person. Each has a short id to type and a secret word of its own: an answer is for this one
 * question, never for another that comes to bear the same id. One end, whoever brings it; the last ones are remembered, so
 * that whoever comes late is told what became of it. Pure but for its own state; the clock is an argument.
 *
 *   const one = book.open(question, 300_000, Date.now())       // { id: 'riko7', nonce, since, until, … }
 *   book.end(one.id, { how: 'allowed', at: Date.now() })       // once; later it says undefined
 */
import { BoundedMap } from '../../core/bounded-map.ts'
import { randomBelow, randomText } from '../../core/random.ts'
import type { ApprovalView } from '../../rpc/index.ts'

/** What a person is asked. */
export interface Question
  extends Pick<ApprovalView, 'agent' | 'agentId' | 'tool' | 'line' | 'isLarge' | 'reason' | 'cwd'> {
  /** The event that waits. */
  readonly eventId: string
  readonly native: string
  readonly sessionId: string
  /** Of the session: agent and id. */
  readonly key: string
  /** All of the tool's input, as it is in the journal. */
  readonly input: unknown
}

export interface Approval extends Question, Pick<ApprovalView, 'id' | 'nonce' | 'since' | 'until'> {}

export interface Ending {
  readonly how: 'allowed' | 'denied' | 'expired' | 'withdrawn'
  readonly at: number
  readonly message?: string
  /** Who answered, from where; or what ended it. */
  readonly by?: string
}

export type Found =
  | { readonly state: 'open'; readonly approval: Approval }
  | { readonly state: 'over'; readonly approval: Approval; readonly ending: Ending }

const MAX_REMEMBERED = 500 // endings, for those who come late
const NONCE_BYTES = 16
const CONSONANTS = 'bdfgklmnprstvz'
const VOWELS = 'aeiou'

export class ApprovalBook {
  readonly #open = new Map<string, Approval>()
  readonly #over = new BoundedMap<string, { readonly approval: Approval; readonly ending: Ending }>(
    MAX_REMEMBERED,
  )

  get size(): number {
    return this.#open.size
  }

  /** Oldest first. */
  all(): Approval[] {
    return [...this.#open.values()]
  }

  of(key: string): Approval[] {
    return this.#open.size === 0 ? [] : this.all().filter((approval) => approval.key === key)
  }

  open(question: Question, waitMs: number, now: number): Approval {
    let id = newApprovalId()
    while (this.#open.has(id) || this.#over.has(id)) id = newApprovalId()
    const nonce = randomText(NONCE_BYTES, 'base64url')
    const approval = { ...question, id, nonce, since: now, until: now + Math.round(waitMs) }
    this.#open.set(id, approval)
    return approval
  }

  /** The clock was set back: it was asked as long ago, and waits as long. */
  setBack(byMs: number): void {
    for (const [id, { since, until, ...one }] of this.#open)
      this.#open.set(id, { ...one, since: since - byMs, until: until - byMs })
  }

  find(id: string): Found | undefined {
    const approval = this.#open.get(id)
    if (approval) return { state: 'open', approval }
    const over = this.#over.get(id)
    return over && { state: 'over', ...over }
  }

  /** Undefined when it is over already. */
  end(id: string, ending: Ending): Approval | undefined {
    const approval = this.#open.get(id)
    if (!approval) return undefined
    this.#open.delete(id)
    this.#over.set(id, { approval: { ...approval, input: undefined }, ending })
    return approval
  }
}

/** Two syllables and a digit: easy to read from one screen and type on another. */
function newApprovalId(): string {
  const one = (letters: string) => letters[randomBelow(letters.length)] ?? ''
  return one(CONSONANTS) + one(VOWELS) + one(CONSONANTS) + one(VOWELS) + randomBelow(10)
}
